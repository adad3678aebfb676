#include "project/git_directory.hpp"

#include <cstdint>
#include <string_view>

namespace plankeep::app {
namespace {

constexpr std::string_view kGitLink = "gitdir: ";
constexpr std::uint64_t kLongestGitLink = 4096;
constexpr std::uint64_t kLongestHead = 4096;

}  // namespace

bool holds_git(const Context& context, const std::string& folder) {
  const auto info = context.files.info(folder == "/" ? "/.git" : folder + "/.git");
  return info && info->kind != system::FileKind::missing;
}

std::optional<GitDirectory> git_directory_of(const Context& context, const std::string& folder) {
  const auto opened = context.files.open_folder(folder);
  if (!opened) return std::nullopt;
  const auto info = (*opened)->info(".git");
  if (!info) return std::nullopt;
  if (info->kind == system::FileKind::directory) return GitDirectory{(*opened)->path_of(".git"), false};
  if (info->kind != system::FileKind::regular) return std::nullopt;
  // "gitdir: /repository/.git/worktrees/x" LF
  const auto text = (*opened)->read(".git", kLongestGitLink);
  if (!text || !text->starts_with(kGitLink)) return std::nullopt;
  std::string path = text->substr(kGitLink.size());
  while (path.ends_with('\n') || path.ends_with('\r')) path.pop_back();
  if (!path.starts_with('/')) path = (folder == "/" ? "/" : folder + "/") + path;
  const auto real = context.files.real_path(path);
  return real ? std::optional(GitDirectory{*real, true}) : std::nullopt;
}

bool head_is_detached(const Context& context, const std::string& folder) {
  const auto directory = git_directory_of(context, folder);
  if (!directory) return false;
  const auto opened = context.files.open_folder(directory->path);
  if (!opened) return false;
  const auto head = (*opened)->read("HEAD", kLongestHead);
  return head && !head->starts_with("ref:");
}

}  // namespace plankeep::app
