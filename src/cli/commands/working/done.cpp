#include "cli/commands/working/set_boxes.hpp"

namespace plankeep::cli {

ExitCode run_done(Program& program, const Words& words) {
  return run_set_boxes(
      program, words,
      {"done",
       "Ticks tasks or criteria: sets [x] in the plan, changes no other byte, and records who did it.",
       core::BoxState::done, "is already done"});
}

}  // namespace plankeep::cli
