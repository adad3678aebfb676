#pragma once
// A box for work that was found on the way (`plankeep add`): put into the plan's text
// (markdown/edits/add_item) and recorded, under one lock as in editing/complete.
//
// Errors: not_found, ambiguous for the parent, the phase and the tasks of `after` (editing/find_boxes);
// invalid_input and conflict as in markdown/edits/add_item; those of PlanWork. Killed between the two steps:
// the box is in the plan, and the next sync records it.

#include <string>
#include <vector>

#include "base/result.hpp"
#include "project/context.hpp"
#include "tracking/outcome.hpp"

namespace plankeep::app {

struct AddRequest {
  std::string title;
  std::string phase;   // its id, title or number; empty: that of `parent`, else the current one
  std::string parent;  // a task as `done` takes it; empty: none
  std::vector<std::string> after;
  std::string id;
  bool criterion = false;
  std::string verify;
  bool first = false;
};

struct Added {
  Outcome outcome;
  std::string id;  // under which it is recorded
  core::PhaseId phase;
  std::int64_t line = 0;
};

[[nodiscard]] base::Result<Added> add_task(const Context& context, const PlanLocation& plan,
                                           const AddRequest& request, const std::string& actor);

}  // namespace plankeep::app
