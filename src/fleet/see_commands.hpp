#pragma once
// The actions of plankeep-fleet that only look: status, log, resume, checkpoints, show, pull, report, doctor.

#include "cli/commands/program/fleet_options.hpp"
#include "fleet/commands.hpp"
#include "fleet/postgres.hpp"

namespace plankeep::fleet {

cli::ExitCode run_see(const FleetProgram& fleet, const cli::FleetOptions& options);

/// The plan that is meant on the server: --plan or the plan here; for `resume` also a path in the project.
struct PlanThere {
  std::string project;
  std::string path;
  std::int64_t number = 0;
};
[[nodiscard]] base::Result<PlanThere> plan_there(const FleetProgram& fleet, const cli::FleetOptions& options,
                                                 Connection& connection);

cli::ExitCode run_doctor(const FleetProgram& fleet, const cli::FleetOptions& options);
cli::ExitCode run_resume(const FleetProgram& fleet, const cli::FleetOptions& options, Connection& connection);
cli::ExitCode run_report(const FleetProgram& fleet, const cli::FleetOptions& options, Connection& connection);

}  // namespace plankeep::fleet
