#include "cli/commands/working/set_boxes.hpp"

namespace plankeep::cli {

ExitCode run_reopen(Program& program, const Words& words) {
  return run_set_boxes(program, words,
                       {"reopen", "Unticks tasks or criteria: sets [ ] in the plan, and records who did it.",
                        core::BoxState::open, "is already open"});
}

}  // namespace plankeep::cli
