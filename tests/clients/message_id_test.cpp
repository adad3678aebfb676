#include "clients/transcripts/message_id.hpp"

#include <catch2/catch.hpp>

#include "recordings.hpp"

namespace plankeep::clients {
namespace {

constexpr base::Instant kLater{4'000'000'000'000};

std::string id_in(std::string_view tail) {
  return last_message(tail, kLater).id;
}

base::Instant at(const char* text) {
  return base::parse_iso8601(text).value();
}

}  // namespace

TEST_CASE("The last message of a recorded conversation has the id that its client gave it") {
  const std::string text =
      test::read_file(PLANKEEP_TESTS_DIR "/fixtures/hooks/claude-code/transcript-main.jsonl");
  const LastMessage last = last_message(text, kLater);
  CHECK(last.id.size() == 36);
  CHECK(last.ends_turn);
  // No later line of the main thread that is a message.
  const std::size_t at = text.rfind("\"uuid\":\"" + last.id + "\"");
  REQUIRE(at != std::string::npos);
  const std::size_t end = text.find('\n', at);
  CHECK(id_in(std::string_view(text).substr(0, end)) == last.id);
  CHECK(id_in(std::string_view(text).substr(end)).empty());
}

TEST_CASE("Lines of subagents, of the client itself, and broken ones have no message's id") {
  CHECK(id_in(R"({"type":"user","uuid":"one","isSidechain":false})"
              "\n"
              R"({"type":"assistant","uuid":"two","isSidechain":true})"
              "\n"
              R"({"type":"attachment","uuid":"three"})"
              "\n"
              R"({"type":"assistant","uuid":"four")"
              "\n") == "one");
  CHECK(id_in("").empty());
  CHECK(id_in("\n\n").empty());
  CHECK(id_in(R"({"type":"user","uuid":5})").empty());
  CHECK(id_in(R"({"type":"user","uuid":""})").empty());
  CHECK(
      id_in(R"({"type":"user","id":7,"content":7,"toolCalls":7,"payload":7,"message":{"parts":7}})").empty());
  CHECK(id_in(R"({"type":"response_item","payload":{"type":"message","role":[],"id":{}}})").empty());
  CHECK(id_in(R"({"type":"user","uuid":")" + std::string(200, 'x') + "\"}").empty());
}

TEST_CASE("A turn has ended with an answer that calls no tool, and with nothing else") {
  const auto ends = [](const std::string& type, const std::string& message) {
    const LastMessage last =
        last_message(R"({"type":")" + type + R"(","uuid":"one","message":)" + message + "}\n", kLater);
    CHECK(last.id == "one");
    return last.ends_turn;
  };
  CHECK(ends("assistant", R"({"content":[{"type":"text","text":"Done."}]})"));
  CHECK(ends("assistant", R"({"content":[{"type":"thinking"},{"type":"text","text":"Done."}]})"));
  CHECK(ends("assistant", R"({"content":"Done."})"));
  CHECK_FALSE(ends("assistant", R"({"content":[{"type":"text","text":"I edit"},{"type":"tool_use"}]})"));
  CHECK_FALSE(ends("assistant", R"({"content":[{"type":"tool_use","name":"Edit"}]})"));
  CHECK_FALSE(ends("assistant", R"({"content":[{"type":"thinking"}]})"));
  CHECK_FALSE(ends("assistant", R"({"content":[5,null]})"));
  CHECK_FALSE(ends("assistant", "[]"));
  CHECK_FALSE(ends("user", R"({"content":"Go on."})"));
  CHECK_FALSE(ends("user", R"({"content":[{"type":"tool_result","content":[{"type":"text","text":"x"}]}]})"));
}

TEST_CASE("Qwen Code's messages have an id, and say in their parts what they are") {
  // As Qwen Code 0.15.10 writes them; ids and times shortened.
  const std::string prompt =
      R"({"uuid":"q1","timestamp":"2026-11-20T15:00:01.000Z","type":"user","message":{"role":"user","parts":[{"text":"Go."}]}})"
      "\n";
  const std::string call =
      R"({"uuid":"q2","timestamp":"2026-11-20T15:00:02.000Z","type":"assistant","message":{"role":"model","parts":[{"text":"I edit."},{"functionCall":{"id":"c","name":"edit","args":{}}}]}})"
      "\n"
      R"({"uuid":"q3","timestamp":"2026-11-20T15:00:03.000Z","type":"tool_result","message":{"role":"user","parts":[{"functionResponse":{}}]}})"
      "\n"
      R"({"uuid":"q4","timestamp":"2026-11-20T15:00:03.100Z","type":"system","subtype":"ui_telemetry"})"
      "\n";
  const std::string thought =
      R"({"uuid":"q5","timestamp":"2026-11-20T15:00:04.000Z","type":"assistant","message":{"parts":[{"text":"Hm.","thought":true}]}})"
      "\n";
  const std::string answer =
      R"({"uuid":"q6","timestamp":"2026-11-20T15:00:05.000Z","type":"assistant","message":{"parts":[{"text":"Hm.","thought":true},{"text":"Done."}]}})"
      "\n";
  CHECK(id_in(prompt) == "q1");
  const LastMessage calling = last_message(prompt + call, kLater);
  CHECK(calling.id == "q2");
  CHECK_FALSE(calling.ends_turn);
  CHECK_FALSE(last_message(prompt + call + thought, kLater).ends_turn);
  const LastMessage last = last_message(prompt + call + thought + answer, kLater);
  CHECK(last.id == "q6");
  CHECK(last.ends_turn);
}

TEST_CASE("Gemini CLI's messages have an id, one that calls tools is written twice") {
  // As Gemini CLI 0.61.0 writes them; ids and times shortened.
  const std::string call =
      R"({"id":"g1","timestamp":"2026-11-20T15:00:01.000Z","type":"gemini","content":"I edit.","model":"gemini-2.5-flash"})"
      "\n"
      R"({"$set":{"lastUpdated":"2026-11-20T15:00:01.000Z"}})"
      "\n"
      R"({"id":"g1","timestamp":"2026-11-20T15:00:01.000Z","type":"gemini","content":"I edit.","toolCalls":[{"id":"c","name":"replace"}]})"
      "\n";
  const std::string result =
      R"({"id":"g2","timestamp":"2026-11-20T15:00:02.000Z","type":"user","content":[{"functionResponse":{"id":"c"}}]})"
      "\n";
  const std::string answer =
      R"({"id":"g3","timestamp":"2026-11-20T15:00:03.000Z","type":"gemini","content":"Done."})"
      "\n"
      R"({"$set":{"messages":[{"id":"g0","type":"user","content":[]}]}})"
      "\n";
  CHECK_FALSE(last_message(call, kLater).ends_turn);
  CHECK_FALSE(last_message(call + result, kLater).ends_turn);
  const LastMessage last = last_message(call + result + answer, kLater);
  CHECK(last.id == "g3");
  CHECK(last.ends_turn);
  CHECK(last_message(call + result + answer, at("2026-11-20T15:00:02.500Z")).id == "g2");
}

TEST_CASE("Codex has its messages' ids in items of its own, and calls beside them") {
  // As Codex 0.169.0 writes them; ids and times shortened.
  const std::string call =
      R"({"timestamp":"2026-11-20T15:00:01.000Z","type":"response_item","payload":{"type":"message","role":"user","id":"m0","content":[{"type":"input_text","text":"Go."}]}})"
      "\n"
      R"({"timestamp":"2026-11-20T15:00:02.000Z","type":"response_item","payload":{"type":"message","role":"assistant","id":"m1","content":[{"type":"output_text","text":"I edit."}]}})"
      "\n"
      R"({"timestamp":"2026-11-20T15:00:02.001Z","type":"response_item","payload":{"type":"custom_tool_call","call_id":"c","name":"apply_patch","input":""}})"
      "\n";
  const std::string result =
      R"({"timestamp":"2026-11-20T15:00:03.000Z","type":"response_item","payload":{"type":"custom_tool_call_output","id":"o","call_id":"c","output":""}})"
      "\n"
      R"({"timestamp":"2026-11-20T15:00:03.001Z","type":"event_msg","payload":{"type":"item_completed","turn_id":"t"}})"
      "\n"
      R"({"timestamp":"2026-11-20T15:00:03.002Z","type":"response_item","payload":{"type":"message","role":"developer","id":"m2","content":[]}})"
      "\n";
  const std::string answer =
      R"({"timestamp":"2026-11-20T15:00:04.000Z","type":"response_item","payload":{"type":"message","role":"assistant","id":"m3","content":[{"type":"output_text","text":"Done."}]}})"
      "\n"
      R"({"timestamp":"2026-11-20T15:00:04.001Z","type":"event_msg","payload":{"type":"task_complete","turn_id":"t"}})"
      "\n";
  for (const std::string& begun : {call, call + result}) {
    const LastMessage calling = last_message(begun, kLater);
    CHECK(calling.id == "m1");
    CHECK_FALSE(calling.ends_turn);
  }
  const LastMessage last = last_message(call + result + answer, kLater);
  CHECK(last.id == "m3");
  CHECK(last.ends_turn);
}

TEST_CASE("What was said later is not looked at") {
  const std::string text =
      R"({"type":"assistant","uuid":"one","timestamp":"2026-11-20T15:00:00.100Z","message":{"content":"Done."}})"
      "\n"
      R"({"type":"user","uuid":"two","timestamp":"2026-11-20T15:00:00.200Z","message":{"content":"Go on."}})"
      "\n";
  CHECK(last_message(text, at("2026-11-20T15:00:00.300Z")).id == "two");
  CHECK(last_message(text, at("2026-11-20T15:00:00.200Z")).id == "two");
  const LastMessage before = last_message(text, at("2026-11-20T15:00:00.199Z"));
  CHECK(before.id == "one");
  CHECK(before.ends_turn);
  CHECK(last_message(text, at("2026-11-20T15:00:00.000Z")).id.empty());
  // A time that is none says nothing.
  CHECK(last_message(R"({"type":"user","uuid":"one","timestamp":"soon"})", base::Instant{0}).id == "one");
}

}  // namespace plankeep::clients
