#include "sessions/linked_folders.hpp"

#include <utility>

#include "project/plan_location.hpp"

namespace plankeep::app {
namespace {

// Empty: neither it nor one of the next above it is there.
std::string real_folder(system::FileSystem& files, std::string folder) {
  constexpr int kMostLevels = 64;
  std::string gone;
  for (int level = 0; level < kMostLevels; ++level) {
    const auto real = files.real_path(folder);
    if (real) return (*real == "/" && !gone.empty() ? std::string() : *real) + gone;
    if (folder.size() <= 1) return {};
    gone.insert(0, "/" + last_part(folder));
    folder = parent_of(folder);
  }
  return {};
}

}  // namespace

void LinkedFolders::see(const std::string& path) {
  if (!path.starts_with('/') || seen_.size() >= kMostLinkedFolders) return;
  std::string folder = parent_of(path);
  if (!seen_.insert(folder).second) return;
  std::string real = real_folder(files_, folder);
  if (real == folder || (real != top_ && !core::path_in_repository(real, top_))) return;
  real_.emplace(std::move(folder), std::move(real));
}

}  // namespace plankeep::app
