#include "checkpoint_db/sqlite_upgrade.hpp"

#include <string>

#include "base/sha256.hpp"
#include "checkpoint_db/sqlite_chain.hpp"
#include "checkpoint_db/sqlite_definitions.hpp"
#include "checkpoint_db/sqlite_rows.hpp"
#include "checkpoint_db/sqlite_schema.hpp"

namespace plankeep::records {
namespace {

using base::Status;

// Triggers and indexes go with the old table; the new ones have some of the same names.
Status make_tables(const Connection& connection) {
  for (const std::string_view sql : definitions_of(1)) {
    constexpr std::string_view kCreate = "CREATE ";
    const std::size_t name = sql.find(' ', kCreate.size()) + 1;
    const std::string_view type = sql.substr(kCreate.size(), name - 1 - kCreate.size());
    if (type == "TABLE") continue;
    const std::string_view word = sql.substr(name, sql.find(' ', name) - name);
    TRY(connection.execute("DROP " + std::string(type) + " " + std::string(word)));
  }
  TRY(connection.execute("ALTER TABLE checkpoints RENAME TO checkpoints_1"));
  for (const std::string_view sql : definitions_of(kLatestVersion)) {
    const bool there = sql.starts_with("CREATE TABLE counters") || sql.starts_with("CREATE TABLE texts") ||
                       sql.starts_with("CREATE TABLE cleaning");
    if (!there) TRY(connection.execute(std::string(sql)));
  }
  return {};
}

Status take_rows_over(const Connection& connection) {
  TRY_ASSIGN(const Statement select,
             connection.prepare(
                 "SELECT checkpoint_id, added, instance_id, checkpoint_type, sequence_num, "
                 "context_window_percent, timestamp, phase_id, turn, message_id, snapshot_ref, "
                 "plan_digest, todo_digest, work_state, NULL, NULL, metadata, moment FROM checkpoints_1 "
                 "ORDER BY added"));
  constexpr std::size_t kWork = 13;
  Use use(connection, select);
  std::string link;
  while (true) {
    TRY_ASSIGN(const bool there, use.step());
    if (!there) return {};
    ChainedRow row;
    for (std::size_t i = 0; i < kChainedCount; ++i) {
      const int column = static_cast<int>(i);
      if (!use.is_null(column)) row[i] = std::string(use.text(column));
    }
    const std::string work_state = row[kWork].value_or("");
    row[kWork] = base::sha256_hex(work_state);
    TRY(keep_text(connection, *row[kWork], work_state));
    link = next_link(link, row);
    TRY(insert_row(connection, row, link));
  }
}

}  // namespace

Status upgrade(const Connection& connection) {
  // What is damaged in a row is taken over as it is.
  TRY(connection.execute("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON"));
  {
    TRY_ASSIGN(Transaction transaction, Transaction::begin(connection));
    TRY_ASSIGN(const std::int64_t version, schema_version(connection));
    if (version == 1) {
      TRY(make_tables(connection));
      TRY(take_rows_over(connection));
      TRY(connection.execute("INSERT INTO counters (name, value) SELECT '" + std::string(kUpgradedAt) +
                             "', value FROM counters WHERE name = 'added'"));
      TRY(connection.execute("DROP TABLE checkpoints_1"));
      TRY(connection.execute("PRAGMA user_version = " + std::to_string(kLatestVersion)));
      TRY(transaction.commit());
    }
  }
  return connection.execute("PRAGMA ignore_check_constraints = OFF; PRAGMA foreign_keys = ON");
}

}  // namespace plankeep::records
