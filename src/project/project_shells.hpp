#pragma once
// The folder that says who has a command in the shell (store/running_shells): <git-dir>/plankeep/shells/, or
// without git $XDG_STATE_HOME/plankeep/shells-<digits>/ (project/state_home). There is one for all plans of a
// project, so that noting a command costs the same for one plan and for hundreds.

#include <memory>
#include <string>
#include <vector>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "project/context.hpp"
#include "store/running_shells.hpp"
#include "system/file_system.hpp"

namespace plankeep::app {

/// For the project of `folder`, which is absolute and free of links. `make`: made if it is missing.
/// not_found: it is missing, or there is no place for it.
[[nodiscard]] base::Result<std::unique_ptr<system::Folder>> open_shells(const Context& context,
                                                                        const std::string& folder, bool make);

/// Those of the project of `folder`. Empty if they cannot be read.
std::vector<store::RunningShell> shells_in_project(const Context& context, const std::string& folder);

}  // namespace plankeep::app
