// The payload as an object: what is asked for is read, each byte once, in whatever order its keys stand.
#include "clients/payload.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <utility>

#include "recordings.hpp"
#include "support/payload_pieces.hpp"

using namespace plankeep;
using clients::Payload;
using core::HookKind;
using core::TextEdit;
using nlohmann::ordered_json;
using Pieces = test::PayloadPieces;
using test::Recording;

namespace {

struct Told {
  core::HookEvent event;
  std::vector<TextEdit> edits;
};

Told told(const Recording& recording, const std::string& text, std::size_t piece = 100000) {
  Pieces input(text, piece);
  const clients::Variables variables = test::lookup(recording.variables);
  Payload payload(*recording.client, recording.event, variables, input);
  const base::Status read = payload.read();
  if (!read) FAIL(read.error().message);
  Told out{payload.whole_event(), payload.edits()};
  return out;
}

std::string in_order(const ordered_json& payload, const std::vector<std::string>& keys) {
  ordered_json again = ordered_json::object();
  for (const std::string& key : keys) again[key] = payload.at(key);
  return again.dump();
}

std::vector<std::string> keys_of(const ordered_json& payload) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : payload.items()) keys.push_back(key);
  return keys;
}

// The keys under which the clients say who acts; opencode's plugin and Copilot have their own.
struct Keys {
  const char* id;
  const char* type;
};
Keys agent_keys(const ordered_json& payload) {
  if (payload.contains("sessionID")) return {"agentID", "agentType"};
  if (payload.contains("sessionId")) return {"agentId", "agentType"};
  return {"agent_id", "agent_type"};
}

}  // namespace

TEST_CASE("a payload says the same with its keys the other way round") {
  for (const Recording& recording : test::recordings()) {
    if (recording.expected.at("kind") == "nothing") continue;
    INFO(recording.name);
    const ordered_json payload = ordered_json::parse(recording.payload);
    std::vector<std::string> keys = keys_of(payload);
    std::reverse(keys.begin(), keys.end());
    const Told forward = told(recording, recording.payload);
    const Told backward = told(recording, in_order(payload, keys));
    CHECK(test::as_json(backward.event) == test::as_json(forward.event));
    CHECK(backward.edits == forward.edits);
  }
}

TEST_CASE("who acts is known though it stands behind what the tool was given") {
  std::size_t edits = 0;
  for (const Recording& recording : test::recordings()) {
    if (recording.expected.at("kind") != "file_written" || recording.event == "FileChanged") continue;
    if (!recording.client->names_subagents) continue;
    INFO(recording.name);
    ordered_json payload = ordered_json::parse(recording.payload);
    const Keys keys = agent_keys(payload);
    for (const char* key : {keys.id, keys.type}) payload.erase(key);
    payload[keys.id] = "a7";
    payload[keys.type] = "coder";
    const Told agent = told(recording, payload.dump());
    CHECK(agent.event.agent_id == "a7");
    CHECK(agent.event.agent_type == "coder");
    CHECK(agent.event.paths == told(recording, recording.payload).event.paths);
    if (recording.client->name == "claude-code") {
      payload["teammate_name"] = "blue";
      CHECK(core::actor_of(told(recording, payload.dump()).event) == "team:blue");
    }
    ++edits;
  }
  CHECK(edits > 20);
}

TEST_CASE("who wrote a file does not depend on the order of a payload's keys") {
  CHECK(rc::check("any order, in pieces of any size", [] {
    std::vector<const Recording*> edits;
    for (const Recording& one : test::recordings()) {
      if (one.expected.at("kind") == "file_written") edits.push_back(&one);
    }
    const Recording& recording = **rc::gen::elementOf(edits);
    ordered_json payload = ordered_json::parse(recording.payload);
    if (payload.contains("session_id") && *rc::gen::arbitrary<bool>()) {
      payload["agent_id"] = "a7";
      payload["agent_type"] = "coder";
    }
    const Told whole = told(recording, payload.dump());
    std::vector<std::string> keys = keys_of(payload);
    for (std::size_t i = keys.size(); i > 1; --i)
      std::swap(keys[i - 1], keys[*rc::gen::inRange<std::size_t>(0, i)]);
    const Told shuffled = told(recording, in_order(payload, keys), *rc::gen::inRange<std::size_t>(1, 5000));
    RC_ASSERT(shuffled.event == whole.event);
    RC_ASSERT(shuffled.edits == whole.edits);
  }));
}

TEST_CASE("a large payload is read no further than it is asked about") {
  const std::string head = R"({"session_id":"s","cwd":"/p","hook_event_name":"PostToolUse",)"
                           R"("tool_name":"Write","tool_input":{"file_path":"/p/big.txt","content":")";
  const std::string big(std::size_t{4} << 20, 'x');
  Pieces input(head + big + R"("},"agent_id":"a1","agent_type":"coder"})", std::size_t{64} << 10);
  const clients::Variables none;
  Payload payload(*clients::find_client("claude-code"), "PostToolUse", none, input);
  REQUIRE(payload.read().has_value());
  CHECK(payload.event().paths == std::vector<std::string>{"/p/big.txt"});
  CHECK(payload.event().agent_id.empty());
  CHECK(input.text().size() <= 4096);
  CHECK(payload.whole_event().agent_id == "a1");
  CHECK(payload.edits() == std::vector<TextEdit>{{"", big}});
  const int waits = input.waits;
  CHECK(payload.whole_event().agent_type == "coder");
  CHECK(payload.edits().size() == 1);
  CHECK(input.waits == waits);
}

TEST_CASE("a payload that is broken behind what the event needed adds nothing") {
  const std::string head = R"({"session_id":"s","cwd":"/p","hook_event_name":"PostToolUse",)"
                           R"("tool_name":"Edit","tool_input":{"file_path":"/p/plan.md")";
  for (const char* rest : {"", R"(,"old_string":"a","new_str)", "} tru e, \"agent_id\":\"a1\"}"}) {
    CAPTURE(rest);
    Pieces input(head + rest);
    const clients::Variables none;
    Payload payload(*clients::find_client("claude-code"), "PostToolUse", none, input);
    REQUIRE(payload.read().has_value());
    CHECK(payload.whole_event().agent_id.empty());
    CHECK(payload.whole_event().paths.size() == 1);
    CHECK(payload.edits().empty());
  }
}

TEST_CASE("a payload that ends too early, or takes too long, says so") {
  const clients::Variables none;
  for (const bool late : {false, true}) {
    Pieces input(R"({"session_id":"s",)");
    input.gives_up = late;
    Payload payload(*clients::find_client("claude-code"), "Stop", none, input);
    const base::Status read = payload.read();
    REQUIRE_FALSE(read.has_value());
    CHECK(read.error().message ==
          (late ? "timed out waiting for the end of input" : "unexpected end of input"));
  }
}

TEST_CASE("an event that was read already is whole") {
  core::HookEvent event;
  event.kind = HookKind::file_written;
  Payload payload(event, {{"a", "b"}});
  CHECK(payload.whole_event() == event);
  CHECK(payload.edits() == std::vector<TextEdit>{{"a", "b"}});
}
