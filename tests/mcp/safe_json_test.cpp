#include "mcp/safe_json.hpp"

#include <catch2/catch.hpp>
#include <string>

namespace plankeep::mcp {

TEST_CASE("JSON of ours comes out in one line with the same values") {
  CHECK(safe_json("{\n  \"a\": [1, 2.5, -0, true, false, null],\n  \"b\": {}\n}\n") ==
        R"({"a":[1,2.5,-0,true,false,null],"b":{}})");
  CHECK(safe_json("\"x\"") == "\"x\"");
}

TEST_CASE("no control character or override passes through a string or a key") {
  CHECK(safe_json(R"({"k\u001b[1m":"red \u001b[31m\u0007 \u202e x\ny"})") ==
        "{\"k[1m\":\"red [31m  x\\ny\"}");
}

TEST_CASE("what is no JSON is a broken promise of ours") {
  for (const std::string text : {"", "{", "{} x", "\"\xff\""}) {
    const auto safe = safe_json(text);
    REQUIRE_FALSE(safe);
    CHECK(safe.error().kind == base::ErrorKind::internal);
  }
}

}  // namespace plankeep::mcp
