#pragma once
// A local ref of session checkpoints brought together with what a remote has of it (spec 22.2, 22.3).
//
//   SessionMerger merger(git, files, objects, author);
//   TRY_ASSIGN(const RefMerge merged, merger.merge(ref, remote_commit));
//   ... push merged.commit ...
//
// What is decided: session_rules/merge_checkpoint, checkpoint by checkpoint; what only one side has is taken.
// The local ref moves with compare-and-swap, so a session that is written meanwhile is in it, too. Afterwards
// it has the remote's commit among its ancestors:
// - it had no commits of its own: it moves to the remote's;
// - a ref of one checkpoint: its own commits are made again on top of the remote's, with their authors and
//   messages;
// - the branch, and wherever both have no ancestor in common: a commit with both as its parents.
//
// The remote's objects have to be in the repository, whole. Errors: corrupt, a tree or transcript is missing
// or damaged, or cannot be written again (names that git refuses); busy; io. The ref is as it was then.
//
// Crash: the ref is what it was or whole.

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "git/git.hpp"
#include "git/object_writer.hpp"
#include "git/ref_writer.hpp"
#include "git_objects/commit_object.hpp"
#include "model/session_row.hpp"

namespace plankeep::app {

struct RefMerge {
  std::string commit;              // the ref's, when all is done; empty: the ref is not there any more
  std::size_t checkpoints = 0;     // that both sides had, and had differently
  std::size_t conflicts = 0;       // transcripts that are newly kept beside another one in those
  std::size_t sessions_added = 0;  // that only we had in those
};

class SessionMerger {
 public:
  /// All outlive it. `author`: of merge commits.
  SessionMerger(git::Git& git, system::FileSystem& files, git::ObjectWriter& objects, git::Signature author)
      : git_(git), files_(files), objects_(objects), author_(std::move(author)) {}

  /// `ref`: refs/entire/checkpoints/... or the branch.
  [[nodiscard]] base::Result<RefMerge> merge(const std::string& ref, const std::string& remote);

  /// One checkpoint out of the trees of its folder on both sides: the tree's id. What is new of it is added
  /// to `pack`; `done` counts it.
  [[nodiscard]] base::Result<std::string> merged_checkpoint(core::SessionLayout layout, const std::string& id,
                                                            const std::string& remote_tree,
                                                            const std::string& local_tree, git::Pack& pack,
                                                            RefMerge& done);

 private:
  struct Commit;
  [[nodiscard]] base::Result<Commit> commit_at(const std::string& id);
  [[nodiscard]] base::Result<std::string> base_of(const std::string& local, const std::string& remote);
  [[nodiscard]] base::Result<std::string> merged_commit(const std::string& ref, const std::string& local,
                                                        const std::string& remote, git::Pack& pack,
                                                        RefMerge& done);
  [[nodiscard]] base::Result<std::string> replayed(const std::string& id, const Commit& local,
                                                   const std::string& base, const std::string& remote,
                                                   const std::string& remote_tree, git::Pack& pack,
                                                   RefMerge& done);
  [[nodiscard]] base::Result<std::string> merged_branch(const Commit& remote, const Commit& local,
                                                        git::Pack& pack, RefMerge& done);

  git::Git& git_;
  system::FileSystem& files_;
  git::ObjectWriter& objects_;
  git::Signature author_;
};

}  // namespace plankeep::app
