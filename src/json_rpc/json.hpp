#pragma once
// JSON of the protocols: messages of clients, which are read into a tree under limits, and answers, which are
// built as a tree and told in one line.

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace plankeep::json_rpc {

/// Of a client. Sorted by key: an object that keeps the order of its members compares each new key with all
/// earlier ones, and a message may have millions.
using Json = nlohmann::json;
/// Of ours, with its members in the order in which they were told.
using OrderedJson = nlohmann::ordered_json;

/// Levels of arrays and objects that a message may have.
inline constexpr std::size_t kDeepest = 256;

struct Message {
  Json value;
  /// What is written where the tree has a double for an id: the number of the message in its batch (0 without
  /// one), and the last such number. In the order of the text.
  std::vector<std::pair<std::size_t, std::string>> written_ids;
};

/// Of a key that comes twice the last one counts. A byte order mark, a NUL, ill-formed UTF-8 and numbers that
/// no double holds are no JSON: invalid_input, of an object or an array with the byte at which it was clear.
[[nodiscard]] base::Result<Message> parse_message(std::string_view text);

/// What a renderer of ours wrote; `internal` when that is no JSON.
[[nodiscard]] base::Result<OrderedJson> parse_rendered(std::string_view text);

/// A copy in which every string and key can be printed safely (base::printable; line feeds stay). A plan may
/// hold terminal escape sequences, and JSON would pass them on.
[[nodiscard]] OrderedJson made_safe(OrderedJson value);

/// One line without a line feed. Ill-formed UTF-8 becomes U+FFFD.
[[nodiscard]] std::string line_of(const Json& value);
[[nodiscard]] std::string line_of(const OrderedJson& value);

}  // namespace plankeep::json_rpc
