#pragma once
// The real disk. Everything behind a Folder goes through its open directory (openat and kin), so a folder
// that is renamed or replaced while we work never sends a write elsewhere.
//
// File descriptors are closed on exec; every call goes on after a signal.

#include "system/file_system.hpp"

namespace plankeep::system {

class PosixFileSystem : public FileSystem {
 public:
  /// not_found when nothing is there, invalid_input when it is no directory.
  [[nodiscard]] base::Result<std::unique_ptr<Folder>> open_folder(const std::string& path) override;
  [[nodiscard]] base::Result<FileInfo> info(const std::string& path) override;
  [[nodiscard]] base::Result<std::string> real_path(const std::string& path) override;
};

}  // namespace plankeep::system
