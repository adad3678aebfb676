#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>

#include "clients/transcripts/transcript.hpp"
#include "support/hostile_text.hpp"

using namespace plankeep;
using namespace plankeep::clients;

namespace {

std::string line(const std::string& content, const std::string& more = {}) {
  return R"({"type":"assistant","timestamp":"2026-11-20T14:23:19.493Z",)" + more +
         R"("message":{"role":"assistant","content":[)" + content + "]}}\n";
}

std::string use(const std::string& id, const std::string& name, const std::string& input) {
  return R"({"type":"tool_use","id":")" + id + R"(","name":")" + name + R"(","input":)" + input + "}";
}

}  // namespace

TEST_CASE("uses of tools are read with what they worked on or what they were told") {
  const std::string text = line(use("t1", "Read", R"({"file_path":"/p/plan.md","limit":5})")) +
                           line(R"({"type":"text","text":"now \"tool_use\""})") +
                           line(use("t2", "Bash", R"({"command":"make\nmake check","description":"x"})") +
                                "," + use("t3", "Task", R"({"prompt":"do it","description":"a job"})"));
  const auto uses = last_tool_uses(text, 50);
  REQUIRE(uses.size() == 3);
  CHECK(uses[0].command_id == "t1");
  CHECK(uses[0].type == "Read");
  CHECK(uses[0].target == "/p/plan.md");
  CHECK(uses[0].message.empty());
  CHECK(uses[0].timestamp == base::parse_iso8601("2026-11-20T14:23:19.493Z"));
  CHECK(uses[1].target.empty());
  CHECK(uses[1].message == "make");
  CHECK(uses[2].message == "a job");
}

TEST_CASE("the last ones count, oldest first, a cut line and subagents do not") {
  std::string text = R"(pe":"tool_use","id":"t0","name":"Bash"}]}})" + std::string("\n");
  for (int i = 1; i <= 9; ++i) text += line(use("t" + std::to_string(i), "Bash", R"({"command":"ls"})"));
  text += line(use("s1", "Bash", R"({"command":"ls"})"), R"("isSidechain":true,)");
  const auto uses = last_tool_uses(text, 3);
  REQUIRE(uses.size() == 3);
  CHECK(uses.front().command_id == "t7");
  CHECK(uses.back().command_id == "t9");
  CHECK(last_tool_uses(text, 50).size() == 9);
  CHECK(last_tool_uses("", 5).empty());
  CHECK(last_tool_uses(text, 0).empty());
}

TEST_CASE("a recorded transcript's uses are found") {
  std::ifstream in(std::string(PLANKEEP_TESTS_DIR) + "/fixtures/hooks/claude-code/transcript-subagent.jsonl");
  std::string text{std::istreambuf_iterator<char>(in), {}};
  // A subagent's, so they count only once they are said to be the session's own.
  CHECK(last_tool_uses(text, 50).empty());
  const std::string mark = "\"isSidechain\":true";
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
    text.replace(at, mark.size(), "\"isSidechain\":false");
  }
  const auto uses = last_tool_uses(text, 50);
  REQUIRE_FALSE(uses.empty());
  CHECK(uses.front().type == "Read");
  CHECK(uses.front().target == "/home/dev/project/plan.md");
}

TEST_CASE("no transcript breaks the reader, and texts come out safe") {
  CHECK(rc::check([] { (void)last_tool_uses("\"tool_use\"" + test::hostile_bytes(), 50); }));
  const auto uses = last_tool_uses(line(use("t", "Bash", R"({"command":"\u001b[31mred\u0007"})")), 1);
  REQUIRE(uses.size() == 1);
  CHECK(uses[0].message.find('\x1b') == std::string::npos);
}
