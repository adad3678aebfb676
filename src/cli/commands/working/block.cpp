#include "cli/commands/working/set_blocker.hpp"

namespace plankeep::cli {

ExitCode run_block(Program& program, const Words& words) {
  return run_set_blocker(
      program, words,
      {"block", "Writes down what is in the way, as a marker under the current phase, and records it.",
       "TEXT", "What is in the way", app::raise_blocker});
}

}  // namespace plankeep::cli
