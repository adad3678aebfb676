#include "app/doctor.hpp"

#include "app/commits_health.hpp"
#include "app/hooks_health.hpp"
#include "app/later.hpp"
#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/locate.hpp"
#include "render/doctor.hpp"
#include "render/log.hpp"

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

}  // namespace

ExitCode run_doctor(Program& program, const Words& words) {
  std::optional<std::string> named;
  bool repair = false;
  bool json = false;
  Arguments arguments(
      program, "doctor",
      "Checks a plan, the files kept about it and the hooks of AI coding clients, and says what to do. Exit "
      "status 1 when something is\n"
      "broken. With --repair it puts right what can be: nothing is deleted, damaged files are set aside.");
  arguments.plan(named);
  arguments.flag("--repair", repair, "Restore the state, set damaged files aside");
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;

  ExitCode code = ExitCode::fine;
  const auto plan = repair ? locate_tracked(program, named, code) : locate(program, named, code);
  if (!plan) return code;
  std::string repaired;
  if (repair) {
    const auto outcome = app::repair(program.context, *plan);
    if (!outcome) return program.fail(outcome.error(), About::plan);
    app::start_later_after_return(program.context, *outcome, "doctor");
    for (const std::string& warning : outcome->warnings) program.warn(warning);
    for (const core::Event& event : outcome->events) repaired += render::describe(event) + "\n";
    const auto linked = app::repair_commits(program.context, *plan);
    if (!linked) program.warn("commits are not put right: " + linked.error().message);
    for (const std::string& line : linked.value_or(std::vector<std::string>())) repaired += line + "\n";
  }
  const auto findings = app::examine(program.context, *plan);
  if (!findings) return program.fail(findings.error(), About::plan);
  render::DoctorReport report{plan->plan_id(), plan->path(), {}};
  for (const app::Finding& finding : *findings) {
    report.checks.push_back({finding.name, health_of(finding.condition), finding.message, finding.remedy});
  }
  for (const app::Finding& finding : app::examine_commits(program.context, *plan)) {
    report.checks.push_back({finding.name, health_of(finding.condition), finding.message, finding.remedy});
  }
  for (const app::Finding& finding : app::examine_hooks(program.context, *plan)) {
    report.checks.push_back({finding.name, health_of(finding.condition), finding.message, finding.remedy});
  }
  code = render::healthy(report) ? ExitCode::fine : ExitCode::no;
  if (json) return program.print(render::doctor_json(report), code);
  return program.print(repaired + render::doctor_text(report, program.style), code);
}

}  // namespace plankeep::cli
