#pragma once
// Writing sidecars, with the events that tell of them (spec 13). The one place that does.
//
// Under the plan's lock: each sidecar durably (store/sidecars), then checkpoint_complete for each in one
// save. Killed in between: sidecars without their events, which `doctor --repair` adds. A sidecar that cannot
// be written is a warning, and its event says so: the commit stands, and can be linked later
// (commits/relink).

#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/sidecar.hpp"
#include "project/context.hpp"
#include "tracking/outcome.hpp"

namespace plankeep::app {

/// `more`: events to record with them. `write` false: record events only, write no sidecar. `before`: the
/// last checkpoint commit as git tells it; null: as the state knows it. A commit of another run does not
/// become the last checkpoint, nor does one of a lower milestone, unless it replaces the last
/// (State::last_commit). Errors: those of opening and locking the plan's records; nothing was written then.
[[nodiscard]] base::Result<Outcome> bind_commits(const Context& context, const PlanLocation& plan,
                                                 const std::vector<core::Sidecar>& sidecars,
                                                 std::vector<core::Event> more = {}, bool write = true,
                                                 const core::CommitCheckpoint* before = nullptr);

/// One checkpoint_linked event for each session checkpoint that a commit names
/// (git::CommitFacts::session_checkpoints). `phase`: empty if it is not known.
std::vector<core::Event> session_links(const std::vector<std::string>& checkpoints, const std::string& commit,
                                       const core::PhaseId& phase);

/// The event of a drift; nullopt: the newest word about it in the history is the same already.
[[nodiscard]] base::Result<std::optional<core::Event>> drift_event(system::Folder& tracking,
                                                                   const core::Drift& drift);

/// What evidence says of the commit that HEAD is now: core::decide_tier over plan and records as they are.
core::TierDecision tier_now(const Context& context, const PlanLocation& plan, std::size_t phase);

}  // namespace plankeep::app
