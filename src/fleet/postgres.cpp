#include "fleet/postgres.hpp"

#include <libpq-fe.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "base/text.hpp"
#include "fleet/connection_error.hpp"

namespace plankeep::fleet {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;
using base::Status;
using Clock = std::chrono::steady_clock;

struct Freed {
  void operator()(PGresult* result) const { PQclear(result); }
  void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }
  void operator()(PGnotify* notice) const { PQfreemem(notice); }
  void operator()(char* text) const { PQfreemem(text); }
};
using Answer = std::unique_ptr<PGresult, Freed>;
using Options = std::unique_ptr<PQconninfoOption, Freed>;

Parameters known_of(const PQconninfoOption* option) {
  Parameters known;
  for (; option != nullptr && option->keyword != nullptr; ++option) {
    if (option->val != nullptr && *option->val != '\0') known.emplace(option->keyword, option->val);
  }
  return known;
}

bool is_secret(std::string_view keyword) {
  return keyword == "password" || keyword == "sslpassword";
}

std::string text_of(const char* text) {
  return text == nullptr ? std::string() : std::string(text);
}

// libpq ends its messages with a line feed and may use several lines.
std::string one_line(const char* message) {
  std::string text(message == nullptr ? "" : message);
  std::replace(text.begin(), text.end(), '\n', ' ');
  return std::string(base::trimmed(text));
}

void replace_all(std::string& text, const std::string& what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

constexpr std::string_view kUndefinedTable = "42P01";
constexpr std::string_view kUndefinedFunction = "42883";
constexpr std::string_view kInvalidSchema = "3F000";
constexpr std::string_view kNoPrivilege = "42501";
constexpr std::string_view kLockNotAvailable = "55P03";
constexpr std::string_view kDiskFull = "53100";

std::string state_of(const PGresult* result) {
  const char* const state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
  return state == nullptr ? "" : state;
}

}  // namespace

struct Connection::Handle {
  PGconn* connection = nullptr;
  std::vector<std::string> secrets;

  Handle() = default;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (connection != nullptr) PQfinish(connection);
  }

  std::string without_secrets(std::string text) const {
    for (const std::string& secret : secrets) replace_all(text, secret, "***");
    return text;
  }
  std::string message() const { return without_secrets(one_line(PQerrorMessage(connection))); }

  Error refusal(const PGresult* result) const {
    const std::string state = state_of(result);
    const char* const primary = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    const std::string said =
        without_secrets(one_line(primary == nullptr ? PQerrorMessage(connection) : primary));
    if (base::one_of(state, {kUndefinedTable, kInvalidSchema, kUndefinedFunction}))
      return {ErrorKind::not_found,
              "the fleet's database has no plankeep schema, or an older one: " + said,
              {},
              "plankeep fleet init makes it, plankeep fleet upgrade brings it up to date"};
    if (state == kNoPrivilege)
      return {ErrorKind::io,
              "the fleet's server refused: " + said,
              {},
              "an administrator grants it: GRANT plankeep_writer TO your_login"};
    if (state == kLockNotAvailable)
      return {ErrorKind::busy,
              "another process is writing the same records on the fleet's server",
              {},
              "run it again"};
    if (state == kDiskFull)
      return {ErrorKind::io,
              "the fleet's server has no room left: " + said,
              {},
              "nothing is lost here: push again when its administrator has made room"};
    // Of these classes the connection itself, or the server, is the reason: 08, 53, 57P.
    if (state.starts_with("08") || state.starts_with("53") || state.starts_with("57P"))
      return {ErrorKind::busy, "the fleet's server cannot answer: " + said, {}, {}};
    if (PQstatus(connection) == CONNECTION_BAD)
      return {ErrorKind::busy, "the connection to the fleet's server broke: " + said, {}, {}};
    return {ErrorKind::io, "the fleet's server refused: " + said, {}, {}};
  }
};

std::int64_t number_in(const Value& value) {
  return value ? std::strtoll(value->c_str(), nullptr, 10) : 0;
}

Result<Parameters> read_address(const std::string& address) {
  char* complaint = nullptr;
  const Options options(PQconninfoParse(address.c_str(), &complaint));
  // What libpq says may hold a part of the address, and so of a password.
  const std::unique_ptr<char, Freed> freed(complaint);
  if (!options || address.find('\0') != std::string::npos) {
    return base::fail(ErrorKind::invalid_input, "the fleet's address cannot be read",
                      "give service=NAME, host=HOST dbname=NAME user=NAME, or postgresql://USER@HOST/NAME");
  }
  return known_of(options.get());
}

std::string shown_address(const Parameters& parameters) {
  constexpr std::array<std::string_view, 6> kShown{"service", "host", "hostaddr", "port", "dbname", "user"};
  std::string shown;
  for (const std::string_view name : kShown) {
    const auto known = parameters.find(std::string(name));
    if (known == parameters.end()) continue;
    if (!shown.empty()) shown += ' ';
    shown += std::string(name) + "=" + known->second;
  }
  return shown;
}

Connection::Connection(std::unique_ptr<Handle> handle, Wait wait)
    : handle_(std::move(handle)), wait_(std::move(wait)) {}
Connection::~Connection() = default;

Result<std::unique_ptr<Connection>> Connection::open(const Parameters& parameters, Wait wait,
                                                     std::chrono::milliseconds timeout) {
  // Read by libpq last of all, behind the address and the service: a default of our own.
  (void)::setenv("PGSSLMODE", "require", 0);
  Parameters wanted = parameters;
  wanted.emplace("application_name", "plankeep-fleet");
  wanted.emplace("client_encoding", "UTF8");
  // A server that is gone without a word is noticed.
  wanted.emplace("keepalives_idle", "30");
  wanted.emplace("tcp_user_timeout", "60000");
  std::vector<const char*> names;
  std::vector<const char*> values;
  for (const auto& [name, value] : wanted) {
    names.push_back(name.c_str());
    values.push_back(value.c_str());
  }
  names.push_back(nullptr);
  values.push_back(nullptr);

  auto handle = std::make_unique<Handle>();
  for (const auto& [name, value] : parameters) {
    if (is_secret(name) && !value.empty()) handle->secrets.push_back(value);
  }
  handle->connection = PQconnectStartParams(names.data(), values.data(), 0);
  if (handle->connection == nullptr) return base::fail(ErrorKind::io, "out of memory");
  (void)PQsetNoticeProcessor(
      handle->connection, [](void*, const char*) {}, nullptr);
  // With SQLSTATE, the only way to know what a server that refuses means.
  (void)PQsetErrorVerbosity(handle->connection, PQERRORS_VERBOSE);
  const auto failed = [&](const std::string& why) {
    return base::fail(connection_error({why, shown_address(parameters), text_of(PQuser(handle->connection)),
                                        text_of(PQdb(handle->connection)),
                                        PQconnectionNeedsPassword(handle->connection) != 0}));
  };
  const auto unreachable = [&] {
    return failed(handle->without_secrets(text_of(PQerrorMessage(handle->connection))));
  };
  const auto until = Clock::now() + timeout;
  if (PQstatus(handle->connection) == CONNECTION_BAD) return unreachable();
  for (PostgresPollingStatusType state = PGRES_POLLING_WRITING; state != PGRES_POLLING_OK;
       state = PQconnectPoll(handle->connection)) {
    if (state == PGRES_POLLING_FAILED) return unreachable();
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    const auto direction = state == PGRES_POLLING_READING ? Direction::read : Direction::write;
    const bool ready = left.count() > 0 && wait(PQsocket(handle->connection), direction, left);
    if (!ready) return failed("no answer within " + std::to_string(timeout.count() / 1000) + " s");
  }
  (void)PQsetErrorVerbosity(handle->connection, PQERRORS_DEFAULT);
  if (PQsetnonblocking(handle->connection, 1) != 0) return unreachable();
  return std::unique_ptr<Connection>(new Connection(std::move(handle), std::move(wait)));
}

ServerFacts Connection::facts() const {
  PGconn* const connection = handle_->connection;
  const Options options(PQconninfo(connection));
  Parameters known = known_of(options.get());
  std::erase_if(known, [](const auto& one) { return is_secret(one.first); });
  ServerFacts facts;
  facts.address = shown_address(known);
  facts.user = PQuser(connection);
  facts.version = PQserverVersion(connection);
  const char* const host = PQhost(connection);
  facts.local = host != nullptr && *host == '/';
  if (PQsslInUse(connection) != 0) {
    const char* const protocol = PQsslAttribute(connection, "protocol");
    facts.tls = protocol == nullptr ? "TLS" : protocol;
  }
  return facts;
}

Error Connection::lost(const std::string& what) const {
  // A late answer must not be taken for that to the next question.
  PQfinish(std::exchange(handle_->connection, nullptr));
  return {ErrorKind::busy, what, {}, {}};
}

Status Connection::flush(Clock::time_point until) {
  for (;;) {
    const int state = PQflush(handle_->connection);
    if (state == 0) return {};
    if (state < 0) {
      const std::string said = handle_->message();
      return base::fail(lost("the connection to the fleet's server broke: " + said));
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    // What the server says meanwhile must be taken, or both wait for each other.
    const bool ready = left.count() > 0 && wait_(PQsocket(handle_->connection), Direction::write, left);
    if (!ready) return base::fail(lost("the fleet's server does not read in time"));
    (void)PQconsumeInput(handle_->connection);
  }
}

Status Connection::wait_for_answer(Clock::time_point until) {
  TRY(flush(until));
  while (PQisBusy(handle_->connection) != 0) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    if (left.count() <= 0 || !wait_(PQsocket(handle_->connection), Direction::read, left))
      return base::fail(lost("the fleet's server does not answer in time"));
    if (PQconsumeInput(handle_->connection) == 0) {
      const std::string said = handle_->message();
      return base::fail(lost("the connection to the fleet's server broke: " + said));
    }
  }
  return {};
}

Result<Rows> Connection::ask(const std::string& statement, const std::vector<Value>* values,
                             std::int64_t* changed) {
  TRY(send(statement, values));
  return receive(changed);
}

Status Connection::send(const std::string& statement, const std::vector<Value>* values) {
  if (handle_->connection == nullptr)
    return base::fail(ErrorKind::busy, "the connection to the fleet's server is closed");
  int sent = 0;
  if (values == nullptr) {
    sent = PQsendQuery(handle_->connection, statement.c_str());
  } else {
    std::vector<const char*> texts;
    texts.reserve(values->size());
    for (const Value& value : *values) texts.push_back(value ? value->c_str() : nullptr);
    sent = PQsendQueryParams(handle_->connection, statement.c_str(), static_cast<int>(texts.size()), nullptr,
                             texts.data(), nullptr, nullptr, 0);
  }
  if (sent == 0) {
    const std::string said = handle_->message();
    return base::fail(lost("the connection to the fleet's server broke: " + said));
  }
  return {};
}

Result<Rows> Connection::receive(std::int64_t* changed) {
  const auto until = Clock::now() + answer_timeout_;
  Rows rows;
  std::optional<Error> refused;
  for (;;) {
    TRY(wait_for_answer(until));
    const Answer answer(PQgetResult(handle_->connection));
    if (!answer) break;
    switch (PQresultStatus(answer.get())) {
      case PGRES_TUPLES_OK: {
        const int columns = PQnfields(answer.get());
        const int count = PQntuples(answer.get());
        rows.clear();
        rows.reserve(static_cast<std::size_t>(count));
        for (int row = 0; row < count; ++row) {
          Row& read = rows.emplace_back();
          for (int column = 0; column < columns; ++column) {
            if (PQgetisnull(answer.get(), row, column) != 0) {
              read.add(std::nullopt);
            } else {
              read.add(std::string(PQgetvalue(answer.get(), row, column),
                                   static_cast<std::size_t>(PQgetlength(answer.get(), row, column))));
            }
          }
        }
        [[fallthrough]];
      }
      case PGRES_COMMAND_OK:
        if (changed != nullptr) *changed = std::strtoll(PQcmdTuples(answer.get()), nullptr, 10);
        break;
      case PGRES_EMPTY_QUERY:
        break;
      case PGRES_COPY_IN:
        return rows;
      default:
        if (!refused) refused = handle_->refusal(answer.get());
    }
  }
  if (refused) return base::fail(std::move(*refused));
  return rows;
}

Result<Rows> Connection::query(const std::string& statement, const std::vector<Value>& values) {
  return ask(statement, &values, nullptr);
}

Result<std::int64_t> Connection::change(const std::string& statement, const std::vector<Value>& values) {
  std::int64_t changed = 0;
  TRY(ask(statement, &values, &changed));
  return changed;
}

Result<std::int64_t> Connection::change_beside(const std::string& statement, const std::vector<Value>& values,
                                               const std::function<void()>& meanwhile) {
  TRY(send(statement, &values));
  TRY(flush(Clock::now() + answer_timeout_));
  meanwhile();
  std::int64_t changed = 0;
  TRY(receive(&changed));
  return changed;
}

Status Connection::script(const std::string& statements) {
  TRY(read_script(statements));
  return {};
}

Result<Rows> Connection::read_script(const std::string& statements) {
  return ask(statements, nullptr, nullptr);
}

Status Connection::copy(const std::string& statement, std::string_view data) {
  TRY(ask(statement, nullptr, nullptr));
  const auto until = Clock::now() + answer_timeout_;
  constexpr std::size_t kAtOnce = std::size_t{64} << 10;
  while (!data.empty()) {
    const std::string_view piece = data.substr(0, kAtOnce);
    const int state = PQputCopyData(handle_->connection, piece.data(), static_cast<int>(piece.size()));
    if (state < 0) break;  // the answer below says why
    if (state > 0) data.remove_prefix(piece.size());
    if (state == 0) TRY(flush(until));
  }
  for (;;) {
    const int ended = PQputCopyEnd(handle_->connection, nullptr);
    if (ended != 0) break;
    TRY(flush(until));
  }
  std::optional<Error> refused;
  for (;;) {
    TRY(wait_for_answer(until));
    const Answer answer(PQgetResult(handle_->connection));
    if (!answer) break;
    if (PQresultStatus(answer.get()) != PGRES_COMMAND_OK && !refused)
      refused = handle_->refusal(answer.get());
  }
  if (refused) return base::fail(std::move(*refused));
  return {};
}

Result<std::vector<std::string>> Connection::notices(std::chrono::milliseconds time) {
  if (handle_->connection == nullptr)
    return base::fail(ErrorKind::busy, "the connection to the fleet's server is closed");
  std::vector<std::string> payloads;
  const auto take = [&] {
    while (const std::unique_ptr<PGnotify, Freed> notice{PQnotifies(handle_->connection)})
      payloads.emplace_back(notice->extra == nullptr ? "" : notice->extra);
  };
  take();
  if (!payloads.empty()) return payloads;
  if (wait_(PQsocket(handle_->connection), Direction::read, time)) {
    if (PQconsumeInput(handle_->connection) == 0) {
      const std::string said = handle_->message();
      return base::fail(lost("the connection to the fleet's server broke: " + said));
    }
    take();
  }
  return payloads;
}

}  // namespace plankeep::fleet
