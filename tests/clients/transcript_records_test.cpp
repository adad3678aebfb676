#include "clients/transcripts/transcript_records.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "recordings.hpp"

using namespace plankeep;
using namespace plankeep::clients;

namespace {

using Kind = TranscriptRecord::Kind;

struct Read {
  TranscriptFacts facts;
  std::vector<TranscriptRecord> records;

  std::vector<std::string> texts(Kind kind) const {
    std::vector<std::string> found;
    for (const TranscriptRecord& record : records)
      if (record.kind == kind)
        found.push_back(kind == Kind::tool ? record.tool + " " + record.text : record.text);
    return found;
  }
  std::vector<FileEdit> writes() const {
    std::vector<FileEdit> found;
    for (const TranscriptRecord& record : records)
      if (record.kind == Kind::write) found.push_back(record.edit);
    return found;
  }
  std::string said() const {
    std::string text;
    for (const TranscriptRecord& record : records)
      text += readable(record) + "|" + record.turn + "|" + std::to_string(record.line) + "\n";
    return text;
  }
};

Read read(std::string_view text, std::uint64_t first_line = 0, std::size_t piece = 1000000) {
  Read result;
  TranscriptReader reader([&](const TranscriptRecord& record) { result.records.push_back(record); },
                          first_line);
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) reader.add(text.substr(0, piece));
  result.facts = reader.finish();
  return result;
}

std::string recorded_lines(const std::string& name) {
  return test::read_file(PLANKEEP_TESTS_DIR "/fixtures/hooks/claude-code/" + name);
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("a recorded conversation of Claude Code is its prompts, answers, tools and tokens") {
  const Read main = read(recorded_lines("transcript-main.jsonl"));
  CHECK(main.facts.lines == 33);
  CHECK(main.facts.broken == 0);
  CHECK(main.facts.model == "claude-opus-5-5");
  CHECK(main.facts.turn == "ab90f053-1ddf-410c-a0a8-dcc62244e04c");
  CHECK(main.facts.use == TokenUse{2400, 600, 40000, 160, 2});
  CHECK_FALSE(main.facts.subagents);
  CHECK(main.texts(Kind::prompt) == Texts{"Have a subagent do task T1."});
  CHECK(main.texts(Kind::answer) == Texts{"The subagent finished T1."});
  CHECK(main.texts(Kind::tool) == Texts{"Agent Do task T1"});
  CHECK(main.writes().empty());
}

TEST_CASE("a subagent's recorded conversation has no prompts of a person, but what it wrote") {
  const Read subagent = read(recorded_lines("transcript-subagent.jsonl"));
  CHECK(subagent.texts(Kind::prompt).empty());
  CHECK_FALSE(subagent.facts.use);
  REQUIRE(subagent.facts.subagents);
  CHECK(subagent.facts.subagents->calls > 1);
  REQUIRE(subagent.writes().size() == 1);
  CHECK(subagent.writes()[0].path == "/home/dev/project/plan.md");
  CHECK(subagent.writes()[0].edit.after.find("[x]") != std::string::npos);
  for (const TranscriptRecord& record : subagent.records) CHECK(record.subagent);
}

TEST_CASE("what a compaction and a rewind put into a transcript is no prompt") {
  for (const std::string& prompt : read(recorded_lines("transcript-compact.jsonl")).texts(Kind::prompt))
    CHECK(prompt.find("This session is being continued") == std::string::npos);
  CHECK_FALSE(read(recorded_lines("transcript-rewind.jsonl")).texts(Kind::prompt).empty());
}

TEST_CASE("an answer of several lines counts once, with its last count") {
  const auto line = [](const std::string& id, int output) {
    return R"({"type":"assistant","message":{"id":")" + id +
           R"(","model":"m","content":[],"usage":{"input_tokens":10,"output_tokens":)" +
           std::to_string(output) + "}}}\n";
  };
  CHECK(read(line("a", 1) + line("b", 5) + line("a", 7) + line("a", 3)).facts.use ==
        TokenUse{20, 0, 0, 12, 2});
  // One that was counted before the first line that counts is not counted again, but for what was added.
  CHECK(read(line("a", 1) + line("a", 7) + line("b", 5), 1).facts.use == TokenUse{10, 0, 0, 5, 1});
}

TEST_CASE("a call that failed or was refused wrote nothing") {
  const std::string call =
      R"({"type":"assistant","message":{"content":[{"type":"tool_use","id":"t1","name":"Write","input":{"file_path":"a","content":"x"}}]}})"
      "\n";
  const auto result = [](const std::string& id, const std::string& more) {
    return R"({"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":")" + id + "\"" +
           more + "}]}" +
           (more.empty() ? R"(,"toolUseResult":{"type":"update","originalFile":"old"}})" : "}") + "\n";
  };
  CHECK(read(call + result("t1", R"(,"is_error":true)")).writes().empty());
  CHECK(read(call + result("t1", "")).writes() == std::vector<FileEdit>{{"a", {"old", "x"}, true}});
  CHECK(read(call + result("other", R"(,"is_error":true)")).writes() ==
        std::vector<FileEdit>{{"a", {"", "x"}, true}});
  CHECK(read(call).writes().size() == 1);
  // The call stands before the first line that counts, its success behind it.
  CHECK(read(call + result("t1", ""), 1).writes().size() == 1);
  CHECK(read(call + result("t1", ""), 2).writes().empty());
}

TEST_CASE("what a person did not type is no prompt of Claude Code") {
  const auto user = [](const std::string& content, const std::string& more = {}) {
    return R"({"type":"user","promptId":"p","message":{"role":"user","content":")" + content + "\"}" + more +
           "}\n";
  };
  CHECK(read(user("one") + user("<system-reminder>x</system-reminder>") + user("two", R"(,"isMeta":true)") +
             user("three", R"(,"isSidechain":true)") + user("four", R"(,"isCompactSummary":true)") +
             user("<command-name>/review</command-name><command-args>all</command-args>"))
            .texts(Kind::prompt) == Texts{"one", "/review all"});
}

TEST_CASE("a rollout of Codex is its prompts, patches and the tokens that were added") {
  const std::string rollout =
      R"({"timestamp":"2026-08-28T10:00:00.000Z","type":"session_meta","payload":{"id":"s","cwd":"/p"}}
{"type":"turn_context","payload":{"turn_id":"turn-1","cwd":"/p","model":"gpt-a"}}
{"type":"event_msg","payload":{"type":"user_message","message":"do it"}}
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"do it"}]}}
{"type":"response_item","payload":{"type":"function_call","name":"exec_command","arguments":"{\"cmd\": \"make\"}","call_id":"c1"}}
{"type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"ok"}}
{"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":12000,"cached_input_tokens":8000,"output_tokens":700,"reasoning_output_tokens":300}}}}
{"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":12000,"cached_input_tokens":8000,"output_tokens":700,"reasoning_output_tokens":300}}}}
{"type":"event_msg","payload":{"type":"token_count","info":null}}
{"type":"response_item","payload":{"type":"custom_tool_call","status":"completed","call_id":"c2","name":"apply_patch","input":"*** Begin Patch\n*** Update File: src/a.c\n@@\n-old\n+new\n*** End Patch\n"}}
{"type":"response_item","payload":{"type":"custom_tool_call_output","call_id":"c2","output":"{\"output\": \"Success\", \"metadata\": {\"exit_code\": 0}}"}}
{"type":"response_item","payload":{"type":"custom_tool_call","call_id":"c3","name":"apply_patch","input":"*** Begin Patch\n*** Add File: b\n+b\n*** End Patch\n"}}
{"type":"response_item","payload":{"type":"custom_tool_call_output","call_id":"c3","output":"{\"output\": \"no\", \"metadata\": {\"exit_code\": 1}}"}}
{"type":"response_item","payload":{"type":"message" MALFORMED
{"type":"turn_context","payload":{"turn_id":"turn-2","model":"gpt-b"}}
{"type":"event_msg","payload":{"type":"agent_message","message":"done"}}
{"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":30000,"cached_input_tokens":20000,"output_tokens":1500}}}}
)";
  const Read all = read(rollout);
  CHECK(all.facts.lines == 17);
  CHECK(all.facts.broken == 1);
  CHECK(all.facts.model == "gpt-b");
  CHECK(all.facts.turn == "turn-2");
  CHECK(all.facts.use == TokenUse{10000, 0, 20000, 1500, 2});
  CHECK(all.texts(Kind::prompt) == Texts{"do it"});
  CHECK(all.texts(Kind::answer) == Texts{"done"});
  CHECK(all.texts(Kind::tool) == Texts{"exec_command make", "apply_patch src/a.c", "apply_patch b"});
  CHECK(all.writes() == std::vector<FileEdit>{{"src/a.c", {"old\n", "new\n"}, false}});
  CHECK(all.records[0].turn == "turn-1");
  // From the second turn on: only what was added since.
  const Read later = read(rollout, 14);
  CHECK(later.facts.use == TokenUse{6000, 0, 12000, 800, 1});
  CHECK(later.texts(Kind::prompt).empty());
  CHECK(later.facts.turn == "turn-2");
}

TEST_CASE("a count of Codex that began anew is added, not taken off") {
  const auto count = [](int input) {
    return R"({"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":)" +
           std::to_string(input) + R"(,"output_tokens":1}}}})" + "\n";
  };
  CHECK(read(count(100) + count(30) + count(50)).facts.use == TokenUse{150, 0, 0, 2, 3});
}

TEST_CASE("Gemini CLI says the same in lines and in one document") {
  const std::string user =
      R"({"id":"u1","timestamp":"2026-01-01T00:00:00Z","type":"user","content":[{"text":"go"}]})";
  const std::string answer =
      R"({"id":"g1","type":"gemini","content":"done","model":"gemini-x","tokens":{"input":100,"output":5,"cached":40,"thoughts":2,"tool":0,"total":107},)"
      R"("toolCalls":[{"id":"c","name":"write_file","args":{"file_path":"/p/a","content":"x\n"},"status":"success"},)"
      R"({"id":"d","name":"replace","args":{"file_path":"/p/b","old_string":"a","new_string":"b"},"status":"error"}]})";
  const Read lines = read(R"({"sessionId":"s","kind":"main"})"
                          "\n" +
                          user + "\n" + answer + "\n" + answer + "\n");
  CHECK(lines.facts.use == TokenUse{60, 0, 40, 7, 1});
  CHECK(lines.facts.model == "gemini-x");
  CHECK(lines.facts.turn == "u1");
  CHECK(lines.texts(Kind::prompt) == Texts{"go"});
  CHECK(lines.writes().front() == FileEdit{"/p/a", {"", "x\n"}, true});
  for (const std::string& document :
       {R"({"sessionId":"s","messages":[)" + user + "," + answer + "]}",
        "{\n  \"sessionId\": \"s\",\n  \"messages\": [\n" + user + ",\n" + answer + "\n  ]\n}\n"}) {
    const Read whole = read(document);
    CHECK(whole.facts.document);
    CHECK(whole.facts.broken == 0);
    CHECK(whole.facts.lines == 2);
    CHECK(whole.facts.use == lines.facts.use);
    CHECK(whole.texts(Kind::prompt) == Texts{"go"});
    CHECK(whole.texts(Kind::answer) == Texts{"done"});
    CHECK(whole.writes().size() == 1);
  }
}

TEST_CASE("Qwen Code's calls write when their response is no error") {
  const auto lines = [](const std::string& response) {
    return R"({"uuid":"q1","type":"user","message":{"role":"user","parts":[{"text":"go"}]}}
{"uuid":"q2","type":"assistant","model":"qwen-x","message":{"role":"model","parts":[{"text":"hm","thought":true},{"text":"now"},{"functionCall":{"id":"c1","name":"edit","args":{"file_path":"/p/a","old_string":"a","new_string":"b"}}}]},"usageMetadata":{"promptTokenCount":50,"candidatesTokenCount":6,"thoughtsTokenCount":1,"cachedContentTokenCount":20}}
{"uuid":"q3","type":"tool_result","message":{"role":"user","parts":[{"functionResponse":{"id":"c1","name":"edit","response":{)" +
           response + "}}}]}}\n";
  };
  const Read good = read(lines(R"("output":"ok")"));
  CHECK(good.facts.use == TokenUse{30, 0, 20, 7, 1});
  CHECK(good.facts.model == "qwen-x");
  CHECK(good.texts(Kind::prompt) == Texts{"go"});
  CHECK(good.texts(Kind::answer) == Texts{"now"});
  CHECK(good.writes() == std::vector<FileEdit>{{"/p/a", {"a", "b"}, false}});
  CHECK(read(lines(R"("error":"no")")).writes().empty());
}

TEST_CASE("GitHub Copilot's tokens are those of the session's end, and nothing before it") {
  const std::string events =
      R"({"type":"session.model_change","data":{"newModel":"m1"},"id":"e0"}
{"type":"user.message","data":{"content":"","transformedContent":"<current_datetime>now</current_datetime>\n\nfix it"},"id":"e1"}
{"type":"assistant.message","data":{"content":"ok","outputTokens":9},"id":"e2"}
{"type":"tool.execution_start","data":{"toolCallId":"c1","toolName":"create","arguments":{"path":"/p/a","file_text":"x"}},"id":"e3"}
{"type":"tool.execution_complete","data":{"toolCallId":"c1","success":true,"model":"m2"},"id":"e4"}
{"type":"tool.execution_start","data":{"toolCallId":"c2","toolName":"create","arguments":{"path":"/p/b","file_text":"x"}},"id":"e5"}
{"type":"tool.execution_complete","data":{"toolCallId":"c2","success":false},"id":"e6"}
)";
  const Read running = read(events);
  CHECK_FALSE(running.facts.use);
  CHECK(running.facts.model == "m2");
  CHECK(running.facts.turn == "e1");
  CHECK(running.texts(Kind::prompt) == Texts{"fix it"});
  CHECK(running.writes() == std::vector<FileEdit>{{"/p/a", {"", "x"}, true}});
  const std::string end =
      R"({"type":"session.shutdown","data":{"modelMetrics":{"m1":{"requests":{"count":2},"usage":{"inputTokens":10,"outputTokens":3,"cacheReadTokens":4,"cacheWriteTokens":1}},"m2":{"requests":{"count":1},"usage":{"inputTokens":1,"outputTokens":1}}}}})"
      "\n";
  CHECK(read(events + end).facts.use == TokenUse{11, 1, 4, 4, 3});
  // Of a part of the session it says nothing.
  CHECK_FALSE(read(events + end, 2).facts.use);
}

TEST_CASE("Cursor's lines are prompts and answers, without tokens or models") {
  const Read cursor = read(
      R"({"role":"user","message":{"content":[{"type":"text","text":"<user_query>\nadd a test\n</user_query>"}]}}
{"role":"assistant","message":{"content":[{"type":"text","text":"done"},{"type":"tool_use","name":"Write","input":{"path":"/p/a","contents":"x"}}]}}
)");
  CHECK(cursor.texts(Kind::prompt) == Texts{"add a test"});
  CHECK(cursor.texts(Kind::answer) == Texts{"done"});
  CHECK(cursor.writes() == std::vector<FileEdit>{{"/p/a", {"", "x"}, true}});
  CHECK_FALSE(cursor.facts.use);
  CHECK(cursor.facts.model.empty());
}

TEST_CASE("a transcript without records of usage has no tokens, and not zero of them") {
  for (const char* text : {"", "\n", "{}\n", "nonsense\n", R"({"type":"user","message":{"content":"x"}})",
                           R"({"type":"assistant","message":{"content":"x","usage":null}})"}) {
    INFO(text);
    CHECK_FALSE(read(text).facts.use);
  }
}

TEST_CASE("numbers of a stranger's transcript overflow nothing") {
  const std::string line =
      R"({"type":"assistant","message":{"content":[],"usage":{"input_tokens":1e300,"output_tokens":-5,"cache_read_input_tokens":9223372036854775807}}})"
      "\n";
  std::string text;
  for (int i = 0; i < 100; ++i) text += line;
  const auto use = read(text).facts.use;
  REQUIRE(use);
  CHECK(use->input == 100 * (std::int64_t{1} << 40));
  CHECK(use->output == 0);
}

TEST_CASE("a line that is too long is passed over, and what follows it is read") {
  std::string text =
      R"({"type":"user","message":{"content":")" + std::string(kLongestTranscriptLine, 'x') + "\"}}\n";
  text += R"({"type":"user","message":{"content":"short"}})"
          "\n";
  const Read result = read(text, 0, std::size_t{1} << 20);
  CHECK(result.facts.broken == 1);
  CHECK(result.facts.lines == 2);
  CHECK(result.texts(Kind::prompt) == Texts{"short"});
}

TEST_CASE("more calls run than are waited for: none of their writes is lost") {
  std::string text;
  for (std::size_t i = 0; i < kMostRunningCalls + 10; ++i)
    text += R"({"type":"assistant","message":{"content":[{"type":"tool_use","id":"t)" + std::to_string(i) +
            R"(","name":"Write","input":{"file_path":"a","content":"x"}}]}})" + "\n";
  CHECK(read(text).writes().size() == kMostRunningCalls + 10);
}

TEST_CASE("it does not matter in what pieces a transcript comes") {
  for (const char* name : {"transcript-main.jsonl", "transcript-subagent.jsonl", "transcript-compact.jsonl",
                           "transcript-rewind.jsonl"}) {
    const std::string text = recorded_lines(name);
    const Read whole = read(text);
    for (const std::size_t piece : {1U, 7U, 4096U}) {
      const Read parts = read(text, 0, piece);
      CHECK(parts.said() == whole.said());
      CHECK(parts.facts.use == whole.facts.use);
      CHECK(parts.facts.lines == whole.facts.lines);
    }
  }
}

TEST_CASE("damage to a line costs that line and no other") {
  const std::string text = recorded_lines("transcript-rewind.jsonl");
  const Read whole = read(text);
  CHECK(rc::check([&] {
    std::string damaged = text;
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    if (text[at] == '\n') return;
    const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at) + 1;
    damaged[begin] = '!';
    const Read result = read(damaged);
    RC_ASSERT(result.facts.broken == 1U);
    RC_ASSERT(result.facts.lines == whole.facts.lines);
    const auto line =
        static_cast<std::uint64_t>(std::count(text.begin(), text.begin() + static_cast<long>(begin), '\n'));
    for (const Kind kind : {Kind::prompt, Kind::answer}) {
      Texts expected;
      for (const TranscriptRecord& record : whole.records)
        if (record.kind == kind && record.line != line) expected.push_back(record.text);
      RC_ASSERT(result.texts(kind) == expected);
    }
  }));
}
