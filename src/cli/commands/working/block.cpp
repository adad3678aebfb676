#include "cli/commands/working/set_blocker.hpp"

namespace plankeep::cli {

ExitCode run_block(Program& program, const Words& words) {
  return run_set_blocker(
      program, words,
      {"block", "Adds a blocker to the plan, as a marker under the current phase, and records it.", "TEXT",
       "What blocks the work", app::raise_blocker});
}

}  // namespace plankeep::cli
