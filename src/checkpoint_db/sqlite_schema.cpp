#include "checkpoint_db/sqlite_schema.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "checkpoint_db/sqlite_connect.hpp"
#include "checkpoint_db/sqlite_definitions.hpp"

namespace plankeep::records {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

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

std::vector<Object> objects_of(std::int64_t version) {
  std::vector<Object> objects;
  for (const std::string_view sql : definitions_of(version)) objects.push_back(object_of(sql));
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
          connection.path() + " is not a plankeep checkpoint store: " + why,
          {},
          "move it away, or set it aside with plankeep doctor --repair"};
}

}  // namespace

Result<std::int64_t> schema_version(const Connection& connection) {
  // Reading a PRAGMA makes SQLite read the definitions, but run none of them.
  TRY_ASSIGN(const auto version, connection.number("PRAGMA user_version"));
  TRY_ASSIGN(const auto application, connection.number("PRAGMA application_id"));
  TRY_ASSIGN(const std::vector<Object> objects, objects_in(connection));
  if (application.value_or(0) == 0 && objects.empty()) return 0;
  if (application.value_or(0) != kApplicationId)
    return base::fail(not_ours(connection, "it belongs to another program"));
  if (version.value_or(0) > kLatestVersion) {
    return base::fail(ErrorKind::conflict,
                      connection.path() + " was written by a newer plankeep (version " +
                          std::to_string(*version) + " of its tables; this one supports up to " +
                          std::to_string(kLatestVersion) + ")",
                      "use that version or a newer one; nothing was changed");
  }
  if (version.value_or(0) < 1) return base::fail(not_ours(connection, "it has no version"));
  if (objects != objects_of(*version)) return base::fail(not_ours(connection, "its tables were changed"));
  return *version;
}

Status make_schema(const Connection& connection) {
  TRY(use_write_ahead_log(connection));
  TRY_ASSIGN(Transaction transaction, Transaction::begin(connection));
  // Somebody else may have made them while we waited.
  TRY_ASSIGN(const std::int64_t version, schema_version(connection));
  if (version != 0) return {};
  for (const std::string_view definition : definitions_of(kLatestVersion))
    TRY(connection.execute(std::string(definition)));
  TRY(connection.execute("PRAGMA application_id = " + std::to_string(kApplicationId)));
  TRY(connection.execute("PRAGMA user_version = " + std::to_string(kLatestVersion)));
  return transaction.commit();
}

}  // namespace plankeep::records
