#pragma once
// The file ports over a MemoryDisk. Relative paths start at "/".

#include "support/memory_disk.hpp"
#include "system/file_system.hpp"

namespace plankeep::test {

class MemoryFileSystem : public system::FileSystem {
 public:
  MemoryDisk& disk() { return disk_; }

  [[nodiscard]] base::Result<std::unique_ptr<system::Folder>> open_folder(const std::string& path) override;
  [[nodiscard]] base::Result<system::FileInfo> info(const std::string& path) override;
  [[nodiscard]] base::Result<std::string> real_path(const std::string& path) override;

 private:
  MemoryDisk disk_;
};

/// The folder that `node` is. The disk must outlive it.
std::unique_ptr<system::Folder> open_memory_folder(MemoryDisk& disk, NodePointer node, std::string path);

}  // namespace plankeep::test
