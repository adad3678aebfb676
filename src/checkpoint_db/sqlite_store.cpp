#include "checkpoint_db/sqlite_store.hpp"

#include <algorithm>
#include <utility>

#include "base/sha256.hpp"
#include "checkpoint_db/as_kept.hpp"
#include "checkpoint_db/passed_over.hpp"
#include "checkpoint_db/sqlite_chain.hpp"
#include "checkpoint_db/sqlite_clean_up.hpp"
#include "checkpoint_db/sqlite_connect.hpp"
#include "checkpoint_db/sqlite_definitions.hpp"
#include "checkpoint_db/sqlite_handles.hpp"
#include "checkpoint_db/sqlite_rows.hpp"
#include "checkpoint_db/sqlite_schema.hpp"
#include "checkpoint_db/sqlite_upgrade.hpp"
#include "model/json/checkpoint_json.hpp"

namespace plankeep::records {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using core::Checkpoint;
using core::CheckpointHead;

class SqliteStore : public CheckpointStore {
 public:
  SqliteStore(Connection connection, std::int64_t version, system::Folder& folder, std::string name,
              std::vector<std::string> warnings)
      : connection_(std::move(connection)),
        columns_(checkpoint_columns(version)),
        version_(version),
        folder_(folder),
        name_(std::move(name)),
        warnings_(std::move(warnings)) {}

  std::vector<std::string> take_warnings() override;

  Result<Checkpoint> add(Checkpoint checkpoint, std::optional<std::string_view> plan_text) override;
  Status keep_number(const std::string& prefix, std::int64_t number) override;
  Result<Checkpoint> get(const core::CheckpointId& id) override;
  Result<std::optional<Checkpoint>> latest(const CheckpointQuery& query) override;
  Result<std::vector<core::ListedCheckpoint>> list(const CheckpointQuery& query) override;
  Result<Checkpoint> turn(std::int64_t number) override;
  Result<Checkpoint> by_message(const std::string& message_id) override;
  Result<std::string> plan_text(const std::string& digest) override;
  Result<CleanedUp> clean_up(const CleanUp& rules, bool dry) override;
  Status for_each(const std::function<bool(const Checkpoint& checkpoint)>& each) override;
  Result<std::vector<std::string>> snapshot_refs() override;
  Result<StoreStats> stats() override;
  Result<Examination> examine() override;

 private:
  Result<Checkpoint> only(Use& use, const std::string& what);
  Result<std::optional<Checkpoint>> first_readable(Use& use);
  Status inspect_pages(std::vector<std::string>& wrong);
  Status inspect_rows(Examination& examination);

  Connection connection_;
  std::string columns_;
  std::int64_t version_;
  system::Folder& folder_;
  std::string name_;
  std::vector<std::string> warnings_;
  PassedOver passed_over_;
};

// The conditions of a query, and their values in the order of the parameters.
struct Conditions {
  std::string sql;
  std::vector<std::string> values;

  void add(std::string_view condition) {
    sql += sql.empty() ? " WHERE " : " AND ";
    sql += condition;
  }
  void add(std::string_view condition, std::string value) {
    add(condition);
    values.push_back(std::move(value));
  }
  int bind(Use& use) const {
    int parameter = 0;
    for (const std::string& value : values) use.bind(++parameter, value);
    return parameter;
  }
};

Conditions conditions_of(const CheckpointQuery& query) {
  Conditions conditions;
  if (query.type) conditions.add("checkpoint_type = ?", std::string(core::name_of(*query.type)));
  if (query.phase) conditions.add("phase_id = ?", query.phase->text);
  if (query.instance) conditions.add("instance_id = ?", *query.instance);
  if (query.since) conditions.add("timestamp >= ?", base::to_iso8601(*query.since));
  if (query.with_snapshot) conditions.add("snapshot_ref IS NOT NULL");
  if (query.turn_ends) conditions.add("turn IS NOT NULL");
  return conditions;
}

Result<Checkpoint> SqliteStore::add(Checkpoint given, std::optional<std::string_view> plan_text) {
  TRY_ASSIGN(Checkpoint checkpoint, as_kept(std::move(given), plan_text));
  CheckpointHead& head = checkpoint.head;
  core::Moment& moment = checkpoint.moment;
  const std::string todo = core::encode_todo(moment.todo_snapshot);
  const std::string todo_digest = base::sha256_hex(todo);
  const std::string shared = shared_work_state(checkpoint.work_state);
  const std::string work_digest = base::sha256_hex(shared);

  const std::string prefix = core::checkpoint_prefix(head.instance_id);
  TRY_ASSIGN(Transaction transaction, Transaction::begin(connection_));
  TRY_ASSIGN(const std::int64_t number, next_number(connection_, prefix));
  head.id = core::checkpoint_id(prefix, number);
  if (core::is_turn_end(head)) {
    TRY_ASSIGN(moment.turn, next_number(connection_, "turn"));
  }
  if (plan_text) TRY(keep_text(connection_, moment.plan_digest, *plan_text));
  TRY(keep_text(connection_, todo_digest, todo));
  TRY(keep_text(connection_, work_digest, shared));
  TRY(insert_checkpoint(connection_, checkpoint, work_digest, todo_digest));
  TRY(transaction.commit());
  return checkpoint;
}

Status SqliteStore::keep_number(const std::string& prefix, std::int64_t number) {
  return raise_counter(connection_, prefix, number);
}

Result<Checkpoint> SqliteStore::only(Use& use, const std::string& what) {
  TRY_ASSIGN(const bool row, use.step());
  if (!row)
    return base::fail(ErrorKind::not_found, "unknown " + what, "to list all: plankeep checkpoint list");
  return read_checkpoint(connection_, use);
}

std::vector<std::string> SqliteStore::take_warnings() {
  std::vector<std::string> warnings = std::exchange(warnings_, {});
  passed_over_.tell(warnings);
  return warnings;
}

Result<std::optional<Checkpoint>> SqliteStore::first_readable(Use& use) {
  while (true) {
    TRY_ASSIGN(const bool row, use.step());
    if (!row) return std::optional<Checkpoint>();
    auto checkpoint = read_checkpoint(connection_, use);
    if (checkpoint) return std::optional(std::move(*checkpoint));
    TRY(passed_over_.add(checkpoint.error()));
  }
}

Result<Checkpoint> SqliteStore::get(const core::CheckpointId& id) {
  TRY_ASSIGN(const Statement select,
             connection_.prepare("SELECT " + columns_ + " FROM checkpoints WHERE checkpoint_id = ?"));
  Use use(connection_, select);
  use.bind(1, id.text);
  return only(use, "checkpoint " + id.text);
}

Result<std::optional<Checkpoint>> SqliteStore::latest(const CheckpointQuery& query) {
  const Conditions conditions = conditions_of(query);
  TRY_ASSIGN(const Statement select,
             connection_.prepare("SELECT " + columns_ + " FROM checkpoints" + conditions.sql +
                                 " ORDER BY timestamp DESC, added DESC"));
  Use use(connection_, select);
  conditions.bind(use);
  return first_readable(use);
}

Result<std::vector<core::ListedCheckpoint>> SqliteStore::list(const CheckpointQuery& query) {
  const Conditions conditions = conditions_of(query);
  TRY_ASSIGN(const Statement select,
             connection_.prepare("SELECT " + std::string(kHeadColumns) + " FROM checkpoints" +
                                 conditions.sql + " ORDER BY timestamp DESC, added DESC LIMIT ?"));
  Use use(connection_, select);
  const int bound = conditions.bind(use);
  constexpr std::size_t kMost = std::size_t{1} << 30;
  constexpr std::size_t kPassedOver = 1000;  // for rows that cannot be read
  const std::size_t rows = query.limit == 0 ? 0 : std::min(query.limit, kMost) + kPassedOver;
  use.bind(bound + 1, static_cast<std::int64_t>(rows));
  std::vector<core::ListedCheckpoint> listed;
  while (listed.size() < query.limit) {
    TRY_ASSIGN(const bool row, use.step());
    if (!row) break;
    core::ListedCheckpoint one;
    if (const Status read = read_listed(connection_, use, one); !read) {
      TRY(passed_over_.add(read.error()));
      continue;
    }
    listed.push_back(std::move(one));
  }
  return listed;
}

Result<Checkpoint> SqliteStore::turn(std::int64_t number) {
  TRY_ASSIGN(const Statement select,
             connection_.prepare("SELECT " + columns_ + " FROM checkpoints WHERE turn = ?"));
  Use use(connection_, select);
  use.bind(1, number);
  return only(use, "turn " + std::to_string(number));
}

Result<Checkpoint> SqliteStore::by_message(const std::string& message_id) {
  TRY_ASSIGN(const Statement select,
             connection_.prepare("SELECT " + columns_ +
                                 " FROM checkpoints WHERE message_id = ? ORDER BY turn IS NOT NULL DESC, "
                                 "timestamp DESC, added DESC"));
  Use use(connection_, select);
  use.bind(1, message_id);
  TRY_ASSIGN(auto found, first_readable(use));
  if (found) return std::move(*found);
  return base::fail(ErrorKind::not_found, "unknown checkpoint of the message " + message_id,
                    "to list all: plankeep checkpoint list");
}

Result<std::string> SqliteStore::plan_text(const std::string& digest) {
  return text_of(connection_, digest);
}

Status SqliteStore::for_each(const std::function<bool(const Checkpoint& checkpoint)>& each) {
  TRY_ASSIGN(const Statement select,
             connection_.prepare("SELECT " + columns_ + " FROM checkpoints ORDER BY added"));
  Use use(connection_, select);
  while (true) {
    TRY_ASSIGN(const auto checkpoint, first_readable(use));
    if (!checkpoint || !each(*checkpoint)) return {};
  }
}

Result<CleanedUp> SqliteStore::clean_up(const CleanUp& rules, bool dry) {
  return clean_up_checkpoints(connection_, rules, dry);
}

Result<std::vector<std::string>> SqliteStore::snapshot_refs() {
  TRY_ASSIGN(
      const Statement select,
      connection_.prepare("SELECT DISTINCT snapshot_ref FROM checkpoints WHERE snapshot_ref IS NOT NULL "
                          "ORDER BY snapshot_ref"));
  Use use(connection_, select);
  std::vector<std::string> refs;
  while (true) {
    TRY_ASSIGN(const bool row, use.step());
    if (!row) return refs;
    refs.emplace_back(use.text(0));
  }
}

Result<StoreStats> SqliteStore::stats() {
  StoreStats stats;
  TRY_ASSIGN(const Statement select,
             connection_.prepare("SELECT COUNT(*), COUNT(snapshot_ref), MIN(timestamp), MAX(timestamp), "
                                 "(SELECT COUNT(*) FROM texts), (SELECT value FROM counters WHERE name = "
                                 "'added') FROM checkpoints"));
  Use use(connection_, select);
  TRY_ASSIGN(const bool row, use.step());
  if (row) {
    stats.checkpoints = use.number(0);
    stats.snapshots = use.number(1);
    stats.oldest = base::parse_iso8601(use.text(2));
    stats.newest = base::parse_iso8601(use.text(3));
    stats.texts = use.number(4);
    stats.added = use.number(5);
  }
  for (const std::string& name : sqlite_file_names(name_)) {
    TRY_ASSIGN(const system::FileInfo info, folder_.info(name));
    if (info.kind == system::FileKind::regular) stats.bytes += static_cast<std::int64_t>(info.size);
  }
  return stats;
}

constexpr std::size_t kMostFindings = 20;

Status SqliteStore::inspect_pages(std::vector<std::string>& wrong) {
  TRY_ASSIGN(const Statement check, connection_.prepare("PRAGMA quick_check(20)"));
  Use use(connection_, check);
  while (wrong.size() < kMostFindings) {
    const auto row = use.step();
    if (!row && row.error().kind != ErrorKind::corrupt) return base::fail(row.error());
    if (!row) {
      wrong.push_back(row.error().message);
      return {};
    }
    if (!*row) return {};
    // A value that a row must not have is that row's trouble, which look_at_rows names.
    const std::string_view words = use.text(0);
    if (words != "ok" && !words.starts_with("CHECK constraint failed")) wrong.emplace_back(words);
  }
  return {};
}

Status SqliteStore::inspect_rows(Examination& examination) {
  std::vector<std::string>& wrong = examination.changed;
  if (version_ > 1) {
    TRY_ASSIGN(wrong, broken_links(connection_, kMostFindings));
  }
  TRY_ASSIGN(const Statement select,
             connection_.prepare("SELECT " + columns_ + (version_ > 1 ? ", work_digest" : ", ''") +
                                 " FROM checkpoints ORDER BY added"));
  Use use(connection_, select);
  constexpr int kWorkDigest = 13;
  while (wrong.size() < kMostFindings) {
    TRY_ASSIGN(const bool row, use.step());
    if (!row) return {};
    const Result<Checkpoint> checkpoint = read_checkpoint(connection_, use);
    if (!checkpoint) {
      wrong.push_back(checkpoint.error().message);
      continue;
    }
    for (const std::string& digest : {checkpoint->moment.plan_digest, std::string(use.text(kWorkDigest))}) {
      if (digest.empty()) continue;
      const auto text = text_of(connection_, digest);
      if (!text) wrong.push_back(checkpoint->head.id.text + ": " + text.error().message);
    }
  }
  return {};
}

Result<Examination> SqliteStore::examine() {
  Examination examination;
  TRY(inspect_pages(examination.damage));
  if (examination.damage.empty()) TRY(inspect_rows(examination));
  return examination;
}

base::Error no_store(const std::string& path) {
  return {ErrorKind::not_found,
          "there are no checkpoints yet (" + path + ")",
          {},
          "to make one: plankeep checkpoint create"};
}

}  // namespace

std::vector<std::string> sqlite_file_names(const std::string& name) {
  return {name, name + "-wal", name + "-shm", name + "-journal"};
}

Result<std::unique_ptr<CheckpointStore>> open_sqlite(system::Folder& folder, const std::string& name,
                                                     Access access) {
  TRY_ASSIGN(const bool there, check_files(folder, name));
  const std::string path = folder.path_of(name);
  if (!there) {
    if (access == Access::read) return base::fail(no_store(path));
    // Opened and closed only while it is missing: closing a file takes away the locks of a store on it.
    TRY_ASSIGN(const auto made, folder.open_append(name));
    TRY(folder.sync());
  }
  std::vector<std::string> warnings;
  if (access == Access::write) {
    TRY_ASSIGN(const std::string aside, set_journal_aside(folder, name));
    if (!aside.empty()) {
      warnings.push_back(name + "-journal was not written by plankeep and was ignored; it is kept as " +
                         folder.path_of(aside));
    }
  }
  TRY_ASSIGN(Connection connection, connect(folder, name, access));
  TRY_ASSIGN(std::int64_t version, schema_version(connection));
  if (version == 0 && access == Access::read) return base::fail(no_store(path));
  if (access == Access::write) {
    if (version == 0) TRY(make_schema(connection));
    TRY(use_write_ahead_log(connection));
    if (version == 1) TRY(upgrade(connection));
    version = kLatestVersion;
  }
  trust_triggers(connection);
  return std::make_unique<SqliteStore>(std::move(connection), version, folder, name, std::move(warnings));
}

}  // namespace plankeep::records
