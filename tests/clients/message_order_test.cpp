#include "clients/transcripts/message_order.hpp"

#include <catch2/catch.hpp>

using plankeep::clients::messages_until;
using Ids = std::vector<std::string>;

namespace {

const std::string kClaude =
    R"({"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"Go."}})"
    "\n"
    R"({"type":"assistant","uuid":"a1","parentUuid":"u1","message":{"id":"msg_1","content":[{"type":"text","text":"I edit, see a2."},{"type":"tool_use","id":"toolu_1","name":"Edit","input":{"id":"no"}}]}})"
    "\n"
    R"({"type":"user","uuid":"r1","message":{"content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"ok"}]}})"
    "\n"
    R"({"type":"assistant","uuid":"s1","isSidechain":true,"message":{"id":"msg_s","content":[]}})"
    "\n{broken\n"
    R"({"type":"assistant","uuid":"a2","message":{"id":"msg_2","content":[{"type":"text","text":"Done."}]}})"
    "\n";

}  // namespace

TEST_CASE("every id of a message leads to it and to those before it") {
  CHECK(messages_until(kClaude, "u1").ids == Ids{"u1"});
  for (const char* id : {"a1", "msg_1", "toolu_1"}) CHECK(messages_until(kClaude, id).ids == Ids{"u1", "a1"});
  CHECK(messages_until(kClaude, "r1").ids == Ids{"u1", "a1", "r1"});
  CHECK(messages_until(kClaude, "msg_2").ids == Ids{"u1", "a1", "r1", "a2"});
}

TEST_CASE("what is no message's id leads nowhere") {
  for (const char* id : {"", "no", "s1", "msg_s", "Done.", "u"})
    CHECK(messages_until(kClaude, id).ids.empty());
  CHECK(messages_until("", "u1").ids.empty());
  const std::string timed = R"({"uuid":"u1","timestamp":"2026-11-20T10:00:00.250Z"})"
                            "\n"
                            R"({"uuid":"u2"})";
  CHECK(messages_until(timed, "u1").time == plankeep::base::parse_iso8601("2026-11-20T10:00:00.250Z"));
  CHECK_FALSE(messages_until(timed, "u2").time);
  CHECK_FALSE(messages_until(timed, "u3").time);
  CHECK(messages_until(std::string("\0\xff\n[]\n\"id\"\n", 12), "id").ids.empty());
}

TEST_CASE("the other clients' messages are ordered by their own ids") {
  const std::string codex =
      R"({"type":"response_item","payload":{"type":"message","role":"user","id":"m0","content":[]}})"
      "\n"
      R"({"type":"response_item","payload":{"type":"function_call","call_id":"c1","name":"x"}})"
      "\n";
  CHECK(messages_until(codex, "m0").ids == Ids{"m0"});
  CHECK(messages_until(codex, "c1").ids == Ids{"m0", "c1"});
  const std::string gemini =
      R"({"id":"g1","type":"user","content":[{"text":"Go."}]})"
      "\n"
      R"({"id":"g2","type":"gemini","content":"I edit.","toolCalls":[{"id":"call_1","name":"replace"}]})"
      "\n";
  CHECK(messages_until(gemini, "call_1").ids == Ids{"g1", "g2"});
  const std::string qwen =
      R"({"uuid":"q1","type":"user","message":{"parts":[{"text":"Go."}]}})"
      "\n"
      R"({"uuid":"q2","type":"assistant","message":{"parts":[{"functionCall":{"id":"call_2","name":"edit","args":{}}}]}})"
      "\n";
  CHECK(messages_until(qwen, "call_2").ids == Ids{"q1", "q2"});
}
