#include "records/sqlite_schema.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "records/sqlite_connect.hpp"

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

// A row of sqlite_schema. Where its pages are is the file's own business, but whether it has some is not.
struct Object {
  std::string type;
  std::string name;
  std::string table;
  std::string sql;  // empty for the indexes that SQLite makes for UNIQUE and PRIMARY KEY
  bool has_pages = false;

  friend auto operator<=>(const Object&, const Object&) = default;
};

Result<std::vector<Object>> objects_in(const Connection& connection) {
  TRY_ASSIGN(const Statement select,
             connection.prepare("SELECT type, name, tbl_name, sql, rootpage FROM sqlite_schema"));
  Use use(connection, select);
  std::vector<Object> objects;
  while (true) {
    TRY_ASSIGN(const bool row, use.step());
    if (!row) break;
    Object& object = objects.emplace_back();
    object.type = use.text(0);
    object.name = use.text(1);
    object.table = use.text(2);
    object.sql = use.text(3);
    object.has_pages = use.number(4) != 0;
  }
  std::sort(objects.begin(), objects.end());
  return objects;
}

// "CREATE <type> <name> ... ON <table>" as a row. A trigger's table stands behind its first ON, an index's
// too; a table's name ends at the parenthesis.
Object object_of(std::string_view sql) {
  const auto word_at = [sql](std::size_t from) {
    const std::size_t end = sql.find_first_of(" \n(", from);
    return sql.substr(from, end - from);
  };
  constexpr std::string_view kCreate = "CREATE ";
  constexpr std::string_view kOn = " ON ";
  const std::string_view type = word_at(kCreate.size());
  Object object;
  object.sql = sql;
  object.name = word_at(kCreate.size() + type.size() + 1);
  object.table = type == "TABLE" ? object.name : std::string(word_at(sql.find(kOn) + kOn.size()));
  object.type = type == "TABLE" ? "table" : type == "INDEX" ? "index" : "trigger";
  object.has_pages = type != "TRIGGER";
  return object;
}

std::vector<Object> objects_of_version_1() {
  std::vector<Object> objects;
  for (const std::string_view sql : kVersion1) objects.push_back(object_of(sql));
  // What SQLite makes by itself: one for the primary key, one for each UNIQUE.
  constexpr std::array<std::pair<const char*, int>, 3> kUnique{
      {{"counters", 1}, {"texts", 1}, {"checkpoints", 3}}};
  for (const auto& [table, count] : kUnique) {
    for (int number = 1; number <= count; ++number) {
      objects.push_back({"index", "sqlite_autoindex_" + std::string(table) + "_" + std::to_string(number),
                         table, "", true});
    }
  }
  std::sort(objects.begin(), objects.end());
  return objects;
}

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
  TRY_ASSIGN(const std::vector<Object> objects, objects_in(connection));
  if (application.value_or(0) == 0 && objects.empty()) return false;
  if (application.value_or(0) != kApplicationId) return base::fail(not_ours(connection, "another program's"));
  if (version.value_or(0) > kSchemaVersion) {
    return base::fail(ErrorKind::conflict,
                      connection.path() + " was written by a newer plankeep (version " +
                          std::to_string(*version) + " of its tables, this one knows " +
                          std::to_string(kSchemaVersion) + ")",
                      "use that version; nothing was changed");
  }
  if (version.value_or(0) < 1) return base::fail(not_ours(connection, "it has no version"));
  if (objects != objects_of_version_1()) return base::fail(not_ours(connection, "its tables were changed"));
  return true;
}

Status make_schema(const Connection& connection) {
  TRY(use_write_ahead_log(connection));
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
