#include "store/plan_folders.hpp"

namespace plankeep::store {

using base::ErrorKind;
using base::Result;
using system::Folder;

Result<std::unique_ptr<Folder>> made_folder(system::FileSystem& files, const std::string& path) {
  auto there = files.open_folder(path);
  const std::size_t slash = path.rfind('/');
  if (there || there.error().kind != ErrorKind::not_found || path == "/" || slash == std::string::npos)
    return there;
  TRY_ASSIGN(const auto above, made_folder(files, slash == 0 ? "/" : path.substr(0, slash)));
  TRY(above->create_shared_folder(path.substr(slash + 1)));
  return files.open_folder(path);
}

}  // namespace plankeep::store
