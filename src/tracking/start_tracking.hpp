#pragma once
// Beginning to track a plan (`init`): makes its tracking folder and records what stands in it.
//
// Any readable Markdown file can be tracked, with or without markers, also beside others of its folder. Doing
// it again is a sync: when nothing changed, nothing is written. A file that was renamed or moved within
// its project goes on with the records that it had (tracking/predecessor), and is archived no more.

#include <string>

#include "base/result.hpp"
#include "project/context.hpp"
#include "tracking/outcome.hpp"

namespace plankeep::app {

struct Started {
  Outcome outcome;
  bool created = false;     // nothing was recorded before
  std::string continued{};  // the file that is gone and whose records it goes on with; mostly empty
};

[[nodiscard]] base::Result<Started> start_tracking(const Context& context, const PlanLocation& plan);

}  // namespace plankeep::app
