#pragma once
// Which plan a command is about, with the error told.

#include <optional>
#include <string>

#include "app/plan_location.hpp"
#include "cli/program.hpp"

namespace plankeep::cli {

/// Discovery (app/discover). On failure the error has been printed and `code` says how to end.
std::optional<app::PlanLocation> locate(Program& program, const std::optional<std::string>& named,
                                        ExitCode& code);

/// The same for a command that changes something: the plan has to be tracked, or one that tracking may begin
/// with.
std::optional<app::PlanLocation> locate_tracked(Program& program, const std::optional<std::string>& named,
                                                ExitCode& code);

}  // namespace plankeep::cli
