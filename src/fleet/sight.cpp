#include "fleet/sight.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string_view>
#include <tuple>

#include "fleet/checkpoints/checkpoint_body.hpp"

namespace plankeep::fleet {
namespace {

using base::Instant;
using base::Result;

constexpr std::int64_t kPushesAtOnce = 200;

// Milliseconds since 1970, as every query here asks for times.
Instant instant(const Value& value) {
  return Instant{number_in(value)};
}

std::string millis(const std::string& column) {
  return "(extract(epoch FROM " + column + ") * 1000)::bigint";
}

ReplicaName replica_from(const Row& row, std::size_t at) {
  return {row[at].value_or(""), row[at + 1].value_or(""), row[at + 2].value_or("")};
}

// The state of a task that a machine has only seen open, when it first read the plan or met the task in it.
constexpr std::string_view kSeen = "seen";

// That a box was open somewhere when it was first read says nothing against a tick, a start or a reopening
// elsewhere, whichever came first: that copy may have been older. It only tells that a task is there again.
bool outweighs(const TaskWord& word, const TaskWord& known) {
  if (word.only_seen && !known.only_seen && known.state != "removed") return false;
  return std::pair(known.time, known.at) < std::pair(word.time, word.at);
}

void add_other(std::vector<TaskWord::Other>& others, const TaskWord& word) {
  const auto same = std::find_if(others.begin(), others.end(),
                                 [&](const TaskWord::Other& other) { return other.state == word.state; });
  if (same == others.end()) {
    others.push_back({word.state, word.replica, word.time, word.replicas});
    return;
  }
  same->replicas += word.replicas;
  if (same->time < word.time) {
    same->replica = word.replica;
    same->time = word.time;
  }
}

// The rows of a task are adjacent, one per state that any replica reports, "seen" last.
void add_word(PlanSight& plan, const Row& row) {
  const std::string task = row[1].value_or("");
  TaskWord word;
  word.task = task;
  word.state = row[2].value_or("");
  word.by = row[3].value_or("");
  word.phase = row[4].value_or("");
  word.time = instant(row[5]);
  word.title = row[6].value_or("");
  word.replica = replica_from(row, 7);
  word.replicas = number_in(row[10]);
  word.at = instant(row[11]);
  word.only_seen = word.state == kSeen;
  if (word.only_seen) word.state = "open";
  if (plan.tasks.empty() || plan.tasks.back().task != task) {
    plan.tasks.push_back(std::move(word));
    return;
  }
  TaskWord& known = plan.tasks.back();
  std::vector<TaskWord::Other> others = std::move(known.disagree);
  if (outweighs(word, known)) std::swap(known, word);
  if (known.title.empty()) known.title = word.title;
  if (known.phase.empty()) known.phase = word.phase;
  if (known.state == word.state) {
    known.replicas += word.replicas;
  } else {
    add_other(others, word);
  }
  known.disagree = std::move(others);
}

// A task that is done or gone has no holder, even if another machine finished it than the one that claimed
// it.
void drop_finished_claims(PlanSight& plan) {
  std::set<std::string_view> finished;
  for (const TaskWord& word : plan.tasks) {
    if (word.state == "done" || word.state == "removed") finished.insert(word.task);
  }
  std::erase_if(plan.leases, [&](const FleetLease& lease) { return finished.count(lease.task) > 0; });
}

PlanSight* plan_of(FleetSight& sight, std::int64_t id) {
  const auto at =
      std::lower_bound(sight.plans.begin(), sight.plans.end(), id,
                       [](const PlanSight& plan, std::int64_t wanted) { return plan.id < wanted; });
  return at != sight.plans.end() && at->id == id ? &*at : nullptr;
}

// Which plans a question is about: $1 the project, $2 the path, empty for all.
constexpr std::string_view kWanted =
    "(SELECT p.id, j.name, p.path FROM plankeep.plan p JOIN plankeep.project j ON j.id = p.project "
    "WHERE ($1 = '' OR j.name = $1) AND ($2 = '' OR p.path = $2))";

}  // namespace

std::int64_t PlanSight::done() const {
  return std::count_if(tasks.begin(), tasks.end(), [](const TaskWord& word) { return word.state == "done"; });
}

Result<FleetSight> fleet_status(Connection& connection, const StatusQuery& query) {
  const std::vector<Value> wanted{query.project, query.path};
  FleetSight sight;
  TRY_ASSIGN(
      const Rows plans,
      connection.query(
          "SELECT w.id, w.name, w.path, count(r.id), coalesce(sum(h.last_line), 0), " + millis("max(h.at)") +
              ", " + millis("clock_timestamp()") + " FROM " + std::string(kWanted) +
              " w LEFT JOIN plankeep.replica r ON r.plan = w.id LEFT JOIN LATERAL (SELECT u.last_line, u.at "
              "FROM plankeep.push u WHERE u.replica = r.id ORDER BY u.last_line DESC LIMIT 1) h ON true "
              "GROUP BY w.id, w.name, w.path ORDER BY w.id",
          wanted));
  for (const Row& row : plans) {
    PlanSight& plan = sight.plans.emplace_back();
    plan.id = number_in(row[0]);
    plan.project = row[1].value_or("");
    plan.path = row[2].value_or("");
    plan.replicas = number_in(row[3]);
    plan.lines = number_in(row[4]);
    if (row[5]) plan.last_push = instant(row[5]);
    sight.now = instant(row[6]);
  }
  if (sight.plans.empty()) return sight;
  // For each reported state, its newest event and the number of replicas. Asked plan by plan, so that the
  // server can read the index in order; hashing or sorting all rows costs several times as much.
  TRY_ASSIGN(
      const Rows words,
      connection.query(
          "SELECT w.id, g.key, g.state, o.by, o.phase, " + millis("o.ts") +
              ", o.title, r.id, r.login, r.machine, g.replicas, " + millis("o.at") + " FROM " +
              std::string(kWanted) +
              " w CROSS JOIN LATERAL (SELECT s.key, s.state, count(*) AS replicas FROM plankeep.word s WHERE "
              "s.plan = w.id AND s.kind = 'task' GROUP BY s.key, s.state) g CROSS JOIN LATERAL (SELECT n.by, "
              "n.phase, n.ts, n.title, n.replica, n.at FROM plankeep.word n WHERE n.plan = w.id AND n.kind = "
              "'task' AND n.key = g.key AND n.state = g.state ORDER BY n.ts DESC, n.at DESC LIMIT 1) o JOIN "
              "plankeep.replica r ON r.id = o.replica ORDER BY w.id, g.key, g.state",
          wanted));
  for (const Row& row : words) {
    if (PlanSight* const plan = plan_of(sight, number_in(row[0]))) add_word(*plan, row);
  }
  TRY_ASSIGN(
      const Rows blockers,
      connection.query("SELECT w.id, n.key FROM " + std::string(kWanted) +
                           " w CROSS JOIN LATERAL (SELECT DISTINCT ON (o.key) o.key, o.state FROM "
                           "plankeep.word o WHERE o.kind = 'blocker' AND o.plan = w.id ORDER BY o.key, o.ts "
                           "DESC, o.at DESC) n WHERE n.state = 'raised' ORDER BY w.id, n.key",
                       wanted));
  for (const Row& row : blockers) {
    if (PlanSight* const plan = plan_of(sight, number_in(row[0])))
      plan->blockers.push_back(row[1].value_or(""));
  }
  TRY_ASSIGN(const Rows leases,
             connection.query(
                 "SELECT l.plan, l.task, l.holder, l.fence, " + millis("l.since") + ", " + millis("l.until") +
                     ", l.until > clock_timestamp(), r.id, r.login, r.machine FROM plankeep.lease l JOIN "
                     "plankeep.replica r ON r.id = l.replica WHERE l.plan IN (SELECT id FROM " +
                     std::string(kWanted) + " w) ORDER BY l.plan, l.fence",
                 wanted));
  for (const Row& row : leases) {
    PlanSight* const plan = plan_of(sight, number_in(row[0]));
    if (plan == nullptr) continue;
    plan->leases.push_back({row[1].value_or(""), row[2].value_or(""), number_in(row[3]), instant(row[4]),
                            instant(row[5]), row[6] == "t", replica_from(row, 7)});
  }
  for (PlanSight& plan : sight.plans) {
    drop_finished_claims(plan);
    std::erase_if(plan.tasks, [](const TaskWord& word) { return word.state == "removed"; });
  }
  std::sort(sight.plans.begin(), sight.plans.end(), [](const PlanSight& a, const PlanSight& b) {
    return std::tie(a.project, a.path) < std::tie(b.project, b.path);
  });
  return sight;
}

namespace {

std::vector<LogLine> lines_from(const Rows& rows) {
  std::vector<LogLine> lines;
  lines.reserve(rows.size());
  for (const Row& row : rows) lines.push_back({replica_from(row, 0), number_in(row[3]), row[4].value_or("")});
  return lines;
}

// What is smaller has ended: committed, so visible, or rolled back. What is greater may yet come.
constexpr std::string_view kHorizon = "pg_snapshot_xmin(pg_current_snapshot())";

}  // namespace

Result<std::vector<LogLine>> newest_lines(Connection& connection, std::int64_t plan, std::size_t count,
                                          LogPlace& place) {
  // One snapshot for both queries; otherwise a push between them is reported twice or never.
  TRY(connection.script("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"));
  const auto horizon = connection.query("SELECT " + std::string(kHorizon));
  auto rows = connection.query(
      "SELECT id, login, machine, line, body FROM (SELECT r.id, r.login, r.machine, e.line, e.body, u.tx "
      "FROM "
      "plankeep.replica r JOIN plankeep.push u ON u.replica = r.id JOIN plankeep.event e ON e.replica = "
      "u.replica AND "
      "e.line BETWEEN u.first_line AND u.last_line WHERE r.plan = $1 AND u.tx < " +
          std::string(kHorizon) +
          " ORDER BY u.tx DESC, r.id DESC, e.line DESC LIMIT $2) n ORDER BY tx, id, line",
      {std::to_string(plan), std::to_string(count)});
  const base::Status ended = connection.script("COMMIT");
  if (!horizon) return base::fail(horizon.error());
  if (!rows) return base::fail(rows.error());
  TRY(ended);
  if (!horizon->empty()) place.tx = horizon->front().front().value_or("0");
  return lines_from(*rows);
}

Result<std::vector<LogLine>> lines_since(Connection& connection, std::int64_t plan, LogPlace& place) {
  TRY(connection.script("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"));
  auto answer = [&]() -> Result<std::vector<LogLine>> {
    // Whole transactions only: the place names the next one.
    TRY_ASSIGN(
        const Rows next,
        connection.query(
            "SELECT coalesce((SELECT u.tx FROM plankeep.push u JOIN plankeep.replica r ON r.id = u.replica "
            "WHERE r.plan = $1 AND u.tx >= $2::xid8 AND u.tx < " +
                std::string(kHorizon) + " ORDER BY u.tx OFFSET $3 LIMIT 1), " + std::string(kHorizon) + ")",
            {std::to_string(plan), place.tx, std::to_string(kPushesAtOnce)}));
    const std::string until = next.empty() ? place.tx : next.front().front().value_or(place.tx);
    TRY_ASSIGN(
        const Rows rows,
        connection.query(
            "SELECT r.id, r.login, r.machine, e.line, e.body FROM plankeep.push u JOIN plankeep.replica r ON "
            "r.id = u.replica JOIN plankeep.event e ON e.replica = u.replica AND e.line BETWEEN u.first_line "
            "AND u.last_line WHERE r.plan = $1 AND u.tx >= $2::xid8 AND u.tx < $3::xid8 ORDER BY u.tx, r.id, "
            "e.line",
            {std::to_string(plan), place.tx, until}));
    place.tx = until;
    return lines_from(rows);
  }();
  const base::Status ended = connection.script("COMMIT");
  if (answer && !ended) return base::fail(ended.error());
  return answer;
}

Result<std::optional<std::int64_t>> plan_number(Connection& connection, const std::string& project,
                                                const std::string& path) {
  TRY_ASSIGN(const Rows rows,
             connection.query("SELECT p.id FROM plankeep.plan p JOIN plankeep.project j ON j.id = "
                              "p.project WHERE j.name = $1 AND p.path = $2",
                              {project, path}));
  if (rows.empty()) return std::optional<std::int64_t>{};
  return std::optional(number_in(rows.front().front()));
}

namespace {

std::string checkpoint_columns(bool with_body) {
  return "SELECT r.id, r.login, r.machine, c.id, c.type, " + millis("c.ts") + ", c.phase, " +
         (with_body ? "c.body" : "''") +
         " FROM plankeep.replica r JOIN plankeep.checkpoint c ON c.replica = r.id WHERE r.plan = $1";
}

std::vector<CheckpointSight> checkpoints_from(const Rows& rows) {
  std::vector<CheckpointSight> found;
  found.reserve(rows.size());
  for (const Row& row : rows) {
    found.push_back({replica_from(row, 0), row[3].value_or(""), row[4].value_or(""), instant(row[5]),
                     row[6].value_or(""), checkpoint_record(row[7].value_or(""))});
  }
  return found;
}

}  // namespace

Result<std::vector<CheckpointSight>> fleet_checkpoints(Connection& connection, std::int64_t plan,
                                                       std::size_t count, bool with_body) {
  TRY_ASSIGN(const Rows rows,
             connection.query(checkpoint_columns(with_body) +
                                  " ORDER BY c.ts DESC, c.added DESC LIMIT nullif($2::bigint, 0)",
                              {std::to_string(plan), std::to_string(count)}));
  return checkpoints_from(rows);
}

Result<std::vector<CheckpointSight>> find_checkpoints(Connection& connection, std::int64_t plan,
                                                      const std::string& which) {
  const std::size_t colon = which.find(':');
  std::string replica = colon == std::string::npos ? std::string() : which.substr(0, colon);
  std::erase(replica, '-');  // as JSON has it
  TRY_ASSIGN(const Rows rows,
             connection.query(
                 checkpoint_columns(true) +
                     " AND c.id = $2 AND starts_with(replace(r.id::text, '-', ''), $3) ORDER BY c.ts DESC",
                 {std::to_string(plan), which.substr(colon + 1), replica}));
  return checkpoints_from(rows);
}

Result<std::optional<TextSight>> newest_text(Connection& connection, std::int64_t plan) {
  TRY_ASSIGN(const Rows rows,
             connection.query(
                 "SELECT r.id, r.login, r.machine, t.text, " + millis("t.at") +
                     " FROM plankeep.replica r JOIN LATERAL (SELECT x.text, x.at, x.id FROM "
                     "plankeep.plan_text x WHERE x.replica = r.id ORDER BY x.id DESC LIMIT 1) t ON true "
                     "WHERE r.plan = $1 ORDER BY t.id DESC LIMIT 1",
                 {std::to_string(plan)}));
  if (rows.empty()) return std::optional<TextSight>{};
  const Row& row = rows.front();
  return std::optional(TextSight{replica_from(row, 0), row[3].value_or(""), instant(row[4])});
}

}  // namespace plankeep::fleet
