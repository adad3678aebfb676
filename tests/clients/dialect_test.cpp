// What no recording shows: broken and odd payloads, and the rules that all clients share.

#include <catch2/catch.hpp>

#include "clients/patch_paths.hpp"
#include "clients/recordings.hpp"
#include "clients/transcripts/task_notification.hpp"

using namespace plankeep;
using clients::notifications_in;
using clients::paths_in_patch;
using clients::Reading;
using core::HookKind;
using core::Notified;
using test::read;
using Paths = std::vector<std::string>;

namespace {

const std::string kHead = R"({"session_id":"s","cwd":"/p","hook_event_name":"PostToolUse",)";

bool is_corrupt(const test::Read& result) {
  return !result.reading && result.reading.error().kind == base::ErrorKind::corrupt;
}
bool is_truncated(const test::Read& result) {
  return result.reading && *result.reading == Reading::truncated;
}

}  // namespace

TEST_CASE("an event that a client does not have, or that is none of ours, is nothing, its payload unread") {
  for (const clients::Client& client : clients::clients()) {
    for (const char* name : {"", "Nonsense", "Notification", "post tool use", "SESSIONSTART"}) {
      const auto result = read(std::string(client.name), name, "rubbish");
      INFO(client.name << " " << name);
      REQUIRE(result.reading.has_value());
      CHECK(*result.reading == Reading::enough);
      CHECK(result.event.kind == HookKind::nothing);
      CHECK(result.event.client == client.name);
      CHECK(result.event.client_event == name);
    }
  }
}

TEST_CASE("the end of the text inside any kind of token asks for more") {
  for (const char* text : {"",
                           " \n",
                           "{",
                           "{\"",
                           "{\"cwd",
                           "{\"cwd\"",
                           "{\"cwd\":",
                           "{\"cwd\":\"/p",
                           "{\"cwd\":\"\\",
                           "{\"cwd\":\"\\u",
                           "{\"cwd\":\"\\u00",
                           "{\"cwd\":\"\\ud83d",
                           "{\"cwd\":\"\\ud83d\\",
                           "{\"cwd\":\"\\ud83d\\ude4",
                           "{\"cwd\":\"\xe8",
                           "{\"cwd\":\"\xe8\xae",
                           "{\"cwd\":\"\xf0\x9f\x99",
                           "{\"cwd\":n",
                           "{\"cwd\":nul",
                           "{\"cwd\":null",
                           "{\"cwd\":null,",
                           "{\"x\":t",
                           "{\"x\":fals",
                           "{\"x\":-",
                           "{\"x\":1",
                           "{\"x\":1.",
                           "{\"x\":1e",
                           "{\"x\":1e+",
                           "{\"x\":[",
                           "{\"x\":[[1,",
                           "{\"x\":{\"y\":",
                           "{\"\\u00e9\":1,\"\\u00e"}) {
    INFO(text);
    CHECK(is_truncated(read("claude-code", "Stop", text)));
  }
}

TEST_CASE("what can never become right is an error at once") {
  for (const char* text : {"[]", "x", "\"text\"", "{]", "{\"cwd\":1,", "{\"cwd\":[]}", "{\"cwd\":\"\x01",
                           "{\"cwd\":\"\xff\xff\xff\xff", "{\"cwd\":\"\\q", "{\"cwd\":nulx", "{\"x\":1x",
                           "{\"x\":tru}", "{\"x\" y", "{} x", "{}{}", "{,}", "\xef\xbb\xbf{}",
                           "{\"stop_hook_active\":\"yes\"}", "{\"last_assistant_message\":{}}"}) {
    INFO(text);
    CHECK(is_corrupt(read("claude-code", "Stop", text)));
  }
}

TEST_CASE("200,000 nested arrays are an error, wherever they stand, and cost no stack") {
  const std::string deep(200000, '[');
  CHECK(is_corrupt(read("claude-code", "Stop", deep)));
  for (const clients::Client& client : clients::clients()) {
    const std::string name(client.name);
    for (const char* event : {"Stop", "SessionStart", "sessionStart", "session_start", "PostToolUse",
                              "AfterTool", "postToolUse", "SubagentStop", "file_written"}) {
      for (const char* key : {"x", "paths", "tool_input", "tool_response", "toolArgs", "background_tasks",
                              "workspace_roots", "cwd"}) {
        for (const char* bracket : {"[", "{\"a\":"}) {
          std::string text = std::string("{\"") + key + "\":";
          for (int i = 0; i < 1000; ++i) text += bracket;
          const auto result = read(name, event, text);
          if (result.reading) CHECK(result.event.kind == HookKind::nothing);
        }
      }
    }
  }
}

TEST_CASE("half of a character, as JavaScript leaves it, is read as the replacement character") {
  const auto result = read(
      "claude-code", "Stop",
      R"({"session_id":"s","x":"\ud83d","last_assistant_message":"a\ud83db \\ud83d \ude42c \ud83d\ude42"})");
  REQUIRE(result.reading.has_value());
  CHECK(result.event.message ==
        "a\xef\xbf\xbd"
        "b \\ud83d \xef\xbf\xbd"
        "c \xf0\x9f\x99\x82");
  CHECK(is_truncated(read("claude-code", "Stop", R"({"x":"\ud83d","last_assistant_message":"\ud83d)")));
  CHECK(is_corrupt(read("claude-code", "Stop", R"({"x":"\ud83d","cwd":1})")));
}

TEST_CASE("null counts as absent") {
  const auto result = read("claude-code", "SubagentStop",
                           R"({"session_id":"s","transcript_path":null,"agent_id":null,"agent_type":null,)"
                           R"("stop_hook_active":null,"background_tasks":null,"context_tokens":null})");
  REQUIRE(result.reading.has_value());
  CHECK(result.event.kind == HookKind::subagent_stopped);
  CHECK(result.event.transcript.empty());
  CHECK(result.event.agent_id.empty());
  CHECK_FALSE(result.event.context_tokens.has_value());
}

TEST_CASE("two megabytes behind the path of a written file are not needed") {
  const std::string start = kHead + R"("tool_name":"Write","tool_input":{"file_path":"/p/a.cpp")";
  const auto result =
      read("claude-code", "PostToolUse", start + R"(,"content":")" + std::string(2000000, 'x'));
  REQUIRE(result.reading.has_value());
  CHECK(*result.reading == Reading::enough);
  CHECK(result.event.paths == Paths{"/p/a.cpp"});
}

TEST_CASE("reading goes on behind the path until session, folder and event were seen") {
  const std::string call = R"("tool_name":"Edit","tool_input":{"file_path":"/p/plan.md","old_string":"a"},)";
  const auto late =
      read("claude-code", "PostToolUse",
           R"({"session_id":"s",)" + call + R"("agent_id":"a1","agent_type":"tester","cwd":"/p"})");
  REQUIRE(late.reading.has_value());
  CHECK(*late.reading == Reading::complete);
  CHECK(core::actor_of(late.event) == "subagent:tester");
  CHECK(late.event.paths == Paths{"/p/plan.md"});
  CHECK(is_truncated(read("claude-code", "PostToolUse", R"({"session_id":"s","cwd":"/p",)" + call)));
  const auto batch =
      read("claude-code", "PostToolBatch", R"({"tool_calls":[{"x":1}],"session_id":"s","cwd":"/p"})");
  REQUIRE(batch.reading.has_value());
  CHECK(*batch.reading == Reading::complete);
  CHECK(batch.event.session_id == "s");
}

TEST_CASE("a tool's input is understood when the tool is named behind it") {
  const auto result = read("gemini", "AfterTool",
                           R"({"tool_response":{"error":null,"returnDisplay":{"filePath":"/p/plan.md"}},)"
                           R"("tool_input":{"file_path":"plan.md"},"cwd":"/p","tool_name":"replace"})");
  REQUIRE(result.reading.has_value());
  CHECK(result.event.kind == HookKind::file_written);
  CHECK(result.event.paths == Paths{"/p/plan.md"});
  CHECK(
      is_corrupt(read("claude-code", "PostToolUse", R"({"tool_input":{"file_path":7},"tool_name":"Edit"})")));
}

TEST_CASE("a tool's input that is no object, and a write without a path, are nothing of ours") {
  for (const char* input :
       {"\"text\"", "[1,2]", "null", "{}", "{\"file_path\":null}", "{\"file_path\":\"\"}"}) {
    INFO(input);
    const auto result =
        read("claude-code", "PostToolUse", kHead + R"("tool_name":"Edit","tool_input":)" + input + "}");
    REQUIRE(result.reading.has_value());
    CHECK(result.event.kind == HookKind::nothing);
  }
  CHECK(read("claude-code", "PostToolUse", kHead + "\"x\":1}").event.kind == HookKind::nothing);
}

TEST_CASE("Claude Code's other writing tools count as well") {
  const auto multi = read("claude-code", "PostToolUse",
                          kHead + R"("tool_name":"MultiEdit","tool_input":{"file_path":"/p/a"}})");
  CHECK(multi.event.paths == Paths{"/p/a"});
  const auto notebook =
      read("claude-code", "PostToolUse",
           kHead + R"("tool_name":"NotebookEdit","tool_input":{"notebook_path":"/p/n.ipynb"}})");
  CHECK(notebook.event.paths == Paths{"/p/n.ipynb"});
  const auto task =
      read("claude-code", "PreToolUse",
           R"({"session_id":"s","tool_name":"Task","tool_input":{"prompt":"do a"},"tool_use_id":"t"})");
  CHECK(task.event.kind == HookKind::subagent_assigned);
  CHECK(task.event.prompt == "do a");
}

TEST_CASE("a teammate acts under its own name") {
  const auto named =
      read("claude-code", "Stop", R"({"session_id":"s","teammate_name":"bob","team_name":"red"})");
  CHECK(core::actor_of(named.event) == "team:bob");
  const auto team = read("claude-code", "Stop", R"({"session_id":"s","team_name":"red"})");
  CHECK(core::actor_of(team.event) == "team:red");
}

TEST_CASE("the type of a whole session is not taken for a subagent's") {
  const auto result = read("claude-code", "Stop", R"({"session_id":"s","agent_type":"reviewer"})");
  CHECK(result.event.agent_type.empty());
  CHECK(core::actor_of(result.event) == "main");
}

TEST_CASE("the process of Claude Code is taken from its variable if that is a number") {
  const auto process = [](const std::string& text) {
    return read("claude-code", "SessionStart", "{}", {{"CLAUDE_PID", text}}).event.process;
  };
  CHECK(process("4711") == 4711);
  for (const char* text : {"", "0", "-5", "12x", "x", " 7", "99999999999999999999"})
    CHECK_FALSE(process(text));
}

TEST_CASE(
    "who runs Claude Code's hooks is known by the variables, unless the session says it is Claude Code") {
  const std::string payload = R"({"session_id":"s","cwd":"/p","source":"new"})";
  const auto sender = [&](const std::map<std::string, std::string>& variables) {
    return read("claude-code", "SessionStart", payload, variables).event.client;
  };
  CHECK(sender({}) == "claude-code");
  CHECK(sender({{"COPILOT_CLI", "1"}}) == "copilot");
  CHECK(sender({{"CURSOR_VERSION", "2.1"}}) == "cursor");
  CHECK(sender({{"COPILOT_CLI", "1"}, {"CLAUDE_CODE_SESSION_ID", "another"}}) == "copilot");
  CHECK(sender({{"COPILOT_CLI", "1"}, {"CLAUDE_CODE_SESSION_ID", "s"}}) == "claude-code");
  CHECK(sender({{"CURSOR_VERSION", "2.1"}, {"CLAUDE_CODE_SESSION_ID", "s"}}) == "claude-code");
  // Others set this one too, so it says nothing.
  CHECK(sender({{"CLAUDE_PROJECT_DIR", "/p"}, {"GEMINI_PROJECT_DIR", "/p"}}) == "claude-code");
  CHECK_FALSE(read("claude-code", "SessionStart", payload, {{"COPILOT_CLI", "1"}, {"CLAUDE_PID", "7"}})
                  .event.process);
  CHECK(read("claude-code", "SessionStart", payload, {{"COPILOT_CLI", "1"}}).event.source == "startup");
}

TEST_CASE("a prompt is a notification only if it begins as one") {
  const std::string one =
      "<task-notification>\n<task-id>a1</task-id>\n<status>completed</status>\n</task-notification>";
  CHECK(notifications_in(one) == std::vector<Notified>{{"a1", "completed"}});
  CHECK(notifications_in("Look: " + one).empty());
  CHECK(notifications_in("\n" + one).empty());
  CHECK(notifications_in("").empty());
  CHECK(notifications_in("<task-notification").empty());
  const auto quoted = read("claude-code", "UserPromptSubmit", R"({"prompt":"what is <task-notification>?"})");
  CHECK(core::real_prompt(quoted.event));
}

TEST_CASE("several notifications in one prompt are all seen") {
  CHECK(notifications_in(
            "<task-notification>\n<task-id>a</task-id>\n<status>completed</status>\n<result>x</result>\n"
            "</task-notification>\n\n<task-notification><task-id>b</task-id><status>killed</status>"
            "</task-notification>\nand more") == std::vector<Notified>{{"a", "completed"}, {"b", "killed"}});
}

TEST_CASE("broken notifications are notifications without what is missing") {
  const Notified empty;
  CHECK(notifications_in("<task-notification>") == std::vector<Notified>{empty});
  CHECK(notifications_in("<task-notification>text") == std::vector<Notified>{empty});
  CHECK(notifications_in("<task-notification><task-id>a</task-id") == std::vector<Notified>{empty});
  CHECK(notifications_in("<task-notification><task-id>a</task-id>") == std::vector<Notified>{{"a", ""}});
  CHECK(notifications_in("<task-notification></task-notification>") == std::vector<Notified>{empty});
}

TEST_CASE("what a subagent wrote does not change the status of its own notification") {
  CHECK(notifications_in("<task-notification><task-id>a</task-id><status>failed</status>"
                         "<result><status>completed</status></result><status>completed</status>"
                         "</task-notification>") == std::vector<Notified>{{"a", "failed"}});
  CHECK(
      notifications_in("<task-notification><task-id>a</task-id><summary>x</summary><status>completed</status>"
                       "</task-notification>") == std::vector<Notified>{{"a", ""}});
}

TEST_CASE("the paths of a patch come in order, each once, and never from its content") {
  CHECK(paths_in_patch("*** Begin Patch\n*** Add File: a.md\n+*** Add File: no.md\n*** Update File: b.md\r\n"
                       "*** Move to: dir/c d.md \n@@\n *** Update File: no.md\n-*** Delete File: no.md\n"
                       "*** Delete File: a.md\n*** Add File:   \n*** End Patch") ==
        Paths{"a.md", "b.md", "dir/c d.md"});
  CHECK(paths_in_patch("").empty());
  CHECK(paths_in_patch("*** Add File: last") == Paths{"last"});
}

TEST_CASE("Gemini CLI's glued session context is no part of the prompt") {
  const auto prompt = [](const std::string& text) {
    return read("gemini", "BeforeAgent", nlohmann::json{{"prompt", text}}.dump()).event;
  };
  CHECK(prompt("<hook_context>a</hook_context>\n\ndo it").prompt == "do it");
  CHECK(prompt("<hook_context>a</hook_context><hook_context>b</hook_context> do it").prompt == "do it");
  CHECK(prompt("do <hook_context>a</hook_context>").prompt == "do <hook_context>a</hook_context>");
  CHECK(prompt("<hook_context>never closed").prompt == "<hook_context>never closed");
  CHECK_FALSE(core::real_prompt(prompt("<hook_context>a</hook_context>\n")));
}

TEST_CASE("a subagent of Gemini CLI that did not complete has failed, and its text is taken as it is") {
  const auto result = read("gemini", "AfterTool",
                           R"({"session_id":"s","tool_name":"invoke_agent","tool_input":{"agent_name":"x"},)"
                           R"("tool_response":{"returnDisplay":{"state":"error","result":"no luck"}}})");
  CHECK(result.event.kind == HookKind::subagent_stopped);
  CHECK(result.event.failed);
  CHECK(result.event.message == "no luck");
  CHECK(result.event.agent_id == "gemini:s:x");
  const auto shell =
      read("gemini", "AfterTool",
           R"({"session_id":"s","tool_name":"run_shell_command","tool_response":{"error":{}}})");
  CHECK(shell.event.kind == HookKind::shell_ran);
  CHECK(shell.event.failed);
}

TEST_CASE("two subagents of Gemini CLI of one type are told apart by their prompts, at their start and end") {
  const auto agent = [](const char* event, const std::string& prompt) {
    const nlohmann::json payload{{"session_id", "s"},
                                 {"tool_name", "invoke_agent"},
                                 {"tool_input", {{"agent_name", "x"}, {"prompt", prompt}}}};
    return read("gemini", event, payload.dump()).event.agent_id;
  };
  const std::string one = agent("BeforeTool", "Do 1.");
  const std::string two = agent("BeforeTool", "Do 2.");
  CHECK(one != two);
  CHECK(one.starts_with("gemini:s:x:"));
  CHECK(agent("AfterTool", "Do 1.") == one);
  CHECK(agent("AfterTool", "Do 2.") == two);
}

TEST_CASE("Copilot CLI's arguments may come as a text") {
  const auto result = read("copilot", "postToolUse",
                           R"({"cwd":"/p","toolName":"edit","toolArgs":"{\"path\":\"docs/plan.md\"}"})");
  CHECK(result.event.paths == Paths{"/p/docs/plan.md"});
  CHECK(read("copilot", "postToolUse", R"({"toolName":"edit","toolArgs":"{\"path\""})").event.kind ==
        HookKind::nothing);
}

TEST_CASE("Codex's start of a subagent tells its type where it is asked for") {
  const auto result =
      read("codex", "PreToolUse",
           R"({"tool_name":"spawn_agent","tool_input":{"message":"do a","agent_type":"worker"}})");
  CHECK(result.event.kind == HookKind::subagent_assigned);
  CHECK(result.event.started_type == "worker");
  CHECK(result.event.prompt == "do a");
}

TEST_CASE("Cursor's payloads are read as its documents describe them") {
  const std::string common = R"("conversation_id":"c","generation_id":"g","workspace_roots":["/p","/q"],)";
  const auto start =
      read("cursor", "sessionStart", "{" + common + R"("session_id":"c","composer_mode":"agent"})");
  CHECK(test::as_json(start.event) == nlohmann::json{{"kind", "session_start"},
                                                     {"client", "cursor"},
                                                     {"client_event", "sessionStart"},
                                                     {"session_id", "c"},
                                                     {"cwd", "/p"},
                                                     {"project", "/p"},
                                                     {"source", "startup"}});
  const auto edit = read(
      "cursor", "afterFileEdit",
      R"({"file_path":"/p/plan.md","edits":[{"old_string":"a"}],)" + common + R"("transcript_path":null})");
  CHECK(edit.event.kind == HookKind::file_written);
  CHECK(edit.event.paths == Paths{"/p/plan.md"});
  const auto tool = read("cursor", "postToolUse",
                         "{" + common + R"("tool_name":"Write","tool_input":{"file_path":"plan.md"}})");
  CHECK(tool.event.paths == Paths{"/p/plan.md"});
  CHECK(read("cursor", "postToolUse", R"({"tool_name":"Shell"})").event.kind == HookKind::shell_ran);
  CHECK(read("cursor", "postToolUse", R"({"tool_name":"Read"})").event.kind == HookKind::nothing);
  CHECK(read("cursor", "afterShellExecution", "{}").event.kind == HookKind::shell_ran);
  const auto prompt =
      read("cursor", "beforeSubmitPrompt", "{" + common + R"("prompt":"go","attachments":[]})");
  CHECK(prompt.event.prompt == "go");
  const auto begun =
      read("cursor", "subagentStart",
           R"({"conversation_id":"x","subagent_id":"a","subagent_type":"explore","task":"do a",)"
           R"("parent_conversation_id":"c"})");
  CHECK(begun.event.session_id == "c");
  CHECK(core::actor_of(begun.event) == "subagent:explore");
  CHECK(begun.event.prompt == "do a");
  const auto over =
      read("cursor", "subagentStop",
           R"({"subagent_id":"a","subagent_type":"explore","status":"error","summary":"s","loop_count":1,)"
           R"("agent_transcript_path":"/t","modified_files":["plan.md"]})");
  CHECK(over.event.kind == HookKind::subagent_stopped);
  CHECK(over.event.failed);
  CHECK(over.event.stop_active);
  CHECK(over.event.message == "s");
  CHECK(over.event.agent_transcript == "/t");
  const auto stop = read("cursor", "stop", "{" + common + R"("status":"completed","loop_count":0})");
  CHECK(stop.event.kind == HookKind::turn_ended);
  CHECK_FALSE(stop.event.failed);
  CHECK_FALSE(stop.event.stop_active);
  const auto compact = read("cursor", "preCompact",
                            R"({"trigger":"auto","context_usage_percent":85.4,"context_tokens":120000,)"
                            R"("context_window_size":140000})");
  CHECK(compact.event.source == "auto");
  CHECK(compact.event.context_percent == 85);
  CHECK(compact.event.context_tokens == 120000);
  CHECK(compact.event.context_window == 140000);
  const auto end = read("cursor", "sessionEnd", R"({"session_id":"c","reason":"completed"})",
                        {{"CURSOR_PROJECT_DIR", "/r"}});
  CHECK(end.event.source == "completed");
  CHECK(end.event.session_id == "c");
  CHECK(end.event.project == "/r");
}

TEST_CASE("opencode's paths must be a list of texts") {
  CHECK(is_corrupt(read("opencode", "file_written", R"({"paths":"plan.md"})")));
  CHECK(is_corrupt(read("opencode", "file_written", R"({"paths":[1]})")));
  CHECK(read("opencode", "file_written", R"({"paths":[]})").event.kind == HookKind::nothing);
  CHECK(read("opencode", "file_written", R"({"cwd":"/p/","paths":["plan.md",""]})").event.paths ==
        Paths{"/p/plan.md"});
}

TEST_CASE("a command that begins in the shell is known by each client's own name for it") {
  struct Row {
    const char* client;
    const char* event;
    const char* payload;
    HookKind kind;
  };
  const std::vector<Row> rows = {
      {"claude-code", "PreToolUse",
       R"({"session_id":"s","cwd":"/p","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{}})",
       HookKind::shell_started},
      {"codex", "PreToolUse",
       R"({"session_id":"s","cwd":"/p","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"make"}})",
       HookKind::shell_started},
      {"codex", "PreToolUse",
       R"({"tool_input":{"command":"make"},"tool_name":"Bash","session_id":"s","cwd":"/p"})",
       HookKind::shell_started},
      // Of a patch in a here-document no end is reported, and only one that names files says what it writes.
      {"codex", "PreToolUse",
       R"({"session_id":"s","cwd":"/p","tool_name":"Bash","tool_input":{"command":"apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: plan.md\n*** End Patch\nEOF"}})",
       HookKind::shell_started},
      {"codex", "PreToolUse",
       R"({"session_id":"s","cwd":"/p","tool_name":"Bash","tool_input":{"command":"apply_patch <<'EOF'"}})",
       HookKind::nothing},
      {"codex", "PreToolUse",
       R"({"session_id":"s","cwd":"/p","tool_name":"Bash","tool_input":{"command":7}})",
       HookKind::shell_started},
      {"codex", "PreToolUse", R"({"session_id":"s","cwd":"/p","tool_name":"apply_patch","tool_input":{}})",
       HookKind::nothing},
      {"gemini", "BeforeTool",
       R"({"session_id":"s","cwd":"/p","hook_event_name":"BeforeTool","tool_name":"run_shell_command","tool_input":{}})",
       HookKind::shell_started},
      {"gemini", "BeforeTool", R"({"session_id":"s","cwd":"/p","tool_name":"write_file","tool_input":{}})",
       HookKind::nothing},
      {"qwen", "PreToolUse",
       R"({"session_id":"s","cwd":"/p","tool_name":"run_shell_command","tool_input":{}})",
       HookKind::shell_started},
      {"qwen", "PreToolUse", R"({"session_id":"s","cwd":"/p","tool_name":"edit","tool_input":{}})",
       HookKind::nothing},
      {"copilot", "preToolUse", R"({"sessionId":"s","cwd":"/p","toolName":"bash","toolArgs":{}})",
       HookKind::shell_started},
      {"copilot", "preToolUse", R"({"sessionId":"s","cwd":"/p","toolName":"create","toolArgs":{"path":"a"}})",
       HookKind::nothing},
      {"copilot", "PreToolUse", R"({"session_id":"s","cwd":"/p","tool_name":"Bash","tool_input":{}})",
       HookKind::shell_started},
      {"cursor", "beforeShellExecution", R"({"conversation_id":"s","cwd":"/p","command":"make"})",
       HookKind::shell_started},
      {"opencode", "shell_started", R"({"event":"shell_started","sessionID":"s","cwd":"/p"})",
       HookKind::shell_started},
  };
  for (const Row& row : rows) {
    INFO(row.client << " " << row.payload);
    const auto result = read(row.client, row.event, row.payload);
    REQUIRE(result.reading.has_value());
    CHECK(result.event.kind == row.kind);
    if (row.kind == HookKind::nothing) continue;
    CHECK(result.event.session_id == "s");
    CHECK(result.event.cwd == "/p");
    CHECK(result.event.paths.empty() ==
          (std::string_view(row.payload).find("Update File") == std::string_view::npos));
    CHECK(clients::find_client(row.client)->reply(result.event, {}).empty());
  }
}
