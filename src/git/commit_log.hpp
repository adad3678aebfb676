#pragma once
// The newest commits of HEAD, for those who show what happened (reports/timeline).

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "git/git.hpp"

namespace plankeep::git {

struct LoggedCommit {
  std::string id;      // full
  base::Instant time;  // of the committer
  std::string author;  // the name alone
  std::string subject;
};

/// Newest first, at most `count`; with `since` only those that are no older. None without a commit, or
/// without a repository around `folder`. One process. Names and subjects are strangers' text.
[[nodiscard]] base::Result<std::vector<LoggedCommit>> newest_commits(Git& git, const std::string& folder,
                                                                     std::size_t count,
                                                                     std::optional<base::Instant> since);

}  // namespace plankeep::git
