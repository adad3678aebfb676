#pragma once
// Checkpoints of other replicas, kept here and shown.

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "fleet/sight.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "render/style.hpp"

namespace plankeep::fleet {

/// Keeps those that are not of this folder itself, where `checkpoint list --fleet` finds them, in the place
/// of what was kept before. Gives how many.
[[nodiscard]] base::Result<std::int64_t> keep_pulled(const app::Context& context,
                                                     const app::PlanLocation& plan,
                                                     const std::vector<CheckpointSight>& found);

/// Whether the replica is this plan's folder.
bool is_own(const app::Context& context, const app::PlanLocation& plan, const ReplicaName& replica);

/// What it is and how to go on from it, in plain words. The files of another folder's checkpoint are not
/// here, and its id may be that of another checkpoint here: nothing is said of going back to it.
enum class Whose { own, other };
std::string checkpoint_text(const CheckpointSight& found, Whose whose, base::Instant now,
                            const render::Style& style);

}  // namespace plankeep::fleet
