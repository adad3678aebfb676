#include "rules/reconcile.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "model/dependencies.hpp"
#include "model/progress.hpp"
#include "model/removed.hpp"
#include "rules/lease.hpp"
#include "rules/previous_items.hpp"

namespace plankeep::core {
namespace {

class Reconciler {
 public:
  Reconciler(const State& previous, const Plan& plan, std::string_view by, base::Instant now)
      : previous_(previous), plan_(plan), by_(by), now_(now), previous_items_(previous, plan) {}

  Reconciled run() {
    copy_what_stays();
    for (std::size_t p = 0; p < plan_.phases.size(); ++p) phase(p);
    vanished();
    too_early();
    leases();
    decisions();
    blockers();
    finish();
    return std::move(result_);
  }

 private:
  // Everything but what the plan says; the phases of a large state are not worth copying.
  void copy_what_stays() {
    static_cast<FromHistory&>(result_.state) = previous_;
    static_cast<Bookkeeping&>(result_.state) = previous_;
    static_cast<Stamp&>(result_.state) = previous_;
  }

  Event& event(EventKind kind, const PhaseId& phase) {
    Event& made = result_.events.emplace_back();
    made.time = now_;
    made.kind = kind;
    made.phase = phase;
    return made;
  }

  Event& task_event(EventKind kind, const PhaseId& phase, const TaskId& task, const std::string& title) {
    Event& made = event(kind, phase);
    made.task = task;
    made.by = by_;
    made.title = title;
    return made;
  }

  Event& criterion_event(EventKind kind, const PhaseId& phase, const CriterionId& criterion) {
    Event& made = event(kind, phase);
    made.criterion = criterion;
    made.by = by_;
    return made;
  }

  void blocker_event(EventKind kind, const std::string& blocker) {
    Event& made = event(kind, PhaseId());
    made.blocker = blocker;
    made.by = by_;
  }

  void notice(Notice notice) { result_.notices.push_back(std::move(notice)); }

  void phase(std::size_t p) {
    const Phase& phase = plan_.phases[p];
    const PhaseState* before = previous_items_.phase(phase.id);
    PhaseState next;
    next.id = phase.id;
    next.title = phase.title;
    next.status = status_of(phase);
    if (before != nullptr) next.unknown = before->unknown;
    next.tasks.reserve(phase.tasks.size());
    for (std::size_t t = 0; t < phase.tasks.size(); ++t) next.tasks.push_back(task(phase, p, t));
    for (std::size_t c = 0; c < phase.acceptance.size(); ++c)
      next.acceptance.push_back(criterion(phase, p, c));
    phase_status(before, next);
    result_.state.phases.push_back(std::move(next));
  }

  TaskState task(const Phase& phase, std::size_t p, std::size_t t) {
    const Task& task = phase.tasks[t];
    const PreviousItems::Origin origin = previous_items_.task(p, t);
    TaskState next;
    next.id = task.id;
    next.title = task.title;
    next.done = task.done();
    next.optional = task.optional;
    if (!origin.known()) {
      task_event(EventKind::task_added, phase.id, task.id, task.title).done = next.done;
      added_.emplace(std::pair(phase.id.text, task.title), task.id.text);
      give_back(result_.state, phase.id, next, now_);
      return next;
    }
    const PhaseState& from = previous_.phases[origin.phase];
    const TaskState& before = from.tasks[origin.item];
    next.unknown = before.unknown;
    // A phase without an id holds what the history tells of without saying where (rules/replay).
    if (from.id != phase.id && !from.id.empty())
      task_event(EventKind::task_moved, phase.id, task.id, task.title).from = from.id.text;
    if (plan_.mode == PlanMode::unmarked && before.title != task.title && !before.title.empty()) {
      task_event(EventKind::task_renamed, phase.id, task.id, task.title).from = before.title;
    }
    if (next.done && before.done) {
      next.completed_at = before.completed_at;
      next.completed_by = before.completed_by;
    } else if (next.done) {
      next.completed_at = now_;
      next.completed_by = by_;
      if (!task.after.empty()) ticked_.push_back(&task);
      task_event(EventKind::task_completed, phase.id, task.id, task.title);
    } else if (before.done) {
      task_event(EventKind::task_reopened, phase.id, task.id, task.title);
      reopened_.push_back(task.id.text);
    }
    return next;
  }

  CriterionState criterion(const Phase& phase, std::size_t p, std::size_t c) {
    const Criterion& criterion = phase.acceptance[c];
    const PreviousItems::Origin origin = previous_items_.criterion(p, c);
    CriterionState next;
    next.id = criterion.id;
    next.title = criterion.title;
    next.met = criterion.met;
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
        notice(phase_reopened(next.id));
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
      notice(phase_completed(next.id));
    }
  }

  void vanished() {
    std::vector<std::string> names;
    std::unordered_set<std::string_view> now;
    for (const Phase& phase : plan_.phases) now.insert(phase.id.text);
    for (std::size_t p = 0; p < previous_.phases.size(); ++p) {
      const PhaseState& phase = previous_.phases[p];
      for (std::size_t t = 0; t < phase.tasks.size(); ++t) {
        if (previous_items_.task_stays(p, t)) continue;
        const TaskState& gone = phase.tasks[t];
        task_event(EventKind::task_removed, phase.id, gone.id, gone.title);
        keep_removed(result_.state, phase.id, gone, now_);
        const auto successor = added_.find({phase.id.text, gone.title});
        if (gone.title.empty() || successor == added_.end()) {
          names.push_back(gone.id.text);
        } else {
          notice(task_renamed(gone.id, successor->second));
        }
      }
      for (std::size_t c = 0; c < phase.acceptance.size(); ++c) {
        if (!previous_items_.criterion_stays(p, c)) {
          criterion_event(EventKind::acceptance_removed, phase.id, phase.acceptance[c].id);
        }
      }
      if (!now.contains(phase.id.text) && !phase.id.empty()) event(EventKind::phase_removed, phase.id);
    }
    if (!reopened_.empty()) notice(tasks_reopened(reopened_));
    if (!names.empty()) notice(tasks_removed(names, count_tasks(previous_.phases)));
  }

  static std::size_t count_tasks(const std::vector<PhaseState>& phases) {
    std::size_t count = 0;
    for (const PhaseState& phase : phases) count += phase.tasks.size();
    return count;
  }

  // A tick whose dependencies are open is a claim that does not hold yet.
  void too_early() {
    if (ticked_.empty()) return;
    const DoneIds done(plan_);
    std::vector<std::string> early;
    std::vector<std::string> open;
    std::unordered_set<std::string_view> named;
    for (const Task* task : ticked_) {
      bool waits = false;
      for (const TaskId& id : task->after) {
        if (done.contains(id)) continue;
        waits = true;
        if (named.insert(id.text).second) open.push_back(id.text);
      }
      if (waits) early.push_back(task->id.text);
    }
    if (!early.empty()) notice(done_before_dependency(early, open));
  }

  // What happens to the leases of tasks that were ticked, moved or taken out. The fold of the same events
  // does the same (rules/replay).
  void leases() {
    if (previous_.leases.empty()) return;
    std::unordered_set<std::string_view> leased;
    for (const LeaseState& lease : previous_.leases) leased.insert(lease.task.text);
    for (const Event& event : result_.events) {
      if (event.kind != EventKind::phase_removed && !leased.contains(event.task.text)) continue;
      const LeaseState* lease = find_lease(result_.state, event.phase, event.task);
      if (event.kind == EventKind::task_completed && lease != nullptr && lease->until > now_ &&
          lease->by != by_) {
        notice(done_by_another(event.task, by_, *lease));
      }
      apply_lease_event(result_.state, event);
    }
  }

  void decisions() {
    std::unordered_map<std::string_view, const DecisionState*> known;
    for (const DecisionState& decision : previous_.decisions) known.emplace(decision.decision, &decision);
    std::unordered_set<std::string_view> seen;
    for (const Decision& decision : plan_.decisions) {
      if (!seen.insert(decision.text).second) continue;
      const auto before = known.find(decision.text);
      if (before != known.end()) {
        result_.state.decisions.push_back(
            {before->second->time, decision.text, decision.reason, before->second->unknown});
        continue;
      }
      Event& made = event(EventKind::decision_recorded, PhaseId());
      made.decision = decision.text;
      made.reason = decision.reason;
      made.by = by_;
      result_.state.decisions.push_back({now_, decision.text, decision.reason, {}});
    }
    for (const DecisionState& decision : previous_.decisions) {
      if (seen.contains(decision.decision)) continue;
      Event& made = event(EventKind::decision_removed, PhaseId());
      made.decision = decision.decision;
      made.by = by_;
    }
  }

  void blockers() {
    std::unordered_set<std::string_view> known(previous_.blockers.begin(), previous_.blockers.end());
    std::unordered_set<std::string_view> seen;
    for (const Blocker& blocker : plan_.blockers) {
      if (!seen.insert(blocker.text).second) continue;
      result_.state.blockers.push_back(blocker.text);
      if (!known.contains(blocker.text)) blocker_event(EventKind::blocker_raised, blocker.text);
    }
    for (const std::string& blocker : previous_.blockers) {
      if (!seen.contains(blocker)) blocker_event(EventKind::blocker_resolved, blocker);
    }
  }

  static bool complete(const State& state) {
    bool any = false;
    for (const PhaseState& phase : state.phases) {
      if (phase.tasks.empty() && phase.acceptance.empty()) continue;
      if (phase.status != PhaseStatus::completed) return false;
      any = true;
    }
    return any;
  }

  void finish() {
    State& next = result_.state;
    next.progress = progress_of(plan_);
    const Current current = current_of(plan_);
    if (current.phase) next.current_phase = plan_.phases[*current.phase].id;
    if (current.task) next.current_task = plan_.phases[*current.phase].tasks[*current.task].id;
    if (!result_.events.empty()) next.last_saved = now_;
    if (complete(next) && !complete(previous_)) {
      notice(plan_completed());
    }
  }

  const State& previous_;
  const Plan& plan_;
  std::string by_;
  base::Instant now_;
  PreviousItems previous_items_;
  Reconciled result_;
  // Tasks that are new: (phase, title) and id. One that vanished with the same title was given another id.
  std::map<std::pair<std::string, std::string>, std::string> added_;
  std::vector<std::string> reopened_;
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
