#include "checkpoint_db/session_cache.hpp"

#include <algorithm>
#include <array>

#include "checkpoint_db/sqlite_connect.hpp"
#include "checkpoint_db/sqlite_handles.hpp"
#include "model/json/session_row_json.hpp"

namespace plankeep::records {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

constexpr std::int64_t kCacheApplication = 0x706c6b73;  // "plks"
constexpr std::int64_t kCacheVersion = 1;

constexpr std::array<std::string_view, 9> kCacheTables{
    "CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE problems (text TEXT NOT NULL)",
    "CREATE TABLE checkpoints (id TEXT PRIMARY KEY, origin TEXT NOT NULL, created INTEGER NOT NULL, "
    "branch TEXT NOT NULL, plan TEXT NOT NULL, data TEXT NOT NULL)",
    "CREATE INDEX by_time ON checkpoints (created DESC, id DESC)",
    "CREATE TABLE sessions (checkpoint TEXT NOT NULL, slot INTEGER NOT NULL, session TEXT NOT NULL, "
    "agent TEXT NOT NULL, PRIMARY KEY (checkpoint, slot)) WITHOUT ROWID",
    "CREATE INDEX by_session ON sessions (session)",
    "CREATE TABLE links (checkpoint TEXT NOT NULL, sha TEXT NOT NULL, mentioned INTEGER NOT NULL, "
    "PRIMARY KEY (checkpoint, sha)) WITHOUT ROWID",
    "CREATE INDEX by_sha ON links (sha)",
    "CREATE TABLE tips (sha TEXT PRIMARY KEY) WITHOUT ROWID"};

constexpr std::string_view kNoTime = "-1";

Status make_cache_tables(const Connection& connection) {
  TRY_ASSIGN(Transaction transaction, Transaction::begin(connection));
  for (const std::string_view table : kCacheTables) TRY(connection.execute(std::string(table)));
  TRY(connection.execute("PRAGMA application_id = " + std::to_string(kCacheApplication)));
  TRY(connection.execute("PRAGMA user_version = " + std::to_string(kCacheVersion)));
  return transaction.commit();
}

// Whether the tables are ours, word for word: triggers and views of somebody else would run.
Result<bool> has_cache_tables(const Connection& connection) {
  TRY_ASSIGN(const auto application, connection.number("PRAGMA application_id"));
  TRY_ASSIGN(const auto version, connection.number("PRAGMA user_version"));
  if (application != kCacheApplication || version != kCacheVersion) return false;
  TRY_ASSIGN(const Statement select,
             connection.prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL"));
  Use use(connection, select);
  std::vector<std::string> found;
  while (true) {
    TRY_ASSIGN(const bool row, use.step());
    if (!row) break;
    found.emplace_back(use.text(0));
  }
  std::vector<std::string> wanted(kCacheTables.begin(), kCacheTables.end());
  std::sort(found.begin(), found.end());
  std::sort(wanted.begin(), wanted.end());
  return found == wanted;
}

class SqliteSessionCache : public SessionCache {
 public:
  explicit SqliteSessionCache(Connection connection) : connection_(std::move(connection)) {}

  Result<std::string> stamp() override { return fact("stamp"); }
  Result<std::string> link_stamp() override { return fact("links"); }

  Result<std::map<std::string, std::string>> known() override {
    TRY_ASSIGN(const Statement select, connection_.prepare("SELECT id, origin FROM checkpoints"));
    Use use(connection_, select);
    std::map<std::string, std::string> all;
    while (true) {
      TRY_ASSIGN(const bool row, use.step());
      if (!row) return all;
      all.emplace(use.text(0), use.text(1));
    }
  }

  Status update(const SessionCacheUpdate& update) override {
    TRY_ASSIGN(Transaction transaction, Transaction::begin(connection_));
    for (const std::string& id : update.gone) TRY(forget(id));
    for (const core::SessionRow& row : update.rows) TRY(put(row));
    TRY(connection_.execute("DELETE FROM problems"));
    for (const std::string& problem : update.problems) TRY(run("INSERT INTO problems VALUES (?)", {problem}));
    TRY(set_fact("stamp", update.stamp));
    return transaction.commit();
  }

  Result<std::vector<std::string>> problems() override { return texts("SELECT text FROM problems", {}); }

  Result<std::vector<core::SessionRow>> list(const SessionQuery& query) override {
    std::string sql = "SELECT data FROM checkpoints c WHERE 1";
    std::vector<std::string> values;
    const auto add = [&](std::string_view condition, std::string value) {
      sql += " AND ";
      sql += condition;
      values.push_back(std::move(value));
    };
    if (query.branch) add("branch = ?", *query.branch);
    if (query.plan) add("plan = ?", *query.plan);
    if (query.since) add("created >= CAST(? AS INTEGER)", std::to_string(query.since->milliseconds));
    if (query.agent)
      add("EXISTS (SELECT 1 FROM sessions s WHERE s.checkpoint = c.id AND "
          "replace(lower(replace(s.agent, ' ', '-')) || '|', '-cli|', '|') = "
          "replace(lower(replace(?, ' ', '-')) || '|', '-cli|', '|'))",
          *query.agent);
    sql += " ORDER BY created DESC, id DESC LIMIT CAST(? AS INTEGER)";
    constexpr std::size_t kMost = std::size_t{1} << 30;
    values.push_back(std::to_string(std::min(query.limit, kMost)));
    TRY_ASSIGN(const std::vector<std::string> found, texts(sql, values));
    std::vector<core::SessionRow> rows;
    rows.reserve(found.size());
    for (const std::string& data : found) {
      TRY_ASSIGN(core::SessionRow row, core::decode_session_row(data));
      rows.push_back(std::move(row));
    }
    return rows;
  }

  Result<core::SessionRow> get(const std::string& id) override {
    TRY_ASSIGN(const auto found, texts("SELECT data FROM checkpoints WHERE id = ?", {id}));
    if (found.empty()) return base::fail(ErrorKind::not_found, "unknown session checkpoint " + id);
    return core::decode_session_row(found.front());
  }

  Result<std::vector<std::string>> meant_by(const std::string& typed, std::size_t most) override {
    TRY_ASSIGN(const auto ids, texts("SELECT id FROM checkpoints ORDER BY created DESC, id DESC", {}));
    std::vector<std::string> meant;
    for (const std::string& id : ids) {
      if (id == typed) return std::vector<std::string>{id};
      if (meant.size() < most && core::means_session(typed, id)) meant.push_back(id);
    }
    return meant;
  }

  Result<std::vector<std::string>> of_session(const std::string& session) override {
    return texts(
        "SELECT DISTINCT c.id FROM checkpoints c JOIN sessions s ON s.checkpoint = c.id WHERE s.session = ? "
        "ORDER BY c.created DESC, c.id DESC",
        {session});
  }

  Result<std::vector<std::string>> link_tips() override { return texts("SELECT sha FROM tips", {}); }

  Status update_links(const SessionLinkUpdate& update) override {
    TRY_ASSIGN(Transaction transaction, Transaction::begin(connection_));
    if (update.anew) TRY(connection_.execute("DELETE FROM links"));
    for (const core::SessionLink& link : update.links)
      TRY(run("INSERT OR REPLACE INTO links VALUES (?, ?, CAST(? AS INTEGER))",
              {link.id, link.commit, link.mentioned ? "1" : "0"}));
    TRY(connection_.execute("DELETE FROM tips"));
    for (const std::string& tip : update.tips) TRY(run("INSERT OR IGNORE INTO tips VALUES (?)", {tip}));
    TRY(set_fact("links", update.stamp));
    return transaction.commit();
  }

  Result<std::vector<core::SessionLink>> links_of(const std::string& id) override {
    return links(
        "SELECT checkpoint, sha, mentioned FROM links WHERE checkpoint = ? ORDER BY mentioned, sha LIMIT 100",
        id);
  }
  Result<std::vector<core::SessionLink>> links_from(const std::string& commit) override {
    return links(
        "SELECT checkpoint, sha, mentioned FROM links WHERE sha = ? ORDER BY mentioned, checkpoint LIMIT 100",
        commit);
  }

 private:
  Status run(std::string_view sql, const std::vector<std::string>& values) {
    TRY_ASSIGN(const Statement* statement, kept(sql));
    Use use(connection_, *statement);
    int parameter = 0;
    for (const std::string& value : values) use.bind(++parameter, value);
    return use.run();
  }

  // Statements that run thousands of times are made once.
  Result<const Statement*> kept(std::string_view sql) {
    const auto at = statements_.find(sql);
    if (at != statements_.end()) return &at->second;
    TRY_ASSIGN(Statement made, connection_.prepare(sql));
    return &statements_.emplace(std::string(sql), std::move(made)).first->second;
  }

  Result<std::vector<std::string>> texts(std::string_view sql, const std::vector<std::string>& values) {
    TRY_ASSIGN(const Statement select, connection_.prepare(sql));
    Use use(connection_, select);
    int parameter = 0;
    for (const std::string& value : values) use.bind(++parameter, value);
    std::vector<std::string> found;
    while (true) {
      TRY_ASSIGN(const bool row, use.step());
      if (!row) return found;
      found.emplace_back(use.text(0));
    }
  }

  Result<std::vector<core::SessionLink>> links(std::string_view sql, const std::string& value) {
    TRY_ASSIGN(const Statement select, connection_.prepare(sql));
    Use use(connection_, select);
    use.bind(1, value);
    std::vector<core::SessionLink> found;
    while (true) {
      TRY_ASSIGN(const bool row, use.step());
      if (!row) return found;
      found.push_back({std::string(use.text(0)), std::string(use.text(1)), use.number(2) != 0});
    }
  }

  Result<std::string> fact(const std::string& name) {
    TRY_ASSIGN(const auto found, texts("SELECT value FROM facts WHERE name = ?", {name}));
    return found.empty() ? std::string() : found.front();
  }
  Status set_fact(const std::string& name, const std::string& value) {
    return run("INSERT OR REPLACE INTO facts VALUES (?, ?)", {name, value});
  }

  Status forget(const std::string& id) {
    TRY(run("DELETE FROM sessions WHERE checkpoint = ?", {id}));
    return run("DELETE FROM checkpoints WHERE id = ?", {id});
  }

  Status put(const core::SessionRow& row) {
    TRY(run("DELETE FROM sessions WHERE checkpoint = ?", {row.id}));
    const std::string created =
        row.created ? std::to_string(row.created->milliseconds) : std::string(kNoTime);
    TRY(run("INSERT OR REPLACE INTO checkpoints VALUES (?, ?, CAST(? AS INTEGER), ?, ?, ?)",
            {row.id, row.source + " " + row.object, created, row.branch, row.plan_id,
             core::encode_session_row(row)}));
    for (const core::ListedSession& session : row.sessions)
      TRY(run("INSERT OR REPLACE INTO sessions VALUES (?, CAST(? AS INTEGER), ?, ?)",
              {row.id, std::to_string(session.slot), session.session_id, session.agent}));
    return {};
  }

  Connection connection_;
  std::map<std::string, Statement, std::less<>> statements_;
};

Result<std::unique_ptr<SessionCache>> try_open(system::Folder& folder, const std::string& name) {
  TRY_ASSIGN(const bool there, check_files(folder, name));
  if (!there) {
    TRY_ASSIGN(const auto made, folder.open_append(name));
  }
  TRY_ASSIGN(Connection connection, connect(folder, name, Access::write));
  // What is lost with the power is made anew; the log keeps the file whole.
  TRY(connection.execute("PRAGMA synchronous = NORMAL"));
  TRY_ASSIGN(const auto objects, connection.number("SELECT COUNT(*) FROM sqlite_schema"));
  if (objects == 0) {
    TRY(use_write_ahead_log(connection));
    TRY(make_cache_tables(connection));
  }
  TRY_ASSIGN(const bool ours, has_cache_tables(connection));
  if (!ours) return base::fail(ErrorKind::corrupt, folder.path_of(name) + " is no cache of this version");
  return std::make_unique<SqliteSessionCache>(std::move(connection));
}

}  // namespace

Result<std::unique_ptr<SessionCache>> SessionCache::open(system::Folder& folder, const std::string& name) {
  auto opened = try_open(folder, name);
  if (opened || opened.error().kind == ErrorKind::busy) return opened;
  return anew(folder, name);
}

Result<std::unique_ptr<SessionCache>> SessionCache::anew(system::Folder& folder, const std::string& name) {
  for (const std::string& own : sqlite_file_names(name)) {
    TRY_ASSIGN(const system::FileInfo info, folder.info(own));
    if (info.kind == system::FileKind::regular || info.kind == system::FileKind::symlink)
      TRY(folder.remove(own));
  }
  return try_open(folder, name);
}

Result<std::unique_ptr<SessionCache>> SessionCache::in_memory() {
  sqlite3* opened = nullptr;
  const int code = sqlite3_open_v2(":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  constexpr std::chrono::seconds kLongest{20};
  Connection connection(std::make_unique<Surroundings>("", kLongest), Database(opened), "memory");
  if (code != SQLITE_OK) return base::fail(connection.error(code));
  TRY(make_cache_tables(connection));
  return std::make_unique<SqliteSessionCache>(std::move(connection));
}

}  // namespace plankeep::records
