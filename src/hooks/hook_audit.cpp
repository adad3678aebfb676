// What a message claims, held against the plan that it is about (spec 10.4).
#include <algorithm>
#include <cctype>
#include <unordered_set>

#include "audit/audit.hpp"
#include "base/utf8.hpp"
#include "clients/transcripts/transcript.hpp"
#include "hooks/hook_call.hpp"
#include "policy/assigned_tasks.hpp"
#include "project/project.hpp"
#include "reports/resume.hpp"
#include "store/journal.hpp"
#include "store/tracking_folder.hpp"

namespace plankeep::app {
namespace {

using core::AgentState;
using core::Audit;
using core::AuditTask;
using core::State;
using core::TaskId;

bool contains(const std::vector<TaskId>& ids, const TaskId& id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

bool has_task(const State& state, const TaskId& id) {
  return std::any_of(state.phases.begin(), state.phases.end(), [&id](const core::PhaseState& phase) {
    return std::any_of(phase.tasks.begin(), phase.tasks.end(),
                       [&id](const core::TaskState& task) { return task.id == id; });
  });
}

// A subagent in a work tree of its own ticks the copy of the plan that stands there.
void take_ticks(const State& copy, std::vector<AuditTask>& tasks) {
  std::unordered_set<std::string> done;
  for (const core::PhaseState& phase : copy.phases) {
    for (const core::TaskState& task : phase.tasks) {
      if (task.done) done.insert(task.id.text);
    }
  }
  for (AuditTask& task : tasks) task.done = task.done || done.contains(task.id.text);
}

// The plan's path below its project.
std::string path_in(const PlanLocation& plan, const std::string& root) {
  const std::string path = plan.path();
  return root == "/" ? path.substr(1) : path.substr(root.size() + 1);
}

bool name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
}

// Where `name` stands in `text` as a whole name; npos when nowhere. A path may have "./" before it.
std::size_t find_name(std::string_view text, std::string_view name, std::size_t from) {
  for (std::size_t at = text.find(name, from); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if (end < text.size() && name_character(text[end])) continue;
    if (at == 0) return at;
    const bool here = at >= 2 && text.substr(at - 2, 2) == "./" && (at == 2 || text[at - 3] != '.');
    if (here || (!name_character(text[at - 1]) && text[at - 1] != '/' && text[at - 1] != '.')) return at;
  }
  return std::string_view::npos;
}

std::string_view next_word(std::string_view text, std::size_t from) {
  while (from < text.size() && !name_character(text[from])) {
    if (text[from] == '.' || text[from] == '\n') return {};
    ++from;
  }
  std::size_t end = from;
  while (end < text.size() && name_character(text[end])) ++end;
  return text.substr(from, end - from);
}

std::string_view word_before(std::string_view text, std::size_t to) {
  while (to > 0 && !name_character(text[to - 1])) {
    if (text[to - 1] == '.' || text[to - 1] == '\n') return {};
    --to;
  }
  std::size_t begin = to;
  while (begin > 0 && name_character(text[begin - 1])) --begin;
  return text.substr(begin, to - begin);
}

// By its path, or its id beside the word "plan".
bool names_plan(std::string_view text, const PlanLocation& plan, const std::string& root) {
  if (text.find(plan.path()) != std::string_view::npos) return true;
  const std::string path = path_in(plan, root);
  if (find_name(text, path, 0) != std::string_view::npos) return true;
  const std::size_t slash = path.rfind('/');
  if (slash != std::string::npos && find_name(text, path.substr(0, slash), 0) != std::string_view::npos)
    return true;
  const std::string id = plan.plan_id();
  for (std::size_t at = find_name(text, id, 0); at != std::string_view::npos;
       at = find_name(text, id, at + 1)) {
    if (base::to_lower(next_word(text, at + id.size())) == "plan") return true;
    if (base::to_lower(word_before(text, at)) == "plan") return true;
  }
  return false;
}

}  // namespace

std::vector<AuditTask> audit_tasks(const State& state, const AgentState* agent) {
  std::vector<AuditTask> tasks;
  for (const core::PhaseState& phase : state.phases) {
    for (const core::TaskState& task : phase.tasks) {
      AuditTask& told = tasks.emplace_back();
      told.id = task.id;
      told.title = task.title;
      told.done = task.done;
      told.phase = phase.id;
      told.phase_title = phase.title;
      if (agent == nullptr) continue;
      told.done_by_this_agent = contains(agent->completed_tasks, task.id);
      told.assigned = contains(agent->assigned_tasks, task.id);
    }
  }
  return tasks;
}

std::vector<AskedPlan> HookCall::asked_plans(const PlanLocation& own, const State& state) const {
  std::vector<AskedPlan> plans{{own, own, Project(context_, own.folder).root(), &state, {}, true}};
  for (const SeenPlan& seen : seen_) {
    if (seen.plan == own) continue;
    const std::string root = Project(context_, seen.plan.folder).root();
    const std::string path = path_in(seen.plan, root);
    const auto copied = std::find_if(plans.begin(), plans.end(), [&](const AskedPlan& known) {
      return known.root != root && path_in(known.plan, known.root) == path;
    });
    if (copied == plans.end()) {
      plans.push_back({seen.plan, seen.plan, root, &seen.state(), {}, false});
      continue;
    }
    copied->copies.push_back(&seen.state());
    if (root == Project(context_, event_.cwd).root()) copied->at_hand = seen.plan;
  }
  return plans;
}

const AskedPlan* HookCall::plan_meant(const std::string& text, const std::vector<AskedPlan>& plans) {
  if (plans.size() == 1) return &plans.front();
  std::vector<const AskedPlan*> meant;
  for (const AskedPlan& plan : plans) {
    if (names_plan(text, plan.plan, plan.root)) meant.push_back(&plan);
  }
  if (meant.empty()) {
    for (const AskedPlan& plan : plans) {
      if (!core::assigned_tasks(text, audit_tasks(*plan.state, nullptr)).empty()) meant.push_back(&plan);
    }
  }
  return meant.size() == 1 ? meant.front() : nullptr;
}

bool HookCall::wrote_in(const AskedPlan& plan) const {
  const auto folder = context_.files.open_folder(plan.plan.folder);
  if (!folder) return false;
  const auto tracking = store::open_tracking(**folder);
  if (!tracking) return false;
  const auto lines = store::last_events(**tracking, kEventsSince, [](const core::Event&) { return true; });
  return lines && std::any_of(lines->begin(), lines->end(), [this](const store::TailLine& line) {
           return line.event.agent == event_.agent_id && !line.event.task.empty();
         });
}

// The one that the agent was assigned from or wrote in, else the one that it names.
const AskedPlan* HookCall::plan_of(const AgentState* agent, const std::string& prompt,
                                   const std::string& message, const std::vector<AskedPlan>& plans) const {
  if (plans.size() == 1) return &plans.front();
  std::vector<const AskedPlan*> touched;
  if (agent != nullptr) {
    const AskedPlan* given = prompt.empty() ? nullptr : plan_meant(prompt, plans);
    for (const AskedPlan& plan : plans) {
      const bool assigned = plan.own ? agent->assigned_plan.empty() && !agent->assigned_tasks.empty()
                                     : agent->assigned_plan == plan.plan.path();
      if (&plan == given || (given == nullptr && assigned) || wrote_in(plan)) touched.push_back(&plan);
    }
  }
  if (touched.empty()) {
    for (const AskedPlan& plan : plans) {
      if (names_plan(message, plan.plan, plan.root)) touched.push_back(&plan);
    }
  }
  return touched.size() == 1 ? touched.front() : nullptr;
}

Verdict HookCall::judge(const PlanLocation& own, const State& state, const AgentState* agent,
                        const std::string& message, bool subagent) const {
  const std::vector<AskedPlan> plans = asked_plans(own, state);
  const std::string prompt =
      subagent && agent != nullptr ? prompt_of(*agent, event_.transcript) : std::string();
  const AskedPlan* asked = plan_of(agent, prompt, message, plans);
  const auto audit = [&](const AskedPlan& plan) {
    std::vector<AuditTask> tasks = audit_tasks(*plan.state, plan.own ? agent : nullptr);
    for (const State* copy : plan.copies) take_ticks(*copy, tasks);
    bool known = &plan == asked && (!subagent || (plan.own && agent != nullptr && agent->assignment_known));
    if (!prompt.empty() && &plan == asked) {
      const std::vector<TaskId> named = core::assigned_tasks(prompt, tasks);
      for (AuditTask& task : tasks) task.assigned = task.assigned || contains(named, task.id);
      known = true;
    }
    Audit found = core::audit_message(message, tasks);
    // "All tasks are done" are those that it was given. Nobody knows them: a task of no plan takes their
    // place, so that these words accuse nobody.
    const bool given = std::any_of(tasks.begin(), tasks.end(), [](const AuditTask& t) { return t.assigned; });
    const bool every = tasks.size() > 1 && found.confirmed.size() + found.unverified.size() == tasks.size();
    if (!known && !given && every) {
      AuditTask unknown;
      unknown.done = unknown.assigned = true;
      tasks.push_back(std::move(unknown));
      found = core::audit_message(message, tasks);
    }
    std::erase(found.confirmed, TaskId());
    return found;
  };
  const auto verdict_on = [&](const AskedPlan& plan, Audit found) {
    Verdict verdict;
    verdict.audit = std::move(found);
    if (!plan.own) verdict.plan = plan.plan.path();
    verdict.file = shown_path(context_, plan.at_hand.path());
    return verdict;
  };
  if (asked != nullptr) return verdict_on(*asked, audit(*asked));

  // What is claimed by an id that only one plan has is about that plan.
  Verdict verdict = verdict_on(plans.front(), audit(plans.front()));
  verdict.audit.unverified.clear();
  const AskedPlan* accused = nullptr;
  for (const AskedPlan& plan : plans) {
    Audit found = audit(plan);
    std::erase_if(found.unverified, [&](const TaskId& id) {
      return std::any_of(plans.begin(), plans.end(), [&](const AskedPlan& other) {
        return &other != &plan && has_task(*other.state, id);
      });
    });
    if (found.unverified.empty()) continue;
    if (accused != nullptr) {
      verdict.audit.unverified.clear();
      return verdict;
    }
    accused = &plan;
    verdict = verdict_on(plan, std::move(found));
  }
  return verdict;
}

}  // namespace plankeep::app
