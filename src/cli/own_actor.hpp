#pragma once
// Who it is that runs a command.

#include <string>

#include "cli/program.hpp"
#include "model/state.hpp"
#include "project/plan_location.hpp"
#include "tracking/edit_author.hpp"

namespace plankeep::cli {

/// `given` where it is not empty (--by). Below a client whose hooks told of its session: whose command in the
/// shell this is, as far as one agent's runs, else the main thread (`external` when several of them run
/// commands). Else `person` on a terminal, and `main`. With the subagent's id where exactly one runs a
/// command.
core::Author own_author(Program& program, const app::PlanLocation& plan, const std::string& given);
/// The actor alone.
std::string own_actor(Program& program, const app::PlanLocation& plan, const std::string& given);

/// The client's session around us, if there is one, wrote or claimed in this plan, whose state is `state`: it
/// is the plan that its further commands are about.
void note_own_work(Program& program, const app::PlanLocation& plan, const core::State& state);

/// `init` or `new` has named this plan: of several active ones it is meant from now on. Warns if the next
/// command in this folder would still use another plan.
void note_begun(Program& program, const app::PlanLocation& plan, const core::State& state);

}  // namespace plankeep::cli
