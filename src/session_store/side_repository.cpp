#include "session_store/side_repository.hpp"

#include "git/git.hpp"

namespace plankeep::sessions {

std::string side_repository(system::FileSystem& files, const std::string& common_dir) {
  const auto common = files.open_folder(common_dir);
  if (!common) return {};
  const auto ours = (*common)->open_folder(git::kOwnGitFolder);
  if (!ours) return {};
  const auto side = (*ours)->open_folder(kSideRepository);
  if (!side) return {};
  const auto objects = (*side)->info("objects");
  if (!objects || objects->kind != system::FileKind::directory) return {};
  return common_dir + "/" + std::string(git::kOwnGitFolder) + "/" + std::string(kSideRepository);
}

}  // namespace plankeep::sessions
