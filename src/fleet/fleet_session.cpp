#include "fleet/fleet_session.hpp"

#include "cli/locate.hpp"
#include "fleet/schema.hpp"
#include "project/project.hpp"
#include "project/project_plans.hpp"
#include "store/tracking_folder.hpp"

namespace plankeep::fleet {

using base::ErrorKind;
using base::Result;
using cli::About;
using cli::ExitCode;

ExitCode fail_server(cli::Program& program, const base::Error& error) {
  return program.fail(error, error.kind == ErrorKind::busy ? ExitCode::busy : ExitCode::cannot_access);
}

Result<std::string> address_of(const app::Context& context, const cli::FleetOptions& options,
                               const app::Settings& settings) {
  if (options.address) return *options.address;
  const auto variable = context.environment.variable("PLANKEEP_FLEET");
  if (variable && !variable->empty()) return *variable;
  if (settings.fleet) return *settings.fleet;
  return base::fail(
      ErrorKind::not_found, "no fleet is set up",
      "give --fleet service=NAME, or \"fleet\": \"service=NAME\" in your settings (config.json)");
}

Result<std::unique_ptr<Connection>> connect(const FleetProgram& fleet, const cli::FleetOptions& options,
                                            Schema schema) {
  const app::Context& context = fleet.program.context;
  TRY_ASSIGN(const std::string address, address_of(context, options, app::Project::here(context).settings()));
  TRY_ASSIGN(const Parameters parameters, read_address(address));
  TRY_ASSIGN(auto connection, Connection::open(parameters, fleet.wait));
  // Two pushes of one folder wait for each other's rows. If the other machine is gone in the middle of its
  // transaction, the server ends it after a minute; until then whoever waits gives up in time.
  // All our queries are short. Before tables are analysed the planner may expect otherwise and compile a
  // query, which takes most of a second.
  const std::string limits =
      "SET lock_timeout = '20s'; SET idle_in_transaction_session_timeout = '60s'; SET jit = off;";
  TRY(schema == Schema::needed ? require_schema(*connection, limits) : connection->script(limits));
  return connection;
}

std::optional<std::vector<app::PlanLocation>> plans_of(cli::Program& program,
                                                       const cli::FleetOptions& options, ExitCode& code) {
  const app::Context& context = program.context;
  if (!options.all) {
    const auto plan = cli::locate_tracked(program, options.plan, code);
    if (!plan) return std::nullopt;
    return std::vector{*plan};
  }
  const app::Project project = app::Project::here(context);
  std::vector<app::PlanLocation> plans;
  for (app::PlanLocation& plan : app::ProjectPlans(context, project).all()) {
    const auto folder = context.files.open_folder(plan.folder);
    if (folder && store::open_tracking(**folder, plan.name)) plans.push_back(std::move(plan));
  }
  if (!plans.empty()) return plans;
  code = program.fail({ErrorKind::not_found, "no plan of this project is tracked", {}, "plankeep init"},
                      About::plan);
  return std::nullopt;
}

}  // namespace plankeep::fleet
