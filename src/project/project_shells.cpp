#include "project/project_shells.hpp"

#include "base/sha256.hpp"
#include "project/project.hpp"
#include "project/state_home.hpp"

namespace plankeep::app {

base::Result<std::unique_ptr<system::Folder>> open_shells(const Context& context, const std::string& folder,
                                                          bool make) {
  constexpr std::string_view kOwnFolder = "plankeep";
  const Project project(context, folder);
  if (const auto git_directory = project.git_directory()) {
    TRY_ASSIGN(const auto git, context.files.open_folder(*git_directory));
    TRY_ASSIGN(const auto own, make ? git->make_folder(kOwnFolder) : git->open_folder(kOwnFolder));
    return make ? own->make_folder(store::kShells) : own->open_folder(store::kShells);
  }
  TRY_ASSIGN(const auto home, open_state_home(context, make));
  constexpr std::size_t kDigits = 16;
  const std::string name =
      std::string(store::kShells) + "-" + base::sha256_hex(project.root()).substr(0, kDigits);
  return make ? home->make_folder(name) : home->open_folder(name);
}

std::vector<store::RunningShell> shells_in_project(const Context& context, const std::string& folder) {
  const auto shells = open_shells(context, folder, false);
  if (!shells) return {};
  return store::running_shells(**shells, context.clock.now());
}

}  // namespace plankeep::app
