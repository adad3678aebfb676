#include "base/json_writer.hpp"
#include "fleet/fleet_session.hpp"
#include "fleet/fleet_text.hpp"
#include "fleet/see_commands.hpp"
#include "fleet/there_plan.hpp"
#include "markdown/parse_plan.hpp"
#include "project/project.hpp"
#include "render/progress/resume.hpp"
#include "store/plan_file.hpp"

namespace plankeep::fleet {
namespace {

using base::ErrorKind;
using cli::About;
using cli::ExitCode;
using cli::FleetOptions;

std::string fleet_lines(const PlanSight& plan, base::Instant now) {
  std::string text = "From the fleet: " + base::counted(plan.replicas, "replica", "replicas");
  if (plan.last_push) text += ", last push " + base::ago(*plan.last_push, now);
  text += "\n";
  for (const FleetLease& lease : plan.leases) {
    if (!lease.stands) continue;
    text += "Claimed: " + render::safe_line(lease.task) + " by " + render::safe_line(lease.holder) + " (" +
            shown_replica(lease.replica) + ") until " + base::to_iso8601(lease.until) + "\n";
  }
  for (const TaskWord& word : plan.tasks) {
    if (word.state == "active")
      text += "Active: " + render::safe_line(word.task) + " by " + render::safe_line(word.by) + " (" +
              shown_replica(word.replica) + ")\n";
  }
  for (const std::string& blocker : plan.blockers) text += "Blocker: " + render::safe_line(blocker) + "\n";
  return text;
}

}  // namespace

ExitCode run_resume(const FleetProgram& fleet, const FleetOptions& options, Connection& connection) {
  cli::Program& program = fleet.program;
  const auto there = plan_there(fleet, options, connection);
  if (!there) return program.fail(there.error(), About::plan);
  const auto sight = fleet_status(connection, {there->project, there->path});
  if (!sight) return fail_server(program, sight.error());
  const auto text = newest_text(connection, there->number);
  if (!text) return fail_server(program, text.error());
  if (sight->plans.empty())
    return program.fail({ErrorKind::not_found, "the plan is gone from the fleet", {}, {}}, About::plan);
  const PlanSight& plan = sight->plans.front();

  std::string written;
  bool is_here = false;
  if (options.plan_text) {
    if (!*text) {
      return program.fail({ErrorKind::not_found, "no machine has sent the text of " + there->path, {}, {}},
                          About::plan);
    }
    const std::string root = app::Project::here(program.context).root();
    const auto path = write_plan_text(program.context, root, there->path, (*text)->text);
    if (!path) return program.fail(path.error(), About::file);
    written = path->value_or("");
    is_here = !path->has_value();
  }
  std::string resume = fleet_lines(plan, sight->now);
  if (*text) {
    auto read = markdown::parse_plan((*text)->text);
    if (read) {
      core::ViewInput input;
      take_words(*read, plan);
      input.plan = &*read;
      input.plan_id = there->path;
      input.path = there->path;
      input.file = there->path;
      input.now = program.context.clock.now();
      core::StatusView view = core::make_view(input);
      take_leases(view, plan);
      view.last_saved = plan.last_push;
      resume += "\n" + render::resume_text(view, {});
    }
  }
  if (options.json) {
    base::JsonWriter out(base::JsonWriter::Layout::indented);
    out.begin_object();
    out.key("project").value(there->project);
    out.key("path").value(there->path);
    out.key("text").value(resume);
    out.key("written");
    if (written.empty()) {
      out.null();
    } else {
      out.value(written);
    }
    out.end_object();
    return program.print(out.finish());
  }
  if (!written.empty()) resume += "\nwritten: " + render::safe_line(written) + "\n";
  if (is_here) resume += "\nnot written: " + render::safe_line(there->path) + " is here already\n";
  return program.print(resume);
}

}  // namespace plankeep::fleet
