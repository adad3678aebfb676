#pragma once
// All plans of a workspace at a glance: `plankeep plans`, `status --all`.
//
// JSON: { folder, plans [ {plan {id, path}, progress, currentPhase, currentTask, currentTaskTitle,
// lastActivity, lastBy, blockers, agents, sessions, inFlight, stale, unrecorded, trouble?} ], warnings[] };
// what is not known is null.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/instant.hpp"
#include "model/progress.hpp"
#include "render/style.hpp"

namespace plankeep::render {

struct PlanRow {
  std::string id;
  std::string path;   // absolute
  std::string shown;  // for people, as short as it is right
  core::Progress progress;
  std::string phase;
  std::string task;
  std::string task_title;
  std::optional<base::Instant> last_activity;
  std::string last_by;
  std::int64_t blockers = 0;
  std::int64_t agents = 0;
  std::int64_t sessions = 0;
  bool stale = false;
  bool unrecorded = false;
  std::string problem;
};

struct PlansView {
  std::string folder;
  std::vector<PlanRow> rows;
  std::vector<std::string> warnings;
};

/// Two lines a plan: how far it is and where, then what is worth knowing. One line where there is nothing
/// more.
std::string plans_text(const PlansView& view, base::Instant now, const Style& style);
std::string plans_json(const PlansView& view);

}  // namespace plankeep::render
