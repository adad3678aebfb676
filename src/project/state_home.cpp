#include "project/state_home.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/sha256.hpp"
#include "git/git.hpp"
#include "project/plan_location.hpp"

namespace plankeep::app {
namespace {

// The folder that must exist already, and the names to make below it.
struct StatePlace {
  std::string_view variable;  // that says so
  std::string base;
  std::vector<std::string> below;
};

base::Error no_state_home(std::string why, std::string hint) {
  return {base::ErrorKind::not_found, std::move(why), {}, std::move(hint)};
}

base::Result<StatePlace> state_place(const Context& context) {
  constexpr std::string_view kHint = "set HOME or XDG_STATE_HOME";
  const auto state = context.environment.variable("XDG_STATE_HOME");
  // The XDG base directory rules: a relative path is to be ignored.
  if (state && !state->empty() && state->front() == '/')
    return StatePlace{"XDG_STATE_HOME", parent_of(*state), {last_part(*state), "plankeep"}};
  const auto home = context.environment.variable("HOME");
  if (!home || home->empty()) return base::fail(no_state_home("HOME is not set", std::string(kHint)));
  if (home->front() != '/') {
    return base::fail(no_state_home("HOME is not an absolute path: " + *home, std::string(kHint)));
  }
  return StatePlace{"HOME", *home, {".local", "state", "plankeep"}};
}

}  // namespace

base::Result<std::unique_ptr<system::Folder>> open_state_home(const Context& context, bool make) {
  TRY_ASSIGN(const StatePlace place, state_place(context));
  std::string path = place.base;
  if (make) {
    // A home is nothing for us to make: whoever names one that is not there has made a mistake.
    const auto info = context.files.info(path);
    if (info && info->kind == system::FileKind::missing) {
      const std::string variable(place.variable);
      return base::fail(no_state_home("the folder " + path + ", named by " + variable + ", does not exist",
                                      "create it, or set " + variable + " to a folder that exists"));
    }
  }
  for (const std::string& name : place.below) {
    if (make) {
      // By path, not by folder: people keep ~/.local behind a link, and that is their choice to make.
      const std::string next = path + "/" + name;
      const auto info = context.files.info(next);
      if (!info || info->kind == system::FileKind::missing) {
        TRY_ASSIGN(auto folder, context.files.open_folder(path));
        TRY(folder->make_folder(name));
      }
    }
    path += "/" + name;
  }
  return context.files.open_folder(path);
}

base::Result<ProjectFiles> open_project_files(const Context& context, const Project& project, bool make) {
  constexpr std::size_t kDigits = 16;
  if (const auto git_directory = project.git_directory()) {
    TRY_ASSIGN(const auto git, context.files.open_folder(*git_directory));
    TRY_ASSIGN(auto own, make ? git->make_folder(git::kOwnGitFolder) : git->open_folder(git::kOwnGitFolder));
    return ProjectFiles{std::move(own), ""};
  }
  TRY_ASSIGN(auto home, open_state_home(context, make));
  return ProjectFiles{std::move(home), "-" + base::sha256_hex(project.root()).substr(0, kDigits)};
}

}  // namespace plankeep::app
