#pragma once
// A plan's checkpoints on their way to the fleet's server. Used by push.

#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "fleet/postgres.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "secrets/redactor.hpp"

namespace plankeep::fleet {

/// Sends those that the server does not have, oldest first, so that the newest of them stands for all: if the
/// connection breaks, the next push goes on. How many the server took.
[[nodiscard]] base::Result<std::int64_t> push_checkpoints(const app::Context& context, Connection& connection,
                                                          const app::PlanLocation& plan,
                                                          const std::string& replica,
                                                          const secrets::Redactor& redactor);

}  // namespace plankeep::fleet
