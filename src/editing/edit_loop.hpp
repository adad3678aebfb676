#pragma once
// Changing a plan's text beside editors that do not take our lock: read, make the new text, write it if the
// file still is what was read, else start over.

#include <cstdint>
#include <functional>
#include <string>

#include "base/result.hpp"
#include "tracking/edit_author.hpp"
#include "tracking/plan_work.hpp"

namespace plankeep::app {

/// The conflict of a command that needs a plan which cannot be read: "WHAT: plan.md is missing: ...", with
/// what to do as its hint.
base::Error unreadable_error(const Context& context, const std::string& what, const Outcome& outcome);

/// Opens and locks `work`, then: records what happened outside, calls `make` for the new bytes (from
/// work.plan() and work.bytes()), writes them and records the change as `author`'s. `make` may be called
/// again on another text, so it starts from scratch each time; bytes that equal work.bytes() mean that there
/// is nothing to do. `new_box`: set by `make` to the line of a box that it added. `then`: as of Edit.
[[nodiscard]] base::Status edit_plan(PlanWork& work, const core::Author& author,
                                     const std::function<base::Result<std::string>()>& make,
                                     const std::int64_t* new_box = nullptr,
                                     const core::State* then = nullptr);

/// Opens, locks and syncs a plan in order to record something without changing its text. That works while the
/// plan cannot be read, but not if there is no state either (conflict: "cannot WHAT: ...").
[[nodiscard]] base::Status begin_record(PlanWork& work, const std::string& what);

}  // namespace plankeep::app
