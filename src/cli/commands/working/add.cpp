#include "base/text.hpp"
#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/locate.hpp"
#include "cli/own_actor.hpp"
#include "cli/report.hpp"
#include "editing/add_task.hpp"
#include "editing/missing_plans.hpp"

namespace plankeep::cli {
ExitCode run_add(Program& program, const Words& words) {
  app::AddRequest request;
  std::string after;
  std::optional<std::string> named;
  std::string actor;
  bool json = false;
  Arguments arguments(
      program, "add",
      "Adds a box for work that was found on the way: last in its phase, or below the task that it is a\n"
      "step of, written like its neighbours, with the next number where theirs have numbers. No other byte\n"
      "of the plan changes. Prints the new id.");
  arguments.positional("TITLE", request.title, "What is to be done", Arguments::Need::required);
  arguments.option("--phase", request.phase, "PHASE",
                   "Its phase: number, or the beginning of its id or title (default: current)");
  arguments.option("--parent", request.parent, "ID", "Add it as a step of this task");
  arguments.option("--after", after, "ID,...", "Tasks that have to be done before it");
  arguments.option("--id", request.id, "ID", "Give it this id, as a marker");
  arguments.flag("--accept", request.criterion, "Add an acceptance criterion, not a task");
  arguments.option("--verify", request.verify, "COMMAND", "With --accept: the command that proves it");
  arguments.flag("--first", request.first, "Put it before its neighbours, not behind them");
  arguments.plan(named);
  arguments.actor(actor);
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;
  request.after = base::parts_of(after, ',');

  ExitCode code = ExitCode::fine;
  std::vector<std::string> ids = request.after;
  if (!request.parent.empty()) ids.push_back(request.parent);
  named = named_plan(program, named, ids);
  const auto plan = locate_tracked(program, named, code);
  if (!plan) return code;
  if (const auto guess = app::refuse_guess(program.context, *plan, named, ids, request.phase); !guess)
    return program.fail(guess.error(), About::plan);
  auto added = app::add_task(program.context, *plan, request, own_actor(program, *plan, actor));
  if (!added) return program.fail(added.error(), About::request);
  app::warn_of_guess(program.context, *plan, named, added->outcome.warnings);
  if (json) return report_work(program, added->outcome, true);
  note_own_work(program, *plan, added->outcome.state);
  for (const std::string& warning : added->outcome.warnings) program.warn(warning);
  // The id alone is the output; what else this save found is for whoever reads along.
  for (const core::Notice& notice : added->outcome.notices) program.warn(notice.text);
  return program.print(render::safe_line(added->id) + "\n");
}

}  // namespace plankeep::cli
