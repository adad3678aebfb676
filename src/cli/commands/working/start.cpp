#include "cli/commands/working/set_boxes.hpp"

namespace plankeep::cli {

ExitCode run_start(Program& program, const Words& words) {
  return run_set_boxes(
      program, words,
      {"start", "Marks tasks as in progress: sets [~] in the plan. They still count as open.",
       core::BoxState::active, "is already started"});
}

}  // namespace plankeep::cli
