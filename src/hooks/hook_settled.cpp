// The hooks after a tool, or a batch of tools, has ended.
#include <algorithm>
#include <utility>

#include "hooks/hook_call.hpp"
#include "policy/hook_policy.hpp"
#include "rules/sessions.hpp"

namespace plankeep::app {
namespace {

using core::HookKind;

// "./plans/api/" gives "plans/api"; "." gives an empty name.
std::string_view plain_name(std::string_view given) {
  while (given.starts_with("./")) given.remove_prefix(2);
  while (given.size() > 1 && given.ends_with('/')) given.remove_suffix(1);
  return given == "." ? std::string_view() : given;
}

// The paths that may name a plan: its file with and without the extension, and its folder.
std::vector<std::string> places_of(const PlanLocation& plan) {
  const std::string path = plan.path();
  return {path, plan.folder, path.substr(0, path.rfind('.'))};
}

// Whether `name` is one of them, absolute or from one of `bases`.
bool is_path_of(const PlanLocation& plan, std::string_view name, const std::vector<std::string>& bases) {
  const std::vector<std::string> places = places_of(plan);
  const auto is_place = [&places](const std::string& path) {
    return std::find(places.begin(), places.end(), path) != places.end();
  };
  if (is_place(std::string(name))) return true;
  return std::any_of(bases.begin(), bases.end(), [&](const std::string& base) {
    return is_place(name.empty() ? base : base + "/" + std::string(name));
  });
}

// Whether `name` is the plan's id, or the end of such a path: the folder it counts from may be unknown.
bool may_be_called(const PlanLocation& plan, std::string_view name) {
  if (name.empty() || name == plan.plan_id()) return true;
  const std::vector<std::string> places = places_of(plan);
  return std::any_of(places.begin(), places.end(), [end = "/" + std::string(name)](const std::string& place) {
    return place.ends_with(end);
  });
}

bool sender_counts_anywhere(const std::vector<SeenPlan>& seen, const core::HookEvent& event,
                            base::Instant now) {
  return std::any_of(seen.begin(), seen.end(),
                     [&](const SeenPlan& one) { return core::sender_counts(event, one.state(), now); });
}

}  // namespace

core::HookFacts HookCall::settled_facts(const PlanWork& work) {
  const core::State& state = work.state();
  const PlanLocation& plan = work.outcome().plan;
  core::HookFacts facts = facts_of(work);
  const core::AgentState* agent = core::unassigned_agent(event_, state);
  if (agent != nullptr && work.locked()) facts.agents.push_back(agent_facts(state, plan, *agent));
  if (core::own_calls_may_wait(event_, state, facts.now)) facts.own_calls = own_calls_in(plan);
  const core::SessionState* session = event_.agent_id.empty() ? going_on(state) : nullptr;
  if (session != nullptr) {
    // A turn may fill its window and be compacted before it ends.
    if (!session->context_full) see_context(state, plan, facts);
    if (const auto edited = new_edited_prompt(*session, plan))
      facts.edited = {edited->id, edited_prompt_report(plan, *edited)};
  }
  name_file(work, facts);
  return facts;
}

// Whether our server may have found this plan by the name that was given (project/discover).
bool HookCall::may_name(const std::string& given, const PlanLocation& plan) const {
  if (given.empty()) return true;
  const std::string_view name = plain_name(given);
  const std::vector<std::string> bases{working_folder(context_, event_.cwd), event_.project};
  if (is_path_of(plan, name, bases)) return true;
  const bool another = std::any_of(seen_.begin(), seen_.end(),
                                   [&](const SeenPlan& seen) { return is_path_of(seen.plan, name, bases); });
  return !another && may_be_called(plan, name);
}

// Those that named this plan, or none.
core::OwnCalls HookCall::own_calls_in(const PlanLocation& plan) {
  core::OwnCalls all;
  for (const core::OwnCalls& one : payload_.own_calls()) {
    if (!may_name(one.plan, plan)) continue;
    all.ticked.insert(all.ticked.end(), one.ticked.begin(), one.ticked.end());
    all.claims.insert(all.claims.end(), one.claims.begin(), one.claims.end());
  }
  return all;
}

void HookCall::settled() {
  std::shared_ptr<PlanWork> work = look_around(plans_now());
  if (found_moved()) work = look_around(hook_plans(context_, event_));
  if (work == nullptr) return report_seen();
  const bool who_called = event_.kind == HookKind::tools_settled && event_.agent_id.empty() &&
                          sender_counts_anywhere(seen_, event_, context_.clock.now());
  if (who_called || core::findings_due(event_, work->state())) know_sender();
  const bool due = core::anything_due(event_, work->state(), settled_facts(*work));
  const base::Status done = due && !work->locked() ? lock_work(*work) : base::Status{};
  take(done, work->outcome().plan);
  report_seen();
  const std::vector<CallsBeside> beside = calls_beside(*work);
  if (due && done && be_about_session(*work))
    carry_out(*work, core::settle(event_, work->state(), settled_facts(*work)));
  if (!beside.empty()) credit_beside(beside, *work);
}

// What the event's subagent did through our MCP server in plans other than the session's. A call that named
// no plan is about the session's plan if something waits there, else about the only other one.
std::vector<HookCall::CallsBeside> HookCall::calls_beside(const PlanWork& own) {
  std::vector<CallsBeside> beside;
  if (event_.agent_id.empty() || seen_.size() < 2) return beside;
  const base::Instant now = context_.clock.now();
  std::vector<const SeenPlan*> others;
  for (const SeenPlan& seen : seen_) {
    if (seen.work.get() == &own || seen.work == nullptr) continue;
    if (core::own_calls_may_wait(event_, seen.state(), now)) others.push_back(&seen);
  }
  if (others.empty()) return beside;
  for (const core::OwnCalls& calls : payload_.own_calls()) {
    if (calls.empty()) continue;
    const bool of_own = may_name(calls.plan, own.outcome().plan) &&
                        !core::waiting_calls(calls, event_, own.state(), now).empty();
    if (of_own) continue;
    std::vector<CallsBeside> found;
    for (const SeenPlan* other : others) {
      if (!may_name(calls.plan, other->plan)) continue;
      if (!other->work->whole() && !other->work->read_whole()) continue;
      core::OwnCalls waiting = core::waiting_calls(calls, event_, other->state(), now);
      if (!waiting.empty()) found.push_back({other, std::move(waiting)});
    }
    if (found.size() == 1) beside.push_back(std::move(found.front()));
  }
  return beside;
}

void HookCall::credit_beside(const std::vector<CallsBeside>& beside, PlanWork& own) {
  core::HookEvent event = event_;
  const core::AgentState* agent = core::find_agent(own.state(), event.agent_id);
  if (event.agent_type.empty() && agent != nullptr) event.agent_type = agent->type;
  // One lock at a time.
  own.unlock();
  for (const CallsBeside& one : beside) {
    PlanWork& work = *one.plan->work;
    const base::Status done = work.locked() ? base::Status{} : lock_work(work);
    take(done, one.plan->plan);
    if (!done || work.state().checksum.empty()) continue;
    core::HookFacts facts = facts_of(work);
    facts.own_calls = one.calls;
    carry_out(work, core::credit_own_calls(event, work.state(), facts));
    work.unlock();
  }
}

}  // namespace plankeep::app
