#include "fleet/commands.hpp"

#include "base/json_writer.hpp"
#include "cli/commands/working/lease_options.hpp"
#include "cli/locate.hpp"
#include "fleet/claims/claims.hpp"
#include "fleet/fleet_session.hpp"
#include "fleet/fleet_text.hpp"
#include "fleet/push_command.hpp"
#include "fleet/schema.hpp"
#include "fleet/see_commands.hpp"

namespace plankeep::fleet {
namespace {

using cli::About;
using cli::ExitCode;
using cli::FleetOptions;

ExitCode run_init(const FleetProgram& fleet, const FleetOptions& options, bool upgrade) {
  cli::Program& program = fleet.program;
  if (options.print) return program.print_data(schema_script(0));
  auto connection = connect(fleet, options, Schema::any);
  if (!connection) return fail_server(program, connection.error());
  if (upgrade) {
    const auto there = schema_version(**connection);
    if (!there) return fail_server(program, there.error());
    if (*there == 0)
      return program.fail({base::ErrorKind::not_found,
                           "there is no plankeep schema to upgrade",
                           {},
                           "plankeep fleet init makes it"},
                          About::file);
  }
  const auto before = make_schema(**connection);
  if (!before) return fail_server(program, before.error());
  const std::string where = (*connection)->facts().address;
  if (options.json) {
    base::JsonWriter out(base::JsonWriter::Layout::indented);
    out.begin_object();
    out.key("schemaVersion").value(kSchemaVersion);
    out.key("versionBefore").value(*before);
    out.key("server").value(where);
    out.end_object();
    return program.print(out.finish());
  }
  const std::string version = "version " + std::to_string(kSchemaVersion);
  if (*before == kSchemaVersion)
    return program.report_change("the schema is up to date (" + version + "): " + render::safe_line(where) +
                                 "\n");
  std::string text =
      "created or updated the schema plankeep to " + version + ": " + render::safe_line(where) + "\n";
  if (*before == 0) text += "to give people access: GRANT plankeep_writer TO their_login\n";
  return program.report_change(text);
}

// What they say of it locally is kept with the plan's own warnings.
ExitCode tell_claim(cli::Program& program, const FleetClaim& claim, bool json) {
  const bool granted = claim.verdict == FleetVerdict::granted || claim.verdict == FleetVerdict::renewed ||
                       claim.verdict == FleetVerdict::released;
  const ExitCode code = granted ? ExitCode::fine : ExitCode::no;
  if (claim.answer && !json) {
    for (const std::string& warning : claim.answer->outcome.warnings) program.warn(warning);
  }
  if (json) return program.print(claim_json(claim), code);
  if (granted) return program.report_change(claim_text(claim), code);
  return program.fail(claim_refusal(claim), code);
}

ExitCode run_claims(const FleetProgram& fleet, const FleetOptions& options) {
  cli::Program& program = fleet.program;
  const auto asked = cli::lease_request(program, options.lease);
  if (!asked) return ExitCode::usage;
  ExitCode code = ExitCode::fine;
  const auto plan = cli::locate_tracked(program, options.plan, code);
  if (!plan) return code;
  const app::ClaimRequest request = cli::by_own_actor(program, *plan, *asked);
  const auto place = own_place(program.context, *plan, options.project);
  if (!place) return program.fail(place.error(), About::request);
  auto connection = connect(fleet, options, Schema::needed);
  if (!connection) return fail_server(program, connection.error());
  const auto claim = [&]() -> base::Result<FleetClaim> {
    if (options.action == "next") return claim_next(program.context, **connection, *place, request);
    const std::string& id = options.names.front();
    if (options.action == "claim") return claim_task(program.context, **connection, *place, id, request);
    return release_task(program.context, **connection, *place, id, request);
  }();
  if (!claim) {
    const base::ErrorKind kind = claim.error().kind;
    const bool about_id = kind == base::ErrorKind::not_found || kind == base::ErrorKind::ambiguous ||
                          kind == base::ErrorKind::invalid_input;
    return about_id ? program.fail(claim.error(), About::request) : fail_server(program, claim.error());
  }
  return tell_claim(program, *claim, options.json);
}

}  // namespace

ExitCode run_fleet_command(const FleetProgram& fleet, const std::vector<std::string>& words) {
  FleetOptions options;
  if (const auto stop = cli::read_fleet_options(fleet.program, words, options)) return *stop;
  const std::string& action = options.action;
  if (action == "init" || action == "upgrade") return run_init(fleet, options, action == "upgrade");
  if (action == "push") return run_push(fleet, options);
  if (action == "claim" || action == "next" || action == "release") return run_claims(fleet, options);
  return run_see(fleet, options);
}

}  // namespace plankeep::fleet
