#include "clients/transcripts/transcript.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "recordings.hpp"
#include "support/hostile_text.hpp"

namespace plankeep::clients {
namespace {

std::string recorded(const std::string& name) {
  return test::read_file(PLANKEEP_TESTS_DIR "/fixtures/hooks/claude-code/" + name);
}

std::string said(const std::string& text, const std::string& more = {}) {
  return "{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"" + text + "\"}]" +
         more + "}}\n";
}

}  // namespace

TEST_CASE("the end of a recorded transcript gives the last words and how full the window was") {
  const TranscriptEnd main = read_transcript_end(recorded("transcript-main.jsonl"), false);
  CHECK(main.last_message == "The subagent finished T1.");
  CHECK(main.context_tokens == 21'500);
  const TranscriptEnd rewound = read_transcript_end(recorded("transcript-rewind.jsonl"), false);
  CHECK(rewound.last_message == "done 3");
  CHECK(rewound.context_tokens == 1000);
  CHECK(read_transcript_end(recorded("transcript-compact.jsonl"), false).last_message == "Answer two.");
}

TEST_CASE("a subagent's lines count in its own transcript only") {
  const std::string text = recorded("transcript-subagent.jsonl");
  CHECK(read_transcript_end(text, true).last_message ==
        "DONE: T1\n\nTask T1 is complete. Nothing else was touched.");
  const TranscriptEnd as_main = read_transcript_end(text, false);
  CHECK(as_main.last_message.empty());
  CHECK_FALSE(as_main.context_tokens);
  CHECK(tool_use_of_agent(recorded("transcript-subagent.meta.json")) == "toolu_fake00000001xxxxxxxx");
}

TEST_CASE("a piece that begins in the middle of a line is read from its first whole line on") {
  const std::string text = recorded("transcript-main.jsonl");
  const TranscriptEnd whole = read_transcript_end(text, false);
  // The line that counts is the last but some: every piece that holds it gives the same.
  const std::size_t answer = text.rfind("{\"parentUuid\"", text.find("The subagent finished T1."));
  REQUIRE(answer != std::string::npos);
  const std::size_t line = text.rfind('\n', answer) + 1;
  for (std::size_t from = 0; from <= line; from += 97) {
    const TranscriptEnd end = read_transcript_end(std::string_view(text).substr(from), false);
    CHECK(end.last_message == whole.last_message);
    CHECK(end.context_tokens == whole.context_tokens);
  }
  CHECK(read_transcript_end(std::string_view(text).substr(text.find("The subagent finished T1.")), false)
            .last_message.empty());
}

TEST_CASE("a last line that is still being written is passed over") {
  CHECK(read_transcript_end(said("first") + "{\"type\":\"assistant\",\"message\":{\"content\":[{\"ty", false)
            .last_message == "first");
  CHECK(read_transcript_end(said("first") + "\n\n", false).last_message == "first");
  std::string open = said("first");
  open.pop_back();
  CHECK(read_transcript_end(open, false).last_message == "first");
}

TEST_CASE("several texts of an answer are joined, what is no text does not count") {
  const std::string line =
      "{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"thinking\",\"text\":\"hm\"},7,null,"
      "{\"type\":\"text\",\"text\":\"one\"},{\"type\":\"tool_use\",\"text\":\"no\"},{\"type\":\"text\","
      "\"text\":5},"
      "{\"text\":\"two\",\"type\":\"text\"}]}}\n";
  CHECK(read_transcript_end(line, false).last_message == "one\ntwo");
  CHECK(read_transcript_end("{\"type\":\"assistant\",\"message\":{\"content\":\"plain\"}}\n", false)
            .last_message == "plain");
}

TEST_CASE("an answer without words leaves those before it, and its tokens count") {
  const std::string text =
      said("words", ",\"usage\":{\"input_tokens\":5}") +
      "{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"tool_use\"}],\"usage\":"
      "{\"input_tokens\":7,\"output_tokens\":100,\"cache_read_input_tokens\":10,"
      "\"cache_creation_input_tokens\":3}}}\n";
  const TranscriptEnd end = read_transcript_end(text, false);
  CHECK(end.last_message == "words");
  CHECK(end.context_tokens == 20);
}

TEST_CASE("who says that he is the assistant and is not, is not believed") {
  CHECK(read_transcript_end("{\"type\":\"user\",\"message\":{\"content\":\"\\\"assistant\\\" \"}}\n", false)
            .last_message.empty());
  CHECK(read_transcript_end("{\"type\":\"user\",\"message\":{\"type\":\"assistant\",\"content\":\"x\"}}\n",
                            false)
            .last_message.empty());
  CHECK(read_transcript_end("{\"role\":\"assistant\",\"message\":{\"content\":\"x\"}}\n", false)
            .last_message.empty());
}

TEST_CASE("numbers that cannot be do no harm") {
  const auto tokens = [](const std::string& number) {
    return read_transcript_end(said("x", ",\"usage\":{\"input_tokens\":" + number + "}"), false);
  };
  CHECK(tokens("-5").context_tokens == 0);
  CHECK(tokens("9223372036854775807").context_tokens == std::int64_t{1} << 40);
  CHECK(tokens("\"5\"").context_tokens == 0);
  // What no integer holds makes the line unreadable, and no more than that.
  CHECK_FALSE(tokens("99999999999999999999").context_tokens);
  CHECK_FALSE(tokens("1e300").context_tokens);
  std::string many = ",\"usage\":{\"a\":1";
  for (int i = 0; i < 10'000; ++i) many += ",\"input_tokens\":9223372036854775807";
  const TranscriptEnd end = read_transcript_end(said("x", many + "}"), false);
  REQUIRE(end.context_tokens);
  CHECK(*end.context_tokens > 0);
  CHECK(*end.context_tokens < std::int64_t{1} << 56);
}

TEST_CASE("nothing, deep nesting and noise are read without an end that is not there") {
  CHECK(read_transcript_end("", false).last_message.empty());
  CHECK(read_transcript_end("\n\n\n", false).last_message.empty());
  CHECK(read_transcript_end("\"assistant\"\nassistant\n", false).last_message.empty());
  const std::string deep = "{\"type\":\"assistant\",\"x\":" + std::string(100'000, '[');
  CHECK(read_transcript_end(said("before") + deep, false).last_message == "before");
  CHECK(rc::check("any bytes", [] {
    const std::string noise = test::hostile_bytes();
    (void)read_transcript_end(noise, *rc::gen::arbitrary<bool>());
    // A line of noise in front of an answer changes nothing.
    RC_ASSERT(read_transcript_end(noise + "\n" + said("end"), false).last_message == "end");
    (void)tool_use_of_agent(noise);
  }));
}

TEST_CASE("the file beside a subagent's transcript is read or passed over") {
  CHECK(tool_use_of_agent("{\"toolUseId\":\"t1\"}") == "t1");
  CHECK(tool_use_of_agent("{\"a\":{\"toolUseId\":\"t2\"}}").empty());
  CHECK(tool_use_of_agent("{\"toolUseId\":5}").empty());
  CHECK(tool_use_of_agent("{\"toolUseId\":\"t1\"").empty());
  CHECK(tool_use_of_agent("").empty());
  CHECK(tool_use_of_agent("[]").empty());
}

TEST_CASE(
    "where that file stands follows from the session's transcript and a plain id, or it stands nowhere") {
  CHECK(agent_meta_path("/log/s1.jsonl", "a1-B_2") == "/log/s1/subagents/agent-a1-B_2.meta.json");
  for (const char* id : {"", "..", "a/b", "../x", "a b", "a.b", "计"}) {
    CAPTURE(id);
    CHECK(agent_meta_path("/log/s1.jsonl", id).empty());
  }
  CHECK(agent_meta_path("/log/s1.jsonl", std::string("a\0b", 3)).empty());
  CHECK(agent_meta_path("log/s1.jsonl", "a1").empty());
  CHECK(agent_meta_path("/log/s1.json", "a1").empty());
  CHECK(agent_meta_path("", "a1").empty());
}

}  // namespace plankeep::clients
