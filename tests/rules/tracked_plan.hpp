#pragma once
// A plan that is edited again and again, its state, and the history that is told of it: what reconciling
// believes is what a rebuild from the history believes.

#include <algorithm>
#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "model/json/event_json.hpp"
#include "model/json/state_json.hpp"
#include "rules/lease.hpp"
#include "rules/match.hpp"
#include "rules/reconcile.hpp"
#include "rules/replay.hpp"
#include "rules/sessions.hpp"
#include "support/bookkeeping.hpp"

namespace plankeep::core {

inline std::string words_of(const TaskState& task) {
  return task.title.substr(task.title.find(". ") + 2);
}

inline Event through_the_file(const Event& event) {
  const std::string line = encode_event(event);
  auto decoded = decode_event(std::string_view(line).substr(0, line.size() - 1));
  if (!decoded) throw std::runtime_error(decoded.error().message);
  return *decoded;
}

struct TrackedPlan {
  State state;
  Ledger ledger;
  std::int64_t time = 1;
  Reconciled last;

  explicit TrackedPlan(const Plan& plan) {
    Reconciled seen = first_sight(plan, "id", "/plan.md", base::Instant{1});
    state = seen.state;
    for (const Event& event : seen.events) ledger.apply(through_the_file(event));
  }

  void record(const Event& event) {
    apply_lease_event(state, event);
    state.last_saved = event.time;
    ledger.apply(through_the_file(event));
  }

  void claim(const std::string& id, const std::string& by) {
    Wanted wanted;
    wanted.phase = state.phases.at(0).id;
    wanted.task = TaskId(id);
    wanted.ttl = kDefaultTtl;
    Holder holder;
    holder.by = by;
    record(decide_claim(state, wanted, holder, base::Instant{++time}, LeaseStatus::held).event);
  }

  void assign(const std::string& id, const std::string& agent) {
    Event event;
    event.kind = EventKind::subagent_started;
    event.time = base::Instant{++time};
    event.agent = agent;
    event.agent_type = "coder";
    event.session = "s1";
    event.tasks = {TaskId(id)};
    apply_session_event(state, event);
    state.last_saved = event.time;
    ledger.apply(through_the_file(event));
  }

  std::vector<TaskId> assigned_to(const std::string& agent) const {
    const AgentState* const known = find_agent(state, agent);
    return known == nullptr ? std::vector<TaskId>() : known->assigned_tasks;
  }

  // What the plan as it stands makes of it; the same from the history alone, and from its end.
  void see(const Plan& fresh, const std::string& by) {
    const base::Instant now{++time};
    Plan kept = fresh;
    keep_ids(state, kept);
    last = reconcile(state, kept, by, now);

    Plan rebuilt_plan = fresh;
    const State believed = ledger.rebuild(rebuilt_plan, "id", "/plan.md");
    const Reconciled rebuilt = reconcile(believed, rebuilt_plan, by, now);
    same(rebuilt_plan == kept, "rebuilt plan");
    same(test::without_bookkeeping(rebuilt.state) == test::without_bookkeeping(last.state),
         "rebuilt state " + encode_state(rebuilt.state) + " of " + encode_state(last.state));

    Ledger tail(state);
    for (const Event& event : last.events) tail.apply(through_the_file(event));
    Plan tail_plan = fresh;
    keep_ids(tail.state(), tail_plan);
    const Reconciled finished = reconcile(tail.state(), tail_plan, "external", base::Instant{time + 1000});
    same(finished.events.empty(), "nothing is left to tell");
    same(finished.state == last.state, "state behind the tail");

    state = last.state;
    for (const Event& event : last.events) ledger.apply(through_the_file(event));
    // The plan that was reconciled says nothing of the state that came of it.
    same(reconcile(state, kept, "external", base::Instant{time + 1000}).events.empty(),
         "the same plan again");
  }

  static void same(bool holds, const std::string& what) {
    if (!holds) throw std::runtime_error("not the same: " + what);
  }

  const TaskState& task(const std::string& words) const {
    for (const PhaseState& phase : state.phases) {
      for (const TaskState& one : phase.tasks) {
        if (words_of(one) == words) return one;
      }
    }
    throw std::runtime_error("no task " + words);
  }

  std::string holder(const std::string& id) const {
    const LeaseState* const lease = find_lease(state, state.phases.at(0).id, TaskId(id));
    return lease == nullptr ? std::string() : lease->by;
  }

  std::vector<std::string> notices(NoticeKind kind) const {
    std::vector<std::string> texts;
    for (const Notice& notice : last.notices) {
      if (notice.kind == kind) texts.push_back(notice.text);
    }
    return texts;
  }

  long events(EventKind kind) const {
    return std::count_if(last.events.begin(), last.events.end(),
                         [kind](const Event& event) { return event.kind == kind; });
  }
};

}  // namespace plankeep::core
