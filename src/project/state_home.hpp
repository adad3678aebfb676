#pragma once
// The folder for what we keep outside projects, for this user: $XDG_STATE_HOME/plankeep (~/.local/state where
// that is not set).

#include <memory>

#include "base/result.hpp"
#include "project/context.hpp"
#include "system/file_system.hpp"

namespace plankeep::app {

/// Made when missing and wanted. not_found: it is not there, or there is no home to keep it in.
[[nodiscard]] base::Result<std::unique_ptr<system::Folder>> open_state_home(const Context& context,
                                                                            bool make);

}  // namespace plankeep::app
