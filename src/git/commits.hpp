#pragma once
// What git knows of commits, for those that are bound to a phase (spec 13), and making one.
//
//   Commits commits(git, files, tree);
//   TRY_ASSIGN(const auto standing, commits.standing(shas));      // in this branch, elsewhere, gone
//   TRY_ASSIGN(const auto recent, commits.recent(200));           // newest first, with their messages
//
// A few git processes for each call, whatever the number of commits. Nothing here changes the repository but
// commit(); see git/new_files for files that git does not know yet. Errors as git/git.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "git/git.hpp"

namespace plankeep::git {

struct CommitFacts {
  std::string sha;
  std::string tree;
  std::vector<std::string> parents;
  base::Instant time;   // when it was committed
  std::string message;  // whole, UTF-8 as far as git can make it
  /// Of session checkpoints (model/session): those that the final trailer block of the message names, each
  /// once, in their order.
  std::vector<std::string> session_checkpoints;
  std::string author;  // "Kim <kim@example.org> 1700000000": in seconds since 1970
};

/// Where a commit stands, as seen from HEAD.
enum class Reachability { here, elsewhere, gone };

/// A file that a commit, or one that is made now, changes. `kind`: git's letter (A, M, D, T, ...).
struct CommitChange {
  char kind = 'M';
  std::string path;  // relative to the work tree's top
};

/// What a commit could be made of. Paths are relative to the work tree's top.
struct PendingChanges {
  std::vector<CommitChange> staged;
  std::vector<CommitChange> all;        // staged or not, new files included
  std::vector<std::string> new_files;   // that git does not know; "dir/": a repository inside this one
  std::vector<std::string> conflicts;   // unmerged
  std::vector<std::string> not_staged;  // tracked files that the work tree has otherwise than the index
};

/// HEAD's commit as the files say it, without asking git; empty where only git knows (packed, another ref
/// store, no commit yet). Of `tree` git_dir and common_dir count.
std::string head_in_files(system::FileSystem& files, const WorkTree& tree);

class Commits {
 public:
  /// Both outlive it.
  Commits(Git& git, system::FileSystem& files, WorkTree tree)
      : git_(git), files_(files), tree_(std::move(tree)) {}

  /// Why no commit of ours is made now: "a merge is in progress"; nullopt: nothing is in the way.
  [[nodiscard]] base::Result<std::optional<std::string>> in_progress();

  /// HEAD's commit; nullopt while there is none.
  [[nodiscard]] base::Result<std::optional<CommitFacts>> head();

  /// Commits that HEAD comes from, newest first, at most `count`; none while there is no commit. The last; of
  /// those since a moment (to the second); of those that have a line with `text` in their message.
  /// The last are asked for once, and again behind commit().
  static constexpr std::size_t kRecent = 200;
  [[nodiscard]] base::Result<std::vector<CommitFacts>> recent();
  [[nodiscard]] base::Result<std::vector<CommitFacts>> since(base::Instant time, std::size_t count);
  [[nodiscard]] base::Result<std::vector<CommitFacts>> saying(const std::string& text, std::size_t count);
  /// Those since a moment that changed a file.
  [[nodiscard]] base::Result<std::vector<CommitFacts>> touching(const std::string& path, base::Instant time,
                                                                std::size_t count);

  /// The commit that a revision names; nullopt: it names none.
  [[nodiscard]] base::Result<std::optional<CommitFacts>> named(const std::string& revision);
  /// Of these; those that are gone are left out.
  [[nodiscard]] base::Result<std::vector<CommitFacts>> facts(const std::vector<std::string>& shas);

  /// In the order of `shas`: `here` when HEAD comes from it.
  [[nodiscard]] base::Result<std::vector<Reachability>> reachability(const std::vector<std::string>& shas);

  /// `git patch-id --stable` of each; none for a merge, for a commit that changes nothing and for one that is
  /// gone.
  [[nodiscard]] base::Result<std::map<std::string, std::string>> patch_ids(
      const std::vector<std::string>& shas);

  /// The same of several at once, by "<commit>:<path>" or "<commit>^:<path>"; nullopt for each that is none.
  [[nodiscard]] base::Result<std::vector<std::optional<std::string>>> files_at(
      const std::vector<std::string>& names);

  /// What differs from HEAD: one `git status`. `new_files`: those that git does not know too.
  [[nodiscard]] base::Result<PendingChanges> pending(bool new_files);
  /// What a commit changed against its first parent.
  [[nodiscard]] base::Result<std::vector<CommitChange>> changed_by(const CommitFacts& commit);
  /// A file as a commit has it; nullopt: it has none such, or it is no regular file, or larger than `limit`.
  [[nodiscard]] base::Result<std::optional<std::string>> file_at(const std::string& sha,
                                                                 const std::string& path,
                                                                 std::uint64_t limit);

  /// Commits what is staged as `git commit` does, with the user's hooks, signing and configuration; what they
  /// say goes to standard error. With `all` every change of tracked files, as `git commit --all`; the index
  /// stays as it was when nothing comes of it. Gives the commit that was made, also where a hook of the
  /// user's has made another one behind it. conflict when git refused or nothing came of it, busy when it
  /// took longer than two hours.
  [[nodiscard]] base::Result<CommitFacts> commit(const std::string& message, bool all);

 private:
  [[nodiscard]] base::Result<std::string> good(const std::vector<std::string>& words,
                                               std::string_view input = {});
  [[nodiscard]] base::Result<std::vector<CommitFacts>> log(const std::vector<std::string>& words,
                                                           std::size_t count,
                                                           const std::vector<std::string>& paths = {});
  // Whether each name is that of a commit that is there.
  [[nodiscard]] base::Result<std::vector<bool>> are_commits(const std::vector<std::string>& names);
  // `shas`: of commits that are there.
  [[nodiscard]] base::Result<std::vector<CommitFacts>> facts_of_existing(
      const std::vector<std::string>& shas);
  [[nodiscard]] base::Result<CommitFacts> made_on(const std::optional<CommitFacts>& before,
                                                  const std::string& message);

  Git& git_;
  system::FileSystem& files_;
  WorkTree tree_;
  std::optional<std::vector<CommitFacts>> recent_;
};

}  // namespace plankeep::git
