// The tools for checkpoints of the work, as cli/commands/recorded/checkpoint: same use cases, same renderers.

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "checkpoints/checkpoint.hpp"
#include "checkpoints/find_checkpoint.hpp"
#include "checkpoints/job.hpp"
#include "checkpoints/retention.hpp"
#include "checkpoints/snapshots.hpp"
#include "mcp/tool_table.hpp"
#include "project/project.hpp"
#include "render/recorded/checkpoint.hpp"
#include "render/sessions/session.hpp"
#include "sessions/sessions.hpp"

namespace plankeep::mcp {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

constexpr std::int64_t kListed = 10;
constexpr std::int64_t kMostListed = 100;
// Tasks and ids in one answer; a plan may have a hundred thousand.
constexpr std::size_t kCheckpointTasksTold = 200;
constexpr std::size_t kIdsTold = 100;

const render::Style kCheckpointStyle{false, 120};
const render::Style kCheckpointListStyle{false, render::kUnlimited};

// Warnings have no place in the text of the renderers.
std::string with_warnings(std::string text, const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) text += "! warning: " + render::safe_line(warning) + "\n";
  return text;
}

Result<ToolAnswer> shown(const ToolCall& call, const app::PlanLocation& plan, app::CheckpointAnswer answer) {
  auto& tasks = answer.checkpoint.moment.todo_snapshot;
  if (tasks.size() > kCheckpointTasksTold) {
    answer.warnings.push_back(std::to_string(tasks.size() - kCheckpointTasksTold) +
                              " more tasks omitted; to see all: plankeep checkpoint show --json");
    tasks.resize(kCheckpointTasksTold);
  }
  std::string text = render::checkpoint_text(answer, call.context.clock.now(), kCheckpointStyle);
  return rendered_answer(with_warnings(std::move(text), answer.warnings),
                         render::checkpoint_json(plan, answer));
}

// As render::clean_up_json, with the first ids only.
OrderedJson answer_json(const app::CleanUpAnswer& answer) {
  std::vector<std::string> warnings = answer.warnings;
  if (answer.cleaned.deleted.size() > kIdsTold)
    warnings.push_back(std::to_string(answer.cleaned.deleted.size() - kIdsTold) + " more ids omitted");
  OrderedJson deleted = OrderedJson::array();
  for (std::size_t i = 0; i < std::min(answer.cleaned.deleted.size(), kIdsTold); ++i)
    deleted.push_back(answer.cleaned.deleted[i].id.text);
  return {{"plan", {{"id", answer.plan.plan_id()}, {"path", answer.plan.path()}}},
          {"dry_run", answer.dry},
          {"deleted_count", answer.cleaned.deleted.size()},
          {"freed_bytes", answer.cleaned.freed_bytes},
          {"deleted", std::move(deleted)},
          {"dropped_snapshots", answer.dropped_snapshots},
          {"warnings", std::move(warnings)}};
}

// A session checkpoint of the repository; what strangers wrote in it is cut.
Result<ToolAnswer> shown_session(const ToolCall& call, const std::string& which) {
  TRY_ASSIGN(app::Sessions sessions, app::Sessions::open(call.context));
  TRY_ASSIGN(const app::SessionView view, sessions.show(which));
  std::string text = render::session_text(view, call.context.clock.now(), kCheckpointStyle);
  return rendered_answer(with_warnings(std::move(text), view.problems()), render::session_json(view, true));
}

}  // namespace

Result<ToolAnswer> create_checkpoint(ToolCall& call) {
  app::CheckpointRequest request;
  request.manual = true;
  TRY(call.arguments.take("note", request.note));
  TRY(call.arguments.take("session", request.instance));
  if (request.instance.empty()) request.instance = core::kOutsideSessions;
  TRY_ASSIGN(const app::PlanLocation plan, take_plan(call, PlanUse::changes));
  request.take_snapshot =
      app::snapshot_taker(call.context, plan, app::Project(call.context, plan.folder).settings());
  TRY_ASSIGN(app::CheckpointAnswer made, app::create_checkpoint(call.context, plan, request));
  app::spawn_job(call.context, plan, made.events, "create_checkpoint");
  return shown(call, plan, std::move(made));
}

Result<ToolAnswer> get_checkpoint(ToolCall& call) {
  std::string which = "last";
  TRY(call.arguments.take("id", which));
  const bool may_be_session = core::may_mean_session(which);
  const auto plan = take_plan(call, PlanUse::reads);
  if (!plan && !(may_be_session && plan.error().kind == ErrorKind::not_found))
    return base::fail(plan.error());
  if (plan) {
    auto found = app::get_checkpoint(call.context, *plan, which);
    if (found) return shown(call, *plan, std::move(*found));
    if (!may_be_session || found.error().kind != ErrorKind::not_found) return base::fail(found.error());
  }
  return shown_session(call, which);
}

Result<ToolAnswer> list_checkpoints(ToolCall& call) {
  std::string type;
  std::optional<std::string> phase;
  std::string since;
  std::int64_t limit = kListed;
  records::CheckpointQuery query;
  TRY(call.arguments.take("type", type));
  TRY(call.arguments.take("phase", phase));
  TRY(call.arguments.take("session", query.instance));
  TRY(call.arguments.take("since", since));
  TRY(call.arguments.take("limit", limit, 1, kMostListed));
  TRY_ASSIGN(const app::PlanLocation plan, take_plan(call, PlanUse::reads));
  if (!type.empty()) {
    query.type = core::checkpoint_type(type);
    if (!query.type)
      return base::fail(ErrorKind::invalid_input,
                        "type must be one of " + base::joined(core::checkpoint_type_names()));
  }
  if (phase) query.phase = core::PhaseId(*phase);
  if (!since.empty()) {
    TRY_ASSIGN(query.since, base::read_since("since", since, call.context.clock.now()));
  }
  query.limit = static_cast<std::size_t>(limit);
  TRY_ASSIGN(const auto found, app::list_checkpoints(call.context, plan, query));
  return rendered_answer(with_warnings(render::checkpoint_list_text(found.listed, call.context.clock.now(),
                                                                    kCheckpointListStyle),
                                       found.warnings),
                         render::checkpoint_list_json(plan, found.listed));
}

Result<ToolAnswer> cleanup_checkpoints(ToolCall& call) {
  std::string older_than;
  bool dry = false;
  TRY(call.arguments.take("older_than", older_than));
  TRY(call.arguments.take("dry_run", dry));
  TRY_ASSIGN(const app::PlanLocation plan, take_plan(call, PlanUse::reads));
  app::CleanUpRequest request;
  request.dry = dry;
  if (!older_than.empty()) {
    TRY_ASSIGN(request.older_than_ms, base::read_age("older_than", older_than));
  }
  TRY_ASSIGN(const auto cleaned, app::clean_up_checkpoints(call.context, plan, request,
                                                           app::snapshot_dropper(call.context, plan)));
  app::spawn_job(call.context, plan, cleaned.events, "cleanup_checkpoints");
  std::string text = render::clean_up_text(cleaned, kCheckpointListStyle);
  return answer_of(with_warnings(std::move(text), cleaned.warnings), answer_json(cleaned));
}

}  // namespace plankeep::mcp
