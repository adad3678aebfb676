#include "clients/edited_text.hpp"

#include <catch2/catch.hpp>

#include "recordings.hpp"

using namespace plankeep;
using clients::Reading;
using core::TextEdit;
using Edits = std::vector<TextEdit>;

namespace {

const std::string kFixtures = std::string(PLANKEEP_TESTS_DIR) + "/fixtures/hooks/";

std::string recorded(const std::string& name) {
  return test::read_file(kFixtures + name);
}

Edits edits_of(const std::string& payload) {
  Edits edits;
  const auto reading = clients::read_edits(payload, edits);
  REQUIRE(reading.has_value());
  CHECK(*reading != Reading::truncated);
  return edits;
}

}  // namespace

TEST_CASE("every client's edits are understood, as recorded") {
  const TextEdit first{"- [ ] first step", "- [x] first step"};
  const std::string plan = "# Plan\n\n- [ ] first step\n- [ ] second step\n";
  CHECK(edits_of(recorded("claude-code/PostToolUse-Edit.json")) ==
        Edits{{"- [ ] T1 First task", "- [x] T1 First task",
               "# Plan\n\n- [ ] T1 First task\n- [ ] T2 Second task\n- [ ] T3 Third task\n"}});
  CHECK(edits_of(recorded("gemini/AfterTool-replace.json")) == Edits{{first.before, first.after, plan}});
  CHECK(edits_of(recorded("qwen/PostToolUse-edit.json")) == Edits{{first.before, first.after, plan}});
  CHECK(edits_of(recorded("copilot/postToolUse-edit.json")) == Edits{first});
  CHECK(edits_of(recorded("copilot/PostToolUse-Edit-claude-format.json")) == Edits{first});
  CHECK(edits_of(recorded("codex/PostToolUse-apply_patch-update.json")) ==
        Edits{{"- [ ] first step\n", "- [x] first step\n"}});
}

TEST_CASE("a patch that is given to the shell as a here-document is understood, no other text of a command") {
  const auto command = [](const std::string& text) {
    return edits_of(R"({"tool_name":"Bash","tool_input":{"command":")" + text + R"("}})");
  };
  const std::string patch =
      R"(*** Begin Patch\n*** Update File: plan.md\n@@\n-- [ ] T1\n+- [x] T1\n*** End Patch)";
  CHECK(command("apply_patch <<'EOF'\\n" + patch + "\\nEOF") == Edits{{"- [ ] T1\n", "- [x] T1\n"}});
  CHECK(command("apply_patch <<EOF").empty());
  CHECK(command("cat <<'EOF'\\n" + patch + "\\nEOF").empty());
}

TEST_CASE("what our plugin for opencode sends is understood") {
  std::size_t edits = 0;
  for (const test::Recording& recording : test::recordings()) {
    if (recording.event != "file_written") continue;
    CAPTURE(recording.name);
    const Edits told = edits_of(recording.payload);
    REQUIRE_FALSE(told.empty());
    if (recording.name.find("after-edit") != std::string::npos)
      CHECK(told == Edits{{"- [ ] first step", "- [x] first step"}});
    ++edits;
  }
  CHECK(edits == 5);
}

TEST_CASE("of a file that was written whole, what stood there before is known where the client says it") {
  const Edits update = edits_of(recorded("claude-code/PostToolUse-Write-update.json"));
  REQUIRE(update.size() == 1);
  CHECK(update[0].before.find("- [x] T2 Second task") != std::string::npos);
  CHECK(update[0].after == "# via dots\n");
  const Edits fresh = edits_of(recorded("gemini/AfterTool-write_file.json"));
  REQUIRE(fresh.size() == 1);
  CHECK(fresh[0] == TextEdit{"", "# Plan\n\n- [ ] first step\n- [ ] second step\n"});
  CHECK(edits_of(recorded("copilot/postToolUse-create.json")) ==
        Edits{{"", "# Plan\n\n- [ ] first step\n- [ ] second step\n"}});
}

TEST_CASE("lists of edits are read") {
  const std::string list = R"([{"old_string":"a","new_string":"b"},{"old_string":"c","new_string":"d"}])";
  const Edits both{{"a", "b"}, {"c", "d"}};
  CHECK(edits_of(R"({"tool_input":{"file_path":"/p","edits":)" + list + "}}") == both);
  CHECK(edits_of(R"({"file_path":"/p","edits":)" + list + "}") == both);
}

TEST_CASE("reading goes on to the file as it was, and ends there") {
  for (const char* input : {R"("old_string":"a","new_string":"b")", R"("content":"b")"}) {
    CAPTURE(input);
    const std::string begun = R"({"tool_input":{)" + std::string(input) + R"(},"tool_resp)";
    Edits edits{{"kept", "kept"}};
    const auto early = clients::read_edits(begun, edits);
    REQUIRE(early.has_value());
    CHECK(*early == Reading::truncated);
    CHECK(edits == Edits{{"kept", "kept"}});
    const auto later = clients::read_edits(begun + R"(onse":{"originalFile":"ca"},"more)", edits);
    REQUIRE(later.has_value());
    CHECK(*later == Reading::enough);
    REQUIRE(edits.size() == 1);
    CHECK(edits[0].after == "b");
    CHECK(edits[0].file == "ca");
  }
}

TEST_CASE("what was read until the payload broke off is taken when there is no more") {
  for (const char* broken : {R"({"tool_input":{"old_string":"a","new_string":"b"},"tool_resp)",
                             R"({"tool_input":{"old_string":"a","new_string":"b"},nonsense})"}) {
    Edits edits;
    const auto reading = clients::read_edits(broken, edits, true);
    REQUIRE(reading.has_value());
    CHECK(*reading == Reading::enough);
    CHECK(edits == Edits{{"a", "b"}});
  }
  Edits edits;
  const auto nothing = clients::read_edits(R"({"tool_input":{"old_str)", edits, true);
  CHECK((nothing.has_value() && *nothing == Reading::truncated));
}

TEST_CASE("an edit of every place says so") {
  CHECK(edits_of(R"({"tool_input":{"old_string":"a","new_string":"b","replace_all":true}})") ==
        Edits{{"a", "b", {}, true}});
  CHECK(edits_of(R"({"tool_input":{"oldString":"a","newString":"b","replaceAll":"?"}})") ==
        Edits{{"a", "b"}});
}

TEST_CASE("a payload that does not say what was written, or says it otherwise, gives nothing") {
  for (const char* payload : {"{}", R"({"tool_input":"text"})", R"({"tool_input":{"command":"rm -rf /"}})",
                              R"({"tool_input":null})", R"({"tool_input":{"old_string":"only half"}})",
                              R"({"tool_input":{"edits":{"a":1}}})", R"({"edits":[1,null,"x",[]]})",
                              R"({"tool_response":{"originalFile":"x"}})"}) {
    CAPTURE(payload);
    CHECK(edits_of(payload).empty());
  }
  Edits edits;
  CHECK_FALSE(clients::read_edits("[1]", edits).has_value());
  CHECK_FALSE(clients::read_edits(R"({"tool_input":tru e})", edits).has_value());
  // Half a character, as JavaScript cuts it.
  CHECK(edits_of(R"({"tool_input":{"old_string":"\ud83d","new_string":"b"}})") ==
        Edits{{"\xEF\xBF\xBD", "b"}});
}

TEST_CASE("every beginning of a recording asks for more or is enough, and never invents") {
  for (const char* name : {"claude-code/PostToolUse-Edit.json", "claude-code/PostToolUse-Write-update.json",
                           "codex/PostToolUse-apply_patch-multi.json", "qwen/PostToolUse-edit.json"}) {
    const std::string whole = recorded(name);
    const Edits all = edits_of(whole);
    CHECK_FALSE(all.empty());
    for (std::size_t size = 0; size < whole.size(); ++size) {
      Edits edits;
      const auto reading = clients::read_edits(std::string_view(whole).substr(0, size), edits);
      CAPTURE(name, size);
      REQUIRE(reading.has_value());
      if (*reading == Reading::truncated) {
        CHECK(edits.empty());
      } else {
        CHECK(edits == all);
      }
    }
  }
}

TEST_CASE("a patch has an edit for each file, without its context") {
  CHECK(clients::edits_in_patch("*** Begin Patch\n*** Update File: plan.md\n@@\n # Plan\n-- [ ] a\n+- [x] a\n"
                                "*** Add File: b.md\n+one\n+two\n*** Delete File: c.md\n*** End Patch\n") ==
        Edits{{"- [ ] a\n", "- [x] a\n"}, {"", "one\ntwo\n"}});
  CHECK(clients::edits_in_patch("no patch\n+at all\n").empty());
}
