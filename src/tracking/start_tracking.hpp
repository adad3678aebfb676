#pragma once
// Beginning to track a plan (`init`): makes its tracking folder and records what stands in it.
//
// Any readable Markdown file can be tracked, with or without markers, also beside others of its folder. Doing
// it again is a sync: when nothing changed, nothing is written. A file whose folder tracks one that is gone
// goes on with its records.

#include "base/result.hpp"
#include "project/context.hpp"
#include "tracking/outcome.hpp"

namespace plankeep::app {

struct Started {
  Outcome outcome;
  bool created = false;  // it was not tracked before
};

[[nodiscard]] base::Result<Started> start_tracking(const Context& context, const PlanLocation& plan);

}  // namespace plankeep::app
