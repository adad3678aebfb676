#include "records/sqlite_store.hpp"

#include <array>
#include <utility>

#include "base/sha256.hpp"
#include "core/checkpoint_json.hpp"
#include "records/sqlite_handles.hpp"
#include "records/sqlite_schema.hpp"

namespace plankeep::records {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using core::Checkpoint;
using core::CheckpointHead;

constexpr int kPatienceMs = 2000;
constexpr int kLongestValue = 300 << 20;  // above what a plan may have (spec 16)

// The columns of a head, in the order that read_head wants.
constexpr std::string_view kHeadColumns =
    "checkpoint_id, instance_id, checkpoint_type, sequence_num, context_window_percent, timestamp, phase_id, "
    "metadata";
constexpr int kHeadCount = 8;
constexpr std::string_view kAllColumns =
    "checkpoint_id, instance_id, checkpoint_type, sequence_num, context_window_percent, timestamp, phase_id, "
    "metadata, moment, work_state, todo_digest, turn";

class SqliteStore : public CheckpointStore {
 public:
  SqliteStore(Connection connection, system::Folder& folder, std::string name)
      : connection_(std::move(connection)), folder_(folder), name_(std::move(name)) {}

  Result<Checkpoint> add(Checkpoint checkpoint, std::optional<std::string_view> plan_text) override;
  Result<Checkpoint> get(const core::CheckpointId& id) override;
  Result<std::optional<Checkpoint>> latest(const CheckpointQuery& query) override;
  Result<std::vector<CheckpointHead>> list(const CheckpointQuery& query) override;
  Result<Checkpoint> turn(std::int64_t number) override;
  Result<Checkpoint> by_message(const std::string& message_id) override;
  Result<std::string> plan_text(const std::string& digest) override;
  Result<CleanedUp> clean_up(const CleanUp& rules, bool dry) override;
  Status for_each(const std::function<bool(const Checkpoint& checkpoint)>& each) override;
  Result<std::vector<std::string>> snapshot_refs() override;
  Result<StoreStats> stats() override;
  Result<std::vector<std::string>> examine() override;

 private:
  Result<std::int64_t> next(std::string_view counter);
  Status keep_text(std::string_view digest, std::string_view content);
  Result<std::string> text_of(std::string_view digest);
  Status insert(const Checkpoint& checkpoint, std::string_view work_state, std::string_view todo_digest);
  Result<Checkpoint> read_row(const Use& use);
  Result<Checkpoint> only(Use& use, const std::string& what);
  Status delete_old(const std::string& where, const CleanUp& rules, const std::string& moment,
                    CleanedUp& cleaned);
  Status delete_texts(CleanedUp& cleaned);
  Status keep_shared_snapshots(CleanedUp& cleaned);
  base::Error damaged(const base::Error& error) const;

  Connection connection_;
  system::Folder& folder_;
  std::string name_;
};

Status read_head(const Use& use, CheckpointHead& head) {
  head.id.text = use.text(0);
  head.instance_id = use.text(1);
  const auto type = core::checkpoint_type(use.text(2));
  const auto time = base::parse_iso8601(use.text(5));
  if (!type || !time) return base::fail(ErrorKind::corrupt, head.id.text + ": no such type or time");
  head.type = *type;
  head.sequence_num = use.number(3);
  if (!use.is_null(4)) head.context_window_percent = static_cast<int>(use.number(4));
  head.timestamp = *time;
  head.phase.text = use.text(6);
  TRY_ASSIGN(head.metadata, core::decode_metadata(use.text(7)));
  return {};
}

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
  return conditions;
}

base::Error SqliteStore::damaged(const base::Error& error) const {
  base::Error told = base::with_context(error, connection_.path());
  if (told.hint.empty()) told.hint = "plankeep doctor says more";
  return told;
}

// The next number of a counter, from 1.
Result<std::int64_t> SqliteStore::next(std::string_view counter) {
  TRY_ASSIGN(const Statement upsert,
             connection_.prepare("INSERT INTO counters (name, value) VALUES (?, 1) ON CONFLICT (name) DO "
                                 "UPDATE SET value = counters.value + 1 RETURNING value"));
  Use use(connection_, upsert);
  use.bind(1, counter);
  TRY_ASSIGN(const bool row, use.step());
  if (!row) return base::fail(ErrorKind::internal, "a counter gave no number");
  const std::int64_t number = use.number(0);
  TRY(use.run());
  return number;
}

Status SqliteStore::keep_text(std::string_view digest, std::string_view content) {
  TRY_ASSIGN(const Statement insert,
             connection_.prepare(
                 "INSERT INTO texts (digest, content) VALUES (?, ?) ON CONFLICT (digest) DO NOTHING"));
  Use use(connection_, insert);
  use.bind(1, digest);
  use.bind_bytes(2, content);
  return use.run();
}

Result<std::string> SqliteStore::text_of(std::string_view digest) {
  TRY_ASSIGN(const Statement select, connection_.prepare("SELECT content FROM texts WHERE digest = ?"));
  Use use(connection_, select);
  use.bind(1, digest);
  TRY_ASSIGN(const bool row, use.step());
  if (!row) return base::fail(ErrorKind::not_found, "no text has the digest " + std::string(digest));
  std::string text(use.text(0));
  if (base::sha256_hex(text) != digest) {
    return base::fail(damaged({ErrorKind::corrupt, "a text is not what its digest says", {}, {}}));
  }
  return text;
}

Status SqliteStore::insert(const Checkpoint& checkpoint, std::string_view work_state,
                           std::string_view todo_digest) {
  const CheckpointHead& head = checkpoint.head;
  const core::Moment& moment = checkpoint.moment;
  const std::string timestamp = base::to_iso8601(head.timestamp);
  const std::string metadata = core::encode_metadata(head.metadata);
  const std::string moment_text = core::encode_moment(moment);
  TRY_ASSIGN(const std::int64_t added, next("added"));
  TRY_ASSIGN(const Statement statement,
             connection_.prepare(
                 "INSERT INTO checkpoints (checkpoint_id, added, instance_id, checkpoint_type, sequence_num, "
                 "context_window_percent, timestamp, phase_id, turn, message_id, snapshot_ref, plan_digest, "
                 "todo_digest, metadata, moment, work_state) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                 "?, ?, ?)"));
  Use use(connection_, statement);
  const auto text_or_null = [&use](int parameter, std::string_view text) {
    if (text.empty()) {
      use.bind_null(parameter);
    } else {
      use.bind(parameter, text);
    }
  };
  int at = 0;
  use.bind(++at, head.id.text);
  use.bind(++at, added);
  use.bind(++at, head.instance_id);
  use.bind(++at, core::name_of(head.type));
  use.bind(++at, head.sequence_num);
  ++at;
  if (head.context_window_percent) {
    use.bind(at, std::int64_t{*head.context_window_percent});
  } else {
    use.bind_null(at);
  }
  use.bind(++at, timestamp);
  use.bind(++at, head.phase.text);
  ++at;
  if (moment.turn > 0) {
    use.bind(at, moment.turn);
  } else {
    use.bind_null(at);
  }
  text_or_null(++at, moment.message_id);
  text_or_null(++at, moment.snapshot ? std::string_view(moment.snapshot->ref) : std::string_view());
  text_or_null(++at, moment.plan_digest);
  use.bind(++at, todo_digest);
  use.bind(++at, metadata);
  use.bind(++at, moment_text);
  use.bind(++at, work_state);
  return use.run();
}

Result<Checkpoint> SqliteStore::add(Checkpoint checkpoint, std::optional<std::string_view> plan_text) {
  CheckpointHead& head = checkpoint.head;
  core::Moment& moment = checkpoint.moment;
  const std::string digest = plan_text ? base::sha256_hex(*plan_text) : std::string();
  if (digest != moment.plan_digest) {
    return base::fail(ErrorKind::invalid_input, "the plan's text is not the one of its digest");
  }
  checkpoint.work_state = core::fit(std::move(checkpoint.work_state));
  const std::string work_state = core::encode_work_state(checkpoint.work_state);
  head.metadata.size_bytes = static_cast<std::int64_t>(work_state.size());
  const std::string todo = core::encode_todo(moment.todo_snapshot);
  const std::string todo_digest = base::sha256_hex(todo);

  const std::string prefix = core::checkpoint_prefix(head.instance_id);
  TRY_ASSIGN(Transaction transaction, Transaction::begin(connection_));
  TRY_ASSIGN(const std::int64_t number, next(prefix));
  head.id = core::checkpoint_id(prefix, number);
  moment.turn = 0;
  if (head.type == core::CheckpointType::turn) {
    TRY_ASSIGN(moment.turn, next("turn"));
  }
  if (plan_text) TRY(keep_text(digest, *plan_text));
  TRY(keep_text(todo_digest, todo));
  TRY(insert(checkpoint, work_state, todo_digest));
  TRY(transaction.commit());
  return checkpoint;
}

// Of a row of kAllColumns.
Result<Checkpoint> SqliteStore::read_row(const Use& use) {
  Checkpoint checkpoint;
  const auto read = [&]() -> Status {
    TRY(read_head(use, checkpoint.head));
    TRY_ASSIGN(checkpoint.moment, core::decode_moment(use.text(kHeadCount)));
    TRY_ASSIGN(checkpoint.work_state, core::decode_work_state(use.text(kHeadCount + 1)));
    TRY_ASSIGN(const std::string todo, text_of(use.text(kHeadCount + 2)));
    TRY_ASSIGN(checkpoint.moment.todo_snapshot, core::decode_todo(todo));
    return {};
  };
  const Status done = read();
  if (done) return checkpoint;
  base::Error error = done.error();
  // What is missing or cannot be read inside a row is damage of the row.
  if (error.kind != ErrorKind::io && error.kind != ErrorKind::busy) error.kind = ErrorKind::corrupt;
  return base::fail(damaged(base::with_context(error, checkpoint.head.id.text)));
}

Result<Checkpoint> SqliteStore::only(Use& use, const std::string& what) {
  TRY_ASSIGN(const bool row, use.step());
  if (!row)
    return base::fail(ErrorKind::not_found, "there is no " + what, "plankeep checkpoint list shows all");
  return read_row(use);
}

Result<Checkpoint> SqliteStore::get(const core::CheckpointId& id) {
  TRY_ASSIGN(const Statement select, connection_.prepare("SELECT " + std::string(kAllColumns) +
                                                         " FROM checkpoints WHERE checkpoint_id = ?"));
  Use use(connection_, select);
  use.bind(1, id.text);
  return only(use, "checkpoint " + id.text);
}

Result<std::optional<Checkpoint>> SqliteStore::latest(const CheckpointQuery& query) {
  const Conditions conditions = conditions_of(query);
  TRY_ASSIGN(const Statement select,
             connection_.prepare("SELECT " + std::string(kAllColumns) + " FROM checkpoints" + conditions.sql +
                                 " ORDER BY timestamp DESC, added DESC LIMIT 1"));
  Use use(connection_, select);
  conditions.bind(use);
  TRY_ASSIGN(const bool row, use.step());
  if (!row) return std::optional<Checkpoint>();
  TRY_ASSIGN(Checkpoint checkpoint, read_row(use));
  return std::optional(std::move(checkpoint));
}

Result<std::vector<CheckpointHead>> SqliteStore::list(const CheckpointQuery& query) {
  const Conditions conditions = conditions_of(query);
  TRY_ASSIGN(const Statement select,
             connection_.prepare("SELECT " + std::string(kHeadColumns) + " FROM checkpoints" +
                                 conditions.sql + " ORDER BY timestamp DESC, added DESC LIMIT ?"));
  Use use(connection_, select);
  const int bound = conditions.bind(use);
  constexpr std::size_t kMost = std::size_t{1} << 30;
  use.bind(bound + 1, static_cast<std::int64_t>(std::min(query.limit, kMost)));
  std::vector<CheckpointHead> heads;
  while (true) {
    TRY_ASSIGN(const bool row, use.step());
    if (!row) return heads;
    const Status read = read_head(use, heads.emplace_back());
    if (!read) return base::fail(damaged(read.error()));
  }
}

Result<Checkpoint> SqliteStore::turn(std::int64_t number) {
  TRY_ASSIGN(const Statement select,
             connection_.prepare("SELECT " + std::string(kAllColumns) + " FROM checkpoints WHERE turn = ?"));
  Use use(connection_, select);
  use.bind(1, number);
  return only(use, "turn " + std::to_string(number));
}

Result<Checkpoint> SqliteStore::by_message(const std::string& message_id) {
  TRY_ASSIGN(const Statement select,
             connection_.prepare("SELECT " + std::string(kAllColumns) +
                                 " FROM checkpoints WHERE message_id = ? ORDER BY checkpoint_type = 'turn' "
                                 "DESC, timestamp DESC, added DESC LIMIT 1"));
  Use use(connection_, select);
  use.bind(1, message_id);
  return only(use, "checkpoint of the message " + message_id);
}

Result<std::string> SqliteStore::plan_text(const std::string& digest) {
  return text_of(digest);
}

Status SqliteStore::for_each(const std::function<bool(const Checkpoint& checkpoint)>& each) {
  TRY_ASSIGN(const Statement select,
             connection_.prepare("SELECT " + std::string(kAllColumns) + " FROM checkpoints ORDER BY added"));
  Use use(connection_, select);
  while (true) {
    TRY_ASSIGN(const bool row, use.step());
    if (!row) return {};
    TRY_ASSIGN(const Checkpoint checkpoint, read_row(use));
    if (!each(checkpoint)) return {};
  }
}

Status SqliteStore::delete_old(const std::string& where, const CleanUp& rules, const std::string& moment,
                               CleanedUp& cleaned) {
  const auto bind = [&](Use& use) {
    int parameter = 0;
    use.bind(++parameter, moment);
    for (const core::CheckpointType type : rules.kept_types) use.bind(++parameter, core::name_of(type));
  };
  TRY_ASSIGN(const Statement select,
             connection_.prepare("SELECT checkpoint_id, moment, metadata, work_state FROM checkpoints" +
                                 where + " ORDER BY added"));
  {
    Use use(connection_, select);
    bind(use);
    while (true) {
      TRY_ASSIGN(const bool row, use.step());
      if (!row) break;
      Deleted& deleted = cleaned.deleted.emplace_back();
      deleted.id.text = use.text(0);
      // A moment that cannot be read has no snapshot that anybody could name.
      if (auto read = core::decode_moment(use.text(1))) deleted.snapshot = std::move(read->snapshot);
      for (int column = 0; column < 4; ++column) {
        cleaned.freed_bytes += static_cast<std::int64_t>(use.text(column).size());
      }
    }
  }
  cleaned.deleted_count = static_cast<std::int64_t>(cleaned.deleted.size());
  TRY_ASSIGN(const Statement remove, connection_.prepare("DELETE FROM checkpoints" + where));
  Use use(connection_, remove);
  bind(use);
  return use.run();
}

Status SqliteStore::delete_texts(CleanedUp& cleaned) {
  constexpr std::string_view kUnused =
      " FROM texts WHERE NOT EXISTS (SELECT 1 FROM checkpoints WHERE plan_digest = texts.digest) AND NOT "
      "EXISTS (SELECT 1 FROM checkpoints WHERE todo_digest = texts.digest)";
  TRY_ASSIGN(const auto bytes,
             connection_.number("SELECT COALESCE(SUM(LENGTH(content)), 0)" + std::string(kUnused)));
  cleaned.freed_bytes += bytes.value_or(0);
  return connection_.execute("DELETE" + std::string(kUnused));
}

// A snapshot that a checkpoint left still has is not to be dropped.
Status SqliteStore::keep_shared_snapshots(CleanedUp& cleaned) {
  TRY_ASSIGN(const Statement select,
             connection_.prepare("SELECT 1 FROM checkpoints WHERE snapshot_ref = ? LIMIT 1"));
  for (Deleted& deleted : cleaned.deleted) {
    if (!deleted.snapshot) continue;
    Use use(connection_, select);
    use.bind(1, deleted.snapshot->ref);
    TRY_ASSIGN(const bool row, use.step());
    if (row) deleted.snapshot.reset();
  }
  return {};
}

Result<CleanedUp> SqliteStore::clean_up(const CleanUp& rules, bool dry) {
  std::string where = " WHERE timestamp < ?";
  for (std::size_t i = 0; i < rules.kept_types.size(); ++i) {
    where += i == 0 ? " AND checkpoint_type NOT IN (?" : ", ?";
  }
  if (!rules.kept_types.empty()) where += ")";
  CleanedUp cleaned;
  {
    // A dry run does the same and takes it back.
    TRY_ASSIGN(Transaction transaction, Transaction::begin(connection_));
    TRY(connection_.execute("INSERT INTO cleaning (door) VALUES (1)"));
    TRY(delete_old(where, rules, base::to_iso8601(rules.older_than), cleaned));
    TRY(delete_texts(cleaned));
    TRY(keep_shared_snapshots(cleaned));
    TRY(connection_.execute("DELETE FROM cleaning"));
    if (dry) return cleaned;
    TRY(transaction.commit());
  }
  if (cleaned.deleted_count == 0) return cleaned;
  // Only to save room, and somebody who reads may be in the way: what is deleted is deleted.
  (void)connection_.execute("PRAGMA incremental_vacuum");
  (void)connection_.execute("PRAGMA wal_checkpoint(TRUNCATE)");
  return cleaned;
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
                                 "(SELECT COUNT(*) FROM texts) FROM checkpoints"));
  Use use(connection_, select);
  TRY_ASSIGN(const bool row, use.step());
  if (row) {
    stats.checkpoints = use.number(0);
    stats.snapshots = use.number(1);
    stats.oldest = base::parse_iso8601(use.text(2));
    stats.newest = base::parse_iso8601(use.text(3));
    stats.texts = use.number(4);
  }
  for (const std::string& name : sqlite_file_names(name_)) {
    TRY_ASSIGN(const system::FileInfo info, folder_.info(name));
    if (info.kind == system::FileKind::regular) stats.bytes += static_cast<std::int64_t>(info.size);
  }
  return stats;
}

Result<std::vector<std::string>> SqliteStore::examine() {
  constexpr std::size_t kMost = 20;
  std::vector<std::string> wrong;
  TRY_ASSIGN(const Statement check, connection_.prepare("PRAGMA quick_check(20)"));
  {
    Use use(connection_, check);
    while (wrong.size() < kMost) {
      const auto row = use.step();
      if (!row) {
        wrong.push_back(row.error().message);
        return wrong;
      }
      if (!*row) break;
      if (use.text(0) != "ok") wrong.emplace_back(use.text(0));
    }
  }
  if (!wrong.empty()) return wrong;
  TRY_ASSIGN(const Statement select,
             connection_.prepare("SELECT " + std::string(kAllColumns) + " FROM checkpoints ORDER BY added"));
  Use use(connection_, select);
  while (wrong.size() < kMost) {
    TRY_ASSIGN(const bool row, use.step());
    if (!row) break;
    const Result<Checkpoint> checkpoint = read_row(use);
    if (!checkpoint) {
      wrong.push_back(checkpoint.error().message);
      continue;
    }
    const std::string& digest = checkpoint->moment.plan_digest;
    if (digest.empty()) continue;
    const auto text = text_of(digest);
    if (!text) wrong.push_back(checkpoint->head.id.text + ": " + text.error().message);
  }
  return wrong;
}

// What may stand under the names of the store: regular files or nothing.
Status check_files(system::Folder& folder, const std::string& name, bool& there) {
  there = false;
  for (const std::string& own : sqlite_file_names(name)) {
    TRY_ASSIGN(const system::FileInfo info, folder.info(own));
    if (info.kind == system::FileKind::missing) continue;
    if (info.kind != system::FileKind::regular) {
      return base::fail(ErrorKind::corrupt, folder.path_of(own) + " is no regular file",
                        "move it away; plankeep needs that name");
    }
    if (own == name) there = true;
  }
  return {};
}

Result<Connection> connect(const std::string& path, Access access) {
  sqlite3* opened = nullptr;
  // Not SQLITE_OPEN_CREATE: the file is made by us. A path is no URI, whatever it holds.
  const int code = sqlite3_open_v2(path.c_str(), &opened,
                                   SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX |
                                       SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE,
                                   nullptr);
  Connection connection(Database(opened), path);
  if (code != SQLITE_OK) return base::fail(connection.error(code));
  sqlite3_busy_timeout(opened, kPatienceMs);
  sqlite3_limit(opened, SQLITE_LIMIT_LENGTH, kLongestValue);
  // Nothing that stands in the file may do more than hold rows.
  sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  // The log stays when a process ends: folding it in costs several syncs, and the next one reads it anyway.
  sqlite3_db_config(opened, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  TRY(connection.execute(
      "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA recursive_triggers = ON; PRAGMA "
      "cell_size_check = ON; PRAGMA wal_autocheckpoint = 100"));
  if (access == Access::read) TRY(connection.execute("PRAGMA query_only = ON"));
  return connection;
}

base::Error no_store(const std::string& path) {
  return {ErrorKind::not_found,
          "there are no checkpoints yet (" + path + ")",
          {},
          "make one: plankeep checkpoint create"};
}

}  // namespace

std::vector<std::string> sqlite_file_names(const std::string& name) {
  return {name, name + "-wal", name + "-shm", name + "-journal"};
}

Result<std::unique_ptr<CheckpointStore>> open_sqlite(system::Folder& folder, const std::string& name,
                                                     Access access) {
  bool there = false;
  TRY(check_files(folder, name, there));
  const std::string path = folder.path_of(name);
  if (!there) {
    if (access == Access::read) return base::fail(no_store(path));
    // Opened and closed only while it is missing: closing a file takes away the locks of a store on it.
    TRY_ASSIGN(const auto made, folder.open_append(name));
    TRY(folder.sync());
  }
  TRY_ASSIGN(Connection connection, connect(path, access));
  TRY_ASSIGN(const bool schema, has_schema(connection));
  if (!schema && access == Access::read) return base::fail(no_store(path));
  if (!schema) TRY(make_schema(connection));
  return std::make_unique<SqliteStore>(std::move(connection), folder, name);
}

}  // namespace plankeep::records
