#include "fleet/checkpoints/server_store.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "base/hex.hpp"
#include "base/sha256.hpp"
#include "checkpoint_db/as_kept.hpp"
#include "checkpoint_db/passed_over.hpp"
#include "fleet/checkpoints/checkpoint_body.hpp"
#include "fleet/checkpoints/server_clean_up.hpp"
#include "fleet/checkpoints/server_rows.hpp"
#include "fleet/schema.hpp"

namespace plankeep::fleet {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using core::Checkpoint;
using records::CheckpointQuery;

constexpr std::size_t kMostFindings = 20;
constexpr std::size_t kUnreadable = 1000;  // rows that a list may pass over
constexpr const char* kNewestFirst = "c.ts DESC, c.added DESC";

class ServerStore : public records::CheckpointStore {
 public:
  ServerStore(Connection& connection, std::string replica)
      : connection_(connection), replica_(std::move(replica)) {}

  std::vector<std::string> take_warnings() override {
    std::vector<std::string> warnings;
    passed_over_.tell(warnings);
    return warnings;
  }

  Result<Checkpoint> add(Checkpoint given, std::optional<std::string_view> plan_text) override;
  Result<Checkpoint> get(const core::CheckpointId& id) override;
  Result<std::optional<Checkpoint>> latest(const CheckpointQuery& query) override;
  Result<std::vector<core::ListedCheckpoint>> list(const CheckpointQuery& query) override;
  Result<Checkpoint> turn(std::int64_t number) override;
  Result<Checkpoint> by_message(const std::string& message_id) override;
  Result<std::string> plan_text(const std::string& digest) override;
  Result<records::CleanedUp> clean_up(const records::CleanUp& rules, bool dry) override {
    return clean_up_on_server(connection_, replica_, rules, dry);
  }
  Status for_each(const std::function<bool(const Checkpoint& checkpoint)>& each) override;
  Result<std::vector<std::string>> snapshot_refs() override;
  Result<records::StoreStats> stats() override;
  Result<records::Examination> examine() override;

 private:
  Result<std::int64_t> next_number(const std::string& name, const std::string& given);
  Result<Checkpoint> only(const RowCondition& condition, const std::string& order, const std::string& what);
  Status readable(const std::vector<std::int64_t>& numbers,
                  const std::function<bool(const Checkpoint& checkpoint)>& each);

  Connection& connection_;
  std::string replica_;
  records::PassedOver passed_over_;
};

// Columns cannot store a NUL, so the record's own values are compared as well.
bool has(const Checkpoint& checkpoint, const CheckpointQuery& query) {
  return (!query.phase || checkpoint.head.phase == *query.phase) &&
         (!query.instance || checkpoint.head.instance_id == *query.instance);
}

// The next number: one more than the greatest `given` (SQL over rows `c` of the replica) and than any that
// was deleted.
Result<std::int64_t> ServerStore::next_number(const std::string& name, const std::string& given) {
  TRY_ASSIGN(const Rows rows,
             connection_.query("SELECT 1 + greatest((SELECT coalesce(max(" + given +
                                   "), 0) FROM plankeep.checkpoint c WHERE c.replica = $1::uuid), (SELECT "
                                   "coalesce(max(n.last), 0) FROM plankeep.checkpoint_number n WHERE "
                                   "n.replica = $1::uuid AND n.name = $2))",
                               {replica_, name}));
  if (rows.empty()) return base::fail(ErrorKind::internal, "the fleet's server gave no number");
  return number_in(rows.front().front());
}

Result<Checkpoint> ServerStore::add(Checkpoint given, std::optional<std::string_view> plan_text) {
  TRY_ASSIGN(Checkpoint checkpoint, records::as_kept(std::move(given), plan_text));
  core::CheckpointHead& head = checkpoint.head;
  const std::string prefix = core::checkpoint_prefix(head.instance_id);
  TRY(in_transaction(connection_, replica_, [&]() -> Result<Keep> {
    TRY_ASSIGN(const std::int64_t number,
               next_number(prefix,
                           "CASE WHEN c.id ~ '^cp_[0-9a-f]{6}_[0-9]{3,15}$' AND substr(c.id, 1, 9) "
                           "= $2 THEN substr(c.id, 11)::bigint END"));
    head.id = core::checkpoint_id(prefix, number);
    if (core::is_turn_end(head)) {
      TRY_ASSIGN(checkpoint.moment.turn, next_number("turn", "c.turn"));
    }
    Value digest;
    if (plan_text) {
      digest = checkpoint.moment.plan_digest;
      const auto* const bytes = reinterpret_cast<const unsigned char*>(plan_text->data());
      TRY(connection_.change(
          "INSERT INTO plankeep.checkpoint_text (replica, digest, content) SELECT $1::uuid, $2, "
          "decode($3, 'hex') ON CONFLICT (replica, digest) DO NOTHING",
          {replica_, digest, base::to_hex({bytes, plan_text->size()})}));
    }
    TRY(connection_.change(
        "INSERT INTO plankeep.checkpoint (replica, id, type, ts, phase, body, text_digest) VALUES ($1::uuid, "
        "$2, $3, $4::timestamptz, $5, $6::jsonb, $7)",
        {replica_, head.id.text, std::string(core::name_of(head.type)), base::to_iso8601(head.timestamp),
         column_text(head.phase.text), checkpoint_body(checkpoint), digest}));
    return Keep::yes;
  }));
  return checkpoint;
}

Result<Checkpoint> ServerStore::only(const RowCondition& condition, const std::string& order,
                                     const std::string& what) {
  TRY_ASSIGN(const std::vector<std::int64_t> numbers, row_numbers(connection_, condition, order, 1));
  Result<Checkpoint> found =
      base::fail(ErrorKind::not_found, "unknown " + what, "to list all: plankeep fleet checkpoints");
  TRY(read_rows(connection_, replica_, numbers, [&](ServerRow& row) -> Result<bool> {
    found = std::move(row.checkpoint);
    return false;
  }));
  return found;
}

Status ServerStore::readable(const std::vector<std::int64_t>& numbers,
                             const std::function<bool(const Checkpoint& checkpoint)>& each) {
  return read_rows(connection_, replica_, numbers, [&](ServerRow& row) -> Result<bool> {
    if (row.checkpoint) return each(*row.checkpoint);
    TRY(passed_over_.add(row.checkpoint.error()));
    return true;
  });
}

Result<Checkpoint> ServerStore::get(const core::CheckpointId& id) {
  RowCondition condition(replica_);
  // An invalid id may contain a NUL, and libpq would cut the text there.
  condition.add(core::is_checkpoint_id(id.text) ? "c.id = " + condition.parameter(id.text) : "false");
  return only(condition, "c.added", "checkpoint " + id.text);
}

Result<Checkpoint> ServerStore::turn(std::int64_t number) {
  RowCondition condition(replica_);
  condition.add("c.turn > 0 AND c.turn = " + condition.parameter(std::to_string(number)) + "::bigint");
  return only(condition, kNewestFirst, "turn " + std::to_string(number));
}

Result<std::optional<Checkpoint>> ServerStore::latest(const CheckpointQuery& query) {
  TRY_ASSIGN(const std::vector<std::int64_t> numbers,
             row_numbers(connection_, RowCondition(replica_, query), kNewestFirst, kUnreadable));
  std::optional<Checkpoint> found;
  TRY(readable(numbers, [&](const Checkpoint& checkpoint) {
    if (!has(checkpoint, query)) return true;
    found = checkpoint;
    return false;
  }));
  return found;
}

Result<std::vector<core::ListedCheckpoint>> ServerStore::list(const CheckpointQuery& query) {
  std::vector<core::ListedCheckpoint> listed;
  if (query.limit == 0) return listed;
  constexpr std::size_t kMost = std::size_t{1} << 30;
  TRY_ASSIGN(const std::vector<std::int64_t> numbers,
             row_numbers(connection_, RowCondition(replica_, query), kNewestFirst,
                         std::min(query.limit, kMost) + kUnreadable));
  TRY(readable(numbers, [&](const Checkpoint& checkpoint) {
    if (has(checkpoint, query)) listed.push_back(core::listed(checkpoint));
    return listed.size() < query.limit;
  }));
  return listed;
}

Result<Checkpoint> ServerStore::by_message(const std::string& message_id) {
  RowCondition condition(replica_);
  condition.add(message_id.empty() ? "false" : "c.message = " + condition.parameter(column_text(message_id)));
  TRY_ASSIGN(
      const std::vector<std::int64_t> numbers,
      row_numbers(connection_, condition, "c.turn > 0 DESC, " + std::string(kNewestFirst), kUnreadable));
  std::optional<Checkpoint> found;
  TRY(readable(numbers, [&](const Checkpoint& checkpoint) {
    if (checkpoint.moment.message_id != message_id) return true;
    found = checkpoint;
    return false;
  }));
  if (found) return std::move(*found);
  return base::fail(ErrorKind::not_found, "unknown checkpoint of the message " + message_id,
                    "to list all: plankeep fleet checkpoints");
}

Result<std::string> ServerStore::plan_text(const std::string& digest) {
  const auto none = [&] { return base::fail(ErrorKind::not_found, "no text has the digest " + digest); };
  if (!base::from_hex(digest)) return none();
  TRY_ASSIGN(const Rows rows,
             connection_.query(
                 "SELECT encode(t.content, 'hex') FROM plankeep.checkpoint_text t WHERE t.replica = $1::uuid "
                 "AND t.digest = $2 UNION ALL (SELECT encode(convert_to(p.text, 'UTF8'), 'hex') FROM "
                 "plankeep.plan_text p WHERE p.replica = $1::uuid AND p.digest = $2 LIMIT 1)",
                 {replica_, digest}));
  if (rows.empty()) return none();
  // A writer can push any text under any digest, so take the one that matches.
  for (const Row& row : rows) {
    auto text = base::from_hex(row.front().value_or(""));
    if (text && base::sha256_hex(*text) == digest) return std::move(*text);
  }
  return base::fail(ErrorKind::corrupt, "a text on the fleet's server does not match its digest");
}

Status ServerStore::for_each(const std::function<bool(const Checkpoint& checkpoint)>& each) {
  TRY_ASSIGN(const std::vector<std::int64_t> numbers,
             row_numbers(connection_, RowCondition(replica_), "c.added"));
  return readable(numbers, each);
}

Result<std::vector<std::string>> ServerStore::snapshot_refs() {
  TRY_ASSIGN(const Rows rows,
             connection_.query("SELECT DISTINCT c.snapshot FROM plankeep.checkpoint c WHERE c.replica = "
                               "$1::uuid AND c.snapshot IS NOT NULL",
                               {replica_}));
  std::vector<std::string> refs;
  for (const Row& row : rows) refs.push_back(row.front().value_or(""));
  std::sort(refs.begin(), refs.end());
  return refs;
}

Result<records::StoreStats> ServerStore::stats() {
  // Task lists and work states are parts of the records. A record that is stored as a string counts as one of
  // each.
  constexpr std::string_view kQuestion = R"sql(
    SELECT count(*), count(c.snapshot), (extract(epoch FROM min(c.ts)) * 1000)::bigint,
           (extract(epoch FROM max(c.ts)) * 1000)::bigint,
           count(DISTINCT coalesce(c.body #> '{moment,todoSnapshot}', c.body)) +
             count(DISTINCT coalesce(c.body -> 'work_state', c.body)) +
             (SELECT count(*) FROM plankeep.checkpoint_text t WHERE t.replica = $1::uuid),
           coalesce(sum(pg_column_size(c.*)), 0) +
             (SELECT coalesce(sum(pg_column_size(t.*)), 0) FROM plankeep.checkpoint_text t
               WHERE t.replica = $1::uuid)
      FROM plankeep.checkpoint c WHERE c.replica = $1::uuid)sql";
  TRY_ASSIGN(const Rows rows, connection_.query(std::string(kQuestion), {replica_}));
  records::StoreStats stats;
  if (rows.empty()) return stats;
  const Row& row = rows.front();
  stats.checkpoints = number_in(row[0]);
  stats.snapshots = number_in(row[1]);
  if (row[2]) stats.oldest = base::Instant{number_in(row[2])};
  if (row[3]) stats.newest = base::Instant{number_in(row[3])};
  stats.texts = number_in(row[4]);
  stats.bytes = number_in(row[5]);
  return stats;
}

// Checks that the columns agree with the record. Texts need no check: the server itself compares them with
// their digests and keeps those that a row refers to.
Result<records::Examination> ServerStore::examine() {
  records::Examination examination;
  std::vector<std::string>& wrong = examination.changed;
  TRY_ASSIGN(const std::vector<std::int64_t> numbers,
             row_numbers(connection_, RowCondition(replica_), "c.added"));
  std::set<std::int64_t> turns;
  TRY(read_rows(connection_, replica_, numbers, [&](ServerRow& row) -> Result<bool> {
    if (!row.checkpoint) {
      wrong.push_back(row.checkpoint.error().message);
      return wrong.size() < kMostFindings;
    }
    const core::CheckpointHead& head = row.checkpoint->head;
    const std::int64_t turn = row.checkpoint->moment.turn;
    if (row.type != core::name_of(head.type) || row.time != head.timestamp)
      wrong.push_back(row.id + ": the record has another type or time than its row");
    if (turn > 0 && !turns.insert(turn).second)
      wrong.push_back(row.id + ": turn " + std::to_string(turn) + " is there twice");
    return wrong.size() < kMostFindings;
  }));
  return examination;
}

}  // namespace

Result<std::unique_ptr<records::CheckpointStore>> open_server_store(Connection& connection,
                                                                    const std::string& replica) {
  TRY(require_schema(connection));
  std::string id = replica;
  std::erase(id, '-');
  constexpr std::size_t kDigits = 32;
  Rows rows;
  if (id.size() == kDigits && base::from_hex(id)) {
    TRY_ASSIGN(rows, connection.query("SELECT r.id FROM plankeep.replica r WHERE r.id = $1::uuid", {id}));
  }
  if (rows.empty())
    return base::fail(ErrorKind::not_found, "the fleet's server has no replica " + column_text(replica));
  return std::make_unique<ServerStore>(connection, rows.front().front().value_or(""));
}

}  // namespace plankeep::fleet
