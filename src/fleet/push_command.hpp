#pragma once
// `fleet push`: once, until somebody ends it, or for a hook.

#include "cli/commands/program/fleet_options.hpp"
#include "fleet/commands.hpp"

namespace plankeep::fleet {

cli::ExitCode run_push(const FleetProgram& fleet, const cli::FleetOptions& options);

/// How long --watch waits before it tries again after so many failures in a row: 1 s, doubled each time up to
/// 5 min, each between half and all of that (`random` from 0 to 1), so that many machines do not come back at
/// once.
std::chrono::milliseconds pause_after(int failures, double random);

}  // namespace plankeep::fleet
