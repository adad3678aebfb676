#include "cli/commands/working/set_blocker.hpp"

namespace plankeep::cli {

ExitCode run_unblock(Program& program, const Words& words) {
  return run_set_blocker(
      program, words,
      {"unblock", "Takes a blocker's marker out of the plan, and records that it is resolved.", "TEXT|N",
       "The blocker's text or a part of it, or its number as status shows it", app::resolve_blocker});
}

}  // namespace plankeep::cli
