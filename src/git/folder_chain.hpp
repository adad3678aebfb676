#pragma once
// The folders of a work tree, opened one from the other: no symbolic link on the way is ever followed, and of
// paths that come sorted each folder is opened once. Holds one descriptor a level.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "system/file_system.hpp"

namespace plankeep::git {

/// "a/b/c": "a/b" and "c"; "c": "" and "c".
std::string_view folder_part(std::string_view path);
std::string_view name_part(std::string_view path);

class FolderChain {
 public:
  FolderChain(system::FileSystem& files, std::string top) : files_(files), top_(std::move(top)) {}

  /// The folder that `path` (relative to the top, "/" between) is in; valid until the next call. not_found
  /// when one on the way is missing, corrupt when it is no folder (a link, a file), io when it cannot be
  /// opened.
  [[nodiscard]] base::Result<system::Folder*> folder_of(std::string_view path);
  /// The same; what is missing is made, as any program would.
  [[nodiscard]] base::Result<system::Folder*> make_folder_of(std::string_view path);
  /// What stands under the path itself: missing also when a folder on the way is missing or none.
  [[nodiscard]] base::Result<system::FileInfo> info(std::string_view path);
  /// Opened again from now on: for when folders were made or removed behind it.
  void forget();

 private:
  [[nodiscard]] base::Result<system::Folder*> walk(std::string_view folder, bool make);

  struct Level {
    std::string name;
    std::unique_ptr<system::Folder> folder;
  };
  system::FileSystem& files_;
  std::string top_;
  std::unique_ptr<system::Folder> root_;
  std::vector<Level> levels_;
};

}  // namespace plankeep::git
