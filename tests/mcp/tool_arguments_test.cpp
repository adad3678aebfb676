#include "mcp/tool_arguments.hpp"

#include <catch2/catch.hpp>

namespace plankeep::mcp {
namespace {

using Strings = std::vector<std::string>;

ToolArguments of(std::string_view json) {
  const auto message = json_rpc::parse_message(json);
  REQUIRE(message);
  return ToolArguments(message->value);
}

template <class Value>
std::string problem(const base::Result<Value>& result) {
  return result ? "" : result.error().message;
}

}  // namespace

TEST_CASE("arguments are taken by their names and types") {
  ToolArguments arguments =
      of(R"({"text":"a\nb","ids":["x","y"],"n":7,"yes":true,"kind":"two","maybe":"m"})");
  std::string text;
  Strings ids;
  std::int64_t number = 0;
  bool yes = false;
  std::string kind = "one";
  std::optional<std::string> maybe;
  CHECK(arguments.take("text", text));
  CHECK(arguments.take("ids", ids));
  CHECK(arguments.take("n", number, 1, 7));
  CHECK(arguments.take("yes", yes));
  CHECK(arguments.take("kind", kind, {"one", "two"}));
  CHECK(arguments.take("maybe", maybe));
  CHECK(arguments.finish());
  CHECK(text == "a\nb");
  CHECK(ids == Strings{"x", "y"});
  CHECK(number == 7);
  CHECK(yes);
  CHECK(kind == "two");
  CHECK(maybe == "m");
}

TEST_CASE("what is absent or null stays as it was") {
  for (const std::string_view json :
       {"{}", R"({"text":null,"ids":null,"n":null,"yes":null,"kind":null,"maybe":null})"}) {
    ToolArguments arguments = of(json);
    std::string text = "before";
    Strings ids{"before"};
    std::int64_t number = 5;
    bool yes = true;
    std::string kind = "one";
    std::optional<std::string> maybe;
    CHECK(arguments.take("text", text));
    CHECK(arguments.take("ids", ids));
    CHECK(arguments.take("n", number, 1, 7));
    CHECK(arguments.take("yes", yes));
    CHECK(arguments.take("kind", kind, {"one", "two"}));
    CHECK(arguments.take("maybe", maybe));
    CHECK(arguments.finish());
    CHECK((text == "before" && ids == Strings{"before"} && number == 5 && yes && kind == "one" && !maybe));
  }
}

TEST_CASE("a whole number may be written with a fraction of zero or an exponent") {
  std::int64_t number = 0;
  CHECK(of(R"({"a":500.0})").take("a", number, 1, 1000));
  CHECK(number == 500);
  CHECK(of(R"({"a":5e2})").take("a", number, 1, 1000));
  CHECK(of(R"({"a":-3.0})").take("a", number, -7, 7));
  CHECK(number == -3);
  CHECK(of(R"({"a":9007199254740992.0})").take("a", number, 1, INT64_MAX));
  CHECK(number == 9007199254740992);
  CHECK_FALSE(of(R"({"a":9007199254740994.0})").take("a", number, 1, INT64_MAX));
  CHECK_FALSE(of(R"({"a":1e300})").take("a", number, INT64_MIN, INT64_MAX));
  CHECK_FALSE(of(R"({"a":500.5})").take("a", number, 1, 1000));
}

TEST_CASE("a wrong type says what is wanted") {
  std::string text;
  Strings ids;
  std::int64_t number = 0;
  bool yes = false;
  CHECK(problem(of(R"({"a":1})").take("a", text)) == "a must be a string");
  CHECK(problem(of(R"({"a":"x"})").take("a", ids)) == "a must be an array of strings");
  CHECK(problem(of(R"({"a":["x",1]})").take("a", ids)) == "a must be an array of strings");
  CHECK(problem(of(R"({"a":"1"})").take("a", number, 1, 7)) == "a must be a whole number from 1 to 7");
  CHECK(problem(of(R"({"a":1.5})").take("a", number, 1, 7)) == "a must be a whole number from 1 to 7");
  CHECK(problem(of(R"({"a":8})").take("a", number, 1, 7)) == "a must be a whole number from 1 to 7");
  CHECK(problem(of(R"({"a":99999999999999999999})").take("a", number, 1, 7)) ==
        "a must be a whole number from 1 to 7");
  CHECK(problem(of(R"({"a":18446744073709551615})").take("a", number, -7, 7)) ==
        "a must be a whole number from -7 to 7");
  CHECK(problem(of(R"({"a":"true"})").take("a", yes)) == "a must be true or false");
  CHECK(problem(of(R"({"a":"three"})").take("a", text, {"one", "two"})) == "a must be one of one, two");
}

TEST_CASE("texts are what a command line could have given") {
  std::string text;
  Strings ids;
  CHECK(problem(of(R"({"a":"x\u0000y"})").take("a", text)) == "a must be without NUL characters");
  CHECK(problem(of(R"({"a":["x\u0000y"]})").take("a", ids)) == "a must be without NUL characters");
  const std::string large = R"({"a":")" + std::string(200'000, 'x') + "\"}";
  CHECK(problem(of(large).take("a", text)) == "a must be at most 131072 bytes long");
  std::string many = R"({"a":[)";
  for (int i = 0; i < 1001; ++i) many += i == 0 ? "\"x\"" : ",\"x\"";
  CHECK(problem(of(many + "]}").take("a", ids)) == "a must be at most 1000 strings");
}

TEST_CASE("an argument that the tool does not know is refused, with those that it knows") {
  ToolArguments arguments = of("{\"id\":\"x\",\"idz\\u001b\":1}");
  std::string id;
  REQUIRE(arguments.take("id", id));
  const auto finished = arguments.finish();
  REQUIRE_FALSE(finished);
  CHECK(finished.error().message == "unknown argument idz");
  CHECK(finished.error().hint == "known: id");
}

TEST_CASE("of an argument that comes twice the last one counts") {
  ToolArguments arguments = of(R"({"id":"x","id":"y"})");
  std::string id;
  REQUIRE(arguments.take("id", id));
  CHECK(id == "y");
  CHECK(arguments.finish());
}

}  // namespace plankeep::mcp
