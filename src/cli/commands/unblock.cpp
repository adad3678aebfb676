#include "app/record.hpp"
#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/locate.hpp"
#include "cli/tell.hpp"

namespace plankeep::cli {

ExitCode run_unblock(Program& program, const Words& words) {
  std::string which;
  std::optional<std::string> named;
  std::string actor = "main";
  bool json = false;
  Arguments arguments(program, "unblock",
                      "Takes a blocker's marker out of the plan, and records that it is resolved.");
  arguments.positional("TEXT|N", which,
                       "The blocker's text or a part of it, or its number as status shows it",
                       Arguments::Need::required);
  arguments.plan(named);
  arguments.actor(actor);
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;

  ExitCode code = ExitCode::fine;
  const auto plan = locate_tracked(program, named, code);
  if (!plan) return code;
  const auto outcome = app::resolve_blocker(program.context, *plan, which, actor);
  if (!outcome) return program.fail(outcome.error(), About::request);
  return tell(program, *outcome, json);
}

}  // namespace plankeep::cli
