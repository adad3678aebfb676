#include "rules/replay.hpp"

#include <algorithm>
#include <utility>

#include "model/removed.hpp"
#include "rules/latest_checkpoint.hpp"
#include "rules/lease.hpp"
#include "rules/sessions.hpp"

namespace plankeep::core {
namespace {

void set_done(TaskState& task, bool done, const Event* event) {
  task.done = done;
  task.completed_at.reset();
  task.completed_by.clear();
  if (done && event != nullptr) {
    task.completed_at = event->time;
    task.completed_by = event->by;
  }
}

}  // namespace

Ledger::Ledger(const State& state) : base_(state), inventory_(true) {
  for (PhaseState& phase : base_.phases) {
    Book& fresh = book(phase.id);
    fresh.phase = std::move(phase);
    fresh.status_known = true;
    fresh.task_gone.assign(fresh.phase.tasks.size(), 0);
    for (std::size_t i = 0; i < fresh.phase.tasks.size(); ++i) fresh.task_order.push_back(next_order_++);
    fresh.done_known.assign(fresh.phase.tasks.size(), 1);
    fresh.criterion_gone.assign(fresh.phase.acceptance.size(), 0);
    fresh.met_known.assign(fresh.phase.acceptance.size(), 1);
    for (std::size_t i = 0; i < fresh.phase.tasks.size(); ++i)
      fresh.task_at.emplace(fresh.phase.tasks[i].id, i);
    for (std::size_t i = 0; i < fresh.phase.acceptance.size(); ++i) {
      fresh.criterion_at.emplace(fresh.phase.acceptance[i].id, i);
    }
  }
  base_.phases.clear();
}

Ledger::Book& Ledger::book(const PhaseId& phase) {
  const auto [place, fresh] = book_at_.try_emplace(phase, books_.size());
  if (fresh) {
    books_.emplace_back();
    books_.back().phase.id = phase;
    books_.back().phase.title = phase.text;
  }
  books_[place->second].gone = false;
  return books_[place->second];
}

std::size_t Ledger::task(Book& book, const TaskId& id) {
  const auto [place, fresh] = book.task_at.try_emplace(id, book.phase.tasks.size());
  if (fresh) {
    book.phase.tasks.emplace_back();
    book.phase.tasks.back().id = id;
    book.task_gone.push_back(0);
    book.task_order.push_back(next_order_++);
    book.done_known.push_back(0);
  } else if (book.task_gone[place->second] != 0) {
    // It was taken out and is back: nothing of what was known holds.
    book.phase.tasks[place->second] = TaskState{};
    book.phase.tasks[place->second].id = id;
    book.task_gone[place->second] = 0;
    book.task_order[place->second] = next_order_++;
    book.done_known[place->second] = 0;
  }
  return place->second;
}

std::size_t Ledger::criterion(Book& book, const CriterionId& id) {
  const auto [place, fresh] = book.criterion_at.try_emplace(id, book.phase.acceptance.size());
  if (fresh) {
    book.phase.acceptance.emplace_back();
    book.phase.acceptance.back().id = id;
    book.criterion_gone.push_back(0);
    book.met_known.push_back(0);
  } else if (book.criterion_gone[place->second] != 0) {
    book.phase.acceptance[place->second] = CriterionState{};
    book.phase.acceptance[place->second].id = id;
    book.criterion_gone[place->second] = 0;
    book.met_known[place->second] = 0;
  }
  return place->second;
}

// Where the task or criterion of an event that names no phase stands.
PhaseId Ledger::home_of(const Event& event) const {
  for (const Book& book : books_) {
    if (book.gone) continue;
    if (!event.task.empty()) {
      const auto place = book.task_at.find(event.task);
      if (place != book.task_at.end() && book.task_gone[place->second] == 0) return book.phase.id;
    } else {
      const auto place = book.criterion_at.find(event.criterion);
      if (place != book.criterion_at.end() && book.criterion_gone[place->second] == 0) return book.phase.id;
    }
  }
  return PhaseId();
}

// What is left of an earlier history must not shine through.
void Ledger::begin_anew(const Event& event) {
  if (events_ > 1 || !books_.empty() || base_ != State{}) before_ = state();
  books_.clear();
  book_at_.clear();
  base_.decisions.clear();
  base_.blockers.clear();
  base_.skipped = 0;
  static_cast<FromHistory&>(base_) = {};
  base_.removed = event.removed;
  base_.last_fence = event.fence;
  base_.every_box = event.every_box;
}

void Ledger::take_inventory(const Event& event) {
  if (!event.phases.empty() || event.total_tasks == 0) {
    begin_anew(event);
    inventory_ = true;
  }
  for (const PhaseInventory& phase : event.phases) {
    Book& fresh = book(phase.id);
    fresh.phase.status = phase.status;
    fresh.status_known = true;
    for (const TaskId& id : phase.tasks) fresh.done_known[task(fresh, id)] = 1;
    for (const TaskId& id : phase.done) fresh.phase.tasks[task(fresh, id)].done = true;
    for (const CriterionId& id : phase.criteria) fresh.met_known[criterion(fresh, id)] = 1;
    for (const CriterionId& id : phase.met) fresh.phase.acceptance[criterion(fresh, id)].met = true;
  }
  for (const auto* titles : {&event.ids, &event.marked}) {
    for (const GivenId& given : *titles) {
      Event of;
      of.task = given.id;
      Book& holder = book(given.phase.empty() ? home_of(of) : given.phase);
      TaskState& known = holder.phase.tasks[task(holder, given.id)];
      known.title = given.title;
      known.parent = given.parent;
    }
  }
}

void Ledger::apply_to_task(const Event& event) {
  Book& holder = book(event.phase);
  switch (event.kind) {
    case EventKind::task_completed:
    case EventKind::task_reopened: {
      const std::size_t i = task(holder, event.task);
      set_done(holder.phase.tasks[i], event.kind == EventKind::task_completed, &event);
      if (!event.title.empty()) holder.phase.tasks[i].title = event.title;
      holder.done_known[i] = 1;
      return;
    }
    case EventKind::task_attributed: {
      TaskState& known = holder.phase.tasks[task(holder, event.task)];
      if (known.done) known.completed_by = event.by;
      return;
    }
    case EventKind::task_added: {
      const std::size_t i = task(holder, event.task);
      TaskState& known = holder.phase.tasks[i];
      const std::optional<TaskState> before = renumbering_.take(event, base_);
      if (before) known = *before;
      known.id = event.task;
      if (!before || known.done != event.done) set_done(known, event.done, nullptr);
      known.title = event.title;
      known.parent = event.parent;
      holder.done_known[i] = 1;
      if (!before) give_back(base_, event.phase, known, event.time);
      return;
    }
    case EventKind::task_removed: {
      const std::size_t i = task(holder, event.task);
      holder.phase.tasks[i].title = event.title;
      keep_removed(base_, event.phase, holder.phase.tasks[i], event.time);
      renumbering_.keep(event, holder.phase.tasks[i], base_);
      holder.task_gone[i] = 1;
      return;
    }
    case EventKind::task_renamed: {
      TaskState& known = holder.phase.tasks[task(holder, event.task)];
      known.title = event.title;
      known.parent = event.parent;
      return;
    }
    case EventKind::task_moved: {
      const std::size_t to = task(holder, event.task);
      const auto from_place = book_at_.find(PhaseId(event.from));
      Book& into = books_[book_at_.at(event.phase)];
      into.phase.tasks[to].parent = event.parent;
      if (from_place == book_at_.end() || event.from == event.phase.text) return;
      Book& from = books_[from_place->second];
      const std::size_t i = task(from, event.task);
      into.phase.tasks[to] = from.phase.tasks[i];
      into.phase.tasks[to].parent = event.parent;
      into.done_known[to] = from.done_known[i];
      from.task_gone[i] = 1;
      return;
    }
    default:
      return;
  }
}

void Ledger::take_over(const Event& event) {
  base_.every_box = true;
  for (const PhaseInventory& phase : event.phases) {
    Book& holder = book(phase.id);
    holder.phase.status = phase.status;
    holder.status_known = true;
    take_back_times(holder.phase);
  }
  for (const GivenId& found : event.ids) {
    Book& holder = book(found.phase);
    const std::size_t i = task(holder, found.id);
    set_done(holder.phase.tasks[i], found.done, nullptr);
    holder.phase.tasks[i].title = found.title;
    holder.phase.tasks[i].parent = found.parent;
    holder.done_known[i] = 1;
  }
  for (const PlacedTask& known : event.placed) {
    Book& holder = book(known.phase);
    holder.phase.tasks[task(holder, known.id)].parent = known.parent;
  }
  for (const PhaseInventory& phase : event.phases) set_order(book(phase.id), phase.tasks, TaskId());
}

void Ledger::apply_to_criterion(const Event& event) {
  Book& holder = book(event.phase);
  const std::size_t i = criterion(holder, event.criterion);
  CriterionState& state = holder.phase.acceptance[i];
  switch (event.kind) {
    case EventKind::acceptance_met:
    case EventKind::acceptance_unmet:
      state.met = event.kind == EventKind::acceptance_met;
      state.verified_at.reset();
      if (state.met) state.verified_at = event.time;
      if (event.evidence) {
        state.evidence = event.evidence;
      } else if (!state.met) {
        state.evidence.reset();
      }
      holder.met_known[i] = 1;
      return;
    case EventKind::acceptance_added:
      state.met = event.met;
      state.verified_at.reset();
      state.evidence.reset();
      holder.met_known[i] = 1;
      return;
    case EventKind::acceptance_removed:
      holder.criterion_gone[i] = 1;
      return;
    case EventKind::acceptance_moved: {
      const auto from_place = book_at_.find(PhaseId(event.from));
      if (from_place == book_at_.end() || event.from == event.phase.text) return;
      Book& from = books_[from_place->second];
      Book& into = books_[book_at_.at(event.phase)];
      const std::size_t source = criterion(from, event.criterion);
      into.phase.acceptance[i] = from.phase.acceptance[source];
      into.met_known[i] = from.met_known[source];
      from.criterion_gone[source] = 1;
      return;
    }
    default:
      return;
  }
}

void Ledger::apply_to_phase(const Event& event) {
  Book& holder = book(event.phase);
  PhaseState& phase = holder.phase;
  holder.status_known = true;
  switch (event.kind) {
    case EventKind::phase_started:
      // It is told with an earlier time, and may be completed by now.
      if ((event.via != kGivenBack && event.via != kFromWorkTree) || phase.status != PhaseStatus::completed)
        phase.status = PhaseStatus::in_progress;
      phase.started_at = event.time;
      return;
    case EventKind::phase_completed:
      phase.status = PhaseStatus::completed;
      phase.completed_at = event.time;
      return;
    case EventKind::phase_reopened:
      phase.status = event.status;
      phase.completed_at.reset();
      if (event.status == PhaseStatus::pending) phase.started_at.reset();
      return;
    case EventKind::phase_added: {
      phase.status = event.status;
      phase.started_at.reset();
      phase.completed_at.reset();
      const auto earlier = event.from.empty() ? book_at_.end() : book_at_.find(PhaseId(event.from));
      if (earlier == book_at_.end() || event.from == event.phase.text) return;
      const PhaseState& before = books_[earlier->second].phase;
      phase.started_at = before.started_at;
      phase.completed_at = before.completed_at;
      phase.unknown = before.unknown;
      return;
    }
    case EventKind::phase_removed:
      phase.status = PhaseStatus::pending;
      phase.started_at.reset();
      phase.completed_at.reset();
      phase.unknown.clear();
      std::fill(holder.task_gone.begin(), holder.task_gone.end(), char{1});
      std::fill(holder.criterion_gone.begin(), holder.criterion_gone.end(), char{1});
      holder.gone = true;
      return;
    default:
      return;
  }
}

void Ledger::apply_to_records(const Event& event) {
  switch (event.kind) {
    case EventKind::decision_recorded: {
      const auto known =
          std::find_if(base_.decisions.begin(), base_.decisions.end(),
                       [&](const DecisionState& decision) { return decision.decision == event.decision; });
      if (known != base_.decisions.end()) {
        known->time = event.time;  // it had left the plan and is back
        known->reason = event.reason;
      } else {
        base_.decisions.push_back({event.time, event.decision, event.reason, {}});
      }
      return;
    }
    case EventKind::decision_removed:
      std::erase_if(base_.decisions,
                    [&](const DecisionState& decision) { return decision.decision == event.decision; });
      return;
    case EventKind::blocker_raised:
      if (std::find(base_.blockers.begin(), base_.blockers.end(), event.blocker) == base_.blockers.end()) {
        base_.blockers.push_back(event.blocker);
      }
      return;
    case EventKind::blocker_resolved:
      base_.blockers.erase(std::remove(base_.blockers.begin(), base_.blockers.end(), event.blocker),
                           base_.blockers.end());
      return;
    case EventKind::note_saved:  // an empty one takes the note away
      base_.session_notes = event.note.empty() ? std::nullopt : std::optional(event.note);
      base_.note_is_automatic = !event.note.empty() && !event.reason.empty();
      return;
    case EventKind::boxes_skipped:
      base_.skipped = event.boxes;
      return;
    case EventKind::plan_archived:
      base_.archived_at = event.undo ? std::nullopt : std::optional(event.time);
      return;
    case EventKind::replica_created:
      base_.replica = Replica{event.replica, event.place};
      return;
    default:
      return;
  }
}

void Ledger::apply(const Event& event) {
  ++events_;
  base_.last_saved = event.time;
  note_vanished(base_, event);
  const bool unplaced = event.phase.empty() && (!event.task.empty() || !event.criterion.empty());
  if (!unplaced) return apply_placed(event);
  Event placed = event;
  placed.phase = home_of(event);
  apply_placed(placed);
}

void Ledger::apply_placed(const Event& event) {
  switch (event.kind) {
    case EventKind::checkpoint_created:
      take_inventory(event);
      return;
    case EventKind::task_completed:
    case EventKind::task_reopened:
    case EventKind::task_added:
    case EventKind::task_removed:
    case EventKind::task_renamed:
    case EventKind::task_moved:
    case EventKind::task_attributed:
      apply_to_task(event);
      apply_session_event(base_, event);
      apply_lease_event(base_, event);
      return;
    case EventKind::tasks_ordered:
      base_.every_box = true;
      set_order(book(event.phase), event.tasks, event.before);
      return;
    case EventKind::boxes_found:
      take_over(event);
      return;
    case EventKind::task_claimed:
    case EventKind::task_released:
      apply_lease_event(base_, event);
      return;
    case EventKind::checkpoint_saved:
    case EventKind::checkpoint_complete:
      apply_checkpoint_event(base_, event);
      return;
    case EventKind::session_started:
    case EventKind::session_ended:
    case EventKind::session_crash:
    case EventKind::subagent_started:
    case EventKind::subagent_stopped:
      apply_session_event(base_, event);
      return;
    case EventKind::acceptance_met:
    case EventKind::acceptance_unmet:
    case EventKind::acceptance_added:
    case EventKind::acceptance_removed:
    case EventKind::acceptance_moved:
      apply_to_criterion(event);
      return;
    case EventKind::phase_started:
    case EventKind::phase_completed:
    case EventKind::phase_reopened:
    case EventKind::phase_added:
    case EventKind::phase_removed:
      apply_to_phase(event);
      apply_lease_event(base_, event);
      return;
    default:
      apply_to_records(event);
      return;
  }
}

}  // namespace plankeep::core
