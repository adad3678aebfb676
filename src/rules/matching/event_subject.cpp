#include "rules/matching/event_subject.hpp"

namespace plankeep::core {

std::string what_of(EventKind kind, const PhaseId& phase, std::string_view item) {
  std::string what(name_of(kind));
  what += '\n';
  what += phase.text;
  what += '\n';
  what += item;
  return what;
}

std::string what_of(const Event& event) {
  return what_of(event.kind, event.phase,
                 event.criterion.empty() ? std::string_view(event.task.text) : event.criterion.text);
}

std::string what_of(const PhaseId& phase) {
  return what_of(EventKind::phase_completed, phase, {});
}

std::string came_undone(const Event& event) {
  switch (event.kind) {
    case EventKind::task_completed:
    case EventKind::task_reopened:
      return what_of(EventKind::task_completed, event.phase, event.task.text);
    case EventKind::task_removed:  // it may come back open, and be done only by a later text
      return event.done ? what_of(EventKind::task_completed, event.phase, event.task.text) : std::string();
    case EventKind::acceptance_met:
    case EventKind::acceptance_unmet:
    case EventKind::acceptance_added:
    case EventKind::acceptance_removed:
      return what_of(EventKind::acceptance_met, event.phase, event.criterion.text);
    case EventKind::phase_added:
    case EventKind::phase_removed:
    case EventKind::phase_started:
    case EventKind::phase_completed:
    case EventKind::phase_reopened:
      return what_of(event.phase);
    case EventKind::decision_recorded:
    case EventKind::decision_removed:
      return what_of(EventKind::decision_recorded, {}, event.decision);
    case EventKind::blocker_raised:
    case EventKind::blocker_resolved:
      return what_of(EventKind::blocker_raised, {}, event.blocker);
    default:
      return {};
  }
}

bool is_remark(const Event& event) {
  return event.kind == EventKind::decision_recorded || event.kind == EventKind::blocker_raised;
}

bool undoes(EventKind kind) {
  return kind == EventKind::task_reopened || kind == EventKind::acceptance_unmet ||
         kind == EventKind::phase_reopened || kind == EventKind::decision_removed ||
         kind == EventKind::blocker_resolved;
}

bool is_done_now(const Event& event) {
  return event.kind == EventKind::task_completed || event.kind == EventKind::acceptance_met ||
         event.kind == EventKind::phase_started || event.kind == EventKind::phase_completed ||
         is_remark(event);
}

void note_other_id(const Event& event, UndoneThings& things) {
  if (event.kind != EventKind::task_added || event.from.empty()) return;
  things.renamed(what_of(EventKind::task_completed, event.phase, event.task.text),
                 what_of(EventKind::task_completed, event.phase, event.from));
}

bool comes_back_done(const Event& event) {
  if (event.kind == EventKind::acceptance_added) return event.met;
  return event.kind == EventKind::phase_added && event.from.empty() && event.status != PhaseStatus::pending;
}

}  // namespace plankeep::core
