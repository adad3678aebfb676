#include "clients/recordings.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <set>

#include "model/hook_event.hpp"

using namespace plankeep;
using clients::Reading;
using core::HookEvent;
using core::HookKind;
using nlohmann::json;
using nlohmann::ordered_json;
using test::Recording;

namespace {

const std::string kFixtures = std::string(PLANKEEP_TESTS_DIR) + "/fixtures/hooks/";

base::Result<Reading> read(const Recording& recording, std::string_view payload, HookEvent& event) {
  return recording.client->read(recording.event, payload, test::lookup(recording.variables),
                                clients::Extent::needed, event);
}

HookEvent read_whole(const Recording& recording) {
  HookEvent event;
  RC_ASSERT(read(recording, recording.payload, event).has_value());
  return event;
}

const Recording& any_recording() {
  return test::recordings()[*rc::gen::inRange<std::size_t>(0, test::recordings().size())];
}

}  // namespace

TEST_CASE("every recorded payload is read as the event that its row says, to the field") {
  CHECK(test::recordings().size() == 209);
  for (const Recording& recording : test::recordings()) {
    INFO(recording.name);
    HookEvent event;
    const auto reading = read(recording, recording.payload, event);
    REQUIRE(reading.has_value());
    CHECK(*reading == recording.reading);
    CHECK(test::as_json(event) == recording.expected);
  }
}

TEST_CASE("every file among the recorded payloads has a row") {
  // What is no payload of a hook, and opencode's own calls, which the plugin's test plays.
  const std::set<std::string> others = {"index.json", "transcript-subagent.meta.json"};
  std::set<std::string> rows;
  for (const Recording& recording : test::recordings())
    rows.insert(recording.name.substr(0, recording.name.find(" as ")));
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kFixtures)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".json" || others.contains(name) || name.starts_with("statusLine"))
      continue;
    const std::string client = entry.path().parent_path().filename().string();
    if (client == "opencode") continue;
    ++files;
    INFO(client + "/" + name);
    CHECK(rows.contains(client + "/" + name));
  }
  CHECK(files > 150);
}

TEST_CASE("the rows agree with the index that came with the recordings, but where we look closer") {
  const std::map<std::string, std::string> closer = {
      {"codex/PostToolUse-Bash.json", "shell_ran"},
      {"codex/PreToolUse-spawn_agent.json", "subagent_assigned"},
      {"gemini/AfterTool-run_shell_command.json", "shell_ran"},
      {"gemini/PreCompress-auto.json", "tools_settled"},
      {"copilot/postToolUse-bash.json", "shell_ran"},
      {"codex/PreToolUse-Bash-apply_patch-heredoc.json", "shell_started"},  // with what it writes
      {"copilot/userPromptSubmitted-in-subagent.json", "subagent_started"},
      {"qwen/PostToolUse-run_shell_command.json", "shell_ran"},
      {"qwen/UserPromptSubmit-empty.json", "tools_settled"},
  };
  std::map<std::string, const Recording*> rows;
  for (const Recording& recording : test::recordings())
    rows[recording.name.substr(0, recording.name.find(" as "))] = &recording;
  std::size_t compared = 0;
  for (const std::string client : {"codex", "copilot", "gemini", "qwen"}) {
    const json index = json::parse(test::read_file(kFixtures + client + "/index.json"));
    for (const json& entry : index.at("fixtures")) {
      const std::string name = client + "/" + entry.at("file").get<std::string>();
      INFO(name);
      REQUIRE(rows.contains(name));
      const json& expected = rows.at(name)->expected;
      std::string kind = entry.at("neutral").is_null() ? "nothing" : entry.at("neutral").get<std::string>();
      if (closer.contains(name)) kind = closer.at(name);
      CHECK(expected.at("kind") == kind);
      CHECK(rows.at(name)->event == entry.at("client_event"));
      if (kind == "file_written") CHECK(expected.at("paths") == entry.at("paths"));
      if (kind != "nothing" && entry.value("subagent", false)) CHECK(expected.contains("agent_id"));
      ++compared;
    }
  }
  CHECK(compared == 94);
}

TEST_CASE("a payload cut anywhere asks for more or is read as the whole one is") {
  std::size_t prefixes = 0;
  for (const Recording& recording : test::recordings()) {
    HookEvent whole;
    REQUIRE(read(recording, recording.payload, whole).has_value());
    bool over = false;
    for (std::size_t size = 0; size <= recording.payload.size(); ++size) {
      HookEvent event;
      const auto reading = read(recording, std::string_view(recording.payload).substr(0, size), event);
      ++prefixes;
      if (!reading) FAIL(recording.name << " cut at " << size << ": " << reading.error().message);
      if (*reading == Reading::truncated) {
        if (over) FAIL(recording.name << " cut at " << size << " wants more than before");
        if (!(event == HookEvent())) FAIL(recording.name << " cut at " << size << " left half an event");
        continue;
      }
      over = true;
      if (!(event == whole)) FAIL(recording.name << " cut at " << size << " is another event");
    }
    CHECK(over);
  }
  CHECK(prefixes > 90000);
}

TEST_CASE("a payload with damaged bytes is an error or an event, never a crash") {
  CHECK(rc::check("bytes flipped", [] {
    const Recording& recording = any_recording();
    std::string payload = recording.payload;
    const auto flips = *rc::gen::inRange(1, 6);
    for (int i = 0; i < flips; ++i) {
      const auto at = *rc::gen::inRange<std::size_t>(0, payload.size());
      payload[at] =
          *rc::gen::oneOf(rc::gen::arbitrary<char>(), rc::gen::elementOf(std::string("\"\\{}[],:\xff")));
    }
    if (*rc::gen::arbitrary<bool>()) payload.resize(*rc::gen::inRange<std::size_t>(0, payload.size() + 1));
    HookEvent event;
    const auto reading = read(recording, payload, event);
    if (!reading) RC_ASSERT(reading.error().kind == base::ErrorKind::corrupt);
    if (!reading || *reading == Reading::truncated) RC_ASSERT(event == HookEvent());
    RC_ASSERT(core::actor_of(event).size() <= 300);
  }));
}

TEST_CASE("the order of a payload's keys does not change the event while what names the sender comes last") {
  CHECK(rc::check("keys shuffled", [] {
    const Recording& recording = any_recording();
    const HookEvent whole = read_whole(recording);
    const ordered_json payload = ordered_json::parse(recording.payload);
    std::vector<std::string> keys;
    for (const auto& [key, value] : payload.items()) keys.push_back(key);
    for (std::size_t i = keys.size(); i > 1; --i)
      std::swap(keys[i - 1], keys[*rc::gen::inRange<std::size_t>(0, i)]);
    const auto head = std::find(keys.begin(), keys.end(), "hook_event_name");
    if (head != keys.end()) std::rotate(head, head + 1, keys.end());
    ordered_json shuffled = ordered_json::object();
    for (const std::string& key : keys) shuffled[key] = payload.at(key);
    HookEvent event;
    RC_ASSERT(read(recording, shuffled.dump(), event).has_value());
    RC_ASSERT(event == whole);
  }));
}

TEST_CASE("what stands behind the point where reading stops is never looked at") {
  std::size_t seen = 0;
  for (const Recording& recording : test::recordings()) {
    if (recording.reading != Reading::enough) continue;
    INFO(recording.name);
    HookEvent whole;
    REQUIRE(read(recording, recording.payload, whole).has_value());
    // The shortest beginning that is enough, then rubbish.
    std::size_t size = 0;
    HookEvent event;
    for (; size <= recording.payload.size(); ++size) {
      const auto reading = read(recording, std::string_view(recording.payload).substr(0, size), event);
      REQUIRE(reading.has_value());
      if (*reading == Reading::enough) break;
    }
    event = {};
    const auto reading = read(recording, recording.payload.substr(0, size) + "\xff\x01}}}", event);
    REQUIRE(reading.has_value());
    CHECK(*reading == Reading::enough);
    CHECK(event == whole);
    ++seen;
  }
  CHECK(seen > 60);
}
