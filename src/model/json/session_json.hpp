#pragma once
// The metadata files of session checkpoints (model/session) as text, byte for byte as Entire writes them.
//
//   TRY_ASSIGN(const auto read, core::decode_session(text));
//   ... read.value, and what was wrong with it: read.problems ...
//   core::encode_session(read.value) == text        // for every file as Entire wrote it
//
// The format is that of Go's encoding/json with an indent of two spaces: keys in a fixed order, "<", ">",
// "&", U+2028 and U+2029 as \u escapes, other characters unescaped, the shortest form of a float, null for a
// list that was never set, one final line feed.
//
// Reading is tolerant: a value of the wrong type is reported as a problem and kept unchanged, and so are
// unknown keys. Both keep their position when the file is written again. Refused are only texts that are not
// a JSON object (corrupt) or exceed a limit (invalid_input).

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/session.hpp"

namespace plankeep::core {

/// Of a metadata file (spec 25.2).
inline constexpr std::size_t kLargestSessionJson = std::size_t{4} << 20;
inline constexpr int kDeepestSessionJson = 64;

template <class T>
struct Decoded {
  T value;
  /// "summary.intent: expected a string": unsafe to print.
  std::vector<std::string> problems;
};

[[nodiscard]] base::Result<Decoded<SessionRoot>> decode_session_root(std::string_view text);
[[nodiscard]] base::Result<Decoded<SessionMetadata>> decode_session(std::string_view text);
[[nodiscard]] base::Result<Decoded<PlanLink>> decode_plan_link(std::string_view text);

std::string encode_session_root(const SessionRoot& root);
std::string encode_session(const SessionMetadata& session);
std::string encode_plan_link(const PlanLink& link);

}  // namespace plankeep::core
