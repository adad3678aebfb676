#include "cli/commands/working/set_blocker.hpp"

#include "cli/arguments.hpp"
#include "cli/locate.hpp"
#include "cli/report.hpp"

namespace plankeep::cli {

ExitCode run_set_blocker(Program& program, const Words& words, const BlockerCommand& command) {
  std::string text;
  std::optional<std::string> named;
  std::string actor = "main";
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
  const auto outcome = command.change(program.context, *plan, text, actor);
  if (!outcome) return program.fail(outcome.error(), About::request);
  return report(program, *outcome, json);
}

}  // namespace plankeep::cli
