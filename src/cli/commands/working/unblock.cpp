#include "cli/commands/working/set_blocker.hpp"

namespace plankeep::cli {

ExitCode run_unblock(Program& program, const Words& words) {
  return run_set_blocker(
      program, words,
      {"unblock", "Removes a blocker's marker from the plan and records it as resolved.", "TEXT|N",
       "The blocker's text or part of it, or its number in plankeep status", app::resolve_blocker});
}

}  // namespace plankeep::cli
