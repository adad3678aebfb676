#pragma once
// The metadata files of session checkpoints (model/session) as text, byte for byte as Entire writes them.
//
//   TRY_ASSIGN(const auto read, core::decode_session(text));
//   ... read.value, and what was wrong with it: read.problems ...
//   core::encode_session(read.value) == text        // for every file that Entire wrote and nobody touched
//
// The form is Go's encoding/json with an indent of two spaces: keys in one order, "<", ">", "&", U+2028 and
// U+2029 as \u escapes, other characters as they are, floats as short as they can be, a list that was never
// made as null, one final line feed.
//
// Reading is tolerant: a value of another type than its key's is a problem, not an error, and is kept as it
// is, as keys are that nobody knows. Both stand at their place when the file is written again. Only a text
// that is no JSON object (corrupt) or above a limit (invalid_input) is refused.

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
