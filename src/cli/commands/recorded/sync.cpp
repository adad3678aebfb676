#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/locate.hpp"
#include "cli/report.hpp"
#include "tracking/track.hpp"

namespace plankeep::cli {

ExitCode run_sync(Program& program, const Words& words) {
  std::optional<std::string> named;
  std::string actor;
  bool accept_empty = false;
  bool json = false;
  Arguments arguments(
      program, "sync",
      "Reads the plan again and records what changed since the last time, with time and actor. Without\n"
      "--by, changes are recorded as made outside of plankeep (external). Writes nothing if nothing\n"
      "changed.");
  arguments.plan(named);
  arguments.actor(actor);
  arguments.flag("--accept-empty", accept_empty, "Accept that the plan has no tasks any more");
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;

  ExitCode code = ExitCode::fine;
  auto found = find_plan(program, named, code);
  if (!found) return code;
  const app::Edit edit{actor.empty() ? "external" : actor, !actor.empty(), accept_empty};
  const auto outcome = app::track(program.context, std::move(*found), edit);
  if (!outcome) return program.fail(outcome.error(), About::plan);
  return program.end(report(program, *outcome, json));
}

}  // namespace plankeep::cli
