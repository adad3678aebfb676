// The state that a ledger gives: what was applied, in the plan's order.

#include <algorithm>
#include <numeric>
#include <utility>

#include "model/progress.hpp"
#include "rules/match.hpp"
#include "rules/replay.hpp"

namespace plankeep::core {
namespace {

// Places in the order of what is given for them.
std::vector<std::size_t> in_order(const std::vector<std::int64_t>& order) {
  std::vector<std::size_t> places(order.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  if (std::is_sorted(order.begin(), order.end())) return places;
  std::sort(places.begin(), places.end(),
            [&order](std::size_t a, std::size_t b) { return order[a] < order[b]; });
  return places;
}

}  // namespace

// The tasks leave their places and stand in front of another, or at the end.
void Ledger::set_order(Book& holder, const std::vector<TaskId>& tasks, const TaskId& before_task) {
  if (tasks.empty()) return;
  std::vector<std::size_t> moved;
  std::vector<char> moves(holder.task_order.size(), 0);
  for (const TaskId& id : tasks) {
    const auto known = holder.task_at.find(id);
    if (known == holder.task_at.end() || holder.task_gone[known->second] != 0 || moves[known->second] != 0)
      continue;
    moves[known->second] = 1;
    moved.push_back(known->second);
  }
  std::vector<std::size_t> order = in_order(holder.task_order);
  std::erase_if(order, [&moves](std::size_t at) { return moves[at] != 0; });
  const auto before = std::find_if(order.begin(), order.end(), [&](std::size_t at) {
    return holder.task_gone[at] == 0 && holder.phase.tasks[at].id == before_task;
  });
  order.insert(before, moved.begin(), moved.end());
  for (const std::size_t at : order) holder.task_order[at] = next_order_++;
}

State Ledger::state() const {
  State state = base_;
  for (const Book& book : books_) {
    if (book.gone) continue;
    PhaseState phase = book.phase;
    phase.tasks.clear();
    phase.acceptance.clear();
    for (const std::size_t i : in_order(book.task_order)) {
      if (book.task_gone[i] == 0) phase.tasks.push_back(book.phase.tasks[i]);
    }
    for (std::size_t i = 0; i < book.phase.acceptance.size(); ++i) {
      if (book.criterion_gone[i] == 0) phase.acceptance.push_back(book.phase.acceptance[i]);
    }
    const bool waiting = phase.id.empty();
    if (!waiting || !phase.tasks.empty() || !phase.acceptance.empty())
      state.phases.push_back(std::move(phase));
  }
  drop_repeated_tasks(state);
  if (before_) restore_unknown(state);
  return state;
}

// What no history tells, of all that is there again.
void Ledger::restore_unknown(State& state) const {
  const auto same_id = [](auto& entries, const auto& id) {
    const auto place =
        std::find_if(entries.begin(), entries.end(), [&](const auto& one) { return one.id == id; });
    return place == entries.end() ? nullptr : &*place;
  };
  std::unordered_map<PhaseId, const PhaseState*> phases;
  for (const PhaseState& phase : before_->phases) phases.emplace(phase.id, &phase);
  for (PhaseState& phase : state.phases) {
    const auto known = phases.find(phase.id);
    if (known == phases.end()) continue;
    const PhaseState& before = *known->second;
    phase.title = before.title;
    phase.unknown = before.unknown;
    std::unordered_map<TaskId, const TaskState*> tasks;
    for (const TaskState& task : before.tasks) tasks.emplace(task.id, &task);
    for (TaskState& task : phase.tasks) {
      const auto one = tasks.find(task.id);
      if (one == tasks.end()) continue;
      if (task.title.empty()) task.title = one->second->title;
      task.optional = one->second->optional;
      task.unknown = one->second->unknown;
    }
    std::unordered_map<CriterionId, const CriterionState*> criteria;
    for (const CriterionState& criterion : before.acceptance) criteria.emplace(criterion.id, &criterion);
    for (CriterionState& criterion : phase.acceptance) {
      const auto one = criteria.find(criterion.id);
      if (one == criteria.end()) continue;
      criterion.title = one->second->title;
      criterion.unknown = one->second->unknown;
    }
  }
  for (SessionState& session : state.sessions) {
    const SessionState* known = same_id(before_->sessions, session.id);
    if (known == nullptr || known->started_at != session.started_at) continue;
    SessionState told = *known;
    told.client = session.client;
    told.ended_at = session.ended_at;
    session = std::move(told);
  }
  for (AgentState& agent : state.agents) {
    const AgentState* known = same_id(before_->agents, agent.id);
    if (known == nullptr) continue;
    agent.sent_back = known->sent_back;
    agent.assignment_known = known->assignment_known;
    agent.assigned_plan = known->assigned_plan;
    agent.unknown = known->unknown;
  }
  for (DecisionState& decision : state.decisions) {
    for (const DecisionState& known : before_->decisions) {
      if (known.decision == decision.decision) decision.unknown = known.unknown;
    }
  }
  for (LeaseState& lease : state.leases) {
    for (const LeaseState& known : before_->leases) {
      if (known.task == lease.task && known.phase == lease.phase && known.fence == lease.fence)
        lease.unknown = known.unknown;
    }
  }
  if (state.latest_checkpoint && before_->latest_checkpoint &&
      state.latest_checkpoint->id == before_->latest_checkpoint->id)
    state.latest_checkpoint->unknown = before_->latest_checkpoint->unknown;
  // A fence that was given out once is never given out again.
  state.last_fence = std::max(state.last_fence, before_->last_fence);
}

// A task that waited without a phase belongs here.
void Ledger::place(Book& into, std::size_t at, const Task& task) {
  const auto waiting = book_at_.find(PhaseId());
  if (waiting == book_at_.end()) return;
  Book& from = books_[waiting->second];
  const auto found = from.task_at.find(task.id);
  if (&from == &into || found == from.task_at.end() || from.task_gone[found->second] != 0) return;
  into.phase.tasks[at] = from.phase.tasks[found->second];
  into.done_known[at] = from.done_known[found->second];
  from.task_gone[found->second] = 1;
}

void Ledger::place(Book& into, std::size_t at, const Criterion& criterion) {
  const auto waiting = book_at_.find(PhaseId());
  if (waiting == book_at_.end()) return;
  Book& from = books_[waiting->second];
  const auto found = from.criterion_at.find(criterion.id);
  if (&from == &into || found == from.criterion_at.end() || from.criterion_gone[found->second] != 0) return;
  into.phase.acceptance[at] = from.phase.acceptance[found->second];
  into.met_known[at] = from.met_known[found->second];
  from.criterion_gone[found->second] = 1;
}

State Ledger::rebuild(Plan& plan, std::string plan_id, std::string plan_path) const {
  Ledger complete = *this;
  complete.base_.plan_id = std::move(plan_id);
  complete.base_.plan_path = std::move(plan_path);
  keep_ids(state(), plan);
  for (const Phase& phase : plan.phases) {
    const bool known = book_at_.contains(phase.id) && !books_[book_at_.at(phase.id)].gone;
    if (!known && inventory_) continue;  // new since the last event
    Book& book = complete.book(phase.id);
    book.phase.title = phase.title;
    if (!book.status_known) book.phase.status = status_of(phase);
    for (const Task& task : phase.tasks) {
      const auto place = book.task_at.find(task.id);
      const bool there = place != book.task_at.end() && book.task_gone[place->second] == 0;
      if (!there && inventory_) continue;
      const std::size_t i = complete.task(book, task.id);
      if (!there) complete.place(book, i, task);
      if (book.done_known[i] == 0) book.phase.tasks[i].done = task.done();
      if (book.phase.tasks[i].title.empty()) book.phase.tasks[i].title = task.title;
      if (!inventory_) book.phase.tasks[i].parent = task.parent;
    }
    for (const Criterion& criterion : phase.acceptance) {
      const auto place = book.criterion_at.find(criterion.id);
      const bool there = place != book.criterion_at.end() && book.criterion_gone[place->second] == 0;
      if (!there && inventory_) continue;
      const std::size_t i = complete.criterion(book, criterion.id);
      if (!there) complete.place(book, i, criterion);
      if (book.met_known[i] == 0) book.phase.acceptance[i].met = criterion.met;
    }
  }
  State state = complete.state();
  // For whoever has no plan to count in.
  state.progress = progress_of(state);
  return state;
}

}  // namespace plankeep::core
