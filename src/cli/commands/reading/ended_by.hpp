#pragma once
// The exit status of a command that ran until it was ended.

#include "cli/exit_code.hpp"
#include "system/processes.hpp"

namespace plankeep::cli {

/// `signal`: the number of the one that ended it, as a shell says it; 0: the user did.
inline ExitCode ended_by(int signal) {
  return signal == 0 ? ExitCode::fine : static_cast<ExitCode>(system::kSignalled + signal);
}

}  // namespace plankeep::cli
