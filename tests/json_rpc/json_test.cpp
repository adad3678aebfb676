#include "json_rpc/json.hpp"

#include <catch2/catch.hpp>
#include <string>

namespace plankeep::json_rpc {
namespace {

std::string safe(const std::string& json) {
  auto value = parse_rendered(json);
  REQUIRE(value);
  return line_of(made_safe(std::move(*value)));
}

std::string problem(const std::string& text) {
  const auto read = parse_message(text);
  if (read) return "";
  CHECK(read.error().kind == base::ErrorKind::invalid_input);
  return read.error().message;
}

}  // namespace

TEST_CASE("JSON of ours comes out in one line with the same values, in the same order") {
  CHECK(safe("{\n  \"b\": [1, 2.5, 33.3, true, false, null],\n  \"a\": {}\n}\n") ==
        R"({"b":[1,2.5,33.3,true,false,null],"a":{}})");
  CHECK(safe("\"x\"") == "\"x\"");
}

TEST_CASE("no control character or override passes through a string or a key") {
  CHECK(safe(R"({"k\u001b[1m":"red \u001b[31m\u0007 \u202e x\ny"})") == "{\"k\":\"red   x\\ny\"}");
  CHECK(safe(R"([{"a":["\u001b"]}])") == R"([{"a":[""]}])");
}

TEST_CASE("what is no JSON is a broken promise when it is ours, and bad input when it is a client's") {
  for (const std::string& text :
       {std::string(), std::string("{"), std::string("{} x"), std::string("\"\xff\""),
        std::string("\xEF\xBB\xBF{}"), std::string("{}\0x", 4), std::string("1e400"), std::string("[1,]"),
        std::string("{'a':1}"), std::string("01")}) {
    INFO(text);
    const auto ours = parse_rendered(text);
    REQUIRE_FALSE(ours);
    CHECK(ours.error().kind == base::ErrorKind::internal);
    CHECK_FALSE(problem(text).empty());
  }
  CHECK(problem("{\"a\":1,}") == "invalid JSON (byte 8)");
}

TEST_CASE("a message has at most 256 levels") {
  const auto nested = [](std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); };
  CHECK(problem(nested(kDeepest)).empty());
  CHECK(problem(nested(kDeepest + 1)) == "invalid JSON: more than 256 levels");
  CHECK(problem(std::string(1'000'000, '[')) == "invalid JSON: more than 256 levels");
}

TEST_CASE("of a key that comes twice the last one counts") {
  const auto read = parse_message(R"({"a":{"b":1},"a":[2],"c":3})");
  REQUIRE(read);
  CHECK(line_of(read->value) == R"({"a":[2],"c":3})");
}

TEST_CASE("ids that a double would change are kept as they were written") {
  using Ids = std::vector<std::pair<std::size_t, std::string>>;
  CHECK(parse_message(R"({"id":1e3,"params":{"id":2.0},"x":3.0})")->written_ids == Ids{{0, "1e3"}});
  CHECK(parse_message(R"([7,{"id":123456789012345678901234},{"id":"1.0"},{"id":1.50}])")->written_ids ==
        Ids{{1, "123456789012345678901234"}, {3, "1.50"}});
  CHECK(parse_message(R"([[{"id":1.0}],{"id":12}])")->written_ids.empty());
}

}  // namespace plankeep::json_rpc
