#include "board_screen/run_board.hpp"
#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/commands/reading/ended_by.hpp"
#include "cli/locate.hpp"
#include "cli/own_actor.hpp"

namespace plankeep::cli {

ExitCode run_board(Program& program, const Words& words) {
  std::optional<std::string> named;
  std::string actor;
  Arguments arguments(
      program, "board",
      "Shows the plan full-screen in the terminal and keeps it up to date: phases and tasks,\n"
      "details, the log, the timeline, checkpoints and the other plans of the project. Keys tick,\n"
      "start, claim, verify, add, record and rewind, as the commands of those names do; ? lists\n"
      "them, q quits. Changes by others appear at once and are marked for a moment. Looking at\n"
      "the board records nothing.");
  arguments.plan(named);
  arguments.actor(actor);
  if (const auto stop = arguments.parse(words)) return *stop;
  if (program.globals.json) {
    return program.fail({base::ErrorKind::invalid_input,
                         "board is interactive and has no JSON output",
                         {},
                         "for programs: plankeep status --json"},
                        About::request);
  }
  if (program.terminal == nullptr || !program.on_terminal || !program.console.can_ask()) {
    return program.fail({base::ErrorKind::invalid_input,
                         "board needs a terminal",
                         {},
                         "in a pipe: plankeep status, or plankeep status --watch"},
                        About::request);
  }

  ExitCode code = ExitCode::fine;
  const auto plan = locate(program, named, code);
  if (!plan) return code;
  const board_screen::BoardRequest request{*plan, own_actor(program, *plan, actor), program.style.colour,
                                           program.style.ascii};
  const auto ended = board_screen::run_board(program.context, *program.terminal, program.watch, request);
  if (!ended) return program.fail(ended.error(), About::plan);
  return ended_by(*ended);
}

}  // namespace plankeep::cli
