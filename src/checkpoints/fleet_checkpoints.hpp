#pragma once
// Checkpoints of other machines, as `plankeep fleet pull` brought them: a cache that `checkpoint list
// --fleet` reads without the network. Kept among the project's own files (project/state_home), one file a
// plan:
//
//   {"replica":"8f14…","login":"kim","machine":"3fa2…","checkpoint":{…}}        one a line, newest first
//
// Written whole, by temporary file and rename, without a sync. A line that cannot be read is passed over.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/checkpoint.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"

namespace plankeep::app {

struct FleetCheckpoint {
  std::string replica;
  std::string login;
  std::string machine;
  core::Checkpoint checkpoint;
};

/// One line of that file, with its line feed. `checkpoint`: JSON.
std::string fleet_checkpoint_line(std::string_view replica, std::string_view login, std::string_view machine,
                                  std::string_view checkpoint);

[[nodiscard]] base::Status write_fleet_checkpoints(const Context& context, const PlanLocation& plan,
                                                   std::string_view lines);

/// not_found: nothing was pulled yet.
[[nodiscard]] base::Result<std::vector<FleetCheckpoint>> read_fleet_checkpoints(const Context& context,
                                                                                const PlanLocation& plan);

}  // namespace plankeep::app
