#include "policy/claim_policy.hpp"

#include <algorithm>
#include <cctype>
#include <unordered_set>
#include <utility>

#include "base/utf8.hpp"
#include "model/find_task.hpp"
#include "policy/assigned_tasks.hpp"

namespace plankeep::core {
namespace {

bool contains(const std::vector<TaskId>& ids, const TaskId& id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

// A subagent in a work tree of its own ticks the copy of the plan that stands there.
void take_ticks(const State& copy, std::vector<AuditTask>& tasks) {
  std::unordered_set<std::string> done;
  for (const PhaseState& phase : copy.phases) {
    for (const TaskState& task : phase.tasks) {
      if (task.done) done.insert(task.id.text);
    }
  }
  for (AuditTask& task : tasks) task.done = task.done || done.contains(task.id.text);
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
bool names_plan(std::string_view text, const AskedPlan& plan) {
  if (text.find(plan.path) != std::string_view::npos) return true;
  const std::string& path = plan.below;
  if (find_name(text, path, 0) != std::string_view::npos) return true;
  const std::size_t slash = path.rfind('/');
  if (slash != std::string::npos && find_name(text, path.substr(0, slash), 0) != std::string_view::npos)
    return true;
  const std::string& id = plan.id;
  for (std::size_t at = find_name(text, id, 0); at != std::string_view::npos;
       at = find_name(text, id, at + 1)) {
    if (base::to_lower(next_word(text, at + id.size())) == "plan") return true;
    if (base::to_lower(word_before(text, at)) == "plan") return true;
  }
  return false;
}

// The one that the agent was assigned from or wrote in, else the one that it names.
const AskedPlan* plan_of(const Claim& claim) {
  const std::vector<AskedPlan>& plans = claim.plans;
  const AgentState* agent = claim.agent;
  if (plans.size() == 1) return &plans.front();
  std::vector<const AskedPlan*> touched;
  if (agent != nullptr) {
    const AskedPlan* given = claim.prompt.empty() ? nullptr : plan_meant(claim.prompt, plans);
    for (const AskedPlan& plan : plans) {
      const bool assigned = plan.own ? agent->assigned_plan.empty() && !agent->assigned_tasks.empty()
                                     : agent->assigned_plan == plan.path;
      if (&plan == given || (given == nullptr && assigned) || plan.written) touched.push_back(&plan);
    }
  }
  if (touched.empty()) {
    for (const AskedPlan& plan : plans) {
      if (names_plan(claim.message, plan)) touched.push_back(&plan);
    }
  }
  return touched.size() == 1 ? touched.front() : nullptr;
}

// The plan for which the agent was sent back, or nullptr if it is no longer there.
const AskedPlan* plan_sent_back(const Claim& claim) {
  if (claim.sent_back.empty()) return nullptr;
  for (const AskedPlan& plan : claim.plans) {
    if (claim.sent_back_plan.empty() ? plan.own : plan.path == claim.sent_back_plan) return &plan;
  }
  return nullptr;
}

}  // namespace

std::vector<AuditTask> audit_tasks(const State& state, const AgentState* agent) {
  std::vector<AuditTask> tasks;
  for (const PhaseState& phase : state.phases) {
    for (const TaskState& task : phase.tasks) {
      AuditTask& told = tasks.emplace_back();
      told.id = task.id;
      told.title = task.title;
      told.done = task.done;
      told.optional = task.optional;
      told.parent = task.parent;
      told.phase = phase.id;
      told.phase_title = phase.title;
      if (agent == nullptr) continue;
      told.done_by_this_agent = contains(agent->completed_tasks, task.id);
      told.assigned = contains(agent->assigned_tasks, task.id);
    }
  }
  return tasks;
}

bool tasks_tell_plan(const std::string& text, const std::vector<AskedPlan>& plans) {
  return plans.size() > 1 && std::none_of(plans.begin(), plans.end(),
                                          [&text](const AskedPlan& plan) { return names_plan(text, plan); });
}

std::vector<std::size_t> plans_asked(const Claim& claim) {
  const bool by_tasks =
      claim.agent != nullptr && !claim.prompt.empty() && tasks_tell_plan(claim.prompt, claim.plans);
  const AskedPlan* asked = by_tasks ? nullptr : plan_of(claim);
  std::vector<std::size_t> needed;
  for (std::size_t i = 0; i < claim.plans.size(); ++i) {
    if (asked == nullptr || asked == &claim.plans[i] || &claim.plans[i] == plan_sent_back(claim)) {
      needed.push_back(i);
    }
  }
  return needed;
}

const AskedPlan* plan_meant(const std::string& text, const std::vector<AskedPlan>& plans) {
  if (plans.size() == 1) return &plans.front();
  std::vector<const AskedPlan*> meant;
  for (const AskedPlan& plan : plans) {
    if (names_plan(text, plan)) meant.push_back(&plan);
  }
  if (meant.empty()) {
    for (const AskedPlan& plan : plans) {
      if (!assigned_tasks(text, audit_tasks(*plan.state, nullptr)).empty()) meant.push_back(&plan);
    }
  }
  return meant.size() == 1 ? meant.front() : nullptr;
}

namespace {

Verdict judge_message(const Claim& claim) {
  const std::vector<AskedPlan>& plans = claim.plans;
  const AgentState* agent = claim.agent;
  const bool subagent = claim.subagent;
  const AskedPlan* asked = plan_of(claim);
  const auto audit = [&](const AskedPlan& plan) {
    std::vector<AuditTask> tasks = audit_tasks(*plan.state, plan.own ? agent : nullptr);
    for (const State* copy : plan.copies) take_ticks(*copy, tasks);
    bool known = &plan == asked && (!subagent || (plan.own && agent != nullptr && agent->assignment_known));
    if (!claim.prompt.empty() && &plan == asked) {
      const std::vector<TaskId> named = assigned_tasks(claim.prompt, tasks);
      for (AuditTask& task : tasks) task.assigned = task.assigned || contains(named, task.id);
      known = true;
    }
    Audit found = audit_message(claim.message, tasks);
    // "All tasks are done" are those that it was given. Nobody knows them: a task of no plan takes their
    // place, so that these words accuse nobody.
    const bool given = std::any_of(tasks.begin(), tasks.end(), [](const AuditTask& t) { return t.assigned; });
    if (!known && !given && tasks.size() > 1 && found.everything) {
      AuditTask unknown;
      unknown.done = unknown.assigned = true;
      tasks.push_back(std::move(unknown));
      found = audit_message(claim.message, tasks);
    }
    std::erase(found.confirmed, TaskId());
    return found;
  };
  const auto verdict_on = [&](const AskedPlan& plan, Audit found) {
    Verdict verdict;
    verdict.audit = std::move(found);
    if (!plan.own) verdict.plan = plan.path;
    verdict.file = plan.file;
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
        return &other != &plan && find_task(*other.state, id) != nullptr;
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

// Who was sent back and only insists still claims.
void add_insisted(const Claim& claim, const AskedPlan& plan, Verdict& verdict) {
  std::vector<AuditTask> tasks = audit_tasks(*plan.state, plan.own ? claim.agent : nullptr);
  for (const State* copy : plan.copies) take_ticks(*copy, tasks);
  const std::vector<TaskId> earlier(claim.sent_back.begin(), claim.sent_back.end());
  const std::vector<TaskId> insisted = still_claimed(claim.message, tasks, earlier);
  if (insisted.empty()) return;
  const std::string path = plan.own ? std::string() : plan.path;
  std::vector<TaskId>& unverified = verdict.audit.unverified;
  // A verdict is about one plan; a new claim about another one comes before the old one.
  if (!unverified.empty() && verdict.plan != path) return;
  verdict.plan = path;
  verdict.file = plan.file;
  std::vector<TaskId> all;
  for (const AuditTask& task : tasks) {
    const bool said = contains(unverified, task.id) || contains(insisted, task.id);
    if (said && !contains(all, task.id)) all.push_back(task.id);
  }
  unverified = std::move(all);
}

}  // namespace

Verdict judge(const Claim& claim) {
  Verdict verdict = judge_message(claim);
  if (const AskedPlan* plan = plan_sent_back(claim)) add_insisted(claim, *plan, verdict);
  return verdict;
}

}  // namespace plankeep::core
