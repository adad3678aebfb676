#include "doctor/doctor.hpp"

#include "checkpoints/job.hpp"
#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/locate.hpp"
#include "cli/version.hpp"
#include "doctor/commits_health.hpp"
#include "doctor/git_hooks_health.hpp"
#include "doctor/hooks_health.hpp"
#include "doctor/session_links_health.hpp"
#include "doctor/session_refs_health.hpp"
#include "project/discover.hpp"
#include "project/project.hpp"
#include "render/doctor.hpp"
#include "render/recorded/log.hpp"
#include "tracking/workspace.hpp"

namespace plankeep::cli {
namespace {

render::Health health_of(app::Condition condition) {
  switch (condition) {
    case app::Condition::fine:
      return render::Health::ok;
    case app::Condition::attention:
      return render::Health::warning;
    case app::Condition::broken:
      return render::Health::problem;
  }
  return render::Health::problem;
}

void add_to(render::DoctorReport& report, const std::vector<app::Finding>& findings) {
  for (const app::Finding& finding : findings)
    report.checks.push_back({finding.name, health_of(finding.condition), finding.message, finding.remedy});
}

// Where there is no plan: what can be said of the program and its hooks. That is no error, since hooks are
// often installed before the first plan is written.
ExitCode show_without_plan(Program& program, const base::Error& missing, bool json) {
  const app::Context& context = program.context;
  render::DoctorReport report;
  report.checks.push_back({"plan", render::Health::warning, missing.message, missing.hint});
  const std::string path = context.environment.program();
  report.checks.push_back({"program",
                           render::Health::ok,
                           std::string(kVersion) + (path.empty() ? std::string() : ", " + path),
                           {}});
  const app::PlanLocation nowhere{app::Project::here(context).root(), "plan.md"};
  add_to(report, app::examine_session_refs(context, nowhere.folder));
  add_to(report, app::examine_hooks(context, nowhere));
  add_to(report, app::examine_git_hooks(context, nowhere.folder));
  add_to(report, app::examine_sessions(context, nowhere));
  const ExitCode code = render::healthy(report) ? ExitCode::fine : ExitCode::no;
  return program.print(json ? render::doctor_json(report) : render::doctor_text(report, program.style), code);
}

// A plan that the project's list has lost may be the one to repair: a search finds it, and is part of the
// repair. A folder that is no project is not searched.
void search_if_lost(Program& program) {
  const app::Context& context = program.context;
  const auto found = app::discover(context, std::nullopt);
  if (found || found.error().kind != base::ErrorKind::not_found) return;
  const app::Project project = app::Project::here(context);
  const auto settings = context.files.info(project.root() + "/" + std::string(app::kProjectSettings));
  const bool is_project = project.in_git() || (settings && settings->kind == system::FileKind::regular);
  if (!is_project) return;
  const auto scanned = app::rescan(context, project.root(), app::LostPlans::keep);
  for (const std::string& warning : scanned.value_or(std::vector<std::string>())) program.warn(warning);
}

}  // namespace

ExitCode run_doctor(Program& program, const Words& words) {
  std::optional<std::string> named;
  bool repair = false;
  bool chain = false;
  bool json = false;
  Arguments arguments(
      program, "doctor",
      "Checks a plan, the files that plankeep keeps about it and the hooks of AI coding clients, and says\n"
      "how to fix what is wrong. Exit status 1 if something is broken. Without a plan, only the program\n"
      "and the hooks are checked. --repair fixes what it can: nothing is deleted, damaged files are set\n"
      "aside.");
  arguments.plan(named);
  arguments.flag("--repair", repair, "Restore the state and set damaged files aside");
  arguments.flag("--chain", chain, "Only check that no line of the history was changed or removed");
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;

  if (chain && repair) {
    return program.fail(
        {base::ErrorKind::invalid_input, "--chain and --repair cannot be used together", {}, {}},
        About::request);
  }

  ExitCode code = ExitCode::fine;
  if (!named && !repair) {
    const auto found = app::discover(program.context, named);
    if (!found && found.error().kind == base::ErrorKind::not_found)
      return show_without_plan(program, found.error(), json);
  }
  if (repair && !named) search_if_lost(program);
  const auto plan = repair ? locate_tracked(program, named, code) : locate(program, named, code);
  if (!plan) return code;
  if (chain) {
    const auto finding = app::examine_chain(program.context, *plan);
    if (!finding) return program.fail(finding.error(), About::plan);
    render::DoctorReport only{plan->plan_id(), plan->path(), {}};
    only.checks.push_back({finding->name, health_of(finding->condition), finding->message, finding->remedy});
    code = render::healthy(only) ? ExitCode::fine : ExitCode::no;
    return program.print(json ? render::doctor_json(only) : render::doctor_text(only, program.style), code);
  }
  std::string repaired;
  if (repair) {
    const auto outcome = app::repair(program.context, *plan);
    if (!outcome) return program.fail(outcome.error(), About::plan);
    app::spawn_job_after_return(program.context, *outcome, "doctor");
    for (const std::string& warning : outcome->warnings) program.warn(warning);
    for (const core::Event& event : outcome->events) repaired += render::describe(event) + "\n";
    const auto linked = app::repair_commits(program.context, *plan);
    if (!linked) program.warn("commits could not be repaired: " + linked.error().message);
    for (const std::string& line : linked.value_or(std::vector<std::string>())) repaired += line + "\n";
  }
  const auto findings = app::examine(program.context, *plan);
  if (!findings) return program.fail(findings.error(), About::plan);
  render::DoctorReport report{plan->plan_id(), plan->path(), {}};
  add_to(report, *findings);
  add_to(report, app::examine_commits(program.context, *plan));
  add_to(report, app::examine_session_refs(program.context, plan->folder));
  add_to(report, app::examine_hooks(program.context, *plan));
  add_to(report, app::examine_git_hooks(program.context, plan->folder));
  add_to(report, app::examine_sessions(program.context, *plan));
  code = render::healthy(report) ? ExitCode::fine : ExitCode::no;
  if (json) return program.print(render::doctor_json(report), code);
  if (program.globals.quiet) repaired.clear();
  return program.print(repaired + render::doctor_text(report, program.style), code);
}

}  // namespace plankeep::cli
