#include "project/project.hpp"

#include <cstdint>
#include <string_view>

#include "project/plan_location.hpp"

namespace plankeep::app {

Project::Project(const Context& context, const std::string& folder) : context_(&context), root_(folder) {
  const auto home = context.environment.variable("HOME");
  const auto has = [&context](const std::string& at, std::string_view name) {
    const auto info = context.files.info((at == "/" ? std::string("/") : at + "/").append(name));
    return info && info->kind != system::FileKind::missing;
  };
  bool with_settings = false;
  for (std::string at = folder;; at = parent_of(at)) {
    if (has(at, ".git")) {
      root_ = at;
      in_git_ = true;
      return;
    }
    if (!with_settings && has(at, kProjectSettings)) {
      root_ = at;
      with_settings = true;
    }
    if (at == "/" || at == home) return;
  }
}

Project Project::here(const Context& context) {
  const std::string here = context.environment.working_directory();
  const auto real = context.files.real_path(here);
  return {context, real ? *real : here};
}

std::optional<std::string> Project::git_directory() const {
  if (!in_git_) return std::nullopt;
  const auto folder = context_->files.open_folder(root_);
  if (!folder) return std::nullopt;
  const auto there = (*folder)->info(".git");
  if (!there) return std::nullopt;
  if (there->kind == system::FileKind::directory) return (*folder)->path_of(".git");
  if (there->kind != system::FileKind::regular) return std::nullopt;
  // "gitdir: /repository/.git/worktrees/x" LF
  constexpr std::string_view kGitLink = "gitdir: ";
  constexpr std::uint64_t kLongestLink = 4096;
  const auto text = (*folder)->read(".git", kLongestLink);
  if (!text || !text->starts_with(kGitLink)) return std::nullopt;
  std::string path = text->substr(kGitLink.size());
  while (path.ends_with('\n')) path.pop_back();
  if (!path.starts_with('/')) path = root_ + "/" + path;
  const auto real = context_->files.real_path(path);
  return real ? std::optional(*real) : std::nullopt;
}

const Settings& Project::settings() const {
  if (!settings_) settings_ = read_settings(*context_, root_);
  return *settings_;
}

}  // namespace plankeep::app
