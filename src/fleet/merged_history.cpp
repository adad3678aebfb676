#include "fleet/merged_history.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "model/json/event_json.hpp"

namespace plankeep::fleet {
namespace {

using core::Event;
using core::EventKind;

// What is believed of tasks and criteria, as far as it tells a change from its echo.
class Ledger {
 public:
  /// Whether the event says something that was not so already.
  bool takes(const Event& event) {
    switch (event.kind) {
      case EventKind::checkpoint_created:
        return begin(event);
      case EventKind::task_completed:
        return set(tasks_, event.task.text, "done");
      case EventKind::task_reopened:
        return set(tasks_, event.task.text, "open");
      case EventKind::task_added:
        return tasks_.count(event.task.text) == 0 &&
               set(tasks_, event.task.text, event.done ? "done" : "open");
      case EventKind::task_removed:
        return tasks_.erase(event.task.text) > 0;
      case EventKind::task_renamed:
        return set(titles_, event.task.text, event.title);
      case EventKind::task_moved:
        return set(places_, event.task.text, event.phase.text + "/" + event.parent.text);
      case EventKind::acceptance_met:
        return event.evidence.has_value() || set(criteria_, event.criterion.text, "met");
      case EventKind::acceptance_unmet:
        return event.evidence.has_value() || set(criteria_, event.criterion.text, "unmet");
      case EventKind::acceptance_added:
      case EventKind::phase_added:
        return added_.insert(core::encode_event(undated(event))).second;
      case EventKind::phase_started:
      case EventKind::phase_completed:
      case EventKind::phase_reopened:
        return set(phases_, event.phase.text, std::string(core::name_of(event.kind)));
      case EventKind::decision_recorded:
        return decisions_.insert(event.decision).second;
      case EventKind::blocker_raised:
        return set(blockers_, event.blocker, "raised");
      case EventKind::blocker_resolved:
        return set(blockers_, event.blocker, "resolved");
      // Of one machine and its files, not of the plan.
      case EventKind::unknown:
      case EventKind::plan_moved:
      case EventKind::replica_created:
      case EventKind::checksum_mismatch:
      case EventKind::parse_error:
      case EventKind::state_corrupted:
      case EventKind::full_recovery:
      case EventKind::recovery_saved:
      case EventKind::tasks_ordered:
      case EventKind::boxes_found:
      case EventKind::boxes_skipped:
        return false;
      default:
        return true;
    }
  }

 private:
  static bool set(std::map<std::string, std::string>& map, const std::string& key, const std::string& value) {
    std::string& known = map[key];
    if (known == value) return false;
    known = value;
    return true;
  }

  static Event undated(Event event) {
    event.time = {};
    return event;
  }

  // The first sight of the plan counts; that of another machine tells of nothing that happened.
  bool begin(const Event& event) {
    if (begun_) return false;
    begun_ = true;
    for (const core::PhaseInventory& phase : event.phases) {
      for (const core::TaskId& task : phase.tasks) tasks_[task.text] = "open";
      for (const core::TaskId& task : phase.done) tasks_[task.text] = "done";
      for (const core::CriterionId& criterion : phase.met) criteria_[criterion.text] = "met";
    }
    return true;
  }

  bool begun_ = false;
  std::map<std::string, std::string> tasks_;
  std::map<std::string, std::string> titles_;
  std::map<std::string, std::string> places_;
  std::map<std::string, std::string> criteria_;
  std::map<std::string, std::string> phases_;
  std::map<std::string, std::string> blockers_;
  std::set<std::string> decisions_;
  std::set<std::string> added_;
};

}  // namespace

std::string merged_history(std::vector<Event> events) {
  // First sight goes first, whatever the clocks say: what it lists was there before anything happened to it.
  const auto rank = [](const Event& event) { return event.kind == EventKind::checkpoint_created ? 0 : 1; };
  std::stable_sort(events.begin(), events.end(), [&](const Event& a, const Event& b) {
    return std::pair(rank(a), a.time) < std::pair(rank(b), b.time);
  });
  Ledger ledger;
  std::string lines;
  for (Event& event : events) {
    if (!ledger.takes(event)) continue;
    event.batch = {};
    lines += core::encode_event(event);
  }
  return lines;
}

}  // namespace plankeep::fleet
