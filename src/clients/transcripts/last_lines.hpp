#pragma once
// A transcript's lines from its end, and what its numbers may be. Private to clients/transcripts/*.cpp.

#include <cstdint>
#include <string_view>

#include "base/instant.hpp"

namespace plankeep::clients {

/// A transcript is a stranger's text: no number of tokens in it counts for more, so that no sum overflows.
inline constexpr std::int64_t kMostTokens = std::int64_t{1} << 40;

/// Takes the last line off, without its line feed. The text must not be empty.
inline std::string_view take_last_line(std::string_view& text) {
  if (text.back() == '\n') text.remove_suffix(1);
  const std::size_t begin = text.rfind('\n') + 1;  // npos + 1 is 0
  const std::string_view line = text.substr(begin);
  text = text.substr(0, begin);
  return line;
}

/// Whether an ISO-8601 time is later; what is no time is not.
inline bool is_after(std::string_view time, base::Instant moment) {
  const auto parsed = base::parse_iso8601(time);
  return parsed && *parsed > moment;
}

}  // namespace plankeep::clients
