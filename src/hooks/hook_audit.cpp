// The facts of a claim: the plans of the project, and what the agent wrote and was told
// (policy/claim_policy).
#include <algorithm>
#include <utility>

#include "hooks/hook_call.hpp"
#include "markdown/parse_plan.hpp"
#include "project/git_directory.hpp"
#include "project/project.hpp"
#include "reports/resume.hpp"
#include "rules/reconcile.hpp"
#include "rules/sessions.hpp"
#include "store/journal.hpp"
#include "store/plan_file.hpp"
#include "store/tracking_folder.hpp"

namespace plankeep::app {
std::vector<core::AskedPlan> HookCall::asked_plans(const PlanLocation& own, const core::State& state) const {
  std::vector<core::AskedPlan> plans;
  std::vector<std::string> roots;
  const auto add = [&](const PlanLocation& plan, const core::State& known, bool keeps_records) {
    const std::string root = Project(context_, plan.folder).root();
    core::AskedPlan asked;
    asked.path = plan.path();
    asked.below = path_below(plan.path(), root);
    for (std::size_t i = 0; i < plans.size(); ++i) {
      if (roots[i] == root || plans[i].below != asked.below) continue;
      plans[i].copies.push_back(&known);
      if (root == Project(context_, event_.cwd).root()) plans[i].file = shown_path(context_, plan.path());
      return;
    }
    asked.id = plan.plan_id();
    asked.file = shown_path(context_, plan.path());
    asked.state = &known;
    asked.own = keeps_records;
    plans.push_back(std::move(asked));
    roots.push_back(root);
  };
  add(own, state, true);
  for (const SeenPlan& seen : seen_) {
    if (seen.plan != own) add(seen.plan, seen.state(), false);
  }
  return plans;
}

bool HookCall::read_tasks(const PlanLocation& own, const std::vector<std::string>& below) const {
  bool read = false;
  for (const SeenPlan& seen : seen_) {
    if (seen.plan == own || seen.work == nullptr || seen.work->whole()) continue;
    const std::string path = path_below(seen.plan.path(), Project(context_, seen.plan.folder).root());
    if (std::find(below.begin(), below.end(), path) == below.end()) continue;
    // One that cannot be read has no tasks here: nobody is accused by it.
    read = seen.work->read_whole().has_value() || read;
  }
  return read;
}

bool HookCall::wrote_in(const PlanLocation& plan) const {
  const auto folder = context_.files.open_folder(plan.folder);
  if (!folder) return false;
  const auto tracking = store::open_tracking(**folder, plan.name);
  if (!tracking) return false;
  const auto lines = store::last_events(**tracking, kEventsSince);
  return lines && std::any_of(lines->begin(), lines->end(), [this](const store::TailLine& line) {
           return line.event.agent == event_.agent_id && !line.event.task.empty();
         });
}

// No hook sees what a command does in another work tree, as "cd ../fix && sed ..." does. Whoever is about to
// be accused may have ticked its boxes there: in a plan that was written since the session began.
std::vector<core::State> HookCall::unseen_copies(const core::AskedPlan& plan,
                                                 const core::State& records) const {
  std::vector<core::State> copies;
  const core::SessionState* const session = core::find_session(records, event_.session_id);
  const std::string root = Project(context_, parent_of(plan.path)).root();
  if (session == nullptr) return copies;
  const PlanLocation here{parent_of(plan.path), last_part(plan.path)};
  for (const PlanLocation& there : same_place_in(other_work_trees(context_, root), root, here)) {
    const bool seen =
        std::any_of(seen_.begin(), seen_.end(), [&there](const SeenPlan& one) { return one.plan == there; });
    const auto folder = context_.files.open_folder(there.folder);
    const auto usable = is_usable_file(context_, there);
    if (seen || !folder || !usable || !*usable) continue;
    const auto text = store::PlanFile(context_.files, **folder, there.name).read();
    if (!text || text->info.modified() < session->started_at) continue;
    const auto read = markdown::parse_plan(text->bytes);
    if (read)
      copies.push_back(core::first_sight(*read, there.plan_id(), there.path(), context_.clock.now()).state);
  }
  return copies;
}

core::Verdict HookCall::judge(const PlanLocation& own, const core::State& state,
                              const core::AgentState* agent, const std::string& message,
                              bool subagent) const {
  core::Claim claim{asked_plans(own, state), agent, {}, message, subagent};
  if (subagent && agent != nullptr) claim.prompt = prompt_of(*agent, event_.transcript);
  if (subagent && agent != nullptr && agent->sent_back) {
    for (const core::AuditFinding& finding : state.findings) {
      if (finding.agent != agent->id) continue;
      claim.sent_back = finding.unverified;
      claim.sent_back_plan = finding.plan;
    }
  }
  if (agent != nullptr && claim.plans.size() > 1) {
    for (core::AskedPlan& plan : claim.plans) {
      const auto place = std::find_if(seen_.begin(), seen_.end(), [&plan](const SeenPlan& seen) {
        return seen.plan.path() == plan.path;
      });
      plan.written = wrote_in(place == seen_.end() ? own : place->plan);
    }
  }
  const std::vector<std::size_t> asked = core::plans_asked(claim);
  std::vector<std::string> needed;
  needed.reserve(asked.size());
  for (const std::size_t i : asked) needed.push_back(claim.plans[i].below);
  if (read_tasks(own, needed)) {
    std::vector<core::AskedPlan> plans = asked_plans(own, state);
    for (std::size_t i = 0; i < plans.size(); ++i) plans[i].written = claim.plans[i].written;
    claim.plans = std::move(plans);
  }
  core::Verdict verdict = core::judge(claim);
  if (verdict.audit.unverified.empty()) return verdict;
  core::AskedPlan* const accused = [&]() -> core::AskedPlan* {
    for (core::AskedPlan& plan : claim.plans)
      if (verdict.plan.empty() ? plan.own : plan.path == verdict.plan) return &plan;
    return nullptr;
  }();
  if (accused == nullptr) return verdict;
  const std::vector<core::State> copies = unseen_copies(*accused, state);
  if (copies.empty()) return verdict;
  for (const core::State& copy : copies) accused->copies.push_back(&copy);
  return core::judge(claim);
}

}  // namespace plankeep::app
