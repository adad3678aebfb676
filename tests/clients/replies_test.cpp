#include <catch2/catch.hpp>
#include <set>

#include "clients/recordings.hpp"

using namespace plankeep;
using clients::Client;
using core::HookAnswer;
using core::HookEvent;
using core::HookKind;
using nlohmann::json;

namespace {

HookEvent event_of(const std::string& client, const std::string& client_event,
                   HookKind kind = HookKind::nothing, const std::string& sender = {}) {
  HookEvent event;
  event.kind = kind;
  event.client = sender.empty() ? client : sender;
  event.client_event = client_event;
  return event;
}

std::string reply(const std::string& client, const HookEvent& event, const HookAnswer& answer) {
  return clients::find_client(client)->reply(event, answer);
}

const HookAnswer kContext = {.context = "where things stand", .block = {}, .notice = {}};
const HookAnswer kBlock = {.context = {}, .block = "auth is not ticked", .notice = {}};
const HookAnswer kNotice = {.context = {}, .block = {}, .notice = "phase 1 is complete"};
const HookAnswer kAll = {.context = "c", .block = "b", .notice = "n"};

std::string nested(const std::string& event, const std::string& context = "where things stand") {
  return R"({"hookSpecificOutput":{"hookEventName":")" + event + R"(","additionalContext":")" + context +
         R"("}})";
}

/// Every way of every key, as "a.b".
void keys_of(const json& value, const std::string& path, std::set<std::string>& keys) {
  for (const auto& [key, inner] : value.items()) {
    const std::string here = path.empty() ? key : path + "." + key;
    keys.insert(here);
    if (inner.is_object()) keys_of(inner, here, keys);
  }
}

struct Expected {
  std::string client;
  HookEvent event;
  std::string context;  // what is printed for a context, a block and a notice alone
  std::string block;
  std::string notice;
};

const std::string kBlocked = R"({"decision":"block","reason":"auth is not ticked"})";
const std::string kDenied = R"({"decision":"deny","reason":"auth is not ticked"})";
const std::string kShown = R"({"systemMessage":"phase 1 is complete"})";
const std::string kTop = R"({"additionalContext":"where things stand"})";
const std::string kSnake = R"({"additional_context":"where things stand"})";
const std::string kFollow = R"({"followup_message":"auth is not ticked"})";

std::vector<Expected> table() {
  using K = HookKind;
  const auto claude = [](const char* name) { return event_of("claude-code", name); };
  const auto codex = [](const char* name) { return event_of("codex", name); };
  const auto gemini = [](const char* name) { return event_of("gemini", name); };
  const auto copilot = [](const char* name) { return event_of("copilot", name); };
  const auto cursor = [](const char* name) { return event_of("cursor", name); };
  const auto opencode = [](const char* name) { return event_of("opencode", name); };
  std::vector<Expected> rows;
  for (const char* name :
       {"SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolBatch", "SubagentStart"})
    rows.push_back({"claude-code", claude(name), nested(name), "", kShown});
  for (const char* name : {"Stop", "SubagentStop"})
    rows.push_back({"claude-code", claude(name), "", kBlocked, kShown});
  for (const char* name : {"PreToolUse", "PostToolUseFailure"})
    rows.push_back({"claude-code", claude(name), "", "", kShown});
  for (const char* name : {"StopFailure", "PreCompact", "SessionEnd", "FileChanged"})
    rows.push_back({"claude-code", claude(name), "", "", ""});

  for (const char* name : {"SessionStart", "UserPromptSubmit", "PostToolUse", "SubagentStart"})
    rows.push_back({"codex", codex(name), nested(name), "", kShown});
  for (const char* name : {"Stop", "SubagentStop"})
    rows.push_back({"codex", codex(name), "", kBlocked, kShown});
  for (const char* name : {"PreToolUse", "PreCompact", "SessionEnd"})
    rows.push_back({"codex", codex(name), "", "", ""});

  for (const char* name : {"SessionStart", "BeforeAgent", "AfterTool"})
    rows.push_back({"gemini", gemini(name), nested(name), "", kShown});
  rows.push_back({"gemini", gemini("AfterAgent"), "", kDenied, kShown});
  for (const char* name : {"BeforeTool", "PreCompress", "SessionEnd"})
    rows.push_back({"gemini", gemini(name), "", "", ""});

  for (const char* name : {"sessionStart", "userPromptSubmitted", "postToolUse", "SessionStart",
                           "UserPromptSubmit", "PostToolUse"})
    rows.push_back({"copilot", copilot(name), kTop, "", ""});
  for (const char* name : {"agentStop", "subagentStop", "Stop", "SubagentStop"})
    rows.push_back({"copilot", copilot(name), "", kBlocked, ""});
  for (const char* name : {"preCompact", "sessionEnd", "subagentStart", "postToolUseFailure"})
    rows.push_back({"copilot", copilot(name), "", "", ""});
  for (const char* name : {"SessionStart", "UserPromptSubmit", "PostToolUse"})
    rows.push_back({"claude-code", copilot(name), kTop, "", ""});
  for (const char* name : {"Stop", "SubagentStop"})
    rows.push_back({"claude-code", copilot(name), "", kBlocked, ""});
  for (const char* name : {"SubagentStart", "PostToolBatch", "SessionEnd", "PreCompact"})
    rows.push_back({"claude-code", copilot(name), "", "", ""});
  rows.push_back({"claude-code", cursor("SessionStart"), kSnake, "", ""});
  rows.push_back({"claude-code", cursor("Stop"), "", kFollow, ""});

  rows.push_back({"qwen", event_of("qwen", "SessionStart", K::session_start), "", "", kShown});
  rows.push_back({"qwen", event_of("qwen", "UserPromptSubmit", K::prompt_submitted),
                  nested("UserPromptSubmit"), "", kShown});
  rows.push_back({"qwen", event_of("qwen", "UserPromptSubmit", K::tools_settled), "", "", ""});
  rows.push_back(
      {"qwen", event_of("qwen", "PostToolUse", K::file_written), nested("PostToolUse"), "", kShown});
  rows.push_back({"qwen", event_of("qwen", "PostToolUseFailure", K::shell_ran), "", "", ""});
  rows.push_back({"qwen", event_of("qwen", "Stop", K::turn_ended), "", kBlocked, kShown});
  rows.push_back({"qwen", event_of("qwen", "SubagentStop", K::subagent_stopped), "", kBlocked, kShown});
  rows.push_back({"qwen", event_of("qwen", "PreCompact", K::before_compact), "", "", ""});
  rows.push_back({"qwen", event_of("qwen", "SessionEnd", K::session_ended), "", "", ""});

  for (const char* name : {"session_start", "prompt_submitted"})
    rows.push_back({"opencode", opencode(name), kTop, "", ""});
  for (const char* name : {"file_written", "shell_ran", "subagent_started", "subagent_stopped", "turn_ended",
                           "before_compact", "session_ended"})
    rows.push_back({"opencode", opencode(name), "", "", ""});

  for (const char* name : {"sessionStart", "postToolUse"})
    rows.push_back({"cursor", cursor(name), kSnake, "", ""});
  for (const char* name : {"stop", "subagentStop"}) rows.push_back({"cursor", cursor(name), "", kFollow, ""});
  for (const char* name : {"beforeSubmitPrompt", "afterFileEdit", "afterShellExecution", "subagentStart",
                           "preCompact", "sessionEnd"})
    rows.push_back({"cursor", cursor(name), "", "", ""});
  return rows;
}

}  // namespace

TEST_CASE("each client gets each part of an answer in the one shape that it honours at that event") {
  for (const Expected& row : table()) {
    INFO(row.client << " " << row.event.client << " " << row.event.client_event);
    CHECK(reply(row.client, row.event, kContext) == row.context);
    CHECK(reply(row.client, row.event, kBlock) == row.block);
    CHECK(reply(row.client, row.event, kNotice) == row.notice);
    const Client& client = *clients::find_client(row.client);
    CHECK(client.tells_model(row.event) == !row.context.empty());
    CHECK(client.can_block(row.event) == !row.block.empty());
  }
}

TEST_CASE("an empty answer prints nothing, for every recorded event of every client") {
  for (const test::Recording& recording : test::recordings()) {
    HookEvent event;
    REQUIRE(recording.client->read(recording.event, recording.payload, test::lookup(recording.variables),
                                   clients::Extent::needed, event));
    INFO(recording.name);
    CHECK(recording.client->reply(event, {}).empty());
  }
}

TEST_CASE("an answer to a recorded event is one JSON object without a line end, of known keys, or nothing") {
  const std::map<std::string, std::set<std::string>> known = {
      {"claude-code",
       {"decision", "reason", "hookSpecificOutput", "hookSpecificOutput.hookEventName",
        "hookSpecificOutput.additionalContext", "systemMessage"}},
      {"codex",
       {"decision", "reason", "hookSpecificOutput", "hookSpecificOutput.hookEventName",
        "hookSpecificOutput.additionalContext", "systemMessage"}},
      {"gemini",
       {"decision", "reason", "hookSpecificOutput", "hookSpecificOutput.hookEventName",
        "hookSpecificOutput.additionalContext", "systemMessage"}},
      {"qwen",
       {"decision", "reason", "hookSpecificOutput", "hookSpecificOutput.hookEventName",
        "hookSpecificOutput.additionalContext", "systemMessage"}},
      {"copilot", {"decision", "reason", "additionalContext"}},
      {"opencode", {"additionalContext"}},
  };
  std::size_t answers = 0;
  for (const test::Recording& recording : test::recordings()) {
    HookEvent event;
    REQUIRE(recording.client->read(recording.event, recording.payload, test::lookup(recording.variables),
                                   clients::Extent::needed, event));
    if (event.kind == HookKind::nothing) continue;
    const std::string text = recording.client->reply(event, kAll);
    INFO(recording.name << ": " << text);
    if (text.empty()) continue;
    ++answers;
    CHECK(text.find('\n') == std::string::npos);
    const json parsed = json::parse(text);
    REQUIRE(parsed.is_object());
    std::set<std::string> keys;
    keys_of(parsed, "", keys);
    for (const std::string& key : keys) CHECK(known.at(event.client).contains(key));
    if (keys.contains("hookSpecificOutput"))
      CHECK(parsed.at("hookSpecificOutput").at("hookEventName") == event.client_event);
    // What blocks must not carry a context, which some take as one more reason to go on.
    CHECK(!(keys.contains("decision") && text.find("additionalContext") != std::string::npos));
    CHECK(keys.contains("decision") == keys.contains("reason"));
  }
  CHECK(answers > 80);
}

TEST_CASE("a context of 9,900 characters arrives whole and unchanged, whatever it consists of") {
  std::string context;
  for (int i = 0; i < 1100; ++i) context += "a\"\\\n计é🙂\x01/";
  REQUIRE(context.size() > 9900);
  const HookAnswer answer = {.context = context, .block = {}, .notice = {}};
  const std::map<std::string, std::string> starts = {
      {"claude-code", "SessionStart"}, {"codex", "SessionStart"},     {"gemini", "SessionStart"},
      {"copilot", "sessionStart"},     {"opencode", "session_start"}, {"cursor", "sessionStart"}};
  for (const auto& [client, name] : starts) {
    INFO(client);
    const json parsed = json::parse(reply(client, event_of(client, name), answer));
    const json& holder = parsed.contains("hookSpecificOutput") ? parsed.at("hookSpecificOutput") : parsed;
    const std::string key = client == "cursor" ? "additional_context" : "additionalContext";
    CHECK(holder.at(key) == context);
  }
  const json parsed =
      json::parse(reply("qwen", event_of("qwen", "UserPromptSubmit", HookKind::prompt_submitted), answer));
  CHECK(parsed.at("hookSpecificOutput").at("additionalContext") == context);
}

TEST_CASE("text that is not UTF-8 is made so before it is printed") {
  const HookAnswer answer = {.context = "a\xff", .block = {}, .notice = {}};
  const json parsed = json::parse(reply("codex", event_of("codex", "SessionStart"), answer));
  CHECK(parsed.at("hookSpecificOutput").at("additionalContext") == "a\xef\xbf\xbd");
}

TEST_CASE("context and notice go together where both are honoured") {
  CHECK(
      reply("claude-code", event_of("claude-code", "PostToolUse"), kAll) ==
      R"({"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"c"},"systemMessage":"n"})");
  CHECK(reply("claude-code", event_of("claude-code", "SubagentStop"), kAll) ==
        R"({"decision":"block","reason":"b","systemMessage":"n"})");
}

TEST_CASE("Gemini CLI hears nothing with the result of a tool that failed") {
  HookEvent event = event_of("gemini", "AfterTool", HookKind::shell_ran);
  event.failed = true;
  CHECK_FALSE(clients::find_client("gemini")->tells_model(event));
  CHECK(reply("gemini", event, kContext).empty());
}

TEST_CASE("the clients are found by the names of the command line and no others") {
  std::vector<std::string> names;
  for (const Client& client : clients::clients()) {
    names.emplace_back(client.name);
    CHECK(clients::find_client(client.name) == &client);
    CHECK_FALSE(client.title.empty());
  }
  CHECK(names ==
        std::vector<std::string>{"claude-code", "codex", "gemini", "copilot", "qwen", "opencode", "cursor"});
  for (const char* name : {"", "claude", "Claude-Code", "claude-code ", "codex\n", "aider"})
    CHECK(clients::find_client(name) == nullptr);
}
