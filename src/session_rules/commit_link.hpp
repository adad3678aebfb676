#pragma once
// Which session checkpoint a commit that is being made belongs to (the trailer Entire-Checkpoint).
//
//   if (!may_link(attempt) || is_revert(message)) return;  // asks nothing of git
//   ...                                                    // a message that names an id keeps it
//   auto ids = inherited_checkpoints(squashed, staged);    // git merge --squash
//   if (ids.empty() && !sessions_of_commit(sessions, staged).empty()) ids = {new id};

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.hpp"
#include "session_rules/session_activity.hpp"

namespace plankeep::core {

/// What is known before git is asked anything.
struct CommitAttempt {
  bool disabled = false;      // the setting, git's commit.sessionTrailer or PLANKEEP_DISABLE says so
  bool entire_links = false;  // Entire's hooks are installed and enabled: they add the trailer
  bool in_progress = false;   // a rebase, cherry-pick, revert or merge; a sequence editor runs
  /// The second argument of prepare-commit-msg: "message", "template", "merge", "squash", "commit" (amend and
  /// others that take over a message), or empty.
  std::string source;
};
/// Whether the commit may get an id at all. Merges never do, nor does a source that git has not named so far.
bool may_link(const CommitAttempt& attempt);
/// Whether it may not, for the only reason that Entire's hooks give it theirs.
bool is_left_to_entire(const CommitAttempt& attempt);

/// The author of the commit that is being made, as git tells its hooks in GIT_AUTHOR_NAME, GIT_AUTHOR_EMAIL
/// and GIT_AUTHOR_DATE ("@1700000000 +0000"): "Kim <kim@example.org> 1700000000". Empty: the date is another
/// one.
std::string author_of_attempt(std::string_view name, std::string_view email, std::string_view date);

/// Whether the commit amends HEAD if HEAD's author is the same, to the second. git does not tell its hooks
/// where the message is given with -m or -F, but an amended commit keeps who wrote it and when. So may the
/// next commit of the same author in the same second: `now` has to be later than that by kSurelyLater. Of
/// nearly all new commits it is not, so that git need not be asked who HEAD's author is.
bool may_amend(std::string_view author, base::Instant now);
inline constexpr std::int64_t kSurelyLater = 3 * base::kSecond;

/// Whether git wrote the message for `git revert`. Without a conflict nothing else tells: while the hook runs
/// there is no REVERT_HEAD and no variable, and the source is "message" (git 2.39).
bool is_revert(std::string_view message);

/// The positions of the sessions that wrote or deleted a staged path. `staged`: relative to the top of the
/// work tree, in any order; of a renamed file both paths.
std::vector<std::size_t> sessions_of_commit(const std::vector<SessionActivity>& sessions,
                                            std::vector<std::string> staged);

/// The commits that the text in .git/SQUASH_MSG names, in its order, at most 1000. Their messages stand
/// indented in it, so no message can name one.
std::vector<std::string> squashed_commits(std::string_view squash_message);

/// A commit that was squashed: the ids of its final trailer block and the paths that it changed.
struct SquashedCommit {
  std::vector<std::string> checkpoints;
  std::vector<std::string> paths;
};
/// The ids of those that changed a staged path, each once, oldest first. `commits`: newest first, as git
/// names them. What is no id is left out.
std::vector<std::string> inherited_checkpoints(const std::vector<SquashedCommit>& commits,
                                               std::vector<std::string> staged);

}  // namespace plankeep::core
