#include "support/memory_file_system.hpp"

namespace plankeep::test {

using base::ErrorKind;
using system::FileKind;

base::Result<std::unique_ptr<system::Folder>> MemoryFileSystem::open_folder(const std::string& path) {
  TRY(disk_.begin("open_folder", path));
  auto found = disk_.resolve(path);
  if (!found) {
    if (found.error().kind == ErrorKind::corrupt) found.error().kind = ErrorKind::invalid_input;
    return base::fail(std::move(found.error()));
  }
  if (found->node->info.kind != FileKind::directory) {
    return base::fail(ErrorKind::invalid_input, "cannot open " + path + ": Not a directory");
  }
  return open_memory_folder(disk_, found->node, path);
}

base::Result<system::FileInfo> MemoryFileSystem::info(const std::string& path) {
  TRY(disk_.begin("info", path));
  const auto found = disk_.resolve(path);
  if (found) return found->node->info;
  if (found.error().message.find("symbolic links") != std::string::npos) return base::fail(found.error());
  return system::FileInfo{};
}

base::Result<std::string> MemoryFileSystem::real_path(const std::string& path) {
  TRY(disk_.begin("real_path", path));
  TRY_ASSIGN(MemoryDisk::Found found, disk_.resolve(path));
  return std::move(found.path);
}

}  // namespace plankeep::test
