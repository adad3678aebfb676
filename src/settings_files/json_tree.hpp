#pragma once
// A settings file as a tree that knows where everything stands in the text, so that a piece can be changed
// and every other byte stays (settings_files/json_edit).
//
// Reads JSON as people keep it in settings files: `//` and `/* */` comments, a comma behind the last item, a
// byte order mark. Nothing of that is an error for clients with strict JSON either: such a file is theirs to
// judge. What could be read in two ways is refused: a key that stands twice in one object, text that is no
// UTF-8. Errors are invalid_input and name the place: "line 3, column 7: expected ...", both from 1, columns
// in bytes.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_reader.hpp"
#include "base/result.hpp"

namespace plankeep::clients {

struct JsonNode {
  base::JsonType type = base::JsonType::none;
  std::string key;                  // decoded; a member of an object has one
  std::size_t start = 0;            // of the key, or of the value where there is no key
  std::size_t begin = 0;            // of the value
  std::size_t end = 0;              // behind the value
  std::string text;                 // a string decoded; a number, true, false, null as it stands
  std::vector<JsonNode> items;      // members or elements, in order
  std::vector<std::size_t> commas;  // the comma behind each item that has one

  bool is_object() const { return type == base::JsonType::object; }
  bool is_array() const { return type == base::JsonType::array; }
  bool is_string() const { return type == base::JsonType::string; }
  /// nullptr when this is no object or has no such member.
  const JsonNode* find(std::string_view name) const;
  /// Whether the last item has a comma behind it.
  bool trailing_comma() const { return !items.empty() && commas.size() == items.size(); }
};

struct JsonTree {
  JsonNode root;
  std::vector<std::string> comments;  // in order
};

[[nodiscard]] base::Result<JsonTree> parse_json_tree(std::string_view text);

/// The same value: whatever the white space, the comments, the way strings are escaped, or the order of
/// members.
bool same_value(const JsonNode& a, const JsonNode& b);

/// "line 3, column 7"
std::string place_of(std::string_view text, std::size_t at);

/// The end of the comment that begins at `at`, without the line end of a `//`; `at` when none begins there or
/// it is not closed.
std::size_t end_of_comment(std::string_view text, std::size_t at);

}  // namespace plankeep::clients
