#include "fleet/see_commands.hpp"

#include "fleet/fleet_session.hpp"
#include "fleet/fleet_text.hpp"
#include "fleet/pulled.hpp"
#include "project/discover.hpp"
#include "project/project.hpp"

namespace plankeep::fleet {
namespace {

using base::ErrorKind;
using base::Result;
using cli::About;
using cli::ExitCode;
using cli::FleetOptions;
using std::chrono::milliseconds;

constexpr milliseconds kNoticeTimeout{5000};
constexpr milliseconds kNoWait{0};

Result<std::string> project_here(const FleetProgram& fleet, const FleetOptions& options) {
  const app::Context& context = fleet.program.context;
  return project_name(context, app::Project::here(context).root(), options.project);
}

ExitCode run_status(const FleetProgram& fleet, const FleetOptions& options, Connection& connection) {
  cli::Program& program = fleet.program;
  StatusQuery query;
  if (!options.all) {
    const auto project = project_here(fleet, options);
    if (!project) return program.fail(project.error(), About::request);
    query.project = *project;
  }
  if (options.plan) {
    const auto plan = plan_there(fleet, options, connection);
    if (!plan) return program.fail(plan.error(), About::plan);
    query.path = plan->path;
  }
  const auto sight = fleet_status(connection, query);
  if (!sight) return fail_server(program, sight.error());
  return program.print(options.json ? status_json(*sight) : status_text(*sight, program.list_style()));
}

ExitCode print_log(const FleetProgram& fleet, const FleetOptions& options,
                   const std::vector<LogLine>& lines) {
  std::string text;
  for (const LogLine& line : lines)
    text += options.json ? log_line_json(line) : log_line_text(line, fleet.program.list_style());
  if (text.empty()) return ExitCode::fine;
  return fleet.program.console.write(text) ? ExitCode::fine : ExitCode::no;
}

// An interrupt also cuts short what the server is asked at that moment: that is no failure.
ExitCode end_following(cli::Program& program, const base::Error& error) {
  return program.console.interrupted() ? ExitCode::fine : fail_server(program, error);
}

ExitCode follow_log(const FleetProgram& fleet, const FleetOptions& options, Connection& connection,
                    std::int64_t plan, LogPlace place) {
  cli::Program& program = fleet.program;
  for (;;) {
    // Reads all pending lines: a notification may stand for many pushes, and a push may commit after a later
    // one.
    for (;;) {
      const auto lines = lines_since(connection, plan, place);
      if (!lines) return end_following(program, lines.error());
      if (lines->empty()) break;
      if (print_log(fleet, options, *lines) != ExitCode::fine) return ExitCode::fine;
    }
    // Ends on an interrupt or when the reader is gone.
    if (!program.console.wait(kNoWait, nullptr)) return ExitCode::fine;
    const auto told = connection.notices(kNoticeTimeout);
    if (!told) return end_following(program, told.error());
  }
}

ExitCode run_log(const FleetProgram& fleet, const FleetOptions& options, Connection& connection) {
  cli::Program& program = fleet.program;
  const auto plan = plan_there(fleet, options, connection);
  if (!plan) return program.fail(plan.error(), About::plan);
  if (options.follow) {
    // From here on it ends between two lines, also before the first wait.
    if (program.console.interrupted()) return ExitCode::fine;
    const base::Status listening = connection.script("LISTEN plankeep");
    if (!listening) return end_following(program, listening.error());
  }
  LogPlace place;
  const auto lines = newest_lines(connection, plan->number, options.count, place);
  if (!lines)
    return options.follow ? end_following(program, lines.error()) : fail_server(program, lines.error());
  const ExitCode printed = print_log(fleet, options, *lines);
  if (!options.follow || printed != ExitCode::fine) return ExitCode::fine;
  return follow_log(fleet, options, connection, plan->number, place);
}

ExitCode run_checkpoints(const FleetProgram& fleet, const FleetOptions& options, Connection& connection) {
  cli::Program& program = fleet.program;
  const auto plan = plan_there(fleet, options, connection);
  if (!plan) return program.fail(plan.error(), About::plan);
  const auto found = fleet_checkpoints(connection, plan->number, options.all ? 0 : options.count, false);
  if (!found) return fail_server(program, found.error());
  return program.print(options.json
                           ? checkpoints_json(*found)
                           : checkpoints_text(*found, program.context.clock.now(), program.list_style()));
}

ExitCode run_show(const FleetProgram& fleet, const FleetOptions& options, Connection& connection) {
  cli::Program& program = fleet.program;
  const auto plan = plan_there(fleet, options, connection);
  if (!plan) return program.fail(plan.error(), About::plan);
  const std::string& which = options.names.front();
  const auto found = find_checkpoints(connection, plan->number, which);
  if (!found) return fail_server(program, found.error());
  if (found->empty()) {
    return program.fail({ErrorKind::not_found,
                         "no machine has pushed a checkpoint " + which,
                         {},
                         "plankeep fleet checkpoints lists them"},
                        About::request);
  }
  if (found->size() > 1) {
    std::string names;
    for (const CheckpointSight& one : *found)
      base::append_listed(names, shown_checkpoint(one.replica, one.id));
    return program.fail(
        {ErrorKind::ambiguous, "several machines have a checkpoint " + which, {}, "name one: " + names},
        About::request);
  }
  if (options.json) return program.print(checkpoints_json(*found));
  const auto plan_here = app::discover(program.context, options.plan);
  const bool own = plan_here && is_own(program.context, plan_here->plan, found->front().replica);
  return program.print(checkpoint_text(found->front(), own ? Whose::own : Whose::other,
                                       program.context.clock.now(), program.style));
}

ExitCode run_pull(const FleetProgram& fleet, const FleetOptions& options, Connection& connection) {
  cli::Program& program = fleet.program;
  ExitCode code = ExitCode::fine;
  const auto plans = plans_of(program, options, code);
  if (!plans) return code;
  const auto plan = plan_there(fleet, options, connection);
  if (!plan) return program.fail(plan.error(), About::plan);
  const auto found = fleet_checkpoints(connection, plan->number, 0, true);
  if (!found) return fail_server(program, found.error());
  const auto kept = keep_pulled(program.context, plans->front(), *found);
  if (!kept) return program.fail(kept.error(), About::file);
  if (options.json) return program.print("{\n  \"pulled\": " + std::to_string(*kept) + "\n}\n");
  return program.report_change(base::counted(*kept, "checkpoint", "checkpoints") +
                               " of other machines; to see them: plankeep checkpoint list --fleet\n");
}

}  // namespace

Result<PlanThere> plan_there(const FleetProgram& fleet, const FleetOptions& options, Connection& connection) {
  PlanThere there;
  TRY_ASSIGN(there.project, project_here(fleet, options));
  if (options.action == "resume" && !options.names.empty()) {
    there.path = options.names.front();
  } else {
    const app::Context& context = fleet.program.context;
    const auto found = app::discover(context, options.plan);
    if (found) {
      const auto place = own_place(context, found->plan, options.project);
      const std::string root = app::Project(context, found->plan.folder).root();
      there.path = place ? place->path : found->plan.path().substr(root.size() + 1);
    } else {
      // No plan here: if the fleet has exactly one plan of this project, use it.
      TRY_ASSIGN(const Rows rows,
                 connection.query("SELECT p.path FROM plankeep.plan p JOIN plankeep.project j ON "
                                  "j.id = p.project WHERE j.name = $1 ORDER BY p.path LIMIT 2",
                                  {there.project}));
      if (rows.size() != 1 || options.plan) return base::fail(found.error());
      there.path = rows.front().front().value_or("");
    }
  }
  TRY_ASSIGN(const auto number, plan_number(connection, there.project, there.path));
  if (!number) {
    return base::fail(ErrorKind::not_found, "no machine has pushed " + there.path + " of " + there.project,
                      "plankeep fleet push");
  }
  there.number = *number;
  return there;
}

ExitCode run_see(const FleetProgram& fleet, const FleetOptions& options) {
  if (options.action == "doctor") return run_doctor(fleet, options);
  auto connection = connect(fleet, options, Schema::needed);
  if (!connection) return fail_server(fleet.program, connection.error());
  if (options.action == "status") return run_status(fleet, options, **connection);
  if (options.action == "log") return run_log(fleet, options, **connection);
  if (options.action == "checkpoints") return run_checkpoints(fleet, options, **connection);
  if (options.action == "show") return run_show(fleet, options, **connection);
  if (options.action == "pull") return run_pull(fleet, options, **connection);
  if (options.action == "report") return run_report(fleet, options, **connection);
  return run_resume(fleet, options, **connection);
}

}  // namespace plankeep::fleet
