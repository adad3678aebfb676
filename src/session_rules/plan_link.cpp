#include "session_rules/plan_link.hpp"

#include <map>
#include <set>

namespace plankeep::core {
namespace {

// A task or criterion; ids are unique within a phase only.
struct PlanItem {
  std::string phase;
  std::string id;
  auto operator<=>(const PlanItem&) const = default;
};
// With the place at which it was done.
using PlanItems = std::map<PlanItem, std::size_t>;

struct DoneSoFar {
  PlanItems tasks;
  PlanItems criteria;
  std::size_t places = 0;

  void put(PlanItems& items, PlanItem item) { items.emplace(std::move(item), places++); }
};

void move_item(PlanItems& done, const PlanItem& from, const std::string& phase) {
  auto node = done.extract(from);
  if (node.empty()) return;
  node.key().phase = phase;
  done.insert(std::move(node));
}

void follow(DoneSoFar& done, const Event& event) {
  const PlanItem task{event.phase.text, event.task.text};
  const PlanItem criterion{event.phase.text, event.criterion.text};
  switch (event.kind) {
    case EventKind::checkpoint_created:
      for (const PhaseInventory& phase : event.phases) {
        for (const TaskId& id : phase.done) done.put(done.tasks, {phase.id.text, id.text});
        for (const CriterionId& id : phase.met) done.put(done.criteria, {phase.id.text, id.text});
      }
      break;
    case EventKind::boxes_found:
      for (const GivenId& box : event.ids)
        if (box.done) done.put(done.tasks, {box.phase.text, box.id.text});
      break;
    case EventKind::task_added:
      if (event.done) done.put(done.tasks, task);
      break;
    case EventKind::task_completed:
      done.put(done.tasks, task);
      break;
    case EventKind::task_reopened:
    case EventKind::task_removed:
      done.tasks.erase(task);
      break;
    case EventKind::task_moved:
      move_item(done.tasks, {event.from, event.task.text}, event.phase.text);
      break;
    case EventKind::acceptance_added:
      if (event.met) done.put(done.criteria, criterion);
      break;
    case EventKind::acceptance_met:
      done.put(done.criteria, criterion);
      break;
    case EventKind::acceptance_unmet:
    case EventKind::acceptance_removed:
      done.criteria.erase(criterion);
      break;
    case EventKind::acceptance_moved:
      move_item(done.criteria, {event.from, event.criterion.text}, event.phase.text);
      break;
    default:
      break;
  }
}

// A move since the parent is no work: both sides go by the phase that an item has now.
void follow_moves(DoneSoFar& before, const Event& event) {
  if (event.kind == EventKind::task_moved || event.kind == EventKind::acceptance_moved) follow(before, event);
}

// In the order in which they were done, each id once.
Strings new_in(const PlanItems& now, const PlanItems& before, std::set<std::string>& phases) {
  std::map<std::size_t, std::string> by_place;
  std::set<std::string> seen;
  for (const auto& [item, place] : now) {
    if (before.contains(item)) continue;
    phases.insert(item.phase);
    if (seen.insert(item.id).second) by_place.emplace(place, item.id);
  }
  Strings fresh;
  for (auto& [place, id] : by_place) fresh.push_back(std::move(id));
  return fresh;
}

}  // namespace

PlanLink plan_link_of(const LinkedPlan& plan, const Sidecar* sidecar, const std::vector<Event>& events,
                      const CommitSpan& span) {
  PlanLink link;
  link.schema_version = "1.0.0";
  link.plan_id = plan.plan_id;
  link.written_by = plan.written_by;
  if (sidecar != nullptr) {
    if (!sidecar->phase.empty()) link.phase_id = sidecar->phase.text;
    if (!sidecar->title.empty()) link.phase_title = sidecar->title;
    link.tier = std::string(name_of(sidecar->tier));
  }
  DoneSoFar before;
  DoneSoFar now;
  for (const Event& event : events) {
    // Times may go back: histories are merged, and clocks are set.
    if (event.time > end_of_commit(span.commit)) continue;
    // An event about a commit comes after it, in its second or later.
    const bool about_commits =
        event.kind == EventKind::checkpoint_linked || event.kind == EventKind::checkpoint_complete;
    if (about_commits && event.time >= span.commit) continue;
    ++link.history_events;
    follow(now, event);
    // What was done at first sight was done before anybody looked: no commit did it.
    const bool first_sight =
        event.kind == EventKind::checkpoint_created || event.kind == EventKind::boxes_found;
    // A tick is told of one commit only: in the second of the parent it is the parent's.
    if (first_sight || (span.parent && event.time <= end_of_commit(*span.parent))) {
      follow(before, event);
    } else {
      follow_moves(before, event);
    }
  }
  std::set<std::string> phases;
  link.tasks_done = new_in(now.tasks, before.tasks, phases);
  link.criteria_met = new_in(now.criteria, before.criteria, phases);
  if (!link.phase_id && phases.size() == 1 && !phases.begin()->empty()) link.phase_id = *phases.begin();
  return link;
}

}  // namespace plankeep::core
