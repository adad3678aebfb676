#pragma once
// Folders for files of ours that are not beside a plan: this user's, and one project's.
//
//   TRY_ASSIGN(const ProjectFiles files, open_project_files(context, project, true));
//   files.folder->read("plans" + files.suffix + ".json", limit)

#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "project/context.hpp"
#include "project/project.hpp"
#include "system/file_system.hpp"

namespace plankeep::app {

/// $XDG_STATE_HOME/plankeep, or ~/.local/state/plankeep if that is not set. `make`: made if it is missing.
/// not_found: it is missing, or neither variable is set.
[[nodiscard]] base::Result<std::unique_ptr<system::Folder>> open_state_home(const Context& context,
                                                                            bool make);

struct ProjectFiles {
  std::unique_ptr<system::Folder> folder;  // <git-dir>/plankeep, without git the state home
  /// Goes into the name of each file or folder, since projects share the state home: "-" and 16 digits of the
  /// project's path; empty in git.
  std::string suffix;
};
/// Errors as for open_state_home.
[[nodiscard]] base::Result<ProjectFiles> open_project_files(const Context& context, const Project& project,
                                                            bool make);

}  // namespace plankeep::app
