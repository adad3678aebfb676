#pragma once
// An object store and an index that are thrown away: <git-dir>/plankeep/look-<n>. Private to git/.
//
// Objects of the repository are found through it (info/alternates), what git writes stays in it. So a look at
// the work tree leaves nothing behind that a later snapshot could take for stored.
//
// Removed by the destructor. What a killed process left is removed by the next one that gets the same number:
// look-<n>.lock is held as long as look-<n> is in use.

#include <memory>
#include <string>

#include "base/result.hpp"
#include "system/file_system.hpp"
#include "worktree/snapshot.hpp"

namespace plankeep::git {

class Scratch {
 public:
  /// With a copy of the private index, if there is one.
  [[nodiscard]] static base::Result<std::shared_ptr<Scratch>> make(const SnapshotPlace& place,
                                                                   std::unique_ptr<system::Folder> own);
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string index() const { return folder_->path_of("index"); }
  std::string objects() const { return folder_->path_of("objects"); }
  /// An empty folder.
  std::string nothing() const { return folder_->path_of("nothing"); }

 private:
  Scratch(std::unique_ptr<system::Folder> own, std::unique_ptr<system::Lock> lock, std::string name)
      : own_(std::move(own)), lock_(std::move(lock)), name_(std::move(name)) {}
  [[nodiscard]] base::Status fill(const SnapshotPlace& place);

  std::unique_ptr<system::Folder> own_;
  std::unique_ptr<system::Lock> lock_;
  std::string name_;
  std::unique_ptr<system::Folder> folder_;
};

/// A folder with all that is in it, at most `depth` levels down; links are removed, not followed. One that is
/// missing is fine.
[[nodiscard]] base::Status remove_tree(system::Folder& in, std::string_view name, int depth);

}  // namespace plankeep::git
