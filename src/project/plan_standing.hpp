#pragma once
// How far a plan is, by a look at its records: for choosing among several, where loading each would be too
// much. What the history holds beyond state.json, and what was edited since, does not count here.

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/instant.hpp"
#include "model/progress.hpp"
#include "model/state.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"

namespace plankeep::app {

/// A plan that has been complete for so long is finished: it is still named, and no more put before anybody.
inline constexpr std::int64_t kFinishedAfterDays = 7;

struct PlanStanding {
  bool recorded = false;  // it has a state that can be read
  core::Progress progress;
  bool open = false;      // a box that counts is open: a task or a criterion
  bool complete = false;  // rules/listing/completion
  bool archived = false;
  bool missing = false;      // its file is gone; only plan_standing() looks
  base::Instant last_saved;  // of the newest event in the state
  std::optional<core::PlanStamp> plan_stamp;

  /// Neither complete nor archived.
  bool unfinished() const { return !archived && !complete; }
  /// Worth choosing: unfinished, and its file is there.
  bool active() const { return unfinished() && !missing; }
};

/// What a state.json says; one that cannot be read says nothing.
PlanStanding standing_in(std::string_view state_json);
PlanStanding standing_from(const core::State& state);
PlanStanding plan_standing(const Context& context, const PlanLocation& plan);

/// Archived, or complete for kFinishedAfterDays.
bool is_over(const PlanStanding& standing, base::Instant now);

/// Whether the plan lies where its tool puts what is over: OpenSpec's openspec/changes/archive/.
bool is_in_archive_folder(std::string_view path);

}  // namespace plankeep::app
