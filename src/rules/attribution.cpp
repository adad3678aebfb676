#include "rules/attribution.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/find_task.hpp"
#include "rules/sessions.hpp"

namespace plankeep::core {
namespace {

// Whether an event about these boxes is the edit's.
bool explains(const EditedBoxes& edited, const std::vector<Box>& boxes, EventKind kind) {
  const bool added = kind == EventKind::task_added || kind == EventKind::acceptance_added;
  return added ? edited.wrote(boxes) : edited.set(boxes);
}

// Whether the edit ticked these boxes before somebody else noticed it.
bool ticked_before(const EditedBoxes& edited, const std::vector<Box>& boxes, bool recorded) {
  return recorded ? edited.set(boxes) : edited.set_knowingly(boxes);
}

// A decision or blocker whose line the edit does not hold was written by somebody else.
class MarkerAuthors {
 public:
  MarkerAuthors(const Plan& plan, std::string_view text, const EditedLines& edited) {
    const std::vector<std::string_view> lines = lines_of(text);
    const auto add = [&](auto& wrote, const auto& marker) {
      const auto line = static_cast<std::size_t>(marker.line) - 1;
      wrote.emplace(marker.text, line < lines.size() && edited.wrote_line(lines[line]));
    };
    for (const Decision& decision : plan.decisions) add(decisions_, decision);
    for (const Blocker& blocker : plan.blockers) add(blockers_, blocker);
  }

  bool wrote(const Event& event) const {
    const bool decided = event.kind == EventKind::decision_recorded;
    const auto& wrote = decided ? decisions_ : blockers_;
    const auto found = wrote.find(decided ? event.decision : event.blocker);
    return found == wrote.end() || found->second;
  }

 private:
  std::unordered_map<std::string_view, bool> decisions_;
  std::unordered_map<std::string_view, bool> blockers_;
};

using Named = std::unordered_multimap<std::string_view, Event*>;

// The events of a box by its id.
Event* first_of(const Named& events, std::string_view id, const PhaseId& phase) {
  const auto [from, to] = events.equal_range(id);
  for (auto at = from; at != to; ++at) {
    if (at->second->phase == phase) return at->second;
  }
  return nullptr;
}

bool waits(const TaskState& task, base::Instant now) {
  return task.done && task.completed_at && task.completed_by == kNobody &&
         now.milliseconds - task.completed_at->milliseconds <= kAttributionMilliseconds;
}

// Those that the edit may have set: told of by an event, or waiting for their author.
std::vector<const std::vector<Box>*> changed_boxes(const State& state, const Plan& plan,
                                                   const Named& of_tasks, const Named& of_criteria,
                                                   base::Instant now) {
  std::vector<const std::vector<Box>*> changed;
  for (std::size_t p = 0; p < plan.phases.size() && p < state.phases.size(); ++p) {
    const Phase& phase = plan.phases[p];
    const std::vector<TaskState>& tasks = state.phases[p].tasks;
    for (std::size_t t = 0; t < phase.tasks.size() && t < tasks.size(); ++t) {
      const Task& task = phase.tasks[t];
      if (first_of(of_tasks, task.id.text, phase.id) != nullptr || waits(tasks[t], now))
        changed.push_back(&task.boxes);
    }
    for (const Criterion& criterion : phase.acceptance) {
      if (first_of(of_criteria, criterion.id.text, phase.id) != nullptr) changed.push_back(&criterion.boxes);
    }
  }
  return changed;
}

bool is_fresh(const UnreadEdit& edit, base::Instant now) {
  const std::int64_t age = now.milliseconds - edit.time.milliseconds;
  return age >= 0 && age <= kAttributionMilliseconds;
}

// The boxes that an event of nobody's is about, with the event.
using Nobodys = std::vector<std::pair<const std::vector<Box>*, Event*>>;

Nobodys nobodys(Reconciled& result, const Plan& plan) {
  Nobodys found;
  for (Event& event : result.events) {
    if (event.by != kNobody) continue;
    const Phase* phase = find_phase(plan, event.phase);
    if (phase == nullptr) continue;
    for (const Task& task : phase->tasks) {
      if (!event.task.empty() && task.id == event.task) found.emplace_back(&task.boxes, &event);
    }
    for (const Criterion& criterion : phase->acceptance) {
      if (!event.criterion.empty() && criterion.id == event.criterion)
        found.emplace_back(&criterion.boxes, &event);
    }
  }
  return found;
}

// Gives the author what is nobody's and his edit explains.
void give(Reconciled& result, const Plan& plan, std::string_view text, const UnreadEdit& author,
          const EditedLines& lines) {
  const Nobodys all = nobodys(result, plan);
  std::vector<const std::vector<Box>*> changed;
  changed.reserve(all.size());
  for (const auto& [boxes, event] : all) changed.push_back(boxes);
  EditedBoxes edited(lines, text);
  edited.settle(changed);
  for (const auto& [boxes, event] : all) {
    if (!explains(edited, *boxes, event->kind)) continue;
    event->by = author.by;
    if (event->kind != EventKind::task_completed) continue;
    event->agent = author.agent;
    for (PhaseState& phase : result.state.phases) {
      for (TaskState& task : phase.tasks) {
        if (phase.id == event->phase && task.id == event->task) task.completed_by = author.by;
      }
    }
    apply_session_event(result.state, *event);
  }
}

}  // namespace

bool awaits_author(const State& state, base::Instant now) {
  return std::any_of(state.phases.begin(), state.phases.end(), [now](const PhaseState& phase) {
    return std::any_of(phase.tasks.begin(), phase.tasks.end(),
                       [now](const TaskState& task) { return waits(task, now); });
  });
}

Plan before_ticks(const Plan& plan, std::string_view text, const EditedLines& lines) {
  Plan before = plan;
  EditedBoxes edited(lines, text);
  std::vector<const std::vector<Box>*> done;
  for (const Phase& phase : plan.phases) {
    for (const Task& task : phase.tasks) {
      if (task.done()) done.push_back(&task.boxes);
    }
    for (const Criterion& criterion : phase.acceptance) {
      if (criterion.met) done.push_back(&criterion.boxes);
    }
  }
  edited.settle(done);
  for (Phase& phase : before.phases) {
    for (Task& task : phase.tasks) {
      if (task.done() && edited.ticked(task.boxes)) task.state = BoxState::open;
    }
    for (Criterion& criterion : phase.acceptance) {
      if (criterion.met && edited.ticked(criterion.boxes)) criterion.met = false;
    }
  }
  return before;
}

void attribute(Reconciled& result, const Plan& plan, std::string_view text, std::string_view actor,
               const EditedLines& lines, base::Instant now, bool recorded) {
  Named of_tasks;
  Named of_criteria;
  std::optional<MarkerAuthors> authors;
  for (Event& event : result.events) {
    switch (event.kind) {
      case EventKind::task_completed:
      case EventKind::task_reopened:
      case EventKind::task_added:
        of_tasks.emplace(event.task.text, &event);
        break;
      case EventKind::acceptance_met:
      case EventKind::acceptance_unmet:
      case EventKind::acceptance_added:
        of_criteria.emplace(event.criterion.text, &event);
        break;
      case EventKind::decision_recorded:
      case EventKind::blocker_raised:
        if (!authors) authors.emplace(plan, text, lines);
        if (!authors->wrote(event)) event.by = kNobody;
        break;
      default:
        break;
    }
  }
  EditedBoxes edited(lines, text);
  edited.settle(changed_boxes(result.state, plan, of_tasks, of_criteria, now));
  std::vector<Event> claimed;
  for (std::size_t p = 0; p < plan.phases.size() && p < result.state.phases.size(); ++p) {
    const Phase& phase = plan.phases[p];
    PhaseState& state = result.state.phases[p];
    for (std::size_t t = 0; t < phase.tasks.size() && t < state.tasks.size(); ++t) {
      const Task& task = phase.tasks[t];
      TaskState& effective_state = state.tasks[t];
      if (Event* event = first_of(of_tasks, task.id.text, phase.id)) {
        if (explains(edited, task.boxes, event->kind)) continue;
        event->by = kNobody;
        if (event->kind == EventKind::task_completed) effective_state.completed_by = kNobody;
        continue;
      }
      if (!waits(effective_state, now) || !ticked_before(edited, task.boxes, recorded)) continue;
      Event& taken = claimed.emplace_back();
      taken.time = now;
      taken.kind = EventKind::task_attributed;
      taken.task = task.id;
      taken.phase = phase.id;
      taken.title = task.title;
      taken.by = actor;
      taken.from = kNobody;
      effective_state.completed_by = actor;
    }
    for (const Criterion& criterion : phase.acceptance) {
      Event* event = first_of(of_criteria, criterion.id.text, phase.id);
      if (event != nullptr && !explains(edited, criterion.boxes, event->kind)) event->by = kNobody;
    }
  }
  result.events.insert(result.events.end(), claimed.begin(), claimed.end());
}

void note_unread(State& state, std::string_view actor, std::string_view agent,
                 std::span<const TextEdit> edits, base::Instant now) {
  std::vector<UnreadEdit>& unread = state.unread;
  std::erase_if(unread, [now](const UnreadEdit& edit) { return !is_fresh(edit, now); });
  for (const TextEdit& edit : edits) {
    if (edit.after.empty() || edit.before.size() + edit.after.size() > kUnreadBytes) continue;
    const UnreadEdit noted{std::string(actor), std::string(agent), now,
                           edit.before,        edit.after,         edit.everywhere};
    if (std::find(unread.begin(), unread.end(), noted) == unread.end()) unread.push_back(noted);
  }
  if (unread.size() > kUnreadKept)
    unread.erase(unread.begin(), unread.end() - static_cast<std::ptrdiff_t>(kUnreadKept));
}

void give_unread(Reconciled& result, const Plan& plan, std::string_view text, base::Instant now) {
  const std::vector<UnreadEdit> unread = std::exchange(result.state.unread, {});
  if (unread.size() > kUnreadKept) return;  // nothing that we wrote
  for (auto edit = unread.begin(); edit != unread.end();) {
    // Those of one call.
    const UnreadEdit& first = *edit;
    std::vector<TextEdit> edits;
    for (; edit != unread.end() && edit->by == first.by && edit->agent == first.agent &&
           edit->time == first.time;
         ++edit)
      edits.push_back({edit->before, edit->after, {}, edit->everywhere});
    if (is_fresh(first, now)) give(result, plan, text, first, EditedLines(edits));
  }
}

}  // namespace plankeep::core
