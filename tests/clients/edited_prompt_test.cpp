#include "clients/transcripts/edited_prompt.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <string>

using plankeep::clients::edited_prompt;

namespace {

std::string recorded(const std::string& name) {
  std::ifstream in(std::string(PLANKEEP_TESTS_DIR) + "/fixtures/hooks/claude-code/" + name, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

std::string line(const std::string& type, const std::string& id, const std::string& parent,
                 const std::string& more = {}) {
  const std::string before = parent.empty() ? "null" : "\"" + parent + "\"";
  return R"({"parentUuid":)" + before + R"(,"isSidechain":false,"type":")" + type + R"(","uuid":")" + id +
         "\"" + more + "}\n";
}

const std::string kResult = R"(,"message":{"content":[{"type":"tool_result","content":"x"}]})";

}  // namespace

TEST_CASE("a prompt that was edited in Claude Code follows a message that others follow") {
  const std::string transcript = recorded("transcript-rewind.jsonl");
  const auto edited = edited_prompt(transcript);
  REQUIRE(edited);
  CHECK(edited->id.starts_with("263011"));
  CHECK(edited->parent.starts_with("abea0d"));
  // Before it was written, and once the turn after it has begun, there is none.
  CHECK_FALSE(edited_prompt(transcript.substr(0, transcript.find(edited->id))));
  const std::string last = "c35865";
  const std::size_t at = transcript.rfind("\"uuid\":\"" + last);
  REQUIRE(at != std::string::npos);
  const std::string id = transcript.substr(at + 8, transcript.find('"', at + 8) - at - 8);
  CHECK_FALSE(edited_prompt(transcript + line("user", "new", id)));
}

TEST_CASE("a conversation without an edited prompt has none, with compaction and without") {
  CHECK_FALSE(edited_prompt(recorded("transcript-main.jsonl")));
  CHECK_FALSE(edited_prompt(recorded("transcript-compact.jsonl")));
  CHECK_FALSE(edited_prompt(recorded("transcript-subagent.jsonl")));
  CHECK_FALSE(edited_prompt(""));
  CHECK_FALSE(edited_prompt("no json\n{\"parentUuid\":\n"));
}

TEST_CASE("the first prompt can be edited too, and results of tools are no prompts") {
  const std::string turn = line("user", "p", "") + line("assistant", "a", "p");
  const auto first = edited_prompt(turn + line("user", "q", ""));
  REQUIRE(first);
  CHECK(first->parent.empty());
  CHECK(first->before == "p");
  // Two results of calls that ran side by side come after the same line.
  CHECK_FALSE(edited_prompt(turn + line("user", "r1", "a", kResult) + line("user", "r2", "a", kResult)));
  CHECK_FALSE(
      edited_prompt(turn + line("assistant", "b", "a") + line("user", "m", "a", R"(,"isMeta":true)")));
  // What it follows was cut away: nobody can tell.
  CHECK_FALSE(edited_prompt(line("assistant", "c", "b") + line("user", "s", "a")));
}

TEST_CASE("a prompt is looked for at the beginning of its turn only") {
  std::string transcript = line("user", "p", "") + line("assistant", "a", "p") + line("user", "q", "");
  std::string last = "q";
  for (int i = 0; i < plankeep::clients::kAnswersAfterPrompt; ++i) {
    const std::string id = "b" + std::to_string(i);
    transcript += line("assistant", id, last) + line("user", "r" + id, id, kResult);
    last = "r" + id;
    REQUIRE(edited_prompt(transcript));
  }
  CHECK_FALSE(edited_prompt(transcript + line("assistant", "c", last)));
  // A line that was cut at the front, and a last one that is being written.
  CHECK(edited_prompt("half of a line\n" + transcript + R"({"parentUuid":")"));
}
