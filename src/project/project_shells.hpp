#pragma once
// Where a project keeps who has a command in the shell (store/running_shells): <git-dir>/plankeep/shells/,
// without git $XDG_STATE_HOME/plankeep/shells-<digest of the project's path>/; nowhere without either. One
// place for all plans of the project, so that noting a command costs the same whether it has one or hundreds.

#include <memory>
#include <string>
#include <vector>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "project/context.hpp"
#include "store/running_shells.hpp"
#include "system/file_system.hpp"

namespace plankeep::app {

/// Of the project of `folder`, which is absolute and free of links. `make`: made when missing. not_found:
/// there is none, or no place for one.
[[nodiscard]] base::Result<std::unique_ptr<system::Folder>> open_shells(const Context& context,
                                                                        const std::string& folder, bool make);

/// Those that run in the project of `folder`. Nothing when they cannot be read.
std::vector<store::RunningShell> shells_in_project(const Context& context, const std::string& folder);

}  // namespace plankeep::app
