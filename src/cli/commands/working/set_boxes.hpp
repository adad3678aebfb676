#pragma once
// What `done`, `reopen` and `start` have in common: all but their words.

#include <string_view>

#include "cli/commands/all.hpp"
#include "model/plan.hpp"

namespace plankeep::cli {

struct BoxCommand {
  std::string_view name;
  std::string_view description;
  core::BoxState state = core::BoxState::done;
  std::string_view already;  // "is done already"
};

ExitCode run_set_boxes(Program& program, const Words& words, const BoxCommand& command);

}  // namespace plankeep::cli
