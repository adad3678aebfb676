#include "rules/matching/renumbering.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "model/removed.hpp"
#include "rules/sessions.hpp"

namespace plankeep::core {

void Renumbering::keep(const Event& removed, const TaskState& task, const State& state) {
  if (removed.time != time_) held_.clear();
  time_ = removed.time;
  Held& held = held_[{removed.phase, removed.task}];
  held.task = task;
  held.leases.clear();
  for (const LeaseState& lease : state.leases) {
    if (lease.task == removed.task && lease.phase == removed.phase) held.leases.push_back(lease);
  }
  held.places.clear();
  for (const AgentState& agent : state.agents) {
    for (std::size_t i = 0; i < agent.assigned_tasks.size(); ++i) {
      if (agent.assigned_tasks[i] == removed.task) held.places.push_back({agent.id, i});
    }
  }
}

std::optional<TaskState> Renumbering::take(const Event& added, State& state) {
  if (added.from.empty() || added.time != time_) return std::nullopt;
  auto found = held_.find({added.phase, TaskId(added.from)});
  // Or it waited without a phase (rules/replay).
  if (found == held_.end()) found = held_.find({PhaseId(), TaskId(added.from)});
  if (found == held_.end()) return std::nullopt;
  Held held = std::move(found->second);
  forget_removed(state, found->first.first, found->first.second, held.task.title);
  for (LeaseState& lease : held.leases) {
    lease.task = added.task;
    const auto place =
        std::upper_bound(state.leases.begin(), state.leases.end(), lease.fence,
                         [](std::int64_t own, const LeaseState& other) { return own < other.fence; });
    lease.phase = added.phase;
    state.leases.insert(place, std::move(lease));
  }
  for (const auto& [id, at] : held.places) {
    AgentState* const agent = find_agent(state, id);
    if (agent != nullptr && at < agent->assigned_tasks.size()) agent->assigned_tasks[at] = added.task;
  }
  held_.erase(found);
  return std::move(held.task);
}

void drop_repeated_tasks(State& state) {
  for (AgentState& agent : state.agents) {
    std::vector<TaskId>& tasks = agent.assigned_tasks;
    for (std::size_t i = 0; i < tasks.size(); ++i)
      tasks.erase(std::remove(tasks.begin() + static_cast<std::ptrdiff_t>(i) + 1, tasks.end(), tasks[i]),
                  tasks.end());
  }
}

void renumber_findings(const std::vector<Event>& events, State& state) {
  if (state.findings.empty()) return;
  std::unordered_set<std::string_view> removed;
  std::unordered_map<std::string_view, std::string_view> now;  // empty: its id is another task's
  for (const Event& event : events) {
    if (event.kind == EventKind::task_removed) removed.insert(event.task.text);
    if (event.kind != EventKind::task_added) continue;
    if (removed.contains(event.task.text)) now.try_emplace(event.task.text);
    if (!event.from.empty()) now[event.from] = event.task.text;
  }
  if (now.empty()) return;
  for (AuditFinding& finding : state.findings) {
    if (!finding.plan.empty()) continue;
    for (std::string& id : finding.unverified) {
      if (const auto found = now.find(id); found != now.end()) id = found->second;
    }
    std::erase(finding.unverified, std::string());
  }
  std::erase_if(state.findings, [](const AuditFinding& finding) { return finding.unverified.empty(); });
}

}  // namespace plankeep::core
