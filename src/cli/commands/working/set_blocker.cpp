// `block` and `unblock`: one command in two wordings.

#include <string>
#include <string_view>

#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/locate.hpp"
#include "cli/own_actor.hpp"
#include "cli/report.hpp"
#include "editing/missing_plans.hpp"
#include "editing/record.hpp"

namespace plankeep::cli {
namespace {

struct BlockerCommand {
  std::string_view name;
  std::string_view description;
  std::string_view argument;     // "TEXT"
  std::string_view explanation;  // of the argument
  base::Result<app::Outcome> (*change)(const app::Context& context, const app::PlanLocation& plan,
                                       const std::string& text, const std::string& actor);
};

ExitCode run_set_blocker(Program& program, const Words& words, const BlockerCommand& command) {
  std::string text;
  std::optional<std::string> named;
  std::string actor;
  bool json = false;
  Arguments arguments(program, command.name, command.description);
  arguments.positional(std::string(command.argument), text, std::string(command.explanation),
                       Arguments::Need::required);
  arguments.plan(named);
  arguments.actor(actor);
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;

  ExitCode code = ExitCode::fine;
  const auto plan = locate_tracked(program, named, code);
  if (!plan) return code;
  auto outcome = command.change(program.context, *plan, text, own_actor(program, *plan, actor));
  if (!outcome) return program.fail(outcome.error(), About::request);
  app::warn_of_guess(program.context, *plan, named, outcome->warnings);
  return report_work(program, *outcome, json);
}

}  // namespace

ExitCode run_block(Program& program, const Words& words) {
  return run_set_blocker(
      program, words,
      {"block", "Adds a blocker to the plan, as a marker under the current phase, and records it.", "TEXT",
       "What blocks the work", app::raise_blocker});
}

ExitCode run_unblock(Program& program, const Words& words) {
  return run_set_blocker(
      program, words,
      {"unblock", "Removes a blocker's marker from the plan and records it as resolved.", "TEXT|N",
       "The blocker's text or part of it, or, if there are several, its number in plankeep status",
       app::resolve_blocker});
}

}  // namespace plankeep::cli
