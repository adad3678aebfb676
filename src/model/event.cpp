#include "model/event.hpp"

#include <array>

namespace plankeep::core {
namespace {

struct Name {
  EventKind kind;
  std::string_view name;
};

// In the order of the enumeration, which is that of spec 4; `unknown` has no name.
constexpr std::array kNames{
    Name{EventKind::checkpoint_created, "checkpoint_created"},
    Name{EventKind::task_completed, "task_completed"},
    Name{EventKind::task_reopened, "task_reopened"},
    Name{EventKind::task_started, "task_started"},
    Name{EventKind::task_added, "task_added"},
    Name{EventKind::task_removed, "task_removed"},
    Name{EventKind::task_renamed, "task_renamed"},
    Name{EventKind::task_moved, "task_moved"},
    Name{EventKind::task_attributed, "task_attributed"},
    Name{EventKind::acceptance_met, "acceptance_met"},
    Name{EventKind::acceptance_unmet, "acceptance_unmet"},
    Name{EventKind::acceptance_added, "acceptance_added"},
    Name{EventKind::acceptance_removed, "acceptance_removed"},
    Name{EventKind::acceptance_moved, "acceptance_moved"},
    Name{EventKind::phase_started, "phase_started"},
    Name{EventKind::phase_completed, "phase_completed"},
    Name{EventKind::phase_reopened, "phase_reopened"},
    Name{EventKind::phase_added, "phase_added"},
    Name{EventKind::phase_removed, "phase_removed"},
    Name{EventKind::decision_recorded, "decision_recorded"},
    Name{EventKind::decision_removed, "decision_removed"},
    Name{EventKind::blocker_raised, "blocker_raised"},
    Name{EventKind::blocker_resolved, "blocker_resolved"},
    Name{EventKind::session_started, "session_started"},
    Name{EventKind::session_ended, "session_ended"},
    Name{EventKind::session_crash, "session_crash"},
    Name{EventKind::session_recovered, "session_recovered"},
    Name{EventKind::subagent_started, "subagent_started"},
    Name{EventKind::subagent_stopped, "subagent_stopped"},
    Name{EventKind::note_saved, "note_saved"},
    Name{EventKind::task_claimed, "task_claimed"},
    Name{EventKind::task_released, "task_released"},
    Name{EventKind::checksum_mismatch, "checksum_mismatch"},
    Name{EventKind::parse_error, "parse_error"},
    Name{EventKind::state_corrupted, "state_corrupted"},
    Name{EventKind::full_recovery, "full_recovery"},
    Name{EventKind::recovery_saved, "recovery_saved"},
    Name{EventKind::checkpoint_saved, "checkpoint_saved"},
    Name{EventKind::checkpoint_complete, "checkpoint_complete"},
    Name{EventKind::rewound, "rewound"},
    Name{EventKind::drift_detected, "drift_detected"},
    Name{EventKind::plan_moved, "plan_moved"},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (static_cast<std::size_t>(kNames[i].kind) != i + 1) return false;
  }
  return kNames.size() == static_cast<std::size_t>(EventKind::plan_moved);
}
static_assert(in_order());

}  // namespace

std::string_view name_of(EventKind kind) {
  if (kind == EventKind::unknown) return {};
  return kNames[static_cast<std::size_t>(kind) - 1].name;
}

EventKind event_kind(std::string_view name) {
  for (const Name& known : kNames) {
    if (known.name == name) return known.kind;
  }
  return EventKind::unknown;
}

std::vector<std::string_view> event_names() {
  std::vector<std::string_view> names;
  names.reserve(kNames.size());
  for (const Name& known : kNames) names.push_back(known.name);
  return names;
}

}  // namespace plankeep::core
