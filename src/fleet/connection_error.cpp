#include "fleet/connection_error.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/text.hpp"

namespace plankeep::fleet {
namespace {

using base::Error;
using base::ErrorKind;

constexpr std::size_t kStateLength = 5;

bool is_state(std::string_view text) {
  return text.size() == kStateLength && std::all_of(text.begin(), text.end(), [](char c) {
           return base::is_digit(c) || (c >= 'A' && c <= 'Z');
         });
}

struct Answer {
  std::string state;    // SQLSTATE
  std::string primary;  // the server's words
};

// "FATAL:  28P01: password authentication failed", the severity in the server's language. Of several hosts
// the last one counts.
std::optional<Answer> answer_in(std::string_view said) {
  constexpr std::string_view kBefore = ":  ";
  for (std::size_t at = said.rfind(kBefore); at != std::string_view::npos; at = said.rfind(kBefore, at - 1)) {
    const std::string_view rest = said.substr(at + kBefore.size());
    const std::string_view state = rest.substr(0, kStateLength);
    if (is_state(state) && rest.substr(kStateLength).starts_with(": ")) {
      const std::string_view words = rest.substr(kStateLength + 2);
      return Answer{std::string(state), std::string(words.substr(0, words.find('\n')))};
    }
    if (at == 0) break;
  }
  return std::nullopt;
}

// An indented line is advice of libpq, for which we have our own.
std::string one_line(std::string_view text) {
  std::string line;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    if (!part.starts_with('\t')) line += std::string(line.empty() ? "" : " ") + std::string(part);
  }
  return std::string(base::trimmed(line));
}

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

Error refused(const FailedConnection& failed, const std::string& server, const Answer& answer) {
  const std::string& state = answer.state;
  if (state == "28P01") {
    return {
        ErrorKind::io,
        server + " does not take the password of the login " + failed.login + ": " + answer.primary,
        {},
        "correct the login in the address, or the password in ~/.pgpass: HOST:PORT:DATABASE:LOGIN:PASSWORD"};
  }
  if (state.starts_with("28")) {
    return {ErrorKind::io,
            server + " does not let the login " + failed.login + " in: " + answer.primary,
            {},
            "correct the login in the address; else an administrator lets it in (CREATE ROLE, pg_hba.conf)"};
  }
  if (state == "3D000") {
    return {ErrorKind::io,
            server + " has no database " + failed.database,
            {},
            "correct dbname in the address; a new database: createdb, then plankeep fleet init"};
  }
  if (state == "42501") {
    return {ErrorKind::io,
            server + " does not let the login " + failed.login + " into its database: " + answer.primary,
            {},
            "an administrator grants it: GRANT CONNECT ON DATABASE"};
  }
  if (state.starts_with("08") || state.starts_with("53") || state.starts_with("57P")) {
    return {ErrorKind::busy,
            server + " cannot answer now: " + answer.primary,
            {},
            "try again; what is recorded here is not lost"};
  }
  return {ErrorKind::io, server + " refused the connection: " + answer.primary, {}, {}};
}

}  // namespace

Error connection_error(const FailedConnection& failed) {
  const std::string server =
      "the fleet's server" + (failed.where.empty() ? std::string() : " (" + failed.where + ")");
  if (failed.no_password) {
    return {ErrorKind::io,
            server + " asks for a password, and none was found for the login " + failed.login,
            {},
            "put it into ~/.pgpass, readable for you alone: HOST:PORT:DATABASE:LOGIN:PASSWORD"};
  }
  if (const auto answer = answer_in(failed.said)) return refused(failed, server, *answer);
  const std::string said = one_line(failed.said);
  if (said.starts_with("definition of service") || has(said, "service file")) {
    return {ErrorKind::invalid_input,
            "the fleet's address cannot be used: " + said,
            {},
            "services stand in ~/.pg_service.conf"};
  }
  if (said.starts_with("invalid "))
    return {ErrorKind::invalid_input, "the fleet's address cannot be used: " + said, {}, {}};
  std::string hint;
  if (has(said, "could not translate host name")) {
    hint = "correct the host in the address; or is this machine offline?";
  } else if (has(said, "Connection refused") || has(said, "No such file or directory")) {
    hint = "nothing answers there: check host and port, and whether the server runs";
  } else if (has(said, "SSL") && has(said, "not support")) {
    hint = "plankeep asks for TLS over TCP unless the address says sslmode itself";
  }
  return {ErrorKind::busy, server + " cannot be reached: " + said, {}, hint};
}

}  // namespace plankeep::fleet
