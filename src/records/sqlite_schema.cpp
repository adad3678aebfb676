#include "records/sqlite_schema.hpp"

#include <array>

namespace plankeep::records {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

// Version 1, one object each, in the order in which they are made. Never changed once released: a later
// version adds a list of its own, and has_schema compares with all of them up to the file's version.
constexpr std::array<std::string_view, 20> kVersion1{
    // Numbers that were given out: of each id's prefix, of turns, of rows. Never go back, also after a
    // cleanup.
    R"(CREATE TABLE counters (
  name TEXT NOT NULL PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT)",
    // Plans and lists of tasks under the SHA-256 of their bytes.
    R"(CREATE TABLE texts (
  digest TEXT NOT NULL PRIMARY KEY,
  content BLOB NOT NULL
) STRICT)",
    // Has a row only inside the transaction of a cleanup.
    R"(CREATE TABLE cleaning (
  door INTEGER NOT NULL PRIMARY KEY
) STRICT)",
    // What lists want stands first, what is long last.
    R"(CREATE TABLE checkpoints (
  checkpoint_id TEXT NOT NULL PRIMARY KEY,
  added INTEGER NOT NULL UNIQUE,
  instance_id TEXT NOT NULL,
  checkpoint_type TEXT NOT NULL,
  sequence_num INTEGER NOT NULL,
  context_window_percent INTEGER,
  timestamp TEXT NOT NULL,
  phase_id TEXT NOT NULL,
  turn INTEGER UNIQUE,
  message_id TEXT,
  snapshot_ref TEXT,
  plan_digest TEXT REFERENCES texts (digest),
  todo_digest TEXT NOT NULL REFERENCES texts (digest),
  metadata TEXT NOT NULL,
  moment TEXT NOT NULL,
  work_state TEXT NOT NULL
) STRICT)",
    "CREATE INDEX checkpoints_by_time ON checkpoints (timestamp, added)",
    "CREATE INDEX checkpoints_by_type ON checkpoints (checkpoint_type, timestamp, added)",
    "CREATE INDEX checkpoints_by_phase ON checkpoints (phase_id, timestamp, added)",
    "CREATE INDEX checkpoints_by_instance ON checkpoints (instance_id, timestamp, added)",
    "CREATE INDEX checkpoints_by_message ON checkpoints (message_id, timestamp, added)",
    "CREATE INDEX checkpoints_by_snapshot ON checkpoints (snapshot_ref)",
    "CREATE INDEX checkpoints_by_plan ON checkpoints (plan_digest)",
    "CREATE INDEX checkpoints_by_todo ON checkpoints (todo_digest)",
    R"(CREATE TRIGGER checkpoints_never_change BEFORE UPDATE ON checkpoints
BEGIN
  SELECT RAISE(ABORT, 'checkpoints are immutable');
END)",
    R"(CREATE TRIGGER checkpoints_stay BEFORE DELETE ON checkpoints
WHEN NOT EXISTS (SELECT 1 FROM cleaning)
BEGIN
  SELECT RAISE(ABORT, 'checkpoints are deleted by a cleanup only');
END)",
    R"(CREATE TRIGGER texts_never_change BEFORE UPDATE ON texts
BEGIN
  SELECT RAISE(ABORT, 'texts are immutable');
END)",
    R"(CREATE TRIGGER texts_stay BEFORE DELETE ON texts
WHEN NOT EXISTS (SELECT 1 FROM cleaning)
BEGIN
  SELECT RAISE(ABORT, 'texts are deleted by a cleanup only');
END)",
    R"(CREATE TRIGGER counters_never_go_back BEFORE UPDATE ON counters
WHEN NEW.value <= OLD.value OR NEW.name <> OLD.name
BEGIN
  SELECT RAISE(ABORT, 'counters never go back');
END)",
    R"(CREATE TRIGGER counters_stay BEFORE DELETE ON counters
BEGIN
  SELECT RAISE(ABORT, 'counters stay');
END)",
    R"(CREATE TRIGGER cleaning_is_one BEFORE INSERT ON cleaning
WHEN EXISTS (SELECT 1 FROM cleaning)
BEGIN
  SELECT RAISE(ABORT, 'a cleanup is going on');
END)",
    R"(CREATE TRIGGER cleaning_never_changes BEFORE UPDATE ON cleaning
BEGIN
  SELECT RAISE(ABORT, 'the door is opened and closed only');
END)",
};

base::Error not_ours(const Connection& connection, const std::string& why) {
  return {ErrorKind::corrupt,
          connection.path() + " is no store of plankeep: " + why,
          {},
          "move it away; plankeep doctor --repair sets it aside and keeps it"};
}

}  // namespace

Result<bool> has_schema(const Connection& connection) {
  // Reading a PRAGMA makes SQLite read the definitions, but run none of them.
  TRY_ASSIGN(const auto version, connection.number("PRAGMA user_version"));
  TRY_ASSIGN(const auto application, connection.number("PRAGMA application_id"));
  TRY_ASSIGN(const Statement select,
             connection.prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND "
                                "substr(name, 1, 7) <> 'sqlite_' ORDER BY rowid"));
  Use use(connection, select);
  TRY_ASSIGN(bool row, use.step());
  if (version.value_or(0) == 0 && application.value_or(0) == 0 && !row) return false;
  if (application.value_or(0) != kApplicationId) return base::fail(not_ours(connection, "another program's"));
  if (version.value_or(0) > kSchemaVersion) {
    return base::fail(ErrorKind::conflict,
                      connection.path() + " was written by a newer plankeep (version " +
                          std::to_string(*version) + " of its tables, this one knows " +
                          std::to_string(kSchemaVersion) + ")",
                      "use that version; nothing was changed");
  }
  if (version.value_or(0) < 1) return base::fail(not_ours(connection, "it has no version"));
  for (const std::string_view definition : kVersion1) {
    if (!row || use.text(0) != definition) return base::fail(not_ours(connection, "its tables were changed"));
    TRY_ASSIGN(row, use.step());
  }
  if (row) return base::fail(not_ours(connection, "it has tables that are not ours"));
  return true;
}

Status make_schema(const Connection& connection) {
  // Both before the first table; the file shrinks after a cleanup only this way.
  TRY(connection.execute("PRAGMA auto_vacuum = INCREMENTAL"));
  TRY_ASSIGN(const auto mode, connection.text("PRAGMA journal_mode = WAL"));
  if (mode != "wal") {
    return base::fail(ErrorKind::io, connection.path() + " cannot have a write-ahead log here",
                      "the folder's file system has no shared memory; keep the plan on a local disk");
  }
  TRY_ASSIGN(Transaction transaction, Transaction::begin(connection));
  // Somebody else may have made them while we waited.
  TRY_ASSIGN(const bool there, has_schema(connection));
  if (there) return {};
  for (const std::string_view definition : kVersion1) TRY(connection.execute(std::string(definition)));
  TRY(connection.execute("PRAGMA application_id = " + std::to_string(kApplicationId)));
  TRY(connection.execute("PRAGMA user_version = " + std::to_string(kSchemaVersion)));
  return transaction.commit();
}

}  // namespace plankeep::records
