#include "checkpoint_db/sqlite_clean_up.hpp"

#include "model/json/checkpoint_json.hpp"

namespace plankeep::records {
namespace {

using base::Result;
using base::Status;

Status delete_old(const Connection& connection, const std::string& where, const CleanUp& rules,
                  const std::string& moment, CleanedUp& cleaned) {
  const auto bind = [&](Use& use) {
    int parameter = 0;
    use.bind(++parameter, moment);
    for (const core::CheckpointType type : rules.kept_types) use.bind(++parameter, core::name_of(type));
  };
  TRY_ASSIGN(const Statement select,
             connection.prepare("SELECT checkpoint_id, moment, metadata FROM checkpoints" + where +
                                " ORDER BY added"));
  {
    Use use(connection, select);
    bind(use);
    while (true) {
      TRY_ASSIGN(const bool row, use.step());
      if (!row) break;
      Deleted& deleted = cleaned.deleted.emplace_back();
      deleted.id.text = use.text(0);
      // A moment that cannot be read has no snapshot that anybody could name.
      if (auto read = core::decode_moment(use.text(1))) deleted.snapshot = std::move(read->snapshot);
      for (int column = 0; column < 3; ++column) {
        cleaned.freed_bytes += static_cast<std::int64_t>(use.text(column).size());
      }
    }
  }
  cleaned.deleted_count = static_cast<std::int64_t>(cleaned.deleted.size());
  TRY_ASSIGN(
      const Statement leave_links,
      connection.prepare("INSERT INTO cleaned (added, checkpoint_id, chain) SELECT added, checkpoint_id, "
                         "chain FROM checkpoints" +
                         where));
  {
    Use use(connection, leave_links);
    bind(use);
    TRY(use.run());
  }
  TRY_ASSIGN(const Statement remove, connection.prepare("DELETE FROM checkpoints" + where));
  Use use(connection, remove);
  bind(use);
  return use.run();
}

Status delete_texts(const Connection& connection, CleanedUp& cleaned) {
  constexpr std::string_view kUnused =
      " FROM texts WHERE NOT EXISTS (SELECT 1 FROM checkpoints WHERE plan_digest = texts.digest) AND NOT "
      "EXISTS (SELECT 1 FROM checkpoints WHERE todo_digest = texts.digest) AND NOT EXISTS (SELECT 1 FROM "
      "checkpoints WHERE work_digest = texts.digest)";
  TRY_ASSIGN(const auto bytes,
             connection.number("SELECT COALESCE(SUM(LENGTH(content)), 0)" + std::string(kUnused)));
  cleaned.freed_bytes += bytes.value_or(0);
  return connection.execute("DELETE" + std::string(kUnused));
}

// A snapshot that a checkpoint left still has is not to be dropped.
Status keep_shared_snapshots(const Connection& connection, CleanedUp& cleaned) {
  TRY_ASSIGN(const Statement select,
             connection.prepare("SELECT 1 FROM checkpoints WHERE snapshot_ref = ? LIMIT 1"));
  for (Deleted& deleted : cleaned.deleted) {
    if (!deleted.snapshot) continue;
    Use use(connection, select);
    use.bind(1, deleted.snapshot->ref);
    TRY_ASSIGN(const bool row, use.step());
    if (row) deleted.snapshot.reset();
  }
  return {};
}

}  // namespace

Result<CleanedUp> clean_up_checkpoints(const Connection& connection, const CleanUp& rules, bool dry) {
  std::string where = " WHERE timestamp < ?";
  for (std::size_t i = 0; i < rules.kept_types.size(); ++i) {
    where += i == 0 ? " AND checkpoint_type NOT IN (?" : ", ?";
  }
  if (!rules.kept_types.empty()) where += ")";
  if (rules.newest_of_sessions) {
    where +=
        " AND EXISTS (SELECT 1 FROM checkpoints AS later WHERE later.instance_id = checkpoints.instance_id "
        "AND "
        "(later.timestamp, later.added) > (checkpoints.timestamp, checkpoints.added))";
  }
  CleanedUp cleaned;
  {
    // A dry run does the same and takes it back.
    TRY_ASSIGN(Transaction transaction, Transaction::begin(connection));
    TRY(connection.execute("INSERT INTO cleaning (door) VALUES (1)"));
    TRY(delete_old(connection, where, rules, base::to_iso8601(rules.older_than), cleaned));
    TRY(delete_texts(connection, cleaned));
    TRY(keep_shared_snapshots(connection, cleaned));
    TRY(connection.execute("DELETE FROM cleaning"));
    if (dry) return cleaned;
    TRY(transaction.commit());
  }
  if (cleaned.deleted_count == 0) return cleaned;
  // Only to save room, and somebody who reads may be in the way: what is deleted is deleted.
  (void)connection.execute("PRAGMA incremental_vacuum");
  (void)connection.execute("PRAGMA wal_checkpoint(TRUNCATE)");
  return cleaned;
}

}  // namespace plankeep::records
