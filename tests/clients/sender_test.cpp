#include "clients/sender.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <utility>

#include "model/hook_event.hpp"
#include "recordings.hpp"

using namespace plankeep;
using clients::Reading;
using clients::Sender;
using nlohmann::ordered_json;

namespace {

Sender sender_of(const std::string& payload) {
  Sender sender;
  const auto reading = clients::read_sender(payload, sender);
  REQUIRE(reading.has_value());
  CHECK(*reading == Reading::complete);
  return sender;
}

}  // namespace

TEST_CASE("who acts is found wherever it stands") {
  CHECK(sender_of(R"({"tool_input":{"agent_id":"no"},"agent_id":"a1","agent_type":"coder"})") ==
        Sender{"a1", "coder", {}});
  CHECK(sender_of(R"({"toolArgs":{},"agentId":"a2","agentType":"task"})") == Sender{"a2", "task", {}});
  CHECK(sender_of(R"({"paths":[],"agentID":"a3"})") == Sender{"a3", {}, {}});
  CHECK(sender_of(R"({"team_name":"blue","x":1,"teammate_name":"kim"})") == Sender{{}, {}, "kim"});
  CHECK(sender_of(R"({"team_name":"blue"})") == Sender{{}, {}, "blue"});
  // A type alone is the role of a whole session; a lone half of a character costs nobody's name.
  CHECK(sender_of(R"({"agent_type":"coder","agent_id":null})") == Sender{});
  CHECK(sender_of(R"({"tool_input":{"new_string":"\ud83d"},"agent_id":"a1"})") == Sender{"a1", {}, {}});
  Sender kept{"k", {}, {}};
  const auto cut = clients::read_sender(R"({"agent_id":"a1","tool_resp)", kept);
  REQUIRE(cut.has_value());
  CHECK(*cut == Reading::truncated);
  CHECK(kept == Sender{"k", {}, {}});
  CHECK_FALSE(clients::read_sender("[1]", kept).has_value());
}

TEST_CASE("an agent whose type stands behind what the call is about keeps it") {
  core::HookEvent event;
  event.agent_id = "a7";
  CHECK_FALSE(clients::names_agent(event));
  clients::add_sender(event, {"a7", "coder", "blue"});
  CHECK(clients::names_agent(event));
  CHECK(event.agent_type == "coder");
  CHECK(event.team == "blue");
  core::HookEvent other;
  other.agent_id = "a8";
  clients::add_sender(other, {"a7", "coder", {}});
  CHECK(other.agent_id == "a8");
  CHECK(other.agent_type.empty());
}

TEST_CASE("who wrote a file does not depend on the order of a payload's keys") {
  CHECK(rc::check("any order", [] {
    std::vector<const test::Recording*> edits;
    for (const test::Recording& one : test::recordings()) {
      if (one.expected.at("kind") == "file_written") edits.push_back(&one);
    }
    const test::Recording& recording = **rc::gen::elementOf(edits);
    core::HookEvent whole;
    const auto variables = test::lookup(recording.variables);
    RC_ASSERT(recording.client->read(recording.event, recording.payload, variables, whole).has_value());
    ordered_json payload = ordered_json::parse(recording.payload);
    const bool shape = payload.contains("session_id");
    if (shape && whole.agent_id.empty() && *rc::gen::arbitrary<bool>()) {
      payload["agent_id"] = whole.agent_id = "a7";
      payload["agent_type"] = whole.agent_type = "coder";
    }
    std::vector<std::string> keys;
    for (const auto& [key, value] : payload.items()) keys.push_back(key);
    for (std::size_t i = keys.size(); i > 1; --i)
      std::swap(keys[i - 1], keys[*rc::gen::inRange<std::size_t>(0, i)]);
    ordered_json shuffled = ordered_json::object();
    for (const std::string& key : keys) shuffled[key] = payload.at(key);
    const std::string text = shuffled.dump();
    core::HookEvent event;
    RC_ASSERT(recording.client->read(recording.event, text, variables, event).has_value());
    if (!clients::names_agent(event)) {
      Sender sender;
      RC_ASSERT(clients::read_sender(text, sender).has_value());
      clients::add_sender(event, std::move(sender));
    }
    RC_ASSERT(core::actor_of(event) == core::actor_of(whole));
    RC_ASSERT(event.agent_id == whole.agent_id);
    RC_ASSERT(event.paths == whole.paths);
    // One client gives a subagent's own id as the session, and the session as its parent: that is taken from
    // in front of the tool's input only, where every recording has it.
    if (!payload.contains("parent_agent_id")) RC_ASSERT(event.session_id == whole.session_id);
  }));
}
