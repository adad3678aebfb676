#pragma once
// Who made a commit. Private to this room.

#include <string>
#include <vector>

#include "session_store/session_store.hpp"

namespace plankeep::sessions {

/// Of the first commit that `git log` gives for these words; empty where it gives none.
[[nodiscard]] base::Result<SessionAuthor> first_author(SessionObjects& objects,
                                                       const std::vector<std::string>& which);

/// The committer's time of the first commit that `git log` gives for these words; 0 where it gives none.
[[nodiscard]] base::Result<std::int64_t> first_commit_time(SessionObjects& objects,
                                                           const std::vector<std::string>& which);

}  // namespace plankeep::sessions
