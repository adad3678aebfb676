#include "app/record.hpp"
#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/locate.hpp"
#include "cli/tell.hpp"

namespace plankeep::cli {

ExitCode run_block(Program& program, const Words& words) {
  std::string text;
  std::optional<std::string> named;
  std::string actor = "main";
  bool json = false;
  Arguments arguments(program, "block",
                      "Writes down what is in the way, as a marker under the current phase, and records it.");
  arguments.positional("TEXT", text, "What is in the way", Arguments::Need::required);
  arguments.plan(named);
  arguments.actor(actor);
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;

  ExitCode code = ExitCode::fine;
  const auto plan = locate_tracked(program, named, code);
  if (!plan) return code;
  const auto outcome = app::raise_blocker(program.context, *plan, text, actor);
  if (!outcome) return program.fail(outcome.error(), About::request);
  return tell(program, *outcome, json);
}

}  // namespace plankeep::cli
