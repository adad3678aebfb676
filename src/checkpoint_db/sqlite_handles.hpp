#pragma once
// SQLite's handles with owners, and its codes as our errors. Private to records/sqlite_*.
//
//   TRY_ASSIGN(const Statement select, connection.prepare("SELECT ... ?"));
//   Use use(connection, select);            // resets and unbinds when it ends
//   use.bind(1, text);
//   while (true) { TRY_ASSIGN(const bool row, use.step()); if (!row) break; use.text(0); }
//
// SQL is written here in the room and takes what comes from outside as parameters only. Errors are told with
// the file's path; SQLite's own words may hold text of the file (base::Error: whoever prints it makes it
// safe).

#include <sqlite3.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "checkpoint_db/sqlite_files.hpp"

namespace plankeep::records {

struct CloseDatabase {
  void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
};
struct FinalizeStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Database = std::unique_ptr<sqlite3, CloseDatabase>;
using Statement = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

/// What a connection needs as long as it is open.
struct Surroundings {
  Surroundings(std::string database, std::chrono::milliseconds longest_statement)
      : files(std::move(database)), longest(longest_statement) {}

  SqliteFiles files;
  /// A step that takes longer is given up (ErrorKind::io): a damaged tree of pages may have no end.
  std::chrono::milliseconds longest;
  std::chrono::steady_clock::time_point give_up{};
};

class Connection {
 public:
  Connection() = default;
  /// `path` is for messages.
  Connection(std::unique_ptr<Surroundings> surroundings, Database database, std::string path)
      : surroundings_(std::move(surroundings)), database_(std::move(database)), path_(std::move(path)) {}

  [[nodiscard]] base::Result<Statement> prepare(std::string_view sql) const;
  /// One or more statements whose rows nobody wants.
  [[nodiscard]] base::Status execute(const std::string& sql) const;
  /// The first column of the first row; nullopt without a row.
  [[nodiscard]] base::Result<std::optional<std::int64_t>> number(std::string_view sql) const;
  [[nodiscard]] base::Result<std::optional<std::string>> text(std::string_view sql) const;

  /// What SQLite said last.
  base::Error error() const;
  base::Error error(int code) const;
  sqlite3* get() const { return database_.get(); }
  const std::string& path() const { return path_; }
  /// A step begins: from now on its time counts.
  void begin_step() const {
    surroundings_->give_up = std::chrono::steady_clock::now() + surroundings_->longest;
  }

 private:
  std::unique_ptr<Surroundings> surroundings_;  // outlives the database
  Database database_;
  std::string path_;
};

/// One run of a statement.
class Use {
 public:
  Use(const Connection& connection, const Statement& statement)
      : connection_(connection), statement_(statement.get()) {}
  ~Use();
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

  /// Parameters from 1. The text must live until the use is over. A failing bind shows in step().
  void bind(int parameter, std::string_view text);
  void bind(int parameter, std::int64_t number);
  void bind_bytes(int parameter, std::string_view bytes);
  void bind_null(int parameter);

  /// True: there is a row. False: there is none any more.
  [[nodiscard]] base::Result<bool> step();
  /// For statements without rows.
  [[nodiscard]] base::Status run();

  // Columns from 0; valid until the next step.
  bool is_null(int column) const;
  std::int64_t number(int column) const;
  std::string_view text(int column) const;  // also bytes

 private:
  const Connection& connection_;
  sqlite3_stmt* statement_;
  int failure_ = SQLITE_OK;
};

/// Rolls back when it is destroyed, unless it was committed. Begins as a writer: whoever waits, waits here.
class Transaction {
 public:
  [[nodiscard]] static base::Result<Transaction> begin(const Connection& connection);
  Transaction(Transaction&& other) noexcept : connection_(std::exchange(other.connection_, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();
  [[nodiscard]] base::Status commit();

 private:
  explicit Transaction(const Connection& connection) : connection_(&connection) {}
  const Connection* connection_;
};

}  // namespace plankeep::records
