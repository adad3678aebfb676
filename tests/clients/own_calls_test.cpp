#include "clients/own_calls.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace plankeep::clients {
namespace {

using Ids = std::vector<std::string>;

std::vector<core::OwnCalls> all_in(const std::string& calls) {
  std::vector<core::OwnCalls> found;
  const auto read = read_own_calls(R"({"session_id":"s","agent_id":"a1","tool_calls":)" + calls + "}", found);
  CHECK(read);
  return found;
}

core::OwnCalls calls_in(const std::string& calls) {
  const std::vector<core::OwnCalls> found = all_in(calls);
  CHECK(found.size() <= 1);
  return found.empty() ? core::OwnCalls{} : found.front();
}

Ids ticks_in(const std::string& calls) {
  return calls_in(calls).ticked;
}

std::vector<core::OwnCalls::Claim> claims_in(const std::string& call) {
  return calls_in(R"([{"tool_name":"mcp__plankeep__claim_task",)" + call + "}]").claims;
}

}  // namespace

TEST_CASE("ticks through our MCP server are read from a batch of calls") {
  CHECK(ticks_in(R"([{"tool_name":"Read","tool_input":{"ids":["x"]},"tool_response":"..."},
                     {"tool_name":"mcp__plankeep__complete_task","tool_input":{"ids":["T001","T002"]}},
                     {"tool_input":{"ids":["T003"],"action":"done"},
                      "tool_name":"mcp__plugin_plankeep_plankeep__complete_task"}])") ==
        Ids{"T001", "T002", "T003"});
}

TEST_CASE("calls are told apart by the plan that they name") {
  const auto calls = all_in(
      R"([{"tool_name":"mcp__plankeep__complete_task","tool_input":{"ids":["a"],"plan":"api"}},
          {"tool_name":"mcp__plankeep__complete_task","tool_input":{"ids":["b"]}},
          {"tool_name":"mcp__plankeep__claim_task","tool_input":{"plan":"api","id":"c"}},
          {"tool_name":"mcp__plankeep__claim_task","tool_input":{"plan":"web","release":true,"id":"d"}}])");
  REQUIRE(calls.size() == 2);
  CHECK(calls[0] == core::OwnCalls{{"a"}, {{"c", 0}}, "api"});
  CHECK(calls[1] == core::OwnCalls{{"b"}, {}, ""});
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
  std::vector<core::OwnCalls> calls;
  const auto read = read_own_calls(R"({"tool_calls":[{"tool_name":"mcp__plankeep__complete_task")", calls);
  REQUIRE(read);
  CHECK(*read == Reading::truncated);
  CHECK(calls.empty());
}

TEST_CASE("claims through our MCP server are read with the fence that their answer names") {
  using Claims = std::vector<core::OwnCalls::Claim>;
  CHECK(claims_in(R"("tool_input":{"id":"T001"},"tool_response":"ok")") == Claims{{"T001", 0}});
  // The text for people, as it is and in a block.
  const std::string line = R"(✓ T1 claimed by main: 30 min, until 2026-11-20 16:13 UTC, fence 7\n)";
  const std::string title = R"(· plan.md:3  Mend fence 3\n)";
  CHECK(claims_in(R"("tool_input":{},"tool_response":")" + line + title + "\"") == Claims{{"", 7}});
  CHECK(claims_in(R"("tool_input":{},"tool_response":[{"type":"text","text":")" + line + title + "\"}]") ==
        Claims{{"", 7}});
  // As Claude Code gives structured content: JSON in a text.
  CHECK(claims_in(R"("tool_response":"{\"lease\":{\"by\":\"main\",\"fence\": 7}}","tool_input":{})") ==
        Claims{{"", 7}});
  CHECK(claims_in(R"("tool_input":{},"tool_response":{"x":1,"lease":{"by":"main","fence":7}})") ==
        Claims{{"", 7}});
}

TEST_CASE("no title of a task poses as the fence of a claim") {
  using Claims = std::vector<core::OwnCalls::Claim>;
  CHECK(claims_in(R"("tool_input":{},"tool_response":"· plan.md:3  Mend\nfence 3")").empty());
  CHECK(
      claims_in(R"("tool_input":{},"tool_response":"{\"title\":\"Mend fence 3\",\"lease\": null}")").empty());
  CHECK(claims_in(R"("tool_input":{},"tool_response":{"title":"Mend fence 3"})").empty());
  CHECK(claims_in(R"("tool_input":{},"tool_response":"{\"title\":\"a,\\\"lease\\\":{\\\"fence\\\":3\",)"
                  R"(\"lease\":{\"by\":\"main\",\"fence\":7}}")") == Claims{{"", 7}});
  CHECK(claims_in(R"("tool_input":{},"tool_response":{"title":"a,\"lease\":{\"fence\":3",)"
                  R"("lease":{"by":"main","fence":7}})") == Claims{{"", 7}});
}

TEST_CASE("a call that gives back, names its actor or tells of no claim is none") {
  for (const std::string call :
       {R"("tool_input":{"id":"T1","release":true},"tool_response":"fence 3")",
        R"("tool_input":{"id":"T1","actor":"team:kim"},"tool_response":"fence 3")",
        R"("tool_input":{},"tool_response":"no task is available")",
        R"("tool_input":{},"tool_response":"fence -3, fence99999999999999999999, fence")",
        R"("tool_input":7,"tool_response":null)"})
    CHECK(claims_in(call).empty());
}

}  // namespace plankeep::clients
