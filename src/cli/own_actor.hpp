#pragma once
// Who it is that runs a command.

#include <string>

#include "cli/program.hpp"
#include "project/plan_location.hpp"

namespace plankeep::cli {

/// `given` where it is not empty (--by). Below a client whose hooks told of its session: whose command in the
/// shell this is, as far as one agent's runs, else the main thread (`external` when several of them run
/// commands). Else `person` on a terminal, and `main`.
std::string own_actor(Program& program, const app::PlanLocation& plan, const std::string& given);

}  // namespace plankeep::cli
