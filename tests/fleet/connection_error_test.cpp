#include "fleet/connection_error.hpp"

#include <catch2/catch.hpp>

using namespace plankeep;

namespace {

base::Error error_of(const std::string& said, bool no_password = false) {
  return fleet::connection_error({said, "host=db dbname=plans user=kim", "kim", "plans", no_password});
}

std::string from_server(const std::string& said) {
  return "connection to server at \"db\" (10.0.0.1), port 5432 failed: FATAL:  " + said +
         "\nLOCATION:  auth_failed, auth.c:335\npassword retrieved from file \"/home/kim/.pgpass\"\n";
}

}  // namespace

TEST_CASE("a server that answers and refuses is not called unreachable") {
  struct Example {
    std::string said;
    base::ErrorKind kind;
    std::string message;
  };
  const Example example = GENERATE(values<Example>({
      {"28P01: password authentication failed for user \"kim\"", base::ErrorKind::io,
       "does not take the password of the login kim"},
      {"28000: no pg_hba.conf entry for host", base::ErrorKind::io, "does not let the login kim in"},
      {"3D000: database \"plans\" does not exist", base::ErrorKind::io, "has no database plans"},
      {"42501: permission denied for database \"plans\"", base::ErrorKind::io, "into its database"},
      {"53300: sorry, too many clients already", base::ErrorKind::busy, "cannot answer now: sorry"},
      {"57P03: the database system is starting up", base::ErrorKind::busy, "cannot answer now"},
      {"XX000: odd", base::ErrorKind::io, "refused the connection: odd"},
  }));
  const base::Error error = error_of(from_server(example.said));
  CAPTURE(error.message);
  CHECK(error.kind == example.kind);
  CHECK(error.message.find(example.message) != std::string::npos);
  CHECK(error.message.find("reached") == std::string::npos);
  CHECK(error.message.find("LOCATION") == std::string::npos);
  CHECK(error.message.find('\n') == std::string::npos);
}

TEST_CASE("the server's language does not matter") {
  const base::Error error = error_of("FATAL:  3D000: Datenbank »plans« existiert nicht\n");
  CHECK(error.message.ends_with("has no database plans"));
}

TEST_CASE("the last of several hosts counts") {
  const base::Error error =
      error_of("connection to server at \"a\" failed: Connection refused\n" + from_server("28P01: no"));
  CHECK(error.kind == base::ErrorKind::io);
}

TEST_CASE("a password that is asked for and not there is said") {
  const base::Error error = error_of("fe_sendauth: no password supplied", true);
  CHECK(error.kind == base::ErrorKind::io);
  CHECK(error.message.find("asks for a password") != std::string::npos);
  CHECK(error.hint.find(".pgpass") != std::string::npos);
}

TEST_CASE("what is not reached says what to look at") {
  const base::Error host = error_of("could not translate host name \"db\" to address: Name not known\n");
  CHECK(host.kind == base::ErrorKind::busy);
  CHECK(host.hint.find("host") != std::string::npos);
  const base::Error port =
      error_of("connection to server at \"db\", port 1 failed: Connection refused\n\tIs it?\n");
  CHECK(port.kind == base::ErrorKind::busy);
  CHECK(port.message.find("cannot be reached") != std::string::npos);
  CHECK(port.message.ends_with("Connection refused"));
  CHECK(port.hint.find("port") != std::string::npos);
  CHECK(error_of("no answer within 10 s").kind == base::ErrorKind::busy);
}

TEST_CASE("an address that libpq cannot use is no server that is away") {
  CHECK(error_of("definition of service \"plans\" not found\n").kind == base::ErrorKind::invalid_input);
  CHECK(error_of("invalid port number: \"99999\"\n").kind == base::ErrorKind::invalid_input);
}

TEST_CASE("no text of a server breaks the search for its state") {
  for (const std::string said : {"", ":  ", ":  2", ":  28P01", ":  28P01: ", ":  28p01: x", ":  :  :  "})
    CHECK_FALSE(error_of(said).message.empty());
}
