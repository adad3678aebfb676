#include "clients/tool_ticks.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace plankeep::clients {
namespace {

using Ids = std::vector<std::string>;

Ids ticks_in(const std::string& calls) {
  Ids ids;
  const auto read = read_tool_ticks(R"({"session_id":"s","agent_id":"a1","tool_calls":)" + calls + "}", ids);
  CHECK(read);
  return ids;
}

}  // namespace

TEST_CASE("ticks through our MCP server are read from a batch of calls") {
  CHECK(ticks_in(R"([{"tool_name":"Read","tool_input":{"ids":["x"]},"tool_response":"..."},
                     {"tool_name":"mcp__plankeep__complete_task","tool_input":{"ids":["T001","T002"]}},
                     {"tool_input":{"ids":["T003"],"action":"done"},
                      "tool_name":"mcp__plugin_plankeep_plankeep__complete_task"}])") ==
        Ids{"T001", "T002", "T003"});
}

TEST_CASE("what ticks nothing, names its actor, or is another server's is none") {
  for (const std::string call :
       {R"("tool_name":"mcp__plankeep__complete_task","tool_input":{"ids":["a"],"action":"reopen"})",
        R"("tool_name":"mcp__plankeep__complete_task","tool_input":{"ids":["a"],"actor":"main"})",
        R"("tool_name":"mcp__plankeep__claim_task","tool_input":{"ids":["a"]})",
        R"("tool_name":"mcp__other__complete_task","tool_input":{"ids":["a"]})",
        R"("tool_name":"mcp__plankeep__complete_task","tool_input":"a")",
        R"("tool_name":7,"tool_input":null)"})
    CHECK(ticks_in("[{" + call + "}]").empty());
  CHECK(ticks_in("7").empty());
  CHECK(ticks_in("[[]]").empty());
}

TEST_CASE("a payload that has not come whole gives nothing yet") {
  Ids ids;
  const auto read = read_tool_ticks(R"({"tool_calls":[{"tool_name":"mcp__plankeep__complete_task")", ids);
  REQUIRE(read);
  CHECK(*read == Reading::truncated);
  CHECK(ids.empty());
}

}  // namespace plankeep::clients
