#include "fleet/claims/claims.hpp"

#include <algorithm>
#include <utility>

#include "base/enum_names.hpp"
#include "fleet/claims/told_claims.hpp"
#include "fleet/history_line.hpp"
#include "fleet/push.hpp"
#include "rules/next.hpp"
#include "rules/view.hpp"
#include "tracking/show.hpp"

namespace plankeep::fleet {
namespace {

using base::ErrorKind;
using base::Result;

constexpr auto kVerdicts = base::enum_names<FleetVerdict>({{FleetVerdict::granted, "granted"},
                                                           {FleetVerdict::renewed, "renewed"},
                                                           {FleetVerdict::held, "held"},
                                                           {FleetVerdict::done, "done"},
                                                           {FleetVerdict::none_left, "none_left"},
                                                           {FleetVerdict::local, "local"},
                                                           {FleetVerdict::released, "released"},
                                                           {FleetVerdict::nothing, "nothing"}});

// So many tasks are offered to the server at once.
constexpr std::size_t kOffered = 1000;
// Another process here may claim the task before ours is recorded; then the next one is tried.
constexpr int kTries = 8;

constexpr std::string_view kHolderColumns =
    "l.fence, l.holder, r.login, r.machine, "
    "to_char(l.since AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"'), "
    "to_char(l.until AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')";

FleetHolder holder_from(const Row& row, std::size_t at) {
  FleetHolder holder;
  holder.fence = number_in(row[at]);
  holder.holder = row[at + 1].value_or("");
  holder.login = row[at + 2].value_or("");
  holder.machine = row[at + 3].value_or("");
  holder.since = row[at + 4].value_or("");
  holder.until = row[at + 5].value_or("");
  return holder;
}

struct Local {
  app::Shown shown;
  core::StatusView view;
};
Result<Local> look(const app::Context& context, const OwnPlace& place) {
  TRY_ASSIGN(app::Shown shown, app::load_shown(context, place.plan, 0));
  if (!shown.plan) {
    return base::fail(ErrorKind::conflict, "the plan cannot be read", "for details: plankeep doctor");
  }
  core::StatusView view = app::view_of(shown);
  return Local{std::move(shown), std::move(view)};
}

struct Wanted {
  std::string phase;
  std::string task;
  std::string title;
};

// The tasks that can be started here, in the order in which `next` offers them.
std::vector<Wanted> offered_tasks(core::StatusView view) {
  std::vector<Wanted> offered;
  while (offered.size() < kOffered) {
    const auto choice = core::choose(view);
    if (!choice) break;
    core::TaskRow& task = view.phases[choice->phase].tasks[choice->task];
    offered.push_back({view.phases[choice->phase].id.text, task.id.text, task.title});
    // Treat it as claimed, so that the next iteration finds the following task.
    core::LeaseRow taken;
    taken.status = core::LeaseStatus::held;
    task.lease = std::make_shared<const core::LeaseRow>(taken);
  }
  return offered;
}

// The task that is meant, still without an answer.
Result<FleetClaim> claim_of(const Local& local, const OwnPlace& place, const std::string& id) {
  const core::Plan& plan = *local.shown.plan;
  TRY_ASSIGN(const app::Found found, app::find_claimable(plan, plan, id, place.plan.path()));
  const core::Phase& phase = plan.phases[found.phase_index];
  const core::Task& task = phase.tasks[found.index];
  FleetClaim claim;
  claim.phase = phase.id.text;
  claim.task = task.id.text;
  claim.title = task.title;
  return claim;
}

std::string milliseconds(std::int64_t time) {
  return std::to_string(time);
}

// Claims the first free task in one statement. nullopt: none was free.
Result<std::optional<Row>> take(Connection& connection, const Registered& own,
                                const std::vector<Wanted>& wanted, const app::ClaimRequest& request) {
  std::string tasks;
  for (const Wanted& one : wanted) append_array_element(tasks, one.task);
  tasks += '}';
  const std::string statement =
      "SELECT l.task, " + std::string(kHolderColumns) +
      " FROM plankeep.take_next($1::bigint, $2::text[], $3::uuid, $4, $5, $6::bigint * interval '1 "
      "millisecond') l JOIN plankeep.replica r ON r.id = l.replica";
  TRY_ASSIGN(Rows rows,
             connection.query(statement, {std::to_string(own.plan), tasks, own.replica, request.actor,
                                          request.session, milliseconds(request.ttl)}));
  if (rows.empty()) return std::optional<Row>{};
  return std::optional(std::move(rows.front()));
}

// Claims this task if it is free.
Result<std::optional<Row>> take_one(Connection& connection, const Registered& own, const std::string& task,
                                    const app::ClaimRequest& request) {
  const std::string statement =
      "WITH taken AS (INSERT INTO plankeep.lease AS l (plan, task, replica, holder, session, ttl) "
      "VALUES ($1::bigint, $2, $3::uuid, $4, $5, $6::bigint * interval '1 millisecond') "
      "ON CONFLICT (plan, task) DO UPDATE SET replica = excluded.replica, holder = excluded.holder, "
      "session = excluded.session, ttl = excluded.ttl WHERE l.until <= clock_timestamp() "
      "RETURNING l.*) SELECT l.task, " +
      std::string(kHolderColumns) + " FROM taken l JOIN plankeep.replica r ON r.id = l.replica";
  TRY_ASSIGN(Rows rows,
             connection.query(statement, {std::to_string(own.plan), task, own.replica, request.actor,
                                          request.session, milliseconds(request.ttl)}));
  if (rows.empty()) return std::optional<Row>{};
  return std::optional(std::move(rows.front()));
}

base::Status give_back(Connection& connection, const Registered& own, const std::string& task,
                       std::int64_t fence) {
  TRY(connection.change(
      "UPDATE plankeep.lease SET replica = NULL WHERE plan = $1 AND task = $2 AND replica = $3 "
      "AND fence = $4",
      {std::to_string(own.plan), task, own.replica, std::to_string(fence)}));
  return {};
}

// Who ticked it, if its latest state is done.
Result<std::optional<FleetHolder>> done_by(Connection& connection, const Registered& own,
                                           const std::string& task) {
  TRY_ASSIGN(
      const Rows rows,
      connection.query("SELECT w.state, w.by, r.login, r.machine, to_char(w.ts AT TIME ZONE 'UTC', "
                       "'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"') FROM plankeep.word w JOIN plankeep.replica r ON "
                       "r.id = w.replica WHERE w.plan = $1 AND w.kind = 'task' AND w.key = $2 "
                       "AND w.state <> 'seen' ORDER BY w.ts DESC, w.at DESC LIMIT 1",
                       {std::to_string(own.plan), task}));
  if (rows.empty() || rows.front()[0] != "done") return std::optional<FleetHolder>{};
  const Row& row = rows.front();
  FleetHolder who;
  who.holder = row[1].value_or("");
  who.login = row[2].value_or("");
  who.machine = row[3].value_or("");
  who.since = row[4].value_or("");
  return std::optional(std::move(who));
}

Result<std::optional<FleetHolder>> held_by(Connection& connection, const Registered& own,
                                           const std::string& task) {
  TRY_ASSIGN(const Rows rows,
             connection.query(
                 "SELECT " + std::string(kHolderColumns) +
                     ", r.id = $3::uuid FROM plankeep.lease l JOIN plankeep.replica r ON r.id = l.replica "
                     "WHERE l.plan = $1 AND l.task = $2 AND l.until > clock_timestamp()",
                 {std::to_string(own.plan), task, own.replica}));
  if (rows.empty()) return std::optional<FleetHolder>{};
  FleetHolder holder = holder_from(rows.front(), 0);
  holder.here = rows.front().back() == "t";
  return std::optional(std::move(holder));
}

// Records the server's grant locally; releases it on the server if that fails.
Result<bool> record(const app::Context& context, Connection& connection, const OwnPlace& place,
                    const Registered& own, const Row& granted, const app::ClaimRequest& asked,
                    FleetClaim& claim) {
  claim.own = holder_from(granted, 1);
  app::ClaimRequest request = asked;
  request.fleet_fence = claim.own->fence;
  auto answer = app::claim_task(context, place.plan, claim.phase + "/" + claim.task, request);
  if (answer && app::is_granted(answer->result)) {
    claim.verdict =
        answer->result == app::ClaimResult::renewed ? FleetVerdict::renewed : FleetVerdict::granted;
    claim.answer = std::move(*answer);
    return true;
  }
  const std::int64_t fence = claim.own->fence;
  claim.own.reset();
  claim.verdict = FleetVerdict::local;
  const base::Status returned = give_back(connection, own, claim.task, fence);
  if (!answer) return base::fail(answer.error());
  claim.answer = std::move(*answer);
  TRY(returned);
  return false;
}

// The task is claimed. If by this very holder (sessions and processes are known only here), the claim is
// renewed.
base::Status renew(const app::Context& context, Connection& connection, const OwnPlace& place,
                   const Registered& own, const Local& local, const app::ClaimRequest& asked,
                   FleetClaim& claim) {
  claim.verdict = FleetVerdict::held;
  TRY_ASSIGN(claim.other, held_by(connection, own, claim.task));
  if (!claim.other || !claim.other->here || (asked.fence != 0 && asked.fence != claim.other->fence))
    return {};
  app::ClaimRequest request = asked;
  request.fleet_fence = claim.other->fence;
  request.renew_only = true;
  request.fence = 0;
  if (asked.fence != 0 && local.shown.state) {
    // The local fence of the same claim.
    for (const core::LeaseState& lease : local.shown.state->leases) {
      if (lease.fleet_fence == asked.fence && lease.task.text == claim.task) request.fence = lease.fence;
    }
    if (request.fence == 0) return {};
  }
  TRY_ASSIGN(app::ClaimAnswer answer,
             app::claim_task(context, place.plan, claim.phase + "/" + claim.task, request));
  if (answer.result != app::ClaimResult::renewed) return {};
  const std::string statement =
      "WITH kept AS (UPDATE plankeep.lease SET ttl = $5::bigint * interval '1 millisecond' WHERE plan = $1 "
      "AND task = $2 AND replica = $3 AND fence = $4 AND until > clock_timestamp() RETURNING *) SELECT "
      "l.task, " +
      std::string(kHolderColumns) + " FROM kept l JOIN plankeep.replica r ON r.id = l.replica";
  TRY_ASSIGN(const Rows rows,
             connection.query(statement, {std::to_string(own.plan), claim.task, own.replica,
                                          std::to_string(claim.other->fence), milliseconds(asked.ttl)}));
  if (rows.empty()) return {};
  claim.own = holder_from(rows.front(), 1);
  claim.other.reset();
  claim.answer = std::move(answer);
  claim.verdict = FleetVerdict::renewed;
  return {};
}

}  // namespace

std::string_view name_of(FleetVerdict verdict) {
  return kVerdicts.name_of(verdict);
}

Result<FleetClaim> claim_task(const app::Context& context, Connection& connection, const OwnPlace& place,
                              const std::string& id, const app::ClaimRequest& request) {
  TRY_ASSIGN(const Local local, look(context, place));
  TRY_ASSIGN(FleetClaim claim, claim_of(local, place, id));
  TRY_ASSIGN(const Registered own, register_replica(context, connection, place));
  TRY_ASSIGN(claim.other, done_by(connection, own, claim.task));
  if (claim.other) {
    claim.verdict = FleetVerdict::done;
    return claim;
  }
  std::optional<Row> granted;
  if (request.fence == 0) {
    TRY_ASSIGN(granted, take_one(connection, own, claim.task, request));
  }
  if (!granted && request.fence == 0) {
    // It may be our own, of a claim that is over here.
    TRY_ASSIGN(const std::int64_t ended, give_back_ended(context, connection, place, own));
    if (ended > 0) {
      TRY_ASSIGN(granted, take_one(connection, own, claim.task, request));
    }
  }
  if (!granted) {
    TRY(renew(context, connection, place, own, local, request, claim));
    return claim;
  }
  TRY(record(context, connection, place, own, *granted, request, claim));
  return claim;
}

Result<FleetClaim> claim_next(const app::Context& context, Connection& connection, const OwnPlace& place,
                              const app::ClaimRequest& request) {
  FleetClaim claim;
  std::optional<Registered> own;
  for (int tries = 0; tries < kTries; ++tries) {
    TRY_ASSIGN(const Local local, look(context, place));
    const std::vector<Wanted> offered = offered_tasks(local.view);
    if (offered.empty()) break;
    if (!own) {
      TRY_ASSIGN(own, register_replica(context, connection, place));
    }
    TRY_ASSIGN(const auto granted, take(connection, *own, offered, request));
    if (!granted) {
      // What is over here may be all that stands in the way.
      TRY_ASSIGN(const std::int64_t ended, give_back_ended(context, connection, place, *own));
      if (ended > 0) continue;
      break;
    }
    const auto which = std::find_if(offered.begin(), offered.end(),
                                    [&](const Wanted& one) { return one.task == (*granted)[0]; });
    if (which == offered.end())
      return base::fail(ErrorKind::io, "the fleet's server granted a task that was not asked for");
    claim.phase = which->phase;
    claim.task = which->task;
    claim.title = which->title;
    TRY_ASSIGN(const bool recorded, record(context, connection, place, *own, *granted, request, claim));
    if (recorded) return claim;
  }
  if (claim.verdict != FleetVerdict::local) claim.verdict = FleetVerdict::none_left;
  return claim;
}

Result<FleetClaim> release_task(const app::Context& context, Connection& connection, const OwnPlace& place,
                                const std::string& id, const app::ClaimRequest& request) {
  TRY_ASSIGN(const Local local, look(context, place));
  TRY_ASSIGN(FleetClaim claim, claim_of(local, place, id));
  TRY_ASSIGN(const Registered own, register_replica(context, connection, place));
  TRY_ASSIGN(const std::int64_t released,
             connection.change(
                 "UPDATE plankeep.lease SET replica = NULL WHERE plan = $1 AND task = $2 AND replica = "
                 "$3 AND ($4 = '0' OR fence = $4::bigint)",
                 {std::to_string(own.plan), claim.task, own.replica, std::to_string(request.fence)}));
  claim.verdict = released > 0 ? FleetVerdict::released : FleetVerdict::nothing;
  if (released == 0) {
    TRY_ASSIGN(claim.other, held_by(connection, own, claim.task));
    return claim;
  }
  app::ClaimRequest here = request;
  here.fence = 0;
  auto answer =
      app::release_task(context, place.plan, claim.phase + "/" + claim.task, here, core::Force::yes);
  if (!answer) return base::fail(answer.error());
  claim.answer = std::move(*answer);
  return claim;
}

}  // namespace plankeep::fleet
