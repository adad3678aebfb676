#include "render/progress/resume.hpp"

#include <limits>

#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/locate.hpp"
#include "commits/last_milestone.hpp"
#include "project/project.hpp"
#include "reports/resume.hpp"
#include "tracking/project_tree.hpp"

namespace plankeep::cli {
namespace {

// More than an option can say.
constexpr std::size_t kFromSettings = std::numeric_limits<std::size_t>::max();

}  // namespace

ExitCode run_resume(Program& program, const Words& words) {
  std::optional<std::string> named;
  std::size_t budget = kFromSettings;
  bool json = false;
  Arguments arguments(
      program, "resume",
      "Prints a hand-over for the next session: the plan, the current task, blockers, decisions and how\n"
      "to tick. The same state always gives the same text. Read-only.");
  arguments.plan(named);
  arguments.number("--budget", budget, "CHARS",
                   "Maximum number of characters: " + std::to_string(render::kSmallestBudget) + " to " +
                       std::to_string(render::kLargestBudget) +
                       "; by default resumeBudget of the settings, " +
                       std::to_string(render::kDefaultBudget));
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;

  if (budget != kFromSettings && (budget < render::kSmallestBudget || budget > render::kLargestBudget)) {
    return program.fail({base::ErrorKind::invalid_input,
                         "--budget must be " + std::to_string(render::kSmallestBudget) + " to " +
                             std::to_string(render::kLargestBudget) + " characters",
                         {},
                         {}},
                        About::request);
  }
  ExitCode code = ExitCode::fine;
  const auto plan = locate(program, named, code);
  if (!plan) return code;
  if (budget == kFromSettings) budget = app::Project(program.context, plan->folder).settings().resume_budget;
  auto shown = app::load_shown(program.context, *plan, app::kEventsSince);
  if (!shown) return program.fail(shown.error(), About::file);
  app::inspect_tree(program.context, *shown);
  app::ask_git_for_last_commit(program.context, *shown);
  const core::StatusView view = app::view_of(*shown);
  const app::ResumeInput input =
      app::resume_input(program.context, shown->location, shown->state.value_or(core::State{}), shown->recent,
                        {}, view.current_phase);
  return program.print(json ? render::resume_json(view, input, budget)
                            : render::resume_text(view, input, budget));
}

}  // namespace plankeep::cli
