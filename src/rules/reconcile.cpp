#include "rules/reconcile.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/unicode/composed.hpp"
#include "model/progress.hpp"
#include "model/removed.hpp"
#include "rules/listing/completion.hpp"
#include "rules/matching/alignment.hpp"
#include "rules/matching/early_ticks.hpp"
#include "rules/matching/gone_tasks.hpp"
#include "rules/matching/lease_changes.hpp"
#include "rules/matching/remarks.hpp"
#include "rules/matching/renamed_phases.hpp"
#include "rules/matching/renumbering.hpp"
#include "rules/matching/repeated_titles.hpp"
#include "rules/matching/skipped_items.hpp"
#include "rules/matching/vanished.hpp"
#include "rules/previous_items.hpp"

namespace plankeep::core {
namespace {

constexpr std::size_t kMostRuns = 8;  // of tasks that change their places; beyond, the whole order is told

class Reconciler {
 public:
  Reconciler(const State& previous, const Plan& plan, std::string_view by, base::Instant now)
      : previous_(previous),
        plan_(plan),
        by_(by),
        now_(now),
        previous_items_(previous, plan),
        renamed_(previous, plan, previous_items_),
        gone_(previous, previous_items_),
        skipped_(previous, plan, previous_items_) {}

  Reconciled run() {
    copy_what_stays();
    remove_first();
    for (std::size_t p = 0; p < plan_.phases.size(); ++p) phase(p);
    vanished();
    orders();
    tell_found();
    if (auto early = ticked_too_early(ticked_, plan_)) notice(std::move(*early));
    for (Notice& told : settle_leases(previous_, result_.events, by_, now_, result_.state))
      notice(std::move(told));
    renumber_findings(result_.events, result_.state);
    match_remarks(previous_, plan_, by_, now_, result_.state, result_.events);
    finish();
    return std::move(result_);
  }

 private:
  // Everything but what the plan says; the phases of a large state are not worth copying.
  void copy_what_stays() {
    static_cast<FromHistory&>(result_.state) = previous_;
    static_cast<Bookkeeping&>(result_.state) = previous_;
    static_cast<Stamp&>(result_.state) = previous_;
    result_.state.every_box = true;
  }

  Event& event(EventKind kind, const PhaseId& phase) {
    Event& made = result_.events.emplace_back();
    made.time = now_;
    made.kind = kind;
    made.phase = phase;
    return made;
  }

  template <class AnyTask>  // of the plan or of the state
  Event& task_event(EventKind kind, const PhaseId& phase, const AnyTask& task) {
    Event& made = event(kind, phase);
    made.task = task.id;
    made.by = by_;
    made.title = task.title;
    made.parent = task.parent;
    return made;
  }

  // What an earlier version wrote knows nested boxes as counts only: they were always there.
  bool takes_over() const { return !previous_.every_box; }

  Event& criterion_event(EventKind kind, const PhaseId& phase, const CriterionId& criterion) {
    Event& made = event(kind, phase);
    made.criterion = criterion;
    made.by = by_;
    return made;
  }

  void notice(Notice notice) { result_.notices.push_back(std::move(notice)); }

  void phase(std::size_t p) {
    const Phase& phase = plan_.phases[p];
    const PhaseState* before = previous_items_.phase(phase.id);
    if (before == nullptr && !takes_over()) before = renamed_phase(p);
    PhaseState next;
    next.id = phase.id;
    next.title = phase.title;
    next.status = status_of(phase);
    if (before != nullptr) next.unknown = before->unknown;
    next.tasks.reserve(phase.tasks.size());
    for (std::size_t t = 0; t < phase.tasks.size(); ++t) next.tasks.push_back(task(phase, p, t));
    for (std::size_t c = 0; c < phase.acceptance.size(); ++c)
      next.acceptance.push_back(criterion(phase, p, c));
    if (before != nullptr && takes_over()) {
      const PhaseState effective_before = by_every_box(*before, phase, p);
      phase_status(&effective_before, next);
    } else {
      phase_status(before, next);
    }
    result_.state.phases.push_back(std::move(next));
  }

  // What a phase was under another id. Told before its tasks, which are told as moved to it.
  const PhaseState* renamed_phase(std::size_t p) {
    const PhaseState* const before = renamed_.before(p);
    if (before == nullptr) return nullptr;
    Event& added = event(EventKind::phase_added, plan_.phases[p].id);
    added.status = before->status;
    added.from = before->id.text;
    return before;
  }

  // Where the phase stood before this edit, had every box counted then.
  PhaseState by_every_box(const PhaseState& before, const Phase& phase, std::size_t p) {
    Phase then = phase;
    for (std::size_t t = 0; t < then.tasks.size(); ++t) {
      const PreviousItems::Origin origin = previous_items_.task(p, t);
      if (!origin.known()) continue;
      const bool was_done = previous_.phases[origin.phase].tasks[origin.item].done;
      if (was_done != then.tasks[t].done()) then.tasks[t].state = was_done ? BoxState::done : BoxState::open;
    }
    for (std::size_t c = 0; c < then.acceptance.size(); ++c) {
      const PreviousItems::Origin origin = previous_items_.criterion(p, c);
      if (origin.known()) then.acceptance[c].met = previous_.phases[origin.phase].acceptance[origin.item].met;
    }
    PhaseState effective_before;
    effective_before.id = before.id;
    effective_before.status = status_of(then);
    effective_before.started_at = before.started_at;
    effective_before.completed_at = before.completed_at;
    status_then_[phase.id] = effective_before.status;
    if (effective_before.status == before.status) return effective_before;
    take_back_times(effective_before);
    (void)found_phase(phase.id);
    return effective_before;
  }

  PhaseInventory& found_phase(const PhaseId& id) {
    const auto known = std::find_if(found_.phases.begin(), found_.phases.end(),
                                    [&id](const PhaseInventory& phase) { return phase.id == id; });
    if (known != found_.phases.end()) return *known;
    PhaseInventory& found = found_.phases.emplace_back();
    found.id = id;
    found.status = status_then_.at(id);
    return found;
  }

  TaskState task(const Phase& phase, std::size_t p, std::size_t t) {
    const Task& task = phase.tasks[t];
    const PreviousItems::Origin origin = previous_items_.task(p, t);
    TaskState next = state_of(task);
    if (origin.known() && previous_task(origin).id != task.id) other_id(phase.id, origin, task);
    if (!origin.known() && takes_over()) {
      found_.ids.push_back({task.id, task.title, phase.id, task.parent, next.done});
      return next;
    }
    if (!origin.known()) {
      if (const GoneTask* const gone = gone_.take(phase.id, task.title)) {
        remove(*gone);
        const PreviousItems::Origin before{gone->phase, gone->task};
        notice(task_renamed(previous_task(before).id, task.id.text));
        other_id(phase.id, before, task);
        return known_task(phase, task, before, std::move(next));
      }
      task_event(EventKind::task_added, phase.id, task).done = next.done;
      give_back(result_.state, phase.id, next, now_);
      return next;
    }
    return known_task(phase, task, origin, std::move(next));
  }

  TaskState known_task(const Phase& phase, const Task& task, const PreviousItems::Origin& origin,
                       TaskState next) {
    const PhaseState& from = previous_.phases[origin.phase];
    const TaskState& before = from.tasks[origin.item];
    const bool same_id = before.id == task.id;
    next.unknown = before.unknown;
    // A phase without an id holds what the history tells of without saying where (rules/replay).
    if (from.id != phase.id && !from.id.empty()) {
      task_event(EventKind::task_moved, phase.id, task).from = from.id.text;
    } else if (same_id && before.parent != task.parent) {
      placed(phase.id, task);
    }
    if (same_id && !before.title.empty() && base::composed(before.title) != base::composed(task.title)) {
      task_event(EventKind::task_renamed, phase.id, task).from = before.title;
    }
    if (next.done && before.done) {
      next.completed_at = before.completed_at;
      next.completed_by = before.completed_by;
    } else if (next.done) {
      next.completed_at = now_;
      next.completed_by = by_;
      if (!task.after.empty()) ticked_.push_back(&task);
      task_event(EventKind::task_completed, phase.id, task);
    } else if (before.done) {
      task_event(EventKind::task_reopened, phase.id, task);
      reopened_.push_back(task_name(task.id, task.title));
    }
    return next;
  }

  const TaskState& previous_task(const PreviousItems::Origin& origin) const {
    return previous_.phases[origin.phase].tasks[origin.item];
  }

  void remove(const GoneTask& gone) {
    if (!removed_.emplace(gone.phase, gone.task).second) return;
    const PhaseState& phase = previous_.phases[gone.phase];
    Event& removed = task_event(EventKind::task_removed, phase.id, phase.tasks[gone.task]);
    removed.done = phase.tasks[gone.task].done;
    removed.skipped = !gone.taken && skipped_.has_task(gone.phase, gone.task);
    keep_removed(result_.state, phase.id, phase.tasks[gone.task], now_);
  }

  // Tasks whose ids are other tasks' now, before anything is added: several may change ids with each other.
  void remove_first() {
    if (plan_.renumbered.empty()) return;
    std::set<std::pair<std::string_view, std::string_view>> taken;  // phase and id
    std::vector<std::string> names;
    for (std::size_t p = 0; p < plan_.phases.size(); ++p) {
      const Phase& phase = plan_.phases[p];
      for (std::size_t t = 0; t < phase.tasks.size(); ++t) {
        const PreviousItems::Origin origin = previous_items_.task(p, t);
        if (!origin.known()) {
          taken.emplace(phase.id.text, phase.tasks[t].id.text);
        } else if (const TaskId& before = previous_task(origin).id; before != phase.tasks[t].id) {
          taken.emplace(previous_.phases[origin.phase].id.text, phase.tasks[t].id.text);
          taken.emplace(phase.id.text, phase.tasks[t].id.text);
          remove({origin.phase, origin.item});
          names.push_back(before.text + " is " + phase.tasks[t].id.text);
        }
      }
    }
    if (!names.empty()) notice(tasks_renumbered(names));
    for (const GoneTask& gone : gone_.left()) {
      const PhaseState& phase = previous_.phases[gone.phase];
      if (taken.contains({phase.id.text, phase.tasks[gone.task].id.text})) remove(gone);
    }
  }

  // The same task has another id: it is removed by now.
  void other_id(const PhaseId& now, const PreviousItems::Origin& origin, const Task& task) {
    const TaskState& before = previous_task(origin);
    const PhaseId& then = previous_.phases[origin.phase].id;
    Event& added = task_event(EventKind::task_added, then.empty() ? now : then, task);
    added.done = before.done;
    added.from = before.id.text;
    forget_removed(result_.state, then, before.id, before.title);
  }

  // It stands below another task than before.
  void placed(const PhaseId& phase, const Task& task) {
    if (takes_over()) {
      found_.placed.push_back({task.id, phase, task.parent});
    } else {
      task_event(EventKind::task_moved, phase, task).from = phase.text;
    }
  }

  CriterionState criterion(const Phase& phase, std::size_t p, std::size_t c) {
    const Criterion& criterion = phase.acceptance[c];
    const PreviousItems::Origin origin = previous_items_.criterion(p, c);
    CriterionState next = state_of(criterion);
    if (!origin.known()) {
      criterion_event(EventKind::acceptance_added, phase.id, criterion.id).met = next.met;
      return next;
    }
    const PhaseState& from = previous_.phases[origin.phase];
    const CriterionState& before = from.acceptance[origin.item];
    next.unknown = before.unknown;
    if (from.id != phase.id && !from.id.empty()) {
      criterion_event(EventKind::acceptance_moved, phase.id, criterion.id).from = from.id.text;
    }
    // Whoever unticks knows better than what was proven.
    if (next.met || !before.met) next.evidence = before.evidence;
    if (next.met && before.met) {
      next.verified_at = before.verified_at;
    } else if (next.met) {
      next.verified_at = now_;
      criterion_event(EventKind::acceptance_met, phase.id, criterion.id);
    } else if (before.met) {
      criterion_event(EventKind::acceptance_unmet, phase.id, criterion.id);
      unmet_.push_back(criterion_name(criterion.id, criterion.title));
    }
    return next;
  }

  void phase_status(const PhaseState* before, PhaseState& next) {
    if (before == nullptr) {
      event(EventKind::phase_added, next.id).status = next.status;
      return;
    }
    next.started_at = before->started_at;
    next.completed_at = before->completed_at;
    if (next.status == before->status) return;
    if (next.status < before->status) {
      event(EventKind::phase_reopened, next.id).status = next.status;
      next.completed_at.reset();
      if (next.status == PhaseStatus::pending) next.started_at.reset();
      if (before->status == PhaseStatus::completed) {
        notice(phase_reopened(next.id, next.title));
      }
      return;
    }
    if (before->status == PhaseStatus::pending) {
      event(EventKind::phase_started, next.id);
      next.started_at = now_;
    }
    if (next.status == PhaseStatus::completed) {
      event(EventKind::phase_completed, next.id);
      next.completed_at = now_;
      notice(phase_completed(next.id, next.title));
    }
  }

  void vanished() {
    std::unordered_set<std::string_view> now;
    for (const Phase& phase : plan_.phases) now.insert(phase.id.text);
    const std::vector<GoneTask> all_gone = gone_.left();
    auto gone = all_gone.begin();
    for (std::size_t p = 0; p < previous_.phases.size(); ++p) {
      const PhaseState& phase = previous_.phases[p];
      for (; gone != all_gone.end() && gone->phase == p; ++gone) remove(*gone);
      for (std::size_t c = 0; c < phase.acceptance.size(); ++c) {
        if (previous_items_.criterion_stays(p, c)) continue;
        Event& removed = criterion_event(EventKind::acceptance_removed, phase.id, phase.acceptance[c].id);
        removed.title = phase.acceptance[c].title;
        removed.met = phase.acceptance[c].met;
        removed.skipped = skipped_.has_criterion(p, c);
      }
      if (!now.contains(phase.id.text) && !phase.id.empty()) event(EventKind::phase_removed, phase.id);
    }
    if (!reopened_.empty()) notice(tasks_reopened(reopened_));
    if (!unmet_.empty()) notice(criteria_unmet(unmet_));
    for (Notice& told : removal_notices(result_.events, previous_)) notice(std::move(told));
  }

  // A title that stands more than once does not tell boxes apart, their neighbours do (rules/match). Of
  // phases with such titles the history is told how the tasks stand, where that is not the order of its
  // events.
  void orders() {
    const bool nothing_moved =
        std::all_of(plan_.phases.begin(), plan_.phases.end(),
                    [this](const Phase& phase) { return as_before(phase, previous_items_.phase(phase.id)); });
    if (nothing_moved) return;
    const Titles now = repeated_titles(plan_.phases);
    if (now.empty()) return;
    const Titles then = repeated_titles(previous_.phases);
    for (std::size_t p = 0; p < plan_.phases.size(); ++p) {
      const Phase& phase = plan_.phases[p];
      if (!holds_any(phase.tasks, now)) continue;
      const PhaseState* before = previous_items_.phase(phase.id);
      const bool told = before == nullptr || before->tasks.empty() || holds_any(before->tasks, then);
      if (takes_over() && !found_.ids.empty() && nothing_moves_in(p)) {
        for (const Task& task : phase.tasks) found_phase(phase.id).tasks.push_back(task.id);
      } else if (takes_over() || !told) {
        order_event(phase, 0, phase.tasks.size());
      } else if (!as_before(phase, before)) {
        tell_order(phase, places_by_events(p));
      }
    }
  }

  // Then what is found can tell of all of the phase.
  bool nothing_moves_in(std::size_t p) const {
    const Phase& phase = plan_.phases[p];
    if (!status_then_.contains(phase.id)) return false;
    for (std::size_t t = 0; t < phase.tasks.size(); ++t) {
      const PreviousItems::Origin origin = previous_items_.task(p, t);
      if (origin.known() && previous_.phases[origin.phase].id != phase.id) return false;
    }
    return true;
  }

  bool as_before(const Phase& phase, const PhaseState* before) const {
    if (takes_over() || before == nullptr || before->tasks.size() != phase.tasks.size()) return false;
    return std::equal(phase.tasks.begin(), phase.tasks.end(), before->tasks.begin(),
                      [](const Task& task, const TaskState& known) {
                        return task.id == known.id && task.title == known.title &&
                               task.parent == known.parent;
                      });
  }

  // For each task of the phase its place as the events leave it: what stays as it stood, behind it what came.
  std::vector<std::size_t> places_by_events(std::size_t p) const {
    const Phase& phase = plan_.phases[p];
    std::vector<std::size_t> places;
    std::size_t behind = 0;
    for (const PhaseState& known : previous_.phases) behind += known.tasks.size();
    for (std::size_t t = 0; t < phase.tasks.size(); ++t) {
      const PreviousItems::Origin origin = previous_items_.task(p, t);
      const bool stays = origin.known() && previous_.phases[origin.phase].id == phase.id &&
                         previous_task(origin).id == phase.tasks[t].id;
      places.push_back(stays ? origin.item : behind + t);
    }
    return places;
  }

  // Each run of misplaced tasks is put in front of the task behind it.
  void tell_order(const Phase& phase, const std::vector<std::size_t>& places) {
    const std::vector<Run> runs = misplaced(places);
    if (runs.size() > kMostRuns) return order_event(phase, 0, phase.tasks.size());
    for (const auto& [begin, end] : runs) order_event(phase, begin, end);
  }

  void order_event(const Phase& phase, std::size_t begin, std::size_t end) {
    Event& made = event(EventKind::tasks_ordered, phase.id);
    for (std::size_t t = begin; t < end; ++t) made.tasks.push_back(phase.tasks[t].id);
    if (end < phase.tasks.size()) made.before = phase.tasks[end].id;
  }

  // One event for all of it, before those that speak of what was found.
  void tell_found() {
    if (found_.ids.empty() && found_.placed.empty() && found_.phases.empty()) return;
    found_.time = now_;
    found_.kind = EventKind::boxes_found;
    found_.boxes = static_cast<std::int64_t>(found_.ids.size());
    if (!found_.ids.empty()) notice(boxes_found(found_.ids.size()));
    result_.events.insert(result_.events.begin(), std::move(found_));
  }

  void finish() {
    State& next = result_.state;
    take_counts(plan_, next);
    if (next.skipped != previous_.skipped) {
      Event& skipped = event(EventKind::boxes_skipped, PhaseId());
      skipped.boxes = next.skipped;
      skipped.by = by_;
    }
    if (!result_.events.empty()) next.last_saved = now_;
    for (const Event& event : result_.events) note_vanished(next, event);
    if (is_complete(next) && !is_complete(previous_)) {
      notice(plan_completed(next.progress, plan_.skipped));
    }
  }

  const State& previous_;
  const Plan& plan_;
  std::string by_;
  base::Instant now_;
  PreviousItems previous_items_;
  RenamedPhases renamed_;
  GoneTasks gone_;
  SkippedItems skipped_;
  Reconciled result_;
  Event found_;                                            // what is taken over
  std::unordered_map<PhaseId, PhaseStatus> status_then_;   // had every box counted before this edit
  std::set<std::pair<std::size_t, std::size_t>> removed_;  // phase and task of the previous state
  std::vector<std::string> reopened_;
  std::vector<std::string> unmet_;   // criteria
  std::vector<const Task*> ticked_;  // by this edit, those that come after others
};

}  // namespace

Reconciled reconcile(const State& previous, const Plan& plan, std::string_view by, base::Instant now) {
  return Reconciler(previous, plan, by, now).run();
}

bool emptied(const State& previous, const Plan& plan) {
  const auto has_tasks = [](const auto& phases) {
    return std::any_of(phases.begin(), phases.end(), [](const auto& phase) { return !phase.tasks.empty(); });
  };
  return has_tasks(previous.phases) && !has_tasks(plan.phases);
}

}  // namespace plankeep::core
