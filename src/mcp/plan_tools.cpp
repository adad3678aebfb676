// The tools that read and change a plan. Each is its command of the command line in another dress: same use
// case, same renderers (cli/commands/reading/status, resume, done, decide, block, unblock, note, claim,
// release).

#include <utility>
#include <vector>

#include "checkpoints/job.hpp"
#include "checkpoints/own_session.hpp"
#include "commits/last_milestone.hpp"
#include "editing/claim.hpp"
#include "editing/complete.hpp"
#include "editing/missing_plans.hpp"
#include "editing/record.hpp"
#include "mcp/fleet_tools.hpp"
#include "mcp/tool_table.hpp"
#include "model/actor.hpp"
#include "model/event.hpp"
#include "model/progress.hpp"
#include "render/claim.hpp"
#include "render/progress/resume.hpp"
#include "render/progress/status.hpp"
#include "render/recorded/changes.hpp"
#include "reports/resume.hpp"
#include "rules/lease.hpp"
#include "rules/notice.hpp"
#include "tracking/project_tree.hpp"
#include "tracking/show.hpp"

namespace plankeep::mcp {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

constexpr std::size_t kRecent = 5;  // events that plan_status tells, as status does
// Events in one answer: a sync that finds a large plan rewritten has one a task.
constexpr std::size_t kEventsTold = 100;
// Tasks of the current phase in plan_status.
constexpr std::size_t kTasksTold = 100;

const render::Style kStyle{false, 120};
const render::Style kListStyle{false, render::kUnlimited};

// An empty one is none.
Status take_actor(ToolCall& call, std::string& actor) {
  std::string given;
  TRY(call.arguments.take("actor", given));
  if (given.empty()) return {};
  if (!core::is_actor(given))
    return base::fail(ErrorKind::invalid_input,
                      "actor: must be one of " + std::string(core::kActorForms) + ", not \"" + given + "\"");
  actor = std::move(given);
  return {};
}

// Which agent of its client ticks, the server cannot know: that it was another one than the subagent who
// holds the task is not said.
void forget_own_claims(const app::Context& context, app::Completed& completed, const std::string& actor) {
  if (context.processes == nullptr || completed.claims.empty()) return;
  const core::SessionState* session = app::session_around(*context.processes, completed.outcome.state);
  if (session == nullptr) return;
  for (const core::LeaseState& claim : completed.claims) {
    if (core::subagent_of(claim, session->id))
      std::erase(completed.outcome.notices, core::done_by_another(claim.task, actor, claim));
  }
}

// What a changing tool did, as cli/report has it.
Result<ToolAnswer> told(const app::Outcome& outcome, const std::vector<std::string>& remarks = {}) {
  const render::Changes changes{outcome, remarks, false, kEventsTold};
  std::string text = render::changes_text(changes, kListStyle);
  if (!outcome.readable && !outcome.warnings.empty())
    text = refusal({ErrorKind::io, outcome.warnings.back(), {}, {}}).text + "\n" + text;
  return rendered_answer(std::move(text), render::changes_json(changes), !outcome.readable);
}

// The current phase's tasks, those that are not done when there are many, and criteria: what a model needs to
// name one. Some clients give it nothing but the structured answer.
void add_current_phase(OrderedJson& status, const core::StatusView& view) {
  OrderedJson tasks = OrderedJson::array();
  OrderedJson criteria = OrderedJson::array();
  std::size_t left_out = 0;
  if (const core::PhaseRow* phase = view.phase()) {
    const bool many = phase->tasks.size() > kTasksTold;
    for (const core::TaskRow& task : phase->tasks) {
      if (many && (task.state == core::BoxState::done || tasks.size() == kTasksTold)) {
        ++left_out;
        continue;
      }
      OrderedJson told = {{"id", task.id.text}, {"title", task.title}, {"state", core::name_of(task.state)}};
      if (task.optional) told["optional"] = true;
      if (task.line > 0) told["line"] = task.line;
      tasks.push_back(std::move(told));
    }
    for (const core::CriterionRow& criterion : phase->acceptance)
      criteria.push_back({{"id", criterion.id.text}, {"title", criterion.title}, {"met", criterion.met}});
  }
  status["tasks"] = std::move(tasks);
  if (left_out > 0) status["tasksLeftOut"] = left_out;
  status["criteria"] = std::move(criteria);
  if (view.session_note && !view.session_note->empty()) status["note"] = *view.session_note;
}

Result<ToolAnswer> claim_this(const ToolCall& call, const app::PlanLocation& plan, const std::string& id,
                              const app::ClaimRequest& request) {
  TRY_ASSIGN(const app::ClaimAnswer claimed, app::claim_task(call.context, plan, id, request));
  app::spawn_job(call.context, claimed.outcome, "claim_task");
  if (app::is_granted(claimed.result))
    return rendered_answer(render::claim_text(claimed, kListStyle), render::claim_json(claimed));
  return rendered_answer(refusal(render::claim_refusal(claimed)).text, render::claim_json(claimed), true);
}

Result<ToolAnswer> claim_next(const ToolCall& call, const app::PlanLocation& plan,
                              const app::ClaimRequest& request) {
  TRY_ASSIGN(const app::ClaimAnswer claimed, app::claim_next(call.context, plan, request));
  app::spawn_job(call.context, claimed.outcome, "claim_task");
  if (!claimed.lease && claimed.outcome.state.archived_at)
    return base::fail(ErrorKind::not_found, "no task is available: the plan is archived",
                      "to make it active again: plankeep archive --undo");
  if (!claimed.lease) {
    return base::fail(ErrorKind::not_found, "no task is available",
                      "plan_status shows what is claimed, waiting or done");
  }
  std::string text = render::claim_text(claimed, kListStyle);
  if (!claimed.why.empty()) text += "· " + render::safe_line(claimed.why) + "\n";
  return rendered_answer(std::move(text), render::claim_json(claimed));
}

Result<ToolAnswer> release(const ToolCall& call, const app::PlanLocation& plan, const std::string& id,
                           const app::ClaimRequest& request) {
  TRY_ASSIGN(const app::ClaimAnswer released,
             app::release_task(call.context, plan, id, request, core::Force::no));
  app::spawn_job(call.context, released.outcome, "claim_task");
  if (released.result != app::ClaimResult::refused)
    return rendered_answer(render::release_text(released, kListStyle), render::release_json(released));
  return rendered_answer(refusal(render::release_refusal(released)).text, render::release_json(released),
                         true);
}

}  // namespace

Result<ToolAnswer> plan_status(ToolCall& call) {
  bool fleet = false;
  TRY(call.arguments.take("fleet", fleet));
  TRY_ASSIGN(const app::PlanLocation plan, take_plan(call, PlanUse::reads));
  TRY_ASSIGN(app::Shown shown, app::load_shown(call.context, plan, kRecent));
  app::inspect_tree(call.context, shown);
  app::ask_git_for_last_commit(call.context, shown);
  app::warn_of_missing(call.context, plan, shown.warnings);
  const core::StatusView view = app::view_of(shown);
  TRY_ASSIGN(OrderedJson status, json_rpc::parse_rendered(render::status_json(view)));
  add_current_phase(status, view);
  if (fleet) {
    TRY_ASSIGN(const std::string told, fleet_status(call, plan));
    TRY_ASSIGN(status["fleet"], json_rpc::parse_rendered(told));
  }
  return answer_of(render::status_text(view, kStyle), std::move(status));
}

Result<ToolAnswer> resume_context(ToolCall& call) {
  std::int64_t budget = 0;
  TRY(call.arguments.take("budget", budget, render::kSmallestBudget, render::kLargestBudget));
  TRY_ASSIGN(const app::PlanLocation plan, take_plan(call, PlanUse::reads));
  if (budget == 0)
    budget = static_cast<std::int64_t>(app::Project(call.context, plan.folder).settings().resume_budget);
  TRY_ASSIGN(app::Shown shown, app::load_shown(call.context, plan, app::kEventsSince));
  app::inspect_tree(call.context, shown);
  app::ask_git_for_last_commit(call.context, shown);
  const core::StatusView view = app::view_of(shown);
  const app::ResumeInput input =
      app::resume_input(call.context, shown.location, shown.state.value_or(core::State{}), shown.recent, {},
                        view.current_phase);
  const auto characters = static_cast<std::size_t>(budget);
  return rendered_answer(render::resume_text(view, input, characters),
                         render::resume_json(view, input, characters));
}

Result<ToolAnswer> complete_task(ToolCall& call) {
  std::vector<std::string> ids;
  std::string action = "done";
  std::string actor;
  TRY(call.arguments.take("ids", ids));
  TRY(call.arguments.take("action", action, {"done", "reopen", "start"}));
  TRY(take_actor(call, actor));
  const bool named = !actor.empty();
  if (!named) actor = "main";
  TRY_ASSIGN(const app::PlanLocation plan, take_plan(call, PlanUse::changes));
  if (ids.empty()) return base::fail(ErrorKind::invalid_input, "ids is required", "plan_status shows them");
  TRY(app::refuse_guess(call.context, plan, call.chosen, ids));
  const core::BoxState state = action == "done"     ? core::BoxState::done
                               : action == "reopen" ? core::BoxState::open
                                                    : core::BoxState::active;
  TRY_ASSIGN(app::Completed completed, app::set_tasks(call.context, plan, ids, state, {actor}));
  if (!named) forget_own_claims(call.context, completed, actor);
  app::spawn_job(call.context, completed.outcome, "complete_task");
  const std::string_view already = action == "done"     ? " is already done"
                                   : action == "reopen" ? " is already open"
                                                        : " is already started";
  std::vector<std::string> remarks;
  remarks.reserve(completed.already.size());
  for (const std::string& id : completed.already) remarks.push_back(id + std::string(already));
  return told(completed.outcome, remarks);
}

Result<ToolAnswer> record(ToolCall& call) {
  std::string kind;
  std::optional<std::string> text;
  std::string reason;
  std::string actor = "main";
  TRY(call.arguments.take("kind", kind, {"decision", "blocker", "unblock", "note"}));
  TRY(call.arguments.take("text", text));
  TRY(call.arguments.take("reason", reason));
  TRY(take_actor(call, actor));
  TRY_ASSIGN(const app::PlanLocation plan, take_plan(call, PlanUse::changes));
  if (!text) return base::fail(ErrorKind::invalid_input, "text is required");
  if (!reason.empty() && kind != "decision")
    return base::fail(ErrorKind::invalid_input, "reason is only for decisions", "put it into the text");
  const app::Context& context = call.context;
  auto outcome = kind == "decision"  ? app::record_decision(context, plan, *text, reason, actor)
                 : kind == "blocker" ? app::raise_blocker(context, plan, *text, actor)
                 : kind == "unblock" ? app::resolve_blocker(context, plan, *text, actor)
                                     : app::save_note(context, plan, *text, actor);
  if (!outcome) return base::fail(std::move(outcome.error()));
  app::warn_of_guess(context, plan, call.chosen, outcome->warnings);
  app::spawn_job(context, *outcome, "record");
  return told(*outcome);
}

Result<ToolAnswer> claim_task(ToolCall& call) {
  std::optional<std::string> id;
  std::string ttl;
  bool giving_back = false;
  bool fleet = false;
  app::ClaimRequest request;
  TRY(call.arguments.take("id", id));
  TRY(call.arguments.take("ttl", ttl));
  TRY(call.arguments.take("fence", request.fence, 1, core::kLargestFence));
  TRY(call.arguments.take("release", giving_back));
  TRY(call.arguments.take("fleet", fleet));
  std::string actor;
  TRY(take_actor(call, actor));
  request.by_default = request.for_session = actor.empty();
  if (!actor.empty()) request.actor = std::move(actor);
  TRY_ASSIGN(const app::PlanLocation plan, take_plan(call, PlanUse::changes));
  if (!ttl.empty()) {
    const auto length = core::parse_ttl(ttl);
    if (!length) {
      return base::fail(ErrorKind::invalid_input, "ttl: " + ttl + " is not a valid duration",
                        "give 1s to 30d, such as 90s, 30m, 2h or 1d");
    }
    request.ttl = *length;
  }
  if (!id && (giving_back || request.fence != 0))
    return base::fail(ErrorKind::invalid_input, "id is required to renew or release",
                      "plan_status shows the claims");
  if (fleet) return fleet_claim(call, plan, id.value_or(""), request, giving_back);
  if (!id) {
    TRY(app::refuse_choice(call.context, plan, call.chosen));
    return claim_next(call, plan, request);
  }
  TRY(app::refuse_guess(call.context, plan, call.chosen, {*id}));
  return giving_back ? release(call, plan, *id, request) : claim_this(call, plan, *id, request);
}

}  // namespace plankeep::mcp
