#pragma once
// One call of plankeep-fleet: which server, which plans, and the connection.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "cli/commands/program/fleet_options.hpp"
#include "fleet/commands.hpp"
#include "fleet/own_place.hpp"
#include "fleet/postgres.hpp"
#include "project/settings.hpp"
#include "secrets/redactor.hpp"

namespace plankeep::fleet {

/// What is wrong about the server is no usage mistake: 5 where it is not reached, else 4.
cli::ExitCode fail_server(cli::Program& program, const base::Error& error);

/// The address: --fleet, else $PLANKEEP_FLEET, else the setting. not_found: none is given.
[[nodiscard]] base::Result<std::string> address_of(const app::Context& context,
                                                   const cli::FleetOptions& options,
                                                   const app::Settings& settings);

/// Connects. With Schema::needed the version of the schema is looked at too.
enum class Schema { any, needed };
[[nodiscard]] base::Result<std::unique_ptr<Connection>> connect(const FleetProgram& fleet,
                                                                const cli::FleetOptions& options,
                                                                Schema schema);

/// The tracked plans that are meant: one, or with --all those of the project. nullopt: the error has been
/// printed and `code` is the exit status.
std::optional<std::vector<app::PlanLocation>> plans_of(cli::Program& program,
                                                       const cli::FleetOptions& options, cli::ExitCode& code);

}  // namespace plankeep::fleet
