#pragma once
// What `block` and `unblock` have in common: all but their words and the use case.

#include <string>
#include <string_view>

#include "cli/commands/all.hpp"
#include "editing/record.hpp"

namespace plankeep::cli {

struct BlockerCommand {
  std::string_view name;
  std::string_view description;
  std::string_view argument;     // "TEXT"
  std::string_view explanation;  // of the argument
  base::Result<app::Outcome> (*change)(const app::Context& context, const app::PlanLocation& plan,
                                       const std::string& text, const std::string& actor);
};

ExitCode run_set_blocker(Program& program, const Words& words, const BlockerCommand& command);

}  // namespace plankeep::cli
