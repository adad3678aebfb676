#pragma once
// Small pieces of what git says about commits. Private to this room.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.hpp"
#include "session_store/session_store.hpp"

namespace plankeep::sessions {

/// The author of the first commit that `git log` prints for these words; empty if it prints none.
[[nodiscard]] base::Result<SessionAuthor> first_author(SessionObjects& objects,
                                                       const std::vector<std::string>& which);

/// The committer's time of the first commit that `git log` prints for these words; 0 if it prints none.
[[nodiscard]] base::Result<std::int64_t> first_commit_time(SessionObjects& objects,
                                                           const std::vector<std::string>& which);

/// Seconds since 1970, as git prints them; nullopt: not a number, or later than the year 9999.
std::optional<base::Instant> time_in_seconds(std::string_view text);

/// The first of several trailer values that a space separates. Entire takes the same one.
inline std::string_view first_value(std::string_view values) {
  return values.substr(0, values.find(' '));
}

}  // namespace plankeep::sessions
