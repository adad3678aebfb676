#include "checkpoint_db/sqlite_handles.hpp"

#include <utility>

namespace plankeep::records {

using base::ErrorKind;
using base::Result;
using base::Status;

base::Error Connection::error(int code) const {
  ErrorKind kind = ErrorKind::io;
  std::string hint;
  switch (code & 0xFF) {  // the primary code
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      kind = ErrorKind::busy;
      hint = "another process is writing to it; try again";
      break;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      kind = ErrorKind::corrupt;
      hint = "for details: plankeep doctor; to set it aside (it is kept): plankeep doctor --repair";
      break;
    case SQLITE_CONSTRAINT:
    case SQLITE_MISUSE:
    case SQLITE_RANGE:
    case SQLITE_MISMATCH:
      kind = ErrorKind::internal;
      break;
    case SQLITE_INTERRUPT:
      return {kind, path_ + ": timed out", {}, "for details: plankeep doctor"};
    case SQLITE_TOOBIG:
      kind = ErrorKind::invalid_input;
      break;
    case SQLITE_FULL:
      hint = "the disk is full";
      break;
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN:
      kind = code == SQLITE_CANTOPEN_SYMLINK ? ErrorKind::corrupt : ErrorKind::io;
      hint = "check the folder's permissions";
      break;
    default:
      break;
  }
  const char* const words = database_ != nullptr && sqlite3_errcode(database_.get()) == (code & 0xFF)
                                ? sqlite3_errmsg(database_.get())
                                : sqlite3_errstr(code);
  return {kind, path_ + ": " + words, {}, std::move(hint)};
}

base::Error Connection::error() const {
  return error(sqlite3_extended_errcode(database_.get()));
}

Result<Statement> Connection::prepare(std::string_view sql) const {
  sqlite3_stmt* statement = nullptr;
  const int code =
      sqlite3_prepare_v2(database_.get(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
  if (code != SQLITE_OK) return base::fail(error());
  return Statement(statement);
}

Status Connection::execute(const std::string& sql) const {
  begin_step();
  if (sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
    return base::fail(error());
  return {};
}

Result<std::optional<std::int64_t>> Connection::number(std::string_view sql) const {
  TRY_ASSIGN(const Statement statement, prepare(sql));
  Use use(*this, statement);
  TRY_ASSIGN(const bool row, use.step());
  return row ? std::optional(use.number(0)) : std::nullopt;
}

Result<std::optional<std::string>> Connection::text(std::string_view sql) const {
  TRY_ASSIGN(const Statement statement, prepare(sql));
  Use use(*this, statement);
  TRY_ASSIGN(const bool row, use.step());
  return row ? std::optional(std::string(use.text(0))) : std::nullopt;
}

Use::~Use() {
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

void Use::bind(int parameter, std::string_view text) {
  // An empty view may have no address, which would bind null.
  const char* const bytes = text.data() == nullptr ? "" : text.data();
  const int code = sqlite3_bind_text64(statement_, parameter, bytes, text.size(), SQLITE_STATIC, SQLITE_UTF8);
  if (code != SQLITE_OK) failure_ = code;
}

void Use::bind(int parameter, std::int64_t number) {
  const int code = sqlite3_bind_int64(statement_, parameter, number);
  if (code != SQLITE_OK) failure_ = code;
}

void Use::bind_bytes(int parameter, std::string_view bytes) {
  const char* const from = bytes.data() == nullptr ? "" : bytes.data();
  const int code = sqlite3_bind_blob64(statement_, parameter, from, bytes.size(), SQLITE_STATIC);
  if (code != SQLITE_OK) failure_ = code;
}

void Use::bind_null(int parameter) {
  const int code = sqlite3_bind_null(statement_, parameter);
  if (code != SQLITE_OK) failure_ = code;
}

Result<bool> Use::step() {
  if (failure_ != SQLITE_OK) return base::fail(connection_.error(failure_));
  connection_.begin_step();
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return base::fail(connection_.error());
}

Status Use::run() {
  TRY_ASSIGN(const bool row, step());
  (void)row;
  return {};
}

bool Use::is_null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

std::int64_t Use::number(int column) const {
  return sqlite3_column_int64(statement_, column);
}

std::string_view Use::text(int column) const {
  const auto* const bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column));
  if (bytes == nullptr) return {};
  return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

Result<Transaction> Transaction::begin(const Connection& connection) {
  TRY(connection.execute("BEGIN IMMEDIATE"));
  return Transaction(connection);
}

Transaction::~Transaction() {
  // Nothing to be said about it: what was not committed is not there, whether this succeeds or not.
  if (connection_ != nullptr) (void)connection_->execute("ROLLBACK");
}

Status Transaction::commit() {
  TRY(connection_->execute("COMMIT"));
  connection_ = nullptr;
  return {};
}

}  // namespace plankeep::records
