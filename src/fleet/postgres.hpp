#pragma once
// A connection to a PostgreSQL server: the only place that knows libpq.
//
//   TRY_ASSIGN(const Parameters given, read_address("service=plans"));
//   TRY_ASSIGN(auto connection, Connection::open(given, waiting));
//   TRY_ASSIGN(const Rows rows, connection->query("SELECT path FROM plankeep.plan WHERE project = $1",
//   {id}));
//
// Everything that a person can say about a connection is libpq's: .pgpass, pg_service.conf, PG* variables,
// certificates. With one exception: over TCP `sslmode` is `require` where neither the address nor the service
// nor $PGSSLMODE says another, so nothing is sent over an open line by default.
//
// No error text holds a password: what libpq says of an address that it cannot read is not passed on, and
// the password of the address is cut out of everything else.
//
// Every answer has a deadline; a connection that missed one is closed and of no further use. A transaction
// that was not committed is gone with it.
//
// Errors: busy (not reachable, the connection broke, no answer in time, a server that cannot answer now: exit
// status 5); not_found (the schema is not there: fleet init); conflict (the server's schema is newer or older
// than this program); invalid_input (the address); io (whatever the server refuses, a login or a database
// too, in its words, which may come from a stranger).

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace plankeep::fleet {

using Parameters = std::map<std::string, std::string>;

/// A conninfo ("host=db dbname=plans"), a URI or "service=NAME", as libpq reads it. invalid_input otherwise.
[[nodiscard]] base::Result<Parameters> read_address(const std::string& address);

/// For people: host, port, dbname, user and service of the address, never a password.
std::string shown_address(const Parameters& parameters);

using Value = std::optional<std::string>;  // nullopt: NULL

/// One row of a result. Columns that the server did not send are NULL: a broken proxy, or a program that only
/// pretends to be a server, can send fewer columns than the query has.
class Row {
 public:
  const Value& operator[](std::size_t column) const {
    static const Value null;
    return column < values_.size() ? values_[column] : null;
  }
  const Value& front() const { return (*this)[0]; }
  const Value& back() const { return (*this)[values_.empty() ? 0 : values_.size() - 1]; }
  void add(Value value) { values_.push_back(std::move(value)); }

 private:
  std::vector<Value> values_;
};
using Rows = std::vector<Row>;

/// A whole number; 0 for NULL.
std::int64_t number_in(const Value& value);

enum class Direction { read, write };
/// Waits until the socket is ready, at most for `time`; false when it is not by then, or a signal came.
using Wait = std::function<bool(int socket, Direction direction, std::chrono::milliseconds time)>;

/// What there is to know of a connection.
struct ServerFacts {
  std::string address;  // shown_address, of what is really connected
  std::string user;     // the login
  int version = 0;      // 150017
  std::string tls;      // "TLSv1.3"; empty: a Unix socket, or an open line
  bool local = false;   // a Unix socket
};

class Connection {
 public:
  static constexpr std::chrono::milliseconds kConnectTimeout{10'000};
  static constexpr std::chrono::milliseconds kAnswerTimeout{60'000};

  [[nodiscard]] static base::Result<std::unique_ptr<Connection>> open(
      const Parameters& parameters, Wait wait, std::chrono::milliseconds timeout = kConnectTimeout);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  ServerFacts facts() const;

  /// One statement, its parameters as text. The rows of its answer; of one without rows none.
  [[nodiscard]] base::Result<Rows> query(const std::string& statement, const std::vector<Value>& values = {});
  /// The same; how many rows it inserted, updated or deleted.
  [[nodiscard]] base::Result<std::int64_t> change(const std::string& statement,
                                                  const std::vector<Value>& values = {});
  /// The same, and runs `meanwhile` while the server works. It must not use the connection.
  [[nodiscard]] base::Result<std::int64_t> change_beside(const std::string& statement,
                                                         const std::vector<Value>& values,
                                                         const std::function<void()>& meanwhile);
  /// Several statements, one after the other, in one transaction unless they say otherwise.
  [[nodiscard]] base::Status script(const std::string& statements);
  /// The same. Returns the rows of the last statement that has any.
  [[nodiscard]] base::Result<Rows> read_script(const std::string& statements);
  /// COPY ... FROM STDIN: `data` in its text format.
  [[nodiscard]] base::Status copy(const std::string& statement, std::string_view data);

  /// What other connections told (NOTIFY) since the last call: the payloads. Waits at most for `time`.
  [[nodiscard]] base::Result<std::vector<std::string>> notices(std::chrono::milliseconds time);

  /// For what may take longer than kAnswerTimeout.
  void set_answer_timeout(std::chrono::milliseconds time) { answer_timeout_ = time; }

 private:
  struct Handle;
  Connection(std::unique_ptr<Handle> handle, Wait wait);
  base::Result<Rows> ask(const std::string& statement, const std::vector<Value>* values,
                         std::int64_t* changed);
  base::Status send(const std::string& statement, const std::vector<Value>* values);
  base::Result<Rows> receive(std::int64_t* changed);
  base::Status flush(std::chrono::steady_clock::time_point until);
  base::Status wait_for_answer(std::chrono::steady_clock::time_point until);
  base::Error lost(const std::string& what) const;

  std::unique_ptr<Handle> handle_;
  Wait wait_;
  std::chrono::milliseconds answer_timeout_ = kAnswerTimeout;
};

}  // namespace plankeep::fleet
