#include "editing/complete.hpp"

#include <algorithm>
#include <utility>

#include "editing/edit_loop.hpp"
#include "editing/find_boxes.hpp"
#include "markdown/edits/edit_plan.hpp"
#include "model/parents.hpp"
#include "model/record_evidence.hpp"
#include "rules/lease.hpp"

namespace plankeep::app {
namespace {

using base::Result;

bool says_so(const core::Plan& plan, const Found& found, core::BoxState state) {
  const core::Phase& phase = plan.phases[found.phase_index];
  if (!found.criterion) return phase.tasks[found.index].state == state;
  return phase.acceptance[found.index].met == (state == core::BoxState::done);
}

// Reading the plan finds tasks that were done, not tasks that were begun: that one was, or is no longer, is
// recorded here.
core::Event begun(const PlanWork& work, const Found& found, core::EventKind kind, const std::string& actor) {
  const core::Phase& phase = work.plan().phases[found.phase_index];
  const core::Task& task = phase.tasks[found.index];
  core::Event event;
  event.time = work.now();
  event.kind = kind;
  event.task = task.id;
  event.phase = phase.id;
  event.by = actor;
  event.title = task.title;
  return event;
}

const core::PhaseState* phase_of(const core::State& state, const Found& found) {
  const auto at =
      std::find_if(state.phases.begin(), state.phases.end(),
                   [&found](const core::PhaseState& phase) { return phase.id.text == found.phase; });
  return at == state.phases.end() ? nullptr : &*at;
}

// Copies what is recorded of one item, and the times of its phase.
void copy_record(const core::State& from, const Found& found, core::State& to) {
  const core::PhaseState* const phase = phase_of(from, found);
  if (phase == nullptr) return;
  if (phase_of(to, found) == nullptr) {
    core::PhaseState& copy = to.phases.emplace_back();
    copy.id = phase->id;
    copy.started_at = phase->started_at;
    copy.completed_at = phase->completed_at;
  }
  core::PhaseState& copy = *std::find_if(to.phases.begin(), to.phases.end(),
                                         [&](const core::PhaseState& one) { return one.id == phase->id; });
  for (const core::TaskState& task : phase->tasks)
    if (!found.criterion && task.id.text == found.id) copy.tasks.push_back(task);
  for (const core::CriterionState& criterion : phase->acceptance)
    if (found.criterion && criterion.id.text == found.id) copy.acceptance.push_back(criterion);
}

struct Tick {
  base::Instant time;
  std::string by;  // empty for a criterion
  bool operator==(const Tick&) const = default;
};

// nullopt: it is not done, or nothing is recorded of it.
std::optional<Tick> tick_of(const core::State& state, const Found& found) {
  const core::PhaseState* const phase = phase_of(state, found);
  if (phase == nullptr) return std::nullopt;
  for (const core::TaskState& task : phase->tasks) {
    if (!found.criterion && task.id.text == found.id && task.completed_at)
      return Tick{*task.completed_at, task.completed_by};
  }
  for (const core::CriterionState& one : phase->acceptance) {
    if (found.criterion && one.id.text == found.id && one.met && one.verified_at)
      return Tick{*one.verified_at, {}};
  }
  return std::nullopt;
}

// What an earlier call gave as `before`, for the state of now: a phase that holds something later than its
// old end by now is complete since then.
core::State as_of_now(core::State before, const core::State& now) {
  for (core::PhaseState& phase : before.phases) {
    const auto here = std::find_if(now.phases.begin(), now.phases.end(),
                                   [&phase](const core::PhaseState& one) { return one.id == phase.id; });
    if (here == now.phases.end() || !phase.completed_at) continue;
    const auto later = [&phase](const std::optional<base::Instant>& time) {
      return time > phase.completed_at;
    };
    const bool holds_later =
        std::any_of(here->tasks.begin(), here->tasks.end(),
                    [&](const core::TaskState& task) { return later(task.completed_at); }) ||
        std::any_of(here->acceptance.begin(), here->acceptance.end(),
                    [&](const core::CriterionState& one) { return later(one.verified_at); });
    if (holds_later) phase.completed_at.reset();
  }
  return before;
}

// The tick of now is another than the one that the call left, if it left one.
base::Status still_as_left(const PlanWork& work, const Found& found, const core::State& after) {
  const auto left = tick_of(after, found);
  const auto now = tick_of(work.state(), found);
  if (!now || left == now) return {};
  return base::fail(base::ErrorKind::conflict,
                    found.id + " was ticked again " + (now->by.empty() ? "" : "by " + now->by + " ") +
                        base::ago(now->time, work.now()) + ": the earlier change can no longer be undone",
                    "to take back that tick: plankeep reopen " + found.id);
}

base::Error done_already(const PlanWork& work, const Found& found) {
  const auto tick = tick_of(work.state(), found);
  const std::string who = tick ? ", by " + tick->by + " " + base::ago(tick->time, work.now()) : "";
  return {base::ErrorKind::invalid_input,
          found.id + " is done" + who + ": starting it would take back that tick",
          {},
          "if that is meant, take it back first: plankeep reopen " + found.id};
}

// The tasks below one, at any depth, that count and are not done.
std::vector<core::TaskId> open_below(const core::Phase& phase, std::size_t task) {
  const std::vector<std::size_t> parents = core::parents_of(phase);
  std::vector<bool> below(phase.tasks.size());
  std::vector<core::TaskId> open;
  for (std::size_t t = task + 1; t < phase.tasks.size(); ++t) {  // parents first
    below[t] = parents[t] != core::kNoParent && (parents[t] == task || below[parents[t]]);
    const core::Task& one = phase.tasks[t];
    if (below[t] && !one.optional && !one.done()) open.push_back(one.id);
  }
  return open;
}

std::string open_words(const std::vector<core::TaskId>& open) {
  constexpr std::size_t kNamed = 3;
  std::string words = open.size() == 1 ? "1 task below it is still open: "
                                       : std::to_string(open.size()) + " tasks below it are still open: ";
  for (std::size_t i = 0; i < std::min(open.size(), kNamed); ++i)
    words += (i == 0 ? "" : ", ") + open[i].text;
  if (open.size() > kNamed) words += " and " + std::to_string(open.size() - kNamed) + " more";
  return words;
}

// Warnings about tasks that are said to be done before their time; that what they come after is open stands
// among the notices (rules/reconcile).
void warn_of_open_work(PlanWork& work, const std::vector<Found>& found) {
  const core::Plan& plan = work.plan();
  for (const Found& one : found) {
    if (one.criterion || one.phase_index >= plan.phases.size()) continue;
    const core::Phase& phase = plan.phases[one.phase_index];
    if (one.index >= phase.tasks.size()) continue;
    const std::vector<core::TaskId> open = open_below(phase, one.index);
    if (!open.empty()) work.warn(phase.tasks[one.index].id.text + " is done, but " + open_words(open));
  }
}

// A tick is no proof. That a criterion's command was never run needs no word: it is shown as unproven.
void warn_of_failed_commands(PlanWork& work, const std::vector<Found>& found) {
  const core::KnownEvidence known(&work.state());
  if (known.empty()) return;
  for (const Found& one : found) {
    if (!one.criterion) continue;
    const core::Phase& phase = work.plan().phases[one.phase_index];
    const core::Criterion& criterion = phase.acceptance[one.index];
    const auto& evidence = known.find(phase.id, criterion.id);
    if (!evidence || evidence->command != criterion.verify || evidence->passed()) continue;
    const std::string how =
        evidence->timed_out ? "timed out" : "failed with status " + std::to_string(evidence->status);
    work.warn(criterion.id.text + " is ticked, but not proven: its command " + how + " when it ran last, " +
              base::ago(evidence->time, work.now()) + "; to run it again: plankeep verify " +
              criterion.id.text);
  }
}

}  // namespace

Result<Completed> set_tasks(const Context& context, const PlanLocation& plan,
                            const std::vector<std::string>& ids, core::BoxState state,
                            const core::Author& author, const BoxRecords* then) {
  PlanWork work(context, plan);
  std::vector<Found> found;
  BoxRecords recorded;
  core::State back;
  std::vector<std::string> changed;
  std::vector<std::string> already;
  std::vector<core::LeaseState> claims;
  const auto make = [&]() -> Result<std::string> {
    found.clear();
    changed.clear();
    already.clear();
    claims.clear();
    recorded = {};
    if (then != nullptr) back = as_of_now(then->before, work.state());
    std::vector<core::Box> boxes;
    std::vector<core::Event> beginnings;
    for (const std::string& id : ids) {
      TRY_ASSIGN(Found one, find_boxes(work.plan(), work.plan_as_written(), id, plan.path()));
      if (one.criterion && state == core::BoxState::active) {
        return base::fail(base::ErrorKind::invalid_input,
                          one.id + " is a criterion: it is met or not, and cannot be started",
                          "start a task; plankeep verify runs a criterion's command, plankeep done ticks it");
      }
      if (state == core::BoxState::active && then == nullptr &&
          says_so(work.plan(), one, core::BoxState::done))
        return base::fail(done_already(work, one));
      if (says_so(work.plan(), one, state)) {
        already.push_back(one.id);
      } else {
        if (then != nullptr) TRY(still_as_left(work, one, then->after));
        changed.push_back(one.id);
        copy_record(work.state(), one, recorded.before);
        const core::LeaseState* claim =
            core::find_lease(work.state(), core::PhaseId(one.phase), core::TaskId(one.id));
        if (claim != nullptr && !one.criterion && state == core::BoxState::done) claims.push_back(*claim);
        boxes.insert(boxes.end(), one.boxes.begin(), one.boxes.end());
        if (state == core::BoxState::active && !one.criterion)
          beginnings.push_back(begun(work, one, core::EventKind::task_started, author.actor));
        if (state == core::BoxState::open && !one.criterion &&
            says_so(work.plan(), one, core::BoxState::active))
          beginnings.push_back(begun(work, one, core::EventKind::task_reopened, author.actor));
      }
      found.push_back(std::move(one));
    }
    work.tell_with_edit(std::move(beginnings));
    if (boxes.empty()) return work.bytes();
    return markdown::set_boxes(work.bytes(), work.plan(), boxes, state);
  };
  TRY(edit_plan(work, author, make, nullptr, then == nullptr ? nullptr : &back));
  for (const Found& one : found) copy_record(work.state(), one, recorded.after);
  if (state == core::BoxState::done) {
    warn_of_open_work(work, found);
    warn_of_failed_commands(work, found);
  }
  return Completed{work.take_outcome(), std::move(changed), std::move(already), std::move(recorded),
                   std::move(claims)};
}

}  // namespace plankeep::app
