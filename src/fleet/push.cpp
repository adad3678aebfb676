#include "fleet/push.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/sha256.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "checkpoints/find_checkpoint.hpp"
#include "fleet/checkpoints/pushed_checkpoints.hpp"
#include "fleet/claims/told_claims.hpp"
#include "fleet/history_line.hpp"
#include "fleet/local_history.hpp"
#include "store/plan_file.hpp"
#include "store/tracking_folder.hpp"

namespace plankeep::fleet {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;
using base::Status;

// So many lines go as arrays in one statement: a temporary table costs more than it saves.
constexpr std::size_t kFewRows = 200;
constexpr std::string_view kMayWrite = "has_table_privilege('plankeep.event', 'INSERT')";

// What the server knows of this replica.
struct Known {
  bool may_write = false;
  bool plan_known = false;
  std::int64_t plan = 0;
  bool replica_known = false;
  bool own = false;
  std::string login;
  bool same_plan = false;
  std::int64_t lines = 0;
  std::uint64_t bytes = 0;
  std::string digest;
  std::string text_digest;      // of the newest plan text
  bool has_checkpoint = false;  // the one that was asked for
  bool has_claims = false;
};

// A claim needs only the replica and its plan. Each further table costs the server time on a new connection,
// and many machines may claim at once.
enum class KnownPart { replica, all };

Result<Known> ask(Connection& connection, const OwnPlace& place, const std::string& replica,
                  const std::string& checkpoint, KnownPart part) {
  std::string question =
      "SELECT p.id, r.login, r.login = session_user, r.plan = p.id, " + std::string(kMayWrite);
  if (part == KnownPart::all) {
    question +=
        ", h.last_line, h.bytes, h.digest, (SELECT t.digest FROM plankeep.plan_text t WHERE t.replica = r.id "
        "ORDER BY t.id DESC LIMIT 1), EXISTS (SELECT FROM plankeep.checkpoint c WHERE c.replica = r.id AND "
        "c.id = $4), EXISTS (SELECT FROM plankeep.lease l WHERE l.replica = r.id)";
  }
  question +=
      " FROM (SELECT 1) one LEFT JOIN plankeep.replica r ON r.id = $3::uuid LEFT JOIN plankeep.project j ON "
      "j.name = $1 LEFT JOIN plankeep.plan p ON p.project = j.id AND p.path = $2";
  std::vector<Value> values{place.project, place.path, replica};
  if (part == KnownPart::all) {
    question +=
        " LEFT JOIN LATERAL (SELECT u.last_line, u.bytes, u.digest FROM plankeep.push u WHERE u.replica = "
        "r.id ORDER BY u.last_line DESC LIMIT 1) h ON true";
    values.emplace_back(checkpoint);
  }
  TRY_ASSIGN(const Rows rows, connection.query(question, values));
  if (rows.empty()) return base::fail(ErrorKind::internal, "the fleet's server gave no answer");
  const Row& row = rows.front();
  Known known;
  known.may_write = row[4] == "t";
  known.plan_known = row[0].has_value();
  known.plan = number_in(row[0]);
  known.replica_known = row[1].has_value();
  known.login = row[1].value_or("");
  known.own = row[2] == "t";
  known.same_plan = row[3] == "t";
  known.lines = number_in(row[5]);
  known.bytes = static_cast<std::uint64_t>(number_in(row[6]));
  known.digest = row[7].value_or("");
  known.text_digest = row[8].value_or("");
  known.has_checkpoint = row[9] == "t";
  known.has_claims = row[10] == "t";
  return known;
}

Status make_known(Connection& connection, const OwnPlace& place, const std::string& replica) {
  TRY(connection.change("INSERT INTO plankeep.project (name) VALUES ($1) ON CONFLICT (name) DO NOTHING",
                        {place.project}));
  TRY(
      connection.change("INSERT INTO plankeep.plan (project, path) SELECT j.id, $2 FROM plankeep.project j "
                        "WHERE j.name = $1 ON CONFLICT (project, path) DO NOTHING",
                        {place.project, place.path}));
  TRY(
      connection.change("INSERT INTO plankeep.replica (id, plan, machine) SELECT $3::uuid, p.id, $4 "
                        "FROM plankeep.plan p JOIN plankeep.project j ON j.id = p.project "
                        "WHERE j.name = $1 AND p.path = $2 ON CONFLICT (id) DO NOTHING",
                        {place.project, place.path, replica, place.machine}));
  return {};
}

struct Met {
  std::string replica;
  Known known;
};
Error may_only_read(const Connection& connection) {
  const std::string login = connection.facts().user;
  return {ErrorKind::io,
          "the login " + login + " may read the fleet, but not write to it",
          {},
          "an administrator grants it: GRANT plankeep_writer TO " + login};
}

// What this login may not do, whatever there is to send.
Status check_rights(const Connection& connection, const Known& known) {
  if (!known.may_write) return base::fail(may_only_read(connection));
  if (known.replica_known && !known.own) {
    return base::fail(ErrorKind::conflict,
                      "this folder's name on the server belongs to the login " + known.login,
                      "push as that login, or give the folder a new name: plankeep fleet push --new-replica");
  }
  return {};
}

// Asks, and makes known what is not. A replica that the server has under another plan (the project has
// another origin now) begins anew.
Result<Met> meet(const app::Context& context, Connection& connection, const OwnPlace& place,
                 const std::string& checkpoint, Renew renew, KnownPart part) {
  if (renew == Renew::yes) {
    // Before the folder gets another name for nothing.
    TRY_ASSIGN(const Rows rows, connection.query("SELECT " + std::string(kMayWrite)));
    if (rows.empty() || rows.front().front() != "t") return base::fail(may_only_read(connection));
  }
  TRY_ASSIGN(std::string replica, replica_of(context, place, renew));
  TRY_ASSIGN(Known known, ask(connection, place, replica, checkpoint, part));
  TRY(check_rights(connection, known));
  if (known.replica_known && !known.same_plan) {
    TRY_ASSIGN(replica, replica_of(context, place, Renew::yes));
    TRY_ASSIGN(known, ask(connection, place, replica, checkpoint, part));
  }
  if (!known.replica_known) {
    TRY(make_known(connection, place, replica));
    TRY_ASSIGN(known, ask(connection, place, replica, checkpoint, part));
    TRY(check_rights(connection, known));
  }
  return Met{std::move(replica), std::move(known)};
}

// Lines that are there with another content, in this transaction's staging table or among these rows.
Result<std::optional<std::int64_t>> first_conflict(const Result<Rows>& rows) {
  if (!rows) return base::fail(rows.error());
  if (rows->empty() || !rows->front().front()) return std::optional<std::int64_t>{};
  return std::optional(number_in(rows->front().front()));
}

struct PushRow {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::uint64_t bytes = 0;  // the end of the last line in our file
  std::string digest;       // of the last line
};

std::vector<Value> values_of(const std::string& replica, const PushRow& push) {
  return {replica, std::to_string(push.last), std::to_string(push.first), std::to_string(push.bytes),
          push.digest};
}

constexpr std::string_view kNotePush =
    "INSERT INTO plankeep.push (replica, last_line, first_line, bytes, digest) VALUES ($1, $2, $3, $4, $5) "
    "ON CONFLICT (replica, last_line) DO NOTHING";

// The lines of one transaction.
struct Batch {
  std::size_t lines = 0;
  std::vector<HistoryRow> rows;  // if there are few lines
  std::string copied;            // otherwise: the lines as COPY reads them
  PushRow push;
  base::Instant last_time;
  std::size_t redacted = 0;
};

// Reads from `offset`, where line `known` + 1 begins. A batch without lines means the end of the history.
Result<Batch> next_batch(LocalHistory& history, const secrets::Redactor& redactor, std::uint64_t offset,
                         std::int64_t known, base::Instant before, std::size_t most = kRowsAtOnce) {
  Batch batch;
  TRY_ASSIGN(const HistoryPiece piece, history.read(offset, most, kBytesAtOnce));
  if (piece.lines == 0) return batch;
  const secrets::Redacted redacted = redactor.json_lines(piece.text);
  batch.redacted = redacted.report().total();
  batch.last_time = before;
  std::string_view rest = redacted.text();
  std::string_view last;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    last = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    HistoryRow row = row_of(known + static_cast<std::int64_t>(++batch.lines), last, batch.last_time);
    batch.last_time = row.time;
    if (piece.lines <= kFewRows) {
      batch.rows.push_back(std::move(row));
    } else {
      append_copy_row(batch.copied, row);
    }
  }
  batch.push = {known + 1, known + static_cast<std::int64_t>(batch.lines), piece.end, line_digest(last)};
  return batch;
}

struct Sent {
  std::int64_t rows = 0;
  std::optional<std::int64_t> conflict;
};

Result<Sent> send_few(Connection& connection, const std::string& replica, const std::vector<HistoryRow>& rows,
                      const PushRow& push) {
  std::string lines;
  std::string times;
  std::string names;
  std::string bodies;
  for (const HistoryRow& row : rows) {
    append_array_element(lines, std::to_string(row.line));
    append_array_element(times, base::to_iso8601(row.time));
    append_array_element(names, row.name);
    append_array_element(bodies, row.body);
  }
  for (std::string* const array : {&lines, &times, &names, &bodies}) *array += '}';
  // One statement, so one round trip and all or nothing.
  constexpr std::string_view kSend = R"sql(
    WITH sent AS (
      SELECT * FROM unnest($2::bigint[], $3::timestamptz[], $4::text[], $5::jsonb[]) AS s (line, ts, name, body)),
    added AS (
      INSERT INTO plankeep.event (replica, line, ts, name, body)
      SELECT $1::uuid, line, ts, name, body FROM sent ON CONFLICT (replica, line) DO NOTHING RETURNING line),
    noted AS (
      INSERT INTO plankeep.push (replica, last_line, first_line, bytes, digest)
      SELECT $1::uuid, $6::bigint, $7::bigint, $8::bigint, $9
       WHERE NOT EXISTS (SELECT FROM sent s JOIN plankeep.event e ON e.replica = $1::uuid AND e.line = s.line
                          WHERE e.body <> s.body)
      ON CONFLICT (replica, last_line) DO NOTHING)
    SELECT count(*), (SELECT min(s.line) FROM sent s JOIN plankeep.event e ON e.replica = $1::uuid AND e.line = s.line
                       WHERE e.body <> s.body)
      FROM added)sql";
  TRY_ASSIGN(const Rows told,
             connection.query(std::string(kSend),
                              {replica, lines, times, names, bodies, std::to_string(push.last),
                               std::to_string(push.first), std::to_string(push.bytes), push.digest}));
  if (told.empty()) return Sent{};
  Sent sent{number_in(told.front()[0]), std::nullopt};
  if (told.front()[1]) sent.conflict = number_in(told.front()[1]);
  return sent;
}

// BEGIN ... COMMIT around it is the caller's.
Result<Sent> send_staged(Connection& connection, const std::string& replica, const Batch& batch,
                         const std::function<void()>& meanwhile) {
  TRY(connection.script(
      "CREATE TEMPORARY TABLE IF NOT EXISTS plankeep_staging (line bigint NOT NULL, ts timestamptz "
      "NOT NULL, name text NOT NULL, body jsonb NOT NULL) ON COMMIT DELETE ROWS"));
  TRY(connection.copy("COPY pg_temp.plankeep_staging (line, ts, name, body) FROM STDIN", batch.copied));
  Sent sent;
  TRY_ASSIGN(sent.rows,
             connection.change_beside("INSERT INTO plankeep.event (replica, line, ts, name, body) "
                                      "SELECT $1::uuid, line, ts, name, body FROM pg_temp.plankeep_staging "
                                      "ON CONFLICT (replica, line) DO NOTHING",
                                      {replica}, meanwhile));
  if (sent.rows < static_cast<std::int64_t>(batch.lines)) {
    TRY_ASSIGN(sent.conflict,
               first_conflict(connection.query("SELECT min(s.line) FROM pg_temp.plankeep_staging s JOIN "
                                               "plankeep.event e ON e.replica = $1::uuid "
                                               "AND e.line = s.line WHERE e.body <> s.body",
                                               {replica})));
  }
  if (!sent.conflict) TRY(connection.change(std::string(kNotePush), values_of(replica, batch.push)));
  return sent;
}

// Runs `meanwhile` while the server works, but only if the batch is large.
Result<Sent> send(Connection& connection, const std::string& replica, const Batch& batch,
                  const std::function<void()>& meanwhile) {
  if (!batch.rows.empty()) return send_few(connection, replica, batch.rows, batch.push);
  TRY(connection.script("BEGIN"));
  auto sent = send_staged(connection, replica, batch, meanwhile);
  const bool keep = sent && !sent->conflict;
  const Status ended = connection.script(keep ? "COMMIT" : "ROLLBACK");
  if (!sent) return sent;
  if (!ended) return base::fail(ended.error());
  if (!keep) sent->rows = 0;
  return sent;
}

// The first line that is another one on the server, looked for by halving: what is appended to never changes
// before its end.
Result<std::int64_t> diverging_line(Connection& connection, const std::string& replica, LocalHistory& history,
                                    const secrets::Redactor& redactor, std::int64_t lines) {
  std::int64_t same = 0;
  std::int64_t other = lines;
  while (other - same > 1) {
    const std::int64_t middle = same + (other - same) / 2;
    TRY_ASSIGN(const auto text, history.line(middle));
    bool equal = false;
    if (text) {
      const std::string redacted = std::move(redactor.json_lines(*text)).take();
      const HistoryRow row = row_of(middle, redacted, {});
      TRY_ASSIGN(const Rows rows,
                 connection.query(
                     "SELECT body = $3::jsonb FROM plankeep.event WHERE replica = $1::uuid AND line = $2",
                     {replica, std::to_string(middle), row.body}));
      equal = !rows.empty() && rows.front().front() == "t";
    }
    (equal ? same : other) = middle;
  }
  return other;
}

// Where the line behind the last one that the server has begins here. nullopt: the history here is another.
Result<std::optional<std::uint64_t>> start_here(LocalHistory& history, const secrets::Redactor& redactor,
                                                const Known& known) {
  return history.find(known.lines, known.bytes, [&](std::string_view text) {
    return line_digest(redactor.json_lines(text).text()) == known.digest;
  });
}

Status push_history(Connection& connection, LocalHistory& history, const secrets::Redactor& redactor,
                    const Known& known, PushReport& report) {
  report.lines = known.lines;
  TRY_ASSIGN(const auto start, start_here(history, redactor, known));
  if (!start) {
    TRY_ASSIGN(report.conflict, diverging_line(connection, report.replica, history, redactor, known.lines));
    return {};
  }
  TRY_ASSIGN(Batch batch, next_batch(history, redactor, *start, report.lines, {}));
  while (batch.lines > 0) {
    // The next batch is read and redacted while the server stores this one, so two are in memory.
    std::optional<Result<Batch>> next;
    const auto prepare = [&] {
      next = next_batch(history, redactor, batch.push.bytes, batch.push.last, batch.last_time);
    };
    TRY_ASSIGN(const Sent sent, send(connection, report.replica, batch, prepare));
    report.sent += sent.rows;
    report.redacted += batch.redacted;
    if (sent.conflict) {
      report.conflict = sent.conflict;
      return {};
    }
    report.lines = batch.push.last;
    if (!next) prepare();
    if (!*next) return base::fail(next->error());
    batch = std::move(**next);
  }
  return {};
}

struct PlanText {
  std::string text;
  std::string digest;
};
// As it would be sent; nullopt: the server has it, or there is nothing to show to others: the plan is gone,
// too large or no text.
Result<std::optional<PlanText>> text_to_send(const app::Context& context, const OwnPlace& place,
                                             const secrets::Redactor& redactor, const Known& known) {
  TRY_ASSIGN(const auto folder, context.files.open_folder(place.plan.folder));
  const auto read = store::PlanFile(context.files, *folder, place.plan.name).read();
  if (!read || read->bytes.size() > kLargestPlanText) return std::optional<PlanText>{};
  if (base::find_invalid_utf8(read->bytes) != std::string_view::npos ||
      read->bytes.find('\0') != std::string::npos)
    return std::optional<PlanText>{};
  PlanText plan;
  plan.text = std::move(redactor.plain(read->bytes)).take();
  plan.digest = base::sha256_hex(plan.text);
  if (plan.digest == known.text_digest) return std::optional<PlanText>{};
  return std::optional(std::move(plan));
}

Status push_text(const app::Context& context, Connection& connection, const OwnPlace& place,
                 const secrets::Redactor& redactor, const Known& known, PushReport& report) {
  TRY_ASSIGN(const auto plan, text_to_send(context, place, redactor, known));
  if (!plan) return {};
  TRY(connection.change("INSERT INTO plankeep.plan_text (replica, digest, text) VALUES ($1, $2, $3)",
                        {report.replica, plan->digest, plan->text}));
  report.text_sent = true;
  return {};
}

std::string newest_checkpoint_id(const app::Context& context, const OwnPlace& place) {
  records::CheckpointQuery query;
  query.limit = 1;
  const auto newest = app::list_checkpoints(context, place.plan, query);
  return newest && !newest->listed.empty() ? newest->listed.front().head.id.text : std::string();
}

}  // namespace

Result<PushReport> push_plan(const app::Context& context, Connection& connection, const OwnPlace& place,
                             const secrets::Redactor& redactor, Renew renew) {
  const std::string checkpoint = newest_checkpoint_id(context, place);
  TRY_ASSIGN(const Met met, meet(context, connection, place, checkpoint, renew, KnownPart::all));
  PushReport report;
  report.path = place.path;
  report.replica = met.replica;
  report.plan = met.known.plan;
  TRY_ASSIGN(const auto folder, context.files.open_folder(place.plan.folder));
  TRY_ASSIGN(const auto tracking, store::open_tracking(*folder, place.plan.name));
  LocalHistory history(*tracking);
  TRY(push_history(connection, history, redactor, met.known, report));
  if (report.conflict) return report;
  TRY(push_text(context, connection, place, redactor, met.known, report));
  if (!checkpoint.empty() && !met.known.has_checkpoint) {
    TRY_ASSIGN(report.checkpoints,
               push_checkpoints(context, connection, place.plan, report.replica, redactor));
  }
  if (met.known.has_claims) {
    TRY_ASSIGN(report.claims, tell_claims(context, connection, place, {report.plan, report.replica}));
  }
  return report;
}

Result<PushOutlook> push_outlook(const app::Context& context, Connection& connection, const OwnPlace& place,
                                 const secrets::Redactor& redactor) {
  const std::string checkpoint = newest_checkpoint_id(context, place);
  TRY_ASSIGN(const auto here, known_replica(context, place));
  std::string replica = here.value_or(new_replica_id());
  TRY_ASSIGN(Known known, ask(connection, place, replica, checkpoint, KnownPart::all));
  TRY(check_rights(connection, known));
  if (known.replica_known && !known.same_plan) {
    replica = new_replica_id();
    known = {};
  }
  TRY_ASSIGN(const auto folder, context.files.open_folder(place.plan.folder));
  TRY_ASSIGN(const auto tracking, store::open_tracking(*folder, place.plan.name));
  LocalHistory history(*tracking);
  PushOutlook outlook;
  outlook.lines = known.lines;
  TRY_ASSIGN(const auto start, start_here(history, redactor, known));
  if (!start) {
    TRY_ASSIGN(outlook.conflict, diverging_line(connection, replica, history, redactor, known.lines));
    return outlook;
  }
  TRY_ASSIGN(const auto text, text_to_send(context, place, redactor, known));
  outlook.text = text.has_value();
  outlook.checkpoints = !checkpoint.empty() && !known.has_checkpoint;
  // Only the server knows all of its rules: it is asked to take the next lines, and they are taken back.
  TRY_ASSIGN(const Batch batch, next_batch(history, redactor, *start, known.lines, {}, kFewRows));
  if (batch.lines == 0) return outlook;
  TRY(connection.script("BEGIN"));
  const auto sent = [&]() -> Result<Sent> {
    if (!known.replica_known) TRY(make_known(connection, place, replica));
    return send_few(connection, replica, batch.rows, batch.push);
  }();
  const Status ended = connection.script("ROLLBACK");
  if (!sent) return base::fail(sent.error());
  TRY(ended);
  outlook.conflict = sent->conflict;
  return outlook;
}

base::Error conflict_error(const std::string& path, std::int64_t line) {
  return {base::ErrorKind::conflict,
          path + ": line " + std::to_string(line) +
              " of the history differs from the fleet's server; nothing was overwritten",
          {},
          "if the history here is right: plankeep fleet push --new-replica"};
}

Result<Registered> register_replica(const app::Context& context, Connection& connection,
                                    const OwnPlace& place) {
  TRY_ASSIGN(const Met met, meet(context, connection, place, {}, Renew::no, KnownPart::replica));
  return Registered{met.known.plan, met.replica};
}

}  // namespace plankeep::fleet
