#include "project/project.hpp"

#include "project/git_directory.hpp"
#include "project/plan_location.hpp"

namespace plankeep::app {

Project::Project(const Context& context, const std::string& folder) : context_(&context), root_(folder) {
  const auto home = context.environment.variable("HOME");
  const auto has_settings = [&context](const std::string& at) {
    const auto info = context.files.info((at == "/" ? std::string("/") : at + "/").append(kProjectSettings));
    return info && info->kind != system::FileKind::missing;
  };
  bool with_settings = false;
  for (std::string at = folder;; at = parent_of(at)) {
    if (holds_git(context, at)) {
      root_ = at;
      in_git_ = true;
      return;
    }
    if (!with_settings && has_settings(at)) {
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
  const std::optional<GitDirectory> git = git_directory_of(*context_, root_);
  return git ? std::optional(git->path) : std::nullopt;
}

const Settings& Project::settings() const {
  if (!settings_) settings_ = read_settings(*context_, root_);
  return *settings_;
}

}  // namespace plankeep::app
