#include "mcp/tool_words.hpp"

#include <catch2/catch.hpp>
#include <string>

namespace plankeep::mcp {

TEST_CASE("a hint names the tool and its argument where there is one") {
  CHECK(in_tool_words("give one with --plan, or choose one for this project: plankeep use two") ==
        "give one as plan");
  CHECK(in_tool_words("did you mean login, logout? to list all ids: plankeep list") ==
        "did you mean login, logout? to list ids: plan_status");
  CHECK(in_tool_words("stop working on it, or claim it again without --fence") ==
        "stop working on it, or claim it again without fence");
  CHECK(in_tool_words("to claim an available task: plankeep next --claim") ==
        "to claim an available task: claim_task without id");
}

TEST_CASE("advice that no tool can follow stays as it is") {
  for (const std::string hint : {"fix the plan first; for details: plankeep doctor", "", "give one of these"})
    CHECK(in_tool_words(hint) == hint);
}

}  // namespace plankeep::mcp
