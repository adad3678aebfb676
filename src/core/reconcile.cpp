#include "core/reconcile.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "core/dependencies.hpp"
#include "core/lease.hpp"
#include "core/progress.hpp"

namespace plankeep::core {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);
constexpr std::size_t kNamesInNotice = 5;
// More than half of the tasks gone at once is another plan; in the smallest plans that is any edit.
constexpr std::size_t kReplacedAtLeast = 3;

// Finds the items of one earlier phase by id. Plans mostly keep their order, so the next one is tried first
// and the table is made only when that fails.
template <class Item>
class Finder {
 public:
  Finder() = default;
  explicit Finder(const std::vector<Item>& items) : items_(&items), claimed_(items.size(), 0) {}

  template <class Name>
  std::size_t claim(const Name& id) {
    if (items_ == nullptr) return kNone;
    if (next_ < items_->size() && (*items_)[next_].id == id && claimed_[next_] == 0) {
      claimed_[next_] = 1;
      return next_++;
    }
    if (!indexed_) {
      indexed_ = true;
      for (std::size_t i = 0; i < items_->size(); ++i) index_.emplace((*items_)[i].id.text, i);
    }
    const auto found = index_.find(id.text);
    if (found == index_.end() || claimed_[found->second] != 0) return kNone;
    claimed_[found->second] = 1;
    next_ = found->second + 1;
    return found->second;
  }
  void take(std::size_t i) { claimed_[i] = 1; }
  bool claimed(std::size_t i) const { return claimed_[i] != 0; }
  std::size_t size() const { return claimed_.size(); }

 private:
  const std::vector<Item>* items_ = nullptr;
  std::vector<char> claimed_;
  std::unordered_map<std::string_view, std::size_t> index_;
  std::size_t next_ = 0;
  bool indexed_ = false;
};

// Where an item of the plan was before: phase and place in it.
struct Origin {
  std::size_t phase = kNone;
  std::size_t item = kNone;
  bool known() const { return phase != kNone; }
};

class Reconciler {
 public:
  Reconciler(const State& previous, const Plan& plan, std::string_view by, base::Instant now)
      : previous_(previous), plan_(plan), by_(by), now_(now) {}

  Reconciled run() {
    copy_what_stays();
    trace();
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
  // Everything but what the plan decides; written out, because the phases of a large state are not worth
  // copying.
  void copy_what_stays() {
    State& next = result_.state;
    next.plan_id = previous_.plan_id;
    next.plan_path = previous_.plan_path;
    next.last_checkpoint = previous_.last_checkpoint;
    next.checksum = previous_.checksum;
    next.session_notes = previous_.session_notes;
    next.note_is_automatic = previous_.note_is_automatic;
    next.agents = previous_.agents;
    next.sessions = previous_.sessions;
    next.claims = previous_.claims;
    next.leases = previous_.leases;
    next.newest_checkpoint = previous_.newest_checkpoint;
    next.last_fence = previous_.last_fence;
    next.lint_errors = previous_.lint_errors;
    next.text_shape = previous_.text_shape;
    next.revision = previous_.revision;
    next.history_offset = previous_.history_offset;
    next.plan_stamp = previous_.plan_stamp;
    next.unknown = previous_.unknown;
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

  void notice(NoticeKind kind, std::string text) { result_.notices.push_back({kind, std::move(text)}); }

  // First every item in its own phase, then those left over by id in any other.
  void trace() {
    for (std::size_t i = 0; i < previous_.phases.size(); ++i) {
      phase_at_.emplace(previous_.phases[i].id, i);
      tasks_.emplace_back(previous_.phases[i].tasks);
      criteria_.emplace_back(previous_.phases[i].acceptance);
    }
    task_origin_.resize(plan_.phases.size());
    criterion_origin_.resize(plan_.phases.size());
    bool all = true;
    for (std::size_t p = 0; p < plan_.phases.size(); ++p) {
      const Phase& phase = plan_.phases[p];
      task_origin_[p].resize(phase.tasks.size());
      criterion_origin_[p].resize(phase.acceptance.size());
      const auto known = phase_at_.find(phase.id);
      if (known == phase_at_.end()) {
        all = all && phase.tasks.empty() && phase.acceptance.empty();
        continue;
      }
      const std::size_t before = known->second;
      for (std::size_t t = 0; t < phase.tasks.size(); ++t) {
        const std::size_t found = tasks_[before].claim(phase.tasks[t].id);
        if (found != kNone) task_origin_[p][t] = {before, found};
        all = all && found != kNone;
      }
      for (std::size_t c = 0; c < phase.acceptance.size(); ++c) {
        const std::size_t found = criteria_[before].claim(phase.acceptance[c].id);
        if (found != kNone) criterion_origin_[p][c] = {before, found};
        all = all && found != kNone;
      }
    }
    if (!all) trace_moved();
  }

  void trace_moved() {
    std::unordered_map<std::string_view, std::vector<Origin>> tasks;
    std::unordered_map<std::string_view, std::vector<Origin>> criteria;
    // Of several the one in the phase with the smallest id, whatever the order of the state: one that was
    // rebuilt from the history has another. From the back, so that it is taken first.
    std::vector<std::size_t> order(previous_.phases.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return previous_.phases[a].id > previous_.phases[b].id; });
    for (const std::size_t p : order) {
      const PhaseState& phase = previous_.phases[p];
      for (std::size_t t = phase.tasks.size(); t-- > 0;) {
        if (!tasks_[p].claimed(t)) tasks[phase.tasks[t].id.text].push_back({p, t});
      }
      for (std::size_t c = phase.acceptance.size(); c-- > 0;) {
        if (!criteria_[p].claimed(c)) criteria[phase.acceptance[c].id.text].push_back({p, c});
      }
    }
    const auto take = [](auto& left, std::string_view id, auto& finders) {
      const auto found = left.find(id);
      if (found == left.end() || found->second.empty()) return Origin{};
      const Origin origin = found->second.back();
      found->second.pop_back();
      finders[origin.phase].take(origin.item);
      return origin;
    };
    for (std::size_t p = 0; p < plan_.phases.size(); ++p) {
      for (std::size_t t = 0; t < task_origin_[p].size(); ++t) {
        if (!task_origin_[p][t].known())
          task_origin_[p][t] = take(tasks, plan_.phases[p].tasks[t].id.text, tasks_);
      }
      for (std::size_t c = 0; c < criterion_origin_[p].size(); ++c) {
        if (!criterion_origin_[p][c].known()) {
          criterion_origin_[p][c] = take(criteria, plan_.phases[p].acceptance[c].id.text, criteria_);
        }
      }
    }
  }

  void phase(std::size_t p) {
    const Phase& phase = plan_.phases[p];
    const auto known = phase_at_.find(phase.id);
    const PhaseState* before = known == phase_at_.end() ? nullptr : &previous_.phases[known->second];
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
    const Origin origin = task_origin_[p][t];
    TaskState next;
    next.id = task.id;
    next.title = task.title;
    next.done = task.done();
    next.optional = task.optional;
    if (!origin.known()) {
      task_event(EventKind::task_added, phase.id, task.id, task.title).done = next.done;
      added_.emplace(std::pair(phase.id.text, task.title), task.id.text);
      return next;
    }
    const PhaseState& from = previous_.phases[origin.phase];
    const TaskState& before = from.tasks[origin.item];
    next.unknown = before.unknown;
    if (from.id != phase.id)
      task_event(EventKind::task_moved, phase.id, task.id, task.title).from = from.id.text;
    if (plan_.mode == PlanMode::unmarked && before.title != task.title) {
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
    const Origin origin = criterion_origin_[p][c];
    CriterionState next;
    next.id = criterion.id;
    next.title = criterion.title;
    next.met = criterion.met;
    if (!origin.known()) {
      criterion_event(EventKind::acceptance_added, phase.id, criterion.id).done = next.met;
      return next;
    }
    const PhaseState& from = previous_.phases[origin.phase];
    const CriterionState& before = from.acceptance[origin.item];
    next.unknown = before.unknown;
    if (from.id != phase.id) {
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
        notice(NoticeKind::phase_reopened, "phase \"" + next.id.text + "\" is no longer complete");
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
      notice(NoticeKind::phase_completed, "phase \"" + next.id.text + "\" is complete");
    }
  }

  void vanished() {
    std::vector<std::string> names;
    std::unordered_set<std::string_view> now;
    for (const Phase& phase : plan_.phases) now.insert(phase.id.text);
    for (std::size_t p = 0; p < previous_.phases.size(); ++p) {
      const PhaseState& phase = previous_.phases[p];
      for (std::size_t t = 0; t < phase.tasks.size(); ++t) {
        if (tasks_[p].claimed(t)) continue;
        const TaskState& gone = phase.tasks[t];
        task_event(EventKind::task_removed, phase.id, gone.id, gone.title);
        const auto successor = added_.find({phase.id.text, gone.title});
        if (gone.title.empty() || successor == added_.end()) {
          names.push_back(gone.id.text);
        } else {
          notice(NoticeKind::task_renamed,
                 "task " + gone.id.text + " is called " + successor->second + " now");
        }
      }
      for (std::size_t c = 0; c < phase.acceptance.size(); ++c) {
        if (!criteria_[p].claimed(c)) {
          criterion_event(EventKind::acceptance_removed, phase.id, phase.acceptance[c].id);
        }
      }
      if (!now.contains(phase.id.text)) event(EventKind::phase_removed, phase.id);
    }
    if (!reopened_.empty()) {
      notice(NoticeKind::task_reopened,
             list("was done and is open again", "were done and are open again", reopened_));
    }
    if (names.empty()) return;
    const std::size_t before = count_tasks(previous_.phases);
    if (names.size() >= kReplacedAtLeast && names.size() * 2 > before) {
      notice(NoticeKind::plan_replaced, "the plan was replaced: " + std::to_string(names.size()) +
                                            " of its " + std::to_string(before) + " tasks are gone");
      return;
    }
    notice(NoticeKind::task_removed, list("is no longer in the plan", "are no longer in the plan", names));
  }

  static std::size_t count_tasks(const std::vector<PhaseState>& phases) {
    std::size_t count = 0;
    for (const PhaseState& phase : phases) count += phase.tasks.size();
    return count;
  }

  static std::string list(std::string_view one, std::string_view several,
                          const std::vector<std::string>& ids) {
    return (ids.size() == 1 ? "task " : "tasks ") + names(ids) + " " +
           std::string(ids.size() == 1 ? one : several);
  }

  static std::string names(const std::vector<std::string>& ids) {
    std::string text;
    for (std::size_t i = 0; i < ids.size() && i < kNamesInNotice; ++i) text += (i == 0 ? "" : ", ") + ids[i];
    if (ids.size() > kNamesInNotice) text += " and " + std::to_string(ids.size() - kNamesInNotice) + " more";
    return text;
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
    if (early.empty()) return;
    notice(
        NoticeKind::done_before_dependency,
        list("was ticked before what it comes after: ", "were ticked before what they come after: ", early) +
            names(open));
  }

  // What happens to the leases of tasks that were ticked, moved or taken out. The fold of the same events
  // does the same (core/replay).
  void leases() {
    if (previous_.leases.empty()) return;
    std::unordered_set<std::string_view> leased;
    for (const LeaseState& lease : previous_.leases) leased.insert(lease.task.text);
    for (const Event& event : result_.events) {
      if (event.kind != EventKind::phase_removed && !leased.contains(event.task.text)) continue;
      const LeaseState* lease = find_lease(result_.state, event.phase, event.task);
      if (event.kind == EventKind::task_completed && lease != nullptr && lease->until > now_ &&
          lease->by != by_) {
        notice(NoticeKind::done_by_another, "task " + event.task.text + " was ticked by " + by_ + " while " +
                                                lease->by + " holds it (fence " +
                                                std::to_string(lease->fence) + ")");
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
      made.text = decision.text;
      made.reason = decision.reason;
      result_.state.decisions.push_back({now_, decision.text, decision.reason, {}});
    }
    for (const DecisionState& decision : previous_.decisions) {
      if (!seen.contains(decision.decision))
        event(EventKind::decision_removed, PhaseId()).text = decision.decision;
    }
  }

  void blockers() {
    std::unordered_set<std::string_view> known(previous_.blockers.begin(), previous_.blockers.end());
    std::unordered_set<std::string_view> seen;
    for (const Blocker& blocker : plan_.blockers) {
      if (!seen.insert(blocker.text).second) continue;
      result_.state.blockers.push_back(blocker.text);
      if (!known.contains(blocker.text)) event(EventKind::blocker_raised, PhaseId()).text = blocker.text;
    }
    for (const std::string& blocker : previous_.blockers) {
      if (!seen.contains(blocker)) event(EventKind::blocker_resolved, PhaseId()).text = blocker;
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
    if (!result_.events.empty()) next.last_checkpoint = now_;
    if (complete(next) && !complete(previous_)) {
      notice(NoticeKind::plan_completed, "every task of the plan is done");
    }
  }

  const State& previous_;
  const Plan& plan_;
  std::string by_;
  base::Instant now_;
  Reconciled result_;
  std::unordered_map<PhaseId, std::size_t> phase_at_;
  std::vector<Finder<TaskState>> tasks_;
  std::vector<Finder<CriterionState>> criteria_;
  std::vector<std::vector<Origin>> task_origin_;
  std::vector<std::vector<Origin>> criterion_origin_;
  // Tasks that are new: (phase, title) and id. One that vanished with the same title was given another id.
  std::map<std::pair<std::string, std::string>, std::string> added_;
  std::vector<std::string> reopened_;
  std::vector<const Task*> ticked_;  // by this edit, those that come after others
};

// What stood there at first sight, for the ledger.
Event creation(const Plan& plan, const std::string& plan_id, base::Instant now) {
  Event event;
  event.time = now;
  event.kind = EventKind::checkpoint_created;
  event.plan_id = plan_id;
  event.count = progress_of(plan).total;
  for (const Phase& phase : plan.phases) {
    PhaseInventory& inventory = event.phases.emplace_back();
    inventory.id = phase.id;
    inventory.status = status_of(phase);
    for (const Task& task : phase.tasks) {
      inventory.tasks.push_back(task.id);
      if (task.done()) inventory.done.push_back(task.id);
      if (plan.mode == PlanMode::unmarked) event.ids.push_back({task.id, task.title, phase.id});
    }
    for (const Criterion& criterion : phase.acceptance) {
      inventory.criteria.push_back(criterion.id);
      if (criterion.met) inventory.met.push_back(criterion.id);
    }
  }
  return event;
}

}  // namespace

Reconciled first_sight(const Plan& plan, std::string plan_id, std::string plan_path, std::string_view by,
                       base::Instant now) {
  // The plan against itself: everything is known already, nothing happened. Decisions and blockers are
  // recorded, since "first seen" is now.
  Event created = creation(plan, plan_id, now);
  State empty;
  empty.plan_id = std::move(plan_id);
  empty.plan_path = std::move(plan_path);
  for (const Phase& phase : plan.phases) {
    PhaseState& state = empty.phases.emplace_back();
    state.id = phase.id;
    state.status = status_of(phase);
    for (const Task& task : phase.tasks) {
      TaskState& entry = state.tasks.emplace_back();
      entry.id = task.id;
      entry.title = task.title;
      entry.done = task.done();
    }
    for (const Criterion& criterion : phase.acceptance) {
      CriterionState& entry = state.acceptance.emplace_back();
      entry.id = criterion.id;
      entry.met = criterion.met;
    }
  }
  Reconciled result = reconcile(empty, plan, by, now);
  result.events.insert(result.events.begin(), std::move(created));
  result.state.last_checkpoint = now;
  result.notices.clear();
  return result;
}

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
