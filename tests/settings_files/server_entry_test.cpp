#include "settings_files/server_entry.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace plankeep;
using namespace plankeep::clients;

namespace {

const ServerFormat& format_of(std::string_view client) {
  const ServerFormat* format = find_server_format(client);
  REQUIRE(format != nullptr);
  return *format;
}

ServerChange add(std::string_view client, const std::optional<std::string>& text,
                 const std::string& program = "plankeep") {
  auto change = add_server(format_of(client), text, program);
  if (!change) FAIL(change.error().message);
  CHECK(has_our_server(format_of(client), change->text));
  return std::move(*change);
}

ServerChange remove(std::string_view client, const std::string& text,
                    const std::optional<std::string>& original = {}) {
  auto change = remove_server(format_of(client), text, original);
  if (!change) FAIL(change.error().message);
  CHECK_FALSE(has_our_server(format_of(client), change->text));
  return std::move(*change);
}

std::string problem(std::string_view client, const std::string& text) {
  const auto change = add_server(format_of(client), text, "plankeep");
  return change ? "" : change.error().message;
}

// Files as people have them, with and without servers of their own.
const std::vector<std::string> kJson = {
    "{}\n",
    "{}",
    "{\n  \"theme\": \"dark\"\n}\n",
    "{\"a\":1}",
    "{\r\n\t\"a\": [1, 2],\r\n\t\"mcpServers\": {\r\n\t\t\"x\": { \"command\": \"y\" }\r\n\t},\r\n\t\"b\": "
    "2\r\n}\r\n",
    "{\n  // mine\n  \"mcpServers\": {}, /* none yet */\n  \"mcp\": {\n  },\n}\n",
    "{\n  \"mcpServers\": {\"x\": {\"command\": \"y\"}}, \"mcp\": {\"z\": {}}\n}",
};
const std::vector<std::string> kToml = {
    "model = \"o\"\n",
    "model = \"o\"",
    "# mine\n\n[mcp_servers.other]\ncommand = \"x\"\nargs = [\n  \"mcp\", # ours? "
    "no\n]\n\n[mcp_servers.other.env]\nA = \"1\"\n",
    "a = 1\r\n[b]\r\nc = \"\"\"\r\n[mcp_servers.plankeep]\r\n\"\"\"\r\n",
    "[mcp_servers]\nother = { command = \"x\" }\n",
    "[projects.\"/home/kim\"]\ntrust_level = \"trusted\"\n\n",
    "\n",
};

}  // namespace

TEST_CASE("every client of the hooks is told of the server as its own documents have it") {
  CHECK(server_formats().size() == settings_formats().size());
  CHECK(add("claude-code", std::nullopt).text ==
        "{\n  \"mcpServers\": {\n    \"plankeep\": {\n      \"type\": \"stdio\",\n      \"command\": "
        "\"plankeep\",\n"
        "      \"args\": [\n        \"mcp\"\n      ]\n    }\n  }\n}\n");
  CHECK(add("codex", std::nullopt).text ==
        "[mcp_servers.plankeep]\ncommand = \"plankeep\"\nargs = [\"mcp\"]\n");
  CHECK(add("gemini", "{\"a\": 1}").text ==
        R"({"a": 1, "mcpServers": {"plankeep": {"command": "plankeep", "args": ["mcp"]}}})");
  CHECK(
      add("copilot", "{\"a\":1}").text ==
      R"({"a":1,"mcpServers":{"plankeep":{"type":"stdio","command":"plankeep","args":["mcp"],"tools":["*"]}}})");
  CHECK(add("opencode", "{\"a\":1}").text ==
        R"({"a":1,"mcp":{"plankeep":{"type":"local","command":["plankeep","mcp"],"enabled":true}}})");
}

TEST_CASE("adding and removing gives the bytes from before, for every client and file") {
  for (const ServerFormat& format : server_formats()) {
    const bool toml = format.layout == ServerLayout::toml;
    for (const std::string& text : toml ? kToml : kJson) {
      INFO(format.file.client << "\n" << text);
      const ServerChange added = add(format.file.client, text, "/opt/a b/plankeep");
      CHECK(added.state == EntryState::added);
      const ServerChange again = add(format.file.client, added.text, "/opt/a b/plankeep");
      CHECK(again.state == EntryState::present);
      CHECK(again.text == added.text);
      const ServerChange moved = add(format.file.client, added.text, "plankeep");
      CHECK(moved.state == EntryState::updated);
      CHECK(moved.text.size() == added.text.size() - std::string("/opt/a b/").size());
      const ServerChange removed = remove(format.file.client, moved.text, text);
      CHECK(removed.state == EntryState::removed);
      CHECK(removed.text == text);
      CHECK_FALSE(remove(format.file.client, text, text).state);
    }
  }
}

TEST_CASE("an entry of ours keeps what somebody wrote into it") {
  const std::string json =
      "{\"mcpServers\": {\"plankeep\": {\"command\": \"/old/plankeep\", \"args\": [\"mcp\", \"--plan\", "
      "\"p\"], \"env\": {\"A\": \"1\"}}}}";
  CHECK(add("gemini", json).text ==
        "{\"mcpServers\": {\"plankeep\": {\"command\": \"plankeep\", \"args\": [\"mcp\", \"--plan\", \"p\"], "
        "\"env\": {\"A\": \"1\"}}}}");
  // What a client wants and another one's entry lacks is put in.
  const std::string claude = add("claude-code", "{\"a\":1}").text;
  CHECK(add("copilot", claude).state == EntryState::updated);
  CHECK(add("claude-code", add("copilot", claude).text).state == EntryState::present);
  const std::string toml =
      "a = 1\n\n[mcp_servers.plankeep]  # here\ncommand = '/old/plankeep' # old\nargs = [\"mcp\", "
      "\"--plan\", \"p\"]\n"
      "startup_timeout_sec = 3\n\n[mcp_servers.plankeep.env]\nA = \"1\"\n\n# mine\n[b]\n";
  const std::string corrected = add("codex", toml).text;
  CHECK(corrected.find("command = \"plankeep\" # old\n") != std::string::npos);
  CHECK(corrected.find("startup_timeout_sec = 3") != std::string::npos);
  CHECK(remove("codex", corrected).text == "a = 1\n\n\n\n# mine\n[b]\n");
}

TEST_CASE("what has our name and is somebody else's is left alone") {
  CHECK(
      problem("gemini", "{\"mcpServers\": {\"plankeep\": {\"command\": \"npx\", \"args\": [\"plankeep\"]}}}")
          .find("runs something else") != std::string::npos);
  CHECK(problem("opencode", "{\"mcp\": {\"plankeep\": {\"command\": [\"node\", \"x\"]}}}")
            .find("runs something else") != std::string::npos);
  CHECK(problem("codex", "[mcp_servers.plankeep]\nurl = \"https://example.org\"\n")
            .find("runs something else") != std::string::npos);
  CHECK_FALSE(remove("gemini", "{\"mcpServers\": {\"plankeep\": {\"url\": \"x\"}}}").state);
  CHECK_FALSE(remove("codex", "[mcp_servers.plankeep]\nurl = \"x\"\n").state);
}

TEST_CASE("a file that cannot be read, or is of another shape, is refused") {
  CHECK(problem("gemini", "{\"a\": 1,,}").find("line 1") != std::string::npos);
  CHECK(problem("gemini", "[]").find("expected an object") != std::string::npos);
  CHECK(problem("gemini", "{\"mcpServers\": []}").find("expected an object ({...}) as \"mcpServers\"") !=
        std::string::npos);
  CHECK(problem("codex", "a = \n").find("line 1: ") == 0);
  CHECK(problem("codex", "[mcp_servers.plankeep]\ncommand = \"plankeep\"\n[mcp_servers.plankeep]\n")
            .find("line 3: ") == 0);
  for (const std::string text :
       {"mcp_servers = { x = { command = \"y\" } }\n", "mcp_servers.plankeep.command = \"plankeep\"\n",
        "[mcp_servers]\nplankeep = { command = \"plankeep\", args = [\"mcp\"] }\n",
        "[[mcp_servers]]\nx = 1\n", "[mcp_servers.plankeep.env]\nA = \"1\"\n"}) {
    INFO(text);
    CHECK(problem("codex", text) == "mcp_servers has a form that plankeep cannot edit in place");
  }
}
