#include "render/progress/status.hpp"

#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/commands/reading/plans.hpp"
#include "cli/commands/reading/status_watch.hpp"
#include "cli/locate.hpp"
#include "cli/report.hpp"
#include "commits/commit.hpp"
#include "commits/last_milestone.hpp"
#include "editing/missing_plans.hpp"
#include "project/plan_id.hpp"
#include "project/project.hpp"
#include "render/progress/forecast.hpp"
#include "reports/resume.hpp"
#include "reports/work_forecast.hpp"
#include "rules/listing/phase_name.hpp"
#include "tracking/project_tree.hpp"
#include "tracking/workspace.hpp"

namespace plankeep::cli {
namespace {

ExitCode show_check(Program& program, app::Shown& shown, const std::string& run, bool json) {
  if (!shown.plan)
    return program.fail(app::without_plan(shown, "it cannot be compared with the commits"), About::file);
  const auto found = app::check_checkpoint(program.context, shown.location, *shown.plan, run);
  if (!found) return program.fail(found.error(), About::file);
  const render::CheckpointCheckView check{found->last, found->drift};
  if (check.drift) shown.warnings.push_back("drift: " + render::drift_words(*check.drift));
  core::StatusView view = app::view_of(shown);
  // git knows better than the history.
  view.last_commit.reset();
  view.drift.reset();
  const ExitCode code = check.drift ? ExitCode::no : ExitCode::fine;
  return program.print(json ? render::status_json(view, &check)
                            : render::status_text(view, program.style) + render::checkpoint_text(check),
                       code);
}

ExitCode show_forecast(Program& program, app::Shown& shown, bool json) {
  auto made = app::work_forecast(program.context, shown);
  if (!made) return program.fail(made.error(), About::plan);
  for (const std::string& warning : made->warnings) program.warn(warning);
  shown.warnings.insert(shown.warnings.end(), made->warnings.begin(), made->warnings.end());
  const core::StatusView view = app::view_of(shown);
  if (json) return program.print(render::status_json(view, nullptr, &made->forecast));
  render::StatusDetail brief;
  brief.brief = true;
  return program.print(render::status_text(view, program.style, brief) + "\n" +
                       render::forecast_text(made->forecast, shown.now, program.style));
}

}  // namespace

ExitCode run_status(Program& program, const Words& words) {
  std::optional<std::string> named;
  std::string run;
  bool json = false;
  bool all = false;
  bool check = false;
  bool forecast = false;
  bool watch = false;
  std::string phase;
  render::StatusDetail detail;
  Arguments arguments(
      program, "status",
      "Shows progress: the phases, the current task and blockers. Read-only; changes that are not\n"
      "recorded yet are shown as well, with a warning.");
  arguments.flag("--all", all, "Show every plan of this project, like plankeep plans");
  arguments.flag("--all-tasks", detail.all_tasks, "Show all tasks and criteria of every phase");
  arguments.option("--phase", phase, "ID", "Show only this phase, with all tasks and criteria");
  arguments.flag("--short", detail.brief, "Show only the progress and the current task");
  arguments.flag("--forecast", forecast,
                 "Estimate when the open tasks will be done, from the plan's history");
  arguments.flag("--watch", watch,
                 "Show the status again whenever something changes, until q or Ctrl-C; in a pipe, "
                 "print each new status");
  arguments.flag("--check", check,
                 "Compare with the last committed phase; exit status 1 if plan and commits differ");
  arguments.option("--run", run, "ID", "With --check: only commits made with plankeep commit --run ID");
  arguments.plan(named);
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;
  if (static_cast<int>(detail.all_tasks) + static_cast<int>(detail.brief) + static_cast<int>(!phase.empty()) +
          static_cast<int>(all) + static_cast<int>(check) + static_cast<int>(forecast) >
      1) {
    return program.fail({base::ErrorKind::invalid_input,
                         "give only one of --all, --all-tasks, --phase, --short, --check and --forecast",
                         {},
                         {}},
                        About::request);
  }
  if (!run.empty() && !check) {
    return program.fail(
        {base::ErrorKind::invalid_input, "--run needs --check", {}, "plankeep status --check --run ID"},
        About::request);
  }
  if (const auto good = app::check_run_and_text(run, {}); !good)
    return program.fail(good.error(), About::request);
  if (watch && (all || check || forecast)) {
    return program.fail({base::ErrorKind::invalid_input,
                         "--watch cannot be combined with --all, --check or --forecast",
                         {},
                         {}},
                        About::request);
  }
  if (all && named) {
    return program.fail({base::ErrorKind::invalid_input, "--all and --plan cannot be used together", {}, {}},
                        About::request);
  }
  if (all) {
    const app::Context& context = program.context;
    return show_plans(program, app::Project::here(context).root(), static_cast<std::size_t>(app::kStaleDays),
                      json);
  }

  ExitCode code = ExitCode::fine;
  const auto plan = locate(program, named, code);
  if (!plan) return code;
  if (watch) {
    // A phase that is not there is a mistake of the command line; one that goes later ends the watch.
    const auto first = app::load_shown(program.context, *plan, 0);
    if (first && !phase.empty()) {
      const core::StatusView view = app::view_of(*first);
      const auto found = core::find_phase(core::names_of_phases(view.phases), phase);
      if (!found) return program.fail(found.error(), About::request);
    }
    return watch_status(program, *plan, phase, detail);
  }
  auto shown = app::load_shown(program.context, *plan, json ? 0 : kRecentEvents);
  if (!shown) return program.fail(shown.error(), About::file);
  app::inspect_tree(program.context, *shown);
  app::ask_git_for_last_commit(program.context, *shown);
  app::warn_of_missing(program.context, *plan, shown->warnings);
  const app::Project project(program.context, plan->folder);
  for (const std::string& warning : project.settings().warnings)
    shown->warnings.push_back("settings: " + warning);
  if (check) return show_check(program, *shown, run, json);
  if (forecast) return show_forecast(program, *shown, json);
  core::StatusView view = app::view_of(*shown);
  if (!json) view.plan_id = app::id_in_own_folder(program.context, shown->location);
  if (!phase.empty()) {
    const auto found = core::find_phase(core::names_of_phases(view.phases), phase);
    if (!found) return program.fail(found.error(), About::request);
    detail.phase = *found;
  }
  if (program.on_terminal) detail.rows = program.rows;
  return program.print(json ? render::status_json(view) : render::status_text(view, program.style, detail));
}

}  // namespace plankeep::cli
