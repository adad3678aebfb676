#include "project/project_shells.hpp"

#include "project/project.hpp"
#include "project/state_home.hpp"

namespace plankeep::app {

base::Result<std::unique_ptr<system::Folder>> open_shells(const Context& context, const std::string& folder,
                                                          bool make) {
  TRY_ASSIGN(const ProjectFiles files, open_project_files(context, Project(context, folder), make));
  const std::string name = std::string(store::kShells) + files.suffix;
  return make ? files.folder->make_folder(name) : files.folder->open_folder(name);
}

std::vector<store::RunningShell> shells_in_project(const Context& context, const std::string& folder) {
  const auto shells = open_shells(context, folder, false);
  if (!shells) return {};
  return store::running_shells(**shells, context.clock.now());
}

}  // namespace plankeep::app
