#include "clients/transcripts/last_prompt.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "recordings.hpp"
#include "support/hostile_text.hpp"

namespace plankeep::clients {
namespace {

constexpr base::Instant kLater{4'000'000'000'000};

std::string transcript(const std::string& name) {
  return test::read_file(PLANKEEP_TESTS_DIR "/fixtures/hooks/claude-code/" + name);
}

base::Instant at(const char* text) {
  return base::parse_iso8601(text).value();
}

}  // namespace

TEST_CASE("The last prompt of a recorded conversation is what its person typed last") {
  CHECK(last_prompt(transcript("transcript-main.jsonl"), kLater) == "Have a subagent do task T1.");
  CHECK(last_prompt(transcript("transcript-rewind.jsonl"), kLater) == "Edit two.Go on.");
  CHECK(last_prompt(transcript("transcript-compact.jsonl"), kLater) == "Third prompt, after the compaction.");
}

TEST_CASE("What was typed after a moment is the prompt of a later turn") {
  const std::string text = transcript("transcript-rewind.jsonl");
  CHECK(last_prompt(text, at("2026-11-20T14:21:50.000Z")) == "Edit two.");
  CHECK(last_prompt(text, at("2026-11-20T14:21:48.000Z")) == "Edit one.");
  CHECK(last_prompt(text, at("2026-11-20T14:00:00.000Z")).empty());
}

TEST_CASE("Results, summaries, notifications and what the client says of itself are no prompts") {
  const std::string prompt = R"({"type":"user","uuid":"p","message":{"content":"Go."}})"
                             "\n";
  for (
      const char* const other : {
          R"({"type":"user","uuid":"x","message":{"content":[{"type":"tool_result","content":"out"}]}})",
          R"({"type":"user","uuid":"x","isMeta":true,"message":{"content":"Caveat"}})",
          R"({"type":"user","uuid":"x","isCompactSummary":true,"message":{"content":"Summary"}})",
          R"({"type":"user","uuid":"x","isSidechain":true,"message":{"content":"Do T1"}})",
          R"({"type":"user","uuid":"x","message":{"content":"<task-notification>\n</task-notification>"}})",
          R"({"type":"user","uuid":"x","message":{"content":"<local-command-stdout>x</local-command-stdout>"}})",
          R"({"type":"user","uuid":"x","message":{"content":[]}})",
          R"({"type":"user","uuid":"x","message":{"parts":[{"functionResponse":{"name":"edit"}}]}})",
          R"({"type":"assistant","uuid":"x","message":{"content":"\"user\""}})",
          R"({"type":"user","uuid":"x","message":{"content":"cut)",
      }) {
    INFO(other);
    CHECK(last_prompt(prompt + other + "\n", kLater) == "Go.");
  }
}

TEST_CASE("A command is a prompt as it was typed") {
  const auto typed = [](const std::string& content) {
    return last_prompt(R"({"type":"user","uuid":"p","message":{"content":")" + content + "\"}}\n", kLater);
  };
  CHECK(typed(R"(<command-name>/compact</command-name>\n<command-message>compact</command-message>)") ==
        "/compact");
  CHECK(typed("<command-message>review</command-message><command-name>/review</command-name>"
              "<command-args>all of it</command-args>") == "/review all of it");
}

TEST_CASE("Prompts of Codex, Gemini CLI and Qwen Code are read as they write them") {
  CHECK(last_prompt(R"({"type":"event_msg","payload":{"type":"user_message","message":"Fix it."}})"
                    "\n"
                    R"({"type":"event_msg","payload":{"type":"agent_message","message":"Fixed."}})"
                    "\n",
                    kLater) == "Fix it.");
  CHECK(last_prompt(R"({"id":"g1","type":"user","content":[{"text":"Fix it."}]})"
                    "\n",
                    kLater) == "Fix it.");
  CHECK(last_prompt(R"({"uuid":"q1","type":"user","message":{"role":"user","parts":[{"text":"Fix it."}]}})"
                    "\n",
                    kLater) == "Fix it.");
}

TEST_CASE("No text is too strange to be looked at") {
  CHECK(rc::check("prompts", [] {
    std::string text = transcript("transcript-rewind.jsonl");
    const auto cut = static_cast<std::size_t>(*rc::gen::inRange<int>(0, static_cast<int>(text.size())));
    text.insert(cut, test::hostile_text());
    (void)last_prompt(text, kLater);
    (void)last_prompt(std::string_view(text).substr(cut), kLater);
  }));
}

}  // namespace plankeep::clients
