#pragma once
// plankeep-fleet's command line: options in, one action, text or JSON out. Exit statuses are plankeep's.

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "fleet/postgres.hpp"

namespace plankeep::fleet {

struct FleetProgram {
  cli::Program& program;
  Wait wait;  // for the server's socket
};

/// `words` without the program's name.
cli::ExitCode run_fleet_command(const FleetProgram& fleet, const std::vector<std::string>& words);

}  // namespace plankeep::fleet
