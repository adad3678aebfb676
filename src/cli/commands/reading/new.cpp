#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/own_actor.hpp"
#include "cli/report.hpp"
#include "editing/new_plan.hpp"
#include "render/progress/status.hpp"
#include "tracking/show.hpp"
#include "tracking/start_tracking.hpp"

namespace plankeep::cli {

ExitCode run_new(Program& program, const Words& words) {
  std::string name;
  std::string made_from = "plain";
  bool json = false;
  Arguments arguments(
      program, "new",
      "Makes a plan from a template and starts tracking it. A name makes plans/NAME/plan.md (for spec:\n"
      "specs/NAME/tasks.md); a name with a slash or ending in .md is taken as the path. Never overwrites a\n"
      "file.");
  arguments.positional("NAME", name, "The plan's name, or the path of its file", Arguments::Need::required);
  arguments.choice("--template", made_from, {"marked", "plain", "spec"},
                   "With markers, without, or numbered tasks with steps (default: plain)");
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;
  const app::PlanTemplate plan_template = made_from == "marked" ? app::PlanTemplate::marked
                                          : made_from == "spec" ? app::PlanTemplate::spec
                                                                : app::PlanTemplate::plain;
  const auto plan = app::new_plan(program.context, name, plan_template);
  if (!plan) return program.fail(plan.error(), About::file);
  auto started = app::start_tracking(program.context, *plan);
  if (!started) return program.fail(started.error(), About::file);
  for (const std::string& warning : started->outcome.warnings) program.warn(warning);
  const auto shown = app::load_shown(program.context, *plan, 0);
  if (!shown) return program.fail(shown.error(), About::file);
  if (shown->state) note_begun(program, *plan, *shown->state);
  const core::StatusView view = app::view_of(*shown);
  if (json) return program.print(render::init_json(view, true, started->continued));
  return program.report_change(render::init_text(view, true, started->continued, program.style));
}

}  // namespace plankeep::cli
