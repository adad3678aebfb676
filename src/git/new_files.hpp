#pragma once
// Files that git does not know yet, made known for a commit: `git add --intent-to-add`.
//
//   NewFiles files(git, file_system, tree);
//   TRY(files.announce(pending.new_files));   // from here on `git commit --all` takes them
//   ... commit ...
//   files.settle();       // the commit stands
//   files.take_back();    // or: it does not
//
// Of what is staged nothing changes by this, so `git commit --all`, which works on an index of its own until
// it is through, leaves what the user had staged as it was when a hook, a signature or anything else fails.
//
// take_back() gives the index its bytes again. Where somebody else wrote it meanwhile (a `git add` while the
// tests ran) it only forgets the files that are still announced and nothing more.
//
// Crash: the names stand in <git-dir>/plankeep/new-files until one of the two was called, and take_back() of
// a later process (the next commit, doctor --repair) forgets them. Until then they show as new files whose
// content is not staged.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "git/git.hpp"
#include "system/file_system.hpp"

namespace plankeep::git {

class NewFiles {
 public:
  /// Both outlive it.
  NewFiles(Git& git, system::FileSystem& files, WorkTree tree)
      : git_(git), files_(files), tree_(std::move(tree)) {}
  /// Takes back what was announced and not settled.
  ~NewFiles();
  NewFiles(const NewFiles&) = delete;
  NewFiles& operator=(const NewFiles&) = delete;

  /// Nothing when `paths` is empty. Paths as git tells them, relative to the top.
  [[nodiscard]] base::Status announce(const std::vector<std::string>& paths);
  void settle();
  [[nodiscard]] base::Status take_back();

  /// Whether a process died between announce() and its end, or is there right now.
  [[nodiscard]] base::Result<bool> left_over();

 private:
  [[nodiscard]] base::Result<std::unique_ptr<system::Folder>> own_folder();
  [[nodiscard]] base::Status put_back_index();
  [[nodiscard]] base::Status forget_announced();

  Git& git_;
  system::FileSystem& files_;
  WorkTree tree_;
  std::optional<std::string> index_;           // as it was; nullopt: there was none
  std::optional<system::FileInfo> announced_;  // the index behind announce()
};

}  // namespace plankeep::git
