#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/locate.hpp"
#include "cli/own_actor.hpp"
#include "cli/report.hpp"
#include "editing/missing_plans.hpp"
#include "editing/record.hpp"

namespace plankeep::cli {

ExitCode run_decide(Program& program, const Words& words) {
  std::string text;
  std::string reason;
  std::optional<std::string> named;
  std::string actor;
  bool json = false;
  Arguments arguments(program, "decide",
                      "Adds a decision to the plan, as a marker under the current phase, and records it.");
  arguments.positional("TEXT", text, "What was decided", Arguments::Need::required);
  arguments.option("--reason", reason, "TEXT", "Why");
  arguments.plan(named);
  arguments.actor(actor);
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;

  ExitCode code = ExitCode::fine;
  const auto plan = locate_tracked(program, named, code);
  if (!plan) return code;
  auto outcome = app::record_decision(program.context, *plan, text, reason, own_actor(program, *plan, actor));
  if (!outcome) return program.fail(outcome.error(), About::request);
  app::warn_of_guess(program.context, *plan, named, outcome->warnings);
  return report_work(program, *outcome, json);
}

}  // namespace plankeep::cli
