#pragma once
// Where HEAD is and what the index holds, and putting both somewhere else without a checkout: no file of the
// work tree is read or written, no filter, hook or stash is used (spec 14).
//
//   TRY_ASSIGN(const git::HeadPosition before, git::head_position(snapshots));
//   TRY_ASSIGN(const std::string index, git::index_of_commit(snapshots, files, commit));   // or a saved one
//   TRY(git::put_index(snapshots, files, before.index, index));
//   TRY(git::put_head(snapshots, before, {branch, commit}));
//
// Each of the two is one rename or one ref update, so whoever comes after a crash sees from head_position()
// which of them were done. Neither is done over somebody else's change: both compare first.
//
// Index: the new file is written beside, synced, and renamed to index.lock, which is git's own lock and fails
// when a git holds it; only then it is renamed to index. Killed in between, index.lock stands there whole and
// is known by its content: remove_own_index_lock().
//
// git knows a file again by its size and the second in which it was written, and trusts that only where the
// index is younger. An index that is put here is dated back, so that nothing is taken for unchanged that was
// changed within a second: the next git looks into the files once.
//
// Errors: conflict, somebody else moved HEAD or changed the index; busy, a git holds the index; not_found, no
// such commit; io, git's own words. A git that was killed is an error, never an answer.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "system/file_system.hpp"
#include "worktree/snapshot.hpp"

namespace plankeep::git {

struct HeadPosition {
  std::string branch;  // "refs/heads/main"; empty: detached
  std::string commit;  // empty: unborn
  /// SHA-256 of the index's entries with their stages and flags, not of its file, which changes whenever git
  /// looks at the work tree.
  std::string index;
  bool same_head(const HeadPosition& other) const { return branch == other.branch && commit == other.commit; }
};

[[nodiscard]] base::Result<HeadPosition> head_position(Snapshots& snapshots);

/// Whether the repository has this commit.
[[nodiscard]] base::Result<bool> has_commit(Snapshots& snapshots, const std::string& commit);

/// `branch` ("refs/heads/main") where it points to `commit` and no other work tree has it checked out; empty
/// otherwise.
[[nodiscard]] base::Result<std::string> branch_at(Snapshots& snapshots, const std::string& branch,
                                                  const std::string& commit);

/// How many commits no branch, tag or remote branch leads to, from `commit` back. `keep`: what leads to them
/// beside those, mostly HEAD.
[[nodiscard]] base::Result<std::size_t> commits_without_branch(Snapshots& snapshots,
                                                               const std::string& commit,
                                                               const std::string& keep);

/// An index file that a snapshot holds; nullopt: there was none. The shared part of a split one is put into
/// the git directory, where git looks for it. not_found: git has it no more; corrupt: it names a shared part
/// that cannot be one.
[[nodiscard]] base::Result<std::optional<std::string>> kept_index_file(Snapshots& snapshots,
                                                                       system::FileSystem& files,
                                                                       const IndexCopy& copy);

/// The bytes of an index that holds what `commit` does: entries that the present one has too keep their flags
/// and what it knows of their files.
[[nodiscard]] base::Result<std::string> index_of_commit(Snapshots& snapshots, system::FileSystem& files,
                                                        const std::string& commit);

/// The paths of IndexCopy::absent, sorted; nullopt: not recorded.
[[nodiscard]] base::Result<std::optional<std::vector<std::string>>> kept_absent(Snapshots& snapshots,
                                                                                const IndexCopy& copy);

struct IndexFacts {
  std::string digest;                // what HeadPosition::index would be
  std::vector<std::string> skipped;  // paths with the skip-worktree bit, sorted
};
/// Of an index with these bytes; nullopt: there is no index.
[[nodiscard]] base::Result<IndexFacts> index_facts(Snapshots& snapshots,
                                                   const std::optional<std::string>& bytes);

/// Replaces the index, whose entries are `expected` now. nullopt: removes it.
[[nodiscard]] base::Status put_index(Snapshots& snapshots, system::FileSystem& files,
                                     const std::string& expected, const std::optional<std::string>& bytes);

/// Removes an index.lock that holds exactly one of our texts (SHA-256 of the file). Whether there was one.
[[nodiscard]] base::Result<bool> remove_own_index_lock(Snapshots& snapshots, system::FileSystem& files,
                                                       const std::string& one, const std::string& other);

/// Moves HEAD, which is at `expected`. To a branch: it becomes HEAD's, and has to point to `to.commit`. The
/// branch that HEAD was on stays where it is.
[[nodiscard]] base::Status put_head(Snapshots& snapshots, const HeadPosition& expected,
                                    const HeadPosition& to);

}  // namespace plankeep::git
