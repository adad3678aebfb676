#pragma once
// Which leases are still valid: rules/lease decides, given what the system knows of their holders' processes.

#include <vector>

#include "base/instant.hpp"
#include "model/state.hpp"
#include "project/context.hpp"
#include "rules/lease.hpp"

namespace plankeep::app {

/// Of the state's leases, in their order. Without leases nothing is asked of the system. A process on another
/// host, or one that cannot be asked about, counts as alive: then the time alone decides.
std::vector<core::LeaseStatus> lease_statuses(const Context& context, const core::State& state,
                                              base::Instant now);

}  // namespace plankeep::app
