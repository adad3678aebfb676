#pragma once
// Where a restore of the work tree keeps its files ready: new/ with the contents that come, old/ with the
// files that go, and the journal. Private to worktree/restore_tree.
//
//   RestoreStaging staging(files, place, own);         // own: <git-dir>/plankeep
//   TRY_ASSIGN(journal.beside, staging.must_be_beside(journal.operations));
//   TRY(staging.open(journal.beside));
//   TRY(staging.write_content(i, content, operation)); // each; then sync new_files()
//   TRY(staging.write_journal(journal));               // from here on a restore is unfinished
//   TRY(staging.clear());                              // and from here on it is not
//
// On disk: <git-dir>/plankeep/rewind with journal, new/ and old/; the last two are <top>/.plankeep-rewind/new
// and old/ when the git directory is on another file system than the work tree, so that a rename takes a file
// from one to the other. There .plankeep-staging marks the folder as ours: one without it is the user's, and
// neither used nor cleared. Killed before the journal has its name, or after clear() took it: there is
// nothing but what the next clear() removes.

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "system/file_system.hpp"
#include "worktree/restore_journal.hpp"
#include "worktree/snapshot.hpp"

namespace plankeep::git {

class RestoreStaging {
 public:
  RestoreStaging(system::FileSystem& files, const SnapshotPlace& place, std::unique_ptr<system::Folder> own)
      : files_(files), place_(place), own_(std::move(own)) {}

  /// Of this work tree's restores; waits two seconds, then busy.
  [[nodiscard]] base::Result<std::unique_ptr<system::Lock>> lock();

  /// Whether it has to be in the work tree's top; conflict when the targets are on several file systems.
  [[nodiscard]] base::Result<bool> must_be_beside(const std::vector<RestoreOperation>& operations);

  /// Makes what is missing. conflict: the place beside is taken by a folder of the user's, unless a journal
  /// says that it is ours (one of a version that did not mark it).
  [[nodiscard]] base::Status open(bool beside, bool journaled = false);
  /// After open(): files named by an operation's place, "0", "1".
  system::Folder& new_files() { return *new_; }
  system::Folder& old_files() { return *old_; }

  /// Writes new/<place> with the operation's mode, on disk, and notes its facts in the operation.
  [[nodiscard]] base::Status write_content(std::size_t place, std::string_view content,
                                           RestoreOperation& operation);

  [[nodiscard]] base::Status write_journal(const RestoreJournal& journal);
  /// nullopt: there is none. corrupt when it is not one of ours.
  [[nodiscard]] base::Result<std::optional<RestoreJournal>> read_journal();

  /// Takes all of it out of the way under another name, which it gives: "<git-dir>/plankeep/given-up-1".
  /// Contents that lie in the work tree's top stay there, likewise under another name, beside ours.
  [[nodiscard]] base::Result<std::string> quarantine();

  /// Removes all of it, the journal first: without it there is only something to be cleared away.
  /// `journaled_beside`: a journal said that the folder in the work tree is ours.
  [[nodiscard]] base::Status clear(bool journaled_beside = false);

 private:
  [[nodiscard]] base::Result<std::unique_ptr<system::Folder>> open_beside(bool journaled);
  [[nodiscard]] base::Status clear_beside(bool journaled);

  system::FileSystem& files_;
  const SnapshotPlace& place_;
  std::unique_ptr<system::Folder> own_;
  std::unique_ptr<system::Folder> new_;
  std::unique_ptr<system::Folder> old_;
};

}  // namespace plankeep::git
