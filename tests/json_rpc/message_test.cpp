#include "json_rpc/message.hpp"

#include <catch2/catch.hpp>
#include <string>

namespace plankeep::json_rpc {
namespace {

std::string id_in(const std::string& text) {
  const auto read = parse_message(text);
  REQUIRE(read);
  return id_of(read->value, *read, 0);
}

}  // namespace

TEST_CASE("an id comes back as it was written") {
  CHECK(id_in(R"({"id":"a\"b"})") == R"("a\"b")");
  CHECK(id_in(R"({"id":-7})") == "-7");
  CHECK(id_in(R"({"id":12345678901234567890123})") == "12345678901234567890123");
  CHECK(id_in(R"({"id":1.50})") == "1.50");
}

TEST_CASE("what is neither a string nor a number is no id") {
  CHECK(id_in(R"({"id":null})").empty());
  CHECK(id_in(R"({"id":{}})").empty());
  CHECK(id_in(R"({})").empty());
  CHECK(id_in(R"([1])").empty());
}

TEST_CASE("a response is one line with the id that it was given") {
  CHECK(response("1.50", "result", {{"a", "x\ny"}}) ==
        R"({"jsonrpc":"2.0","id":1.50,"result":{"a":"x\ny"}})");
  CHECK(response("", "error", nullptr) == R"({"jsonrpc":"2.0","error":null})");
}

TEST_CASE("a member that is not there is null") {
  const Json object = {{"a", 1}};
  CHECK(member(object, "a") == 1);
  CHECK(member(object, "b").is_null());
  CHECK(member(Json::array({1}), "a").is_null());
}

TEST_CASE("what a client wrote is told safely and shortly") {
  CHECK(echo("\x1b[31mred").find('\x1b') == std::string::npos);
  CHECK(echo(std::string(1000, 'x')).size() <= 100);
}

}  // namespace plankeep::json_rpc
