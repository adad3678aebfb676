#pragma once
// A task that was done and left the plan. What is done with it stands in model/removed.

#include <string>

#include "base/instant.hpp"
#include "model/ids.hpp"

namespace plankeep::core {

struct RemovedTask {
  TaskId task;
  PhaseId phase;  // where it was last
  std::string title;
  base::Instant completed_at;
  std::string completed_by;
  base::Instant removed_at;
  bool operator==(const RemovedTask&) const = default;
};

}  // namespace plankeep::core
