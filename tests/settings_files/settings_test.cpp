#include "settings_files/settings.hpp"

#include <catch2/catch.hpp>

#include "clients/shell_words.hpp"
#include "settings_files/plugin_file.hpp"
#include "settings_files/trust.hpp"

using namespace plankeep;
using namespace plankeep::clients;

namespace {

const SettingsFormat& format_of(std::string_view client) {
  const SettingsFormat* format = find_settings_format(client);
  if (format == nullptr) FAIL("no such client");
  return *format;
}

SettingsChange added(std::string_view client, const std::optional<std::string>& text,
                     const SettingsOptions& options = {}) {
  auto change = add_hooks(format_of(client), text, options);
  if (!change) FAIL(change.error().message);
  return std::move(*change);
}

SettingsChange removed(std::string_view client, const std::string& text,
                       const std::optional<std::string>& original = std::nullopt,
                       const std::optional<std::string>& hidden = std::nullopt) {
  auto change = remove_hooks(format_of(client), text, original, hidden);
  if (!change) FAIL(change.error().message);
  return std::move(*change);
}

std::string refused(std::string_view client, const std::string& text) {
  const auto change = add_hooks(format_of(client), text, {});
  if (change) FAIL("not refused: " + text);
  CHECK(change.error().kind == base::ErrorKind::invalid_input);
  return change.error().message;
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

EntryState state_of(const SettingsChange& change, std::string_view event) {
  for (const EntryChange& entry : change.entries) {
    if (entry.event == event) return entry.state;
  }
  FAIL("no entry for " + std::string(event));
  return EntryState::present;
}

}  // namespace

TEST_CASE("the entries stand in the layout of the file: indentation, line ends, one line, comments") {
  const std::string codex = added("codex", "{\r\n\t\"hooks\": {\r\n\t\t\"Stop\": []\r\n\t}\r\n}").text;
  CHECK(codex.find("\r\n\t\t\"Stop\": [\r\n\t\t\t{\r\n\t\t\t\t\"hooks\": [\r\n\t\t\t\t\t{\r\n") !=
        std::string::npos);
  CHECK(count(codex, "\n") == count(codex, "\r\n"));
  CHECK(codex.back() == '}');

  const std::string line = added("codex", "{\"a\":1}").text;
  CHECK(line.find('\n') == std::string::npos);
  CHECK(line.find(' ') == line.find(" hook codex"));

  const std::string commented = added("gemini", "{\n    \"a\": 1, // one\n    \"b\": 2 // two\n}\n").text;
  CHECK(commented.find("\"b\": 2, // two\n    \"hooks\": {\n        \"SessionStart\": [\n") !=
        std::string::npos);
}

TEST_CASE("timeouts are in the client's unit, and no session end is longer than it grants") {
  CHECK(added("gemini", std::nullopt).text.find("\"timeout\": 10000") != std::string::npos);
  CHECK(added("qwen", std::nullopt).text.find("\"timeout\": 10000") != std::string::npos);
  CHECK(added("copilot", std::nullopt).text.find("\"timeoutSec\": 10") != std::string::npos);
  const std::string codex = added("codex", std::nullopt).text;
  CHECK(codex.find("plankeep hook codex SessionEnd\",\n            \"timeout\": 3") != std::string::npos);
}

TEST_CASE("a text that the client itself has formatted anew is complete") {
  const std::string text = added("claude-code", std::nullopt).text;
  std::string squeezed;
  bool in_text = false;
  for (const char c : text) {
    if (c == '"') in_text = !in_text;
    if (in_text || (c != ' ' && c != '\n')) squeezed += c;
  }
  const SettingsChange again = added("claude-code", squeezed);
  CHECK(again.complete());
  CHECK(again.text == squeezed);
}

TEST_CASE("an entry of ours is corrected in place and keeps what somebody wrote into it") {
  const std::string text =
      "{\"hooks\":{\"Stop\":[{\"hooks\":[{\"statusMessage\":\"plan\",\"type\":\"command\",\"command\":\"'/"
      "old one/plankeep' hook "
      "claude-code Stop\",\"timeout\":1}]},{\"hooks\":[{\"type\":\"command\",\"command\":\"theirs\"}]}]}}";
  const SettingsChange change = added("claude-code", text);
  CHECK(state_of(change, "Stop") == EntryState::updated);
  CHECK(change.text.find(
            "[{\"hooks\":[{\"statusMessage\":\"plan\",\"type\":\"command\",\"command\":\"plankeep hook "
            "claude-code "
            "Stop\",\"timeout\":10}]},{\"hooks\":[{\"type\":\"command\",\"command\":\"theirs\"}]}]") !=
        std::string::npos);
}

TEST_CASE("second entries, events that are not used and entries behind another's matcher are taken out") {
  const std::string ours = "{\"type\":\"command\",\"command\":\"plankeep hook claude-code PostToolUse\"}";
  const SettingsChange change = added("claude-code",
                                      "{\"hooks\":{\"PostToolUse\":[{\"matcher\":\"Bash\",\"hooks\":[{"
                                      "\"type\":\"command\",\"command\":\"theirs\"}," +
                                          ours + "]},{\"hooks\":[" + ours + "]},{\"hooks\":[" + ours +
                                          "]}],\"MessageDisplay\":[{\"hooks\":[" + ours + "]}]}}");
  CHECK(count(change.text, "plankeep hook claude-code PostToolUse") == 1);
  CHECK(change.text.find("MessageDisplay") == std::string::npos);
  CHECK(
      change.text.find("{\"matcher\":\"Bash\",\"hooks\":[{\"type\":\"command\",\"command\":\"theirs\"}]}") !=
      std::string::npos);
  CHECK(state_of(change, "PostToolUse") == EntryState::updated);
}

TEST_CASE("entries are ours by their command, whatever path and quotes stand before it") {
  const auto ours = [](const std::string& command) {
    const auto survey =
        survey_settings(format_of("cursor"), "{\"hooks\":{\"stop\":[{\"command\":\"" + command + "\"}]}}");
    return survey && survey->hooks.size() == 1;
  };
  CHECK(ours("plankeep hook cursor stop"));
  CHECK(ours("/usr/bin/plankeep hook cursor stop"));
  CHECK(ours("'/a b/plankeep' hook cursor stop"));
  CHECK(ours("\\\"/a b/plankeep\\\"  hook cursor stop"));
  CHECK(ours("$HOME/bin/plankeep hook cursor stop 2>/dev/null"));
  CHECK_FALSE(ours("plankeep hook codex stop"));
  CHECK_FALSE(ours("plankeeper hook cursor stop"));
  CHECK_FALSE(ours("echo plankeep hook cursor stop"));
  CHECK_FALSE(ours("plankeep status"));
  CHECK_FALSE(ours("plankeep; hook cursor stop"));
}

TEST_CASE("a path with spaces, quotes or a dollar is one word for the shell") {
  for (const char* path : {"/plain/plankeep", "/a b/plankeep", "/it's/plankeep", "/$HOME/`x`/plankeep", ""}) {
    CHECK(shell_words(shell_quoted(path) + " x") == std::vector<std::string>{path, "x"});
  }
  CHECK(shell_quoted("/plain/plankeep") == "/plain/plankeep");
}

TEST_CASE("what was empty before stays, what we made goes") {
  const std::string empty = "{\n  \"hooks\": {}\n}\n";
  CHECK(removed("codex", added("codex", empty).text, empty).text == empty);
  const std::string list = "{ \"hooks\": { \"Stop\": [ ] } }";
  CHECK(removed("codex", added("codex", list).text, list).text == list);
  const std::string without = "{\n  \"a\": true\n}\n";
  CHECK(removed("codex", added("codex", without).text).text == without);
  CHECK(says_nothing(removed("copilot", added("copilot", std::nullopt).text).text));
  CHECK_FALSE(says_nothing("{ /* mine */ }"));
}

TEST_CASE("what somebody wrote by hand is taken over, and removing puts it back byte for byte") {
  const std::string text =
      "{\n  \"hooks\": {\n    \"PostToolUse\": [\n      {\"matcher\": \"Write\", \"hooks\": [{\"type\": "
      "\"command\",  \"command\": \"plankeep hook claude-code PostToolUse || true\"}]}\n    ],\n"
      "    \"Stop\": [{\"hooks\": [{\"command\": \"theirs\"}, {\"command\": \"plankeep hook claude-code Stop "
      "-v\"}]}]\n  },\n  \"statusLine\": {\"command\": \"plankeep statusline claude-code | head -c 9\"}\n}\n";
  const auto found = survey_settings(format_of("claude-code"), text);
  REQUIRE(found);
  REQUIRE(found->by_hand().size() == 3);
  CHECK(found->by_hand().back().first == "statusLine");
  const SettingsChange change = added("claude-code", text);
  CHECK(state_of(change, "PostToolUse") == EntryState::updated);
  CHECK(change.text.find("|| true") == std::string::npos);
  CHECK(removed("claude-code", change.text, text).text == text);
  SECTION("whatever path the program has been given since") {
    SettingsOptions moved;
    moved.program = "/opt/a b/plankeep";
    CHECK(removed("claude-code", added("claude-code", change.text, moved).text, text).text == text);
  }
  SECTION("not where others changed the file since: then only ours goes") {
    const std::string later = removed("claude-code", change.text + "// mine\n", text).text;
    CHECK(later.find("plankeep") == std::string::npos);
    CHECK(later.find("theirs") != std::string::npos);
  }
  SECTION("without what we write ourselves") {
    const std::string mixed = added("codex", std::nullopt).text;
    std::string original = mixed;
    original.replace(original.find("codex Stop\""), 10, "codex Stop || true");
    const SettingsChange back = removed("codex", mixed, original);
    CHECK(count(back.text, "plankeep hook") == 1);
    CHECK(back.text.find("codex Stop || true") != std::string::npos);
  }
}

TEST_CASE("removing leaves what somebody wrote by hand") {
  const std::string text =
      "{\"hooks\":{\"Stop\":[{\"hooks\":[{\"command\":\"plankeep hook codex Stop 2>x\"}]}]}}";
  const SettingsChange change = removed("codex", text);
  CHECK(change.text == text);
  CHECK(change.entries.empty());
}

TEST_CASE("removing keeps what others changed meanwhile") {
  const std::string before = "{\n  \"a\": 1\n}\n";
  std::string text = added("claude-code", before).text;
  text.replace(text.find("\"a\": 1"), 6, "\"a\": [2, 3], // more");
  const std::string::size_type comma = text.find(",\n", text.find("more"));
  text.insert(text.size() - 3, ",\n  \"z\": {}");
  (void)comma;
  // The comma that stood behind the value stands behind the comment now: put it where it belongs.
  text.replace(text.find(" // more,"), 9, " // more");
  const SettingsChange change = removed("claude-code", text, before);
  CHECK(change.text == "{\n  \"a\": [2, 3], // more\n  \"z\": {}\n}\n");
}

TEST_CASE("a status line of our own is added where there is none") {
  const SettingsChange change = added("claude-code", "{}");
  CHECK(change.status_line == StatusLineState::added);
  CHECK(change.text.find("\"command\": \"plankeep statusline claude-code\"") != std::string::npos);
  CHECK(removed("claude-code", change.text, "{}").text == "{}");
}

TEST_CASE("another status line is left alone, wrapped on request, and comes back byte for byte") {
  const std::string text =
      "{\"statusLine\": {\"type\": \"command\", \"command\": \"sh -c 'a\\/b' \\u0026\", \"padding\": 0}}";
  const SettingsChange left = added("claude-code", text);
  CHECK(left.status_line == StatusLineState::other);
  CHECK(left.text.find("statusline claude-code") == std::string::npos);

  SettingsOptions options;
  options.wrap_status_line = true;
  const SettingsChange wrapped = added("claude-code", text, options);
  CHECK(wrapped.status_line == StatusLineState::wrapped);
  CHECK(wrapped.text.find("plankeep statusline claude-code --then 'sh -c '\\\\''a/b'\\\\'' &'") !=
        std::string::npos);
  CHECK(added("claude-code", wrapped.text).status_line == StatusLineState::present);
  CHECK(removed("claude-code", wrapped.text, text).text == text);
  // Without the copy its meaning comes back.
  CHECK(removed("claude-code", wrapped.text).text.find("\"sh -c 'a/b' &\"") != std::string::npos);
}

TEST_CASE("a status line of the user's is not hidden by ours, unless it is wrapped") {
  SettingsOptions options;
  options.hidden_status_line = "bar";
  CHECK(added("claude-code", "{}", options).status_line == StatusLineState::other);
  options.wrap_status_line = true;
  const SettingsChange change = added("claude-code", "{}", options);
  CHECK(change.status_line == StatusLineState::wrapped);
  CHECK(change.text.find("--then bar") != std::string::npos);
  CHECK(removed("claude-code", change.text, "{}", "bar").text == "{}");
}

TEST_CASE("what cannot be read is refused with line and column") {
  CHECK(refused("claude-code", "{\n  \"a\": 1,,\n}") == "line 2, column 10: expected a key in quotes");
  CHECK(refused("claude-code", "{\"a\": tru}") == "line 1, column 7: expected a value");
  CHECK(refused("claude-code", "{\"a\": \"x\n\"}") == "line 1, column 7: a string without a closing quote");
  CHECK(refused("claude-code", "{} {}") == "line 1, column 4: unexpected text after the value");
  CHECK(refused("claude-code", "{\n\"a\": 1,\n \"a\": 2}") ==
        "line 3, column 2: the key \"a\" appears twice in this object (first in line 2, column 1)");
  CHECK(refused("claude-code", "{\"a\": \"\xFF\"}") == "line 1, column 8: invalid UTF-8");
  CHECK(refused("claude-code", "{} /* open") ==
        "line 1, column 4: an unterminated comment, or an unexpected \"/\"");
  CHECK(refused("claude-code", std::string(400, '[')).find("nested too deeply") != std::string::npos);
}

TEST_CASE("where the client expects an object or a list, nothing else is replaced") {
  CHECK(refused("claude-code", "[]") == "line 1, column 1: expected an object ({...})");
  CHECK(refused("claude-code", "{\"hooks\": []}") ==
        "line 1, column 11: expected an object ({...}) as \"hooks\"");
  CHECK(refused("claude-code", "{\"hooks\": {\"Stop\": {}}}") ==
        "line 1, column 20: expected a list ([...]) as \"Stop\"");
}

TEST_CASE("a survey says what stands there, and whether hooks are switched off") {
  const auto survey = survey_settings(
      format_of("qwen"), "{\"disableAllHooks\": true, " +
                             added("qwen", std::nullopt, {"/x y/plankeep", false, {}}).text.substr(1));
  REQUIRE(survey);
  CHECK(survey->disabled);
  CHECK(survey->hooks.size() == format_of("qwen").entries.size());
  CHECK(survey->hooks.front().program == "/x y/plankeep");
}

TEST_CASE("the plugin for opencode names the program, whatever its path, and is known again") {
  for (const char* path : {"plankeep", "/a b/plankeep", "/it's/\\/\"x\"/plankeep"}) {
    const std::string text = plugin_text(path);
    CHECK(is_our_plugin(text));
    CHECK(program_of_plugin(text) == path);
    CHECK(count(text, "const PROGRAM = ") == 1);
    CHECK(is_unchanged_plugin(text));  // else the checksum in hooks/opencode/plankeep.js is an old one
    CHECK_FALSE(is_unchanged_plugin(text + "// mine\n"));
    CHECK_FALSE(is_unchanged_plugin("// mine\n" + text));
  }
  CHECK_FALSE(is_our_plugin("export default {}\n// plankeep\n"));
  CHECK(program_of_plugin("// plankeep\nconst OTHER = 'x';\n").empty());
}

TEST_CASE("trust is read from the clients' own files, the nearest folder deciding") {
  const char* list = "{\"/a\": \"TRUST_FOLDER\", \"/a/b\": \"DO_NOT_TRUST\", \"/x/y\": \"TRUST_PARENT\"}";
  CHECK(trust_of_folder_list(list, "/a/c") == Trust::trusted);
  CHECK(trust_of_folder_list(list, "/a/b/c") == Trust::untrusted);
  CHECK(trust_of_folder_list(list, "/ab") == Trust::unknown);
  CHECK(trust_of_folder_list(list, "/x/z") == Trust::trusted);
  CHECK(trust_of_folder_list("no", "/a") == Trust::unknown);
  CHECK(trust_of_copilot("// c\n{\"trustedFolders\": [\"/a/\"]}", "/a/b") == Trust::trusted);
  CHECK(trust_of_copilot("{}", "/a") == Trust::untrusted);
  const CodexTrust codex = trust_of_codex(
      "model = \"\"\"\n[projects.\"/a\"]\ntrust_level = "
      "\"trusted\"\n\"\"\"\n[projects.\"/a/\\u0062\"]\ntrust_level = 'trusted' # x\n"
      "[projects.'/a/b/c']\ntrust_level = \"untrusted\"\n[hooks.state]\n\"/f.json:stop:0:1\".trusted_hash = "
      "\"sha256:0\"\n",
      "/a/b");
  CHECK(codex.project == Trust::trusted);
  CHECK(codex.trusted_hooks == std::vector<std::string>{codex_hook_key("/f.json", "Stop", 0, 1)});
  CHECK(trust_of_codex("", "/a").project == Trust::unknown);
  CHECK(trust_of_codex("projects = { '/a' = { trust_level = 'trusted' } }\n", "/a").project ==
        Trust::trusted);
  CHECK(trust_of_codex("[projects.'/a']\ntrust_level = 'trusted'\nno TOML\n", "/a").project ==
        Trust::unknown);
}
