#pragma once
// The trailer Entire-Checkpoint, put into the message of a commit that running sessions worked on: what
// git's hooks prepare-commit-msg and commit-msg ask for (git-setup --sessions; spec 20.1).
//
// prepare-commit-msg: nothing where no session that is known touched a staged path, in merges, rebases,
// cherry-picks and reverts, where Entire's hooks link commits, and where a setting says no. git is only
// started where its files do not say what is staged, or its configuration may hold the setting
// (git/staged_paths), and for messages that are not plain. Otherwise one id is made. Without an
// editor it comes into the message at once; before an editor it is only noted, and commit-msg puts it into
// what the person wrote. So a message that is left empty, or a template that is left as it is, ends the
// commit as ever: a trailer never stands alone, also with --no-verify, which skips commit-msg and so makes a
// commit without a trailer.
//
// A message that names a checkpoint already keeps it, and so does a commit that is amended with another
// message (-m, -F; core::may_amend): the session's record is added to that one. The commit of a squash merge
// gets the checkpoints of the commits that git's message for it names and that changed a staged path,
// whatever message it gets.
//
// Where Entire's hooks link commits the message is theirs. What is noted then is which commit it will be, by
// its parent, so that the plans' histories tell of Entire's id (commits/link_work).
//
// Never in the way: whatever fails is the caller's to swallow. Killed in between: the message is as it was,
// or has the trailer; what is noted in vain is removed by a later commit or after a day.

#include <string>

#include "base/result.hpp"
#include "git/git.hpp"
#include "project/context.hpp"
#include "sessions/activity_files.hpp"

namespace plankeep::app {

struct CommitMessage {
  std::string file;    // as git names it, relative to the working directory or absolute
  std::string source;  // prepare-commit-msg's second argument; empty: none
};

/// For the work tree around the working directory, where git runs its hooks.
[[nodiscard]] base::Status prepare_commit_message(const Context& context, const CommitMessage& message);

/// Behind the editor. Nothing where prepare_commit_message noted nothing.
[[nodiscard]] base::Status finish_commit_message(const Context& context, const std::string& file);

/// git's setting commit.sessionTrailer, in any of the words that git takes for false.
[[nodiscard]] base::Result<bool> is_trailer_switched_off(git::Git& git, const std::string& top);

/// The work tree of the notes, without asking git: head and object_format stay empty.
git::WorkTree work_tree_of(const ActivityFiles& files);

/// <git-dir>/plankeep/...
/// A folder: session_rules/link_record. A note of a commit that Entire's hooks link is called after its
/// parent, kNoParent for a first commit.
inline constexpr std::string_view kCommitLinks = "commit-links";
inline constexpr std::string_view kNoParent = "0000000000000000000000000000000000000000";
inline constexpr std::string_view kOpenMessage = "commit-msg";
/// "@<seconds>", when the commit that was linked last was written: how git's hook sees that it is amended.
inline constexpr std::string_view kLastLinked = "last-linked";
/// git's, in <git-dir>: from `git merge --squash` until the commit is made.
inline constexpr std::string_view kSquashMessage = "SQUASH_MSG";

}  // namespace plankeep::app
