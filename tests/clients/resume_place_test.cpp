#include "clients/resume_place.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "clients/client.hpp"

using namespace plankeep;
using namespace plankeep::clients;

namespace {

const std::string kId = "f7024914-7ffe-4f0c-a678-65406f441245";

ResumePlace place_in(std::string_view client, const std::string& directory = "/home/dev/project") {
  auto place = resume_place(client, {kId, directory, *base::parse_iso8601("2026-11-20T13:40:01.500Z")});
  if (!place) FAIL(place.error().message);
  return *place;
}

std::string path_of(const ResumePlace& place) {
  std::string path = place.home;
  for (const std::string& folder : place.folders) path += "/" + folder;
  return path + "/" + place.name;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("each client's transcript goes where its payloads name it") {
  CHECK(path_of(place_in("claude-code")) == ".claude/projects/-home-dev-project/" + kId + ".jsonl");
  CHECK(path_of(place_in("qwen")) == ".qwen/projects/-home-dev-project/chats/" + kId + ".jsonl");
  CHECK(path_of(place_in("codex")) ==
        ".codex/sessions/2026/11/20/rollout-2026-11-20T13-40-01-" + kId + ".jsonl");
  CHECK(path_of(place_in("copilot")) == ".copilot/session-state/" + kId + "/events.jsonl");
  CHECK(path_of(place_in("gemini")) == ".gemini/plankeep/" + kId + ".jsonl");
  CHECK(place_in("claude-code").command == Words{"claude", "--resume", kId});
  CHECK(place_in("codex").command == Words{"codex", "resume", kId});
  CHECK(place_in("copilot").command == Words{"copilot", "--resume=" + kId});
  CHECK(place_in("gemini").command == Words{"gemini", "--session-file"});
  CHECK(place_in("gemini").takes_path);
  CHECK_FALSE(place_in("codex").takes_path);
  CHECK(place_in("codex").any_day_end == "-" + kId + ".jsonl");
  CHECK(place_in("claude-code").any_day_end.empty());
  CHECK(place_in("claude-code").variable == "CLAUDE_CONFIG_DIR");
}

TEST_CASE("clients that cannot go on with a transcript are refused by name") {
  for (const char* client : {"opencode", "cursor"}) {
    const auto place = resume_place(client, {kId, "/w", {}});
    REQUIRE_FALSE(place);
    CHECK(place.error().message.find(find_client(client)->title) == 0);
  }
  CHECK(resume_place("vim", {kId, "/w", {}}).error().message == "no client is called \"vim\"");
}

TEST_CASE("a start directory becomes one folder's name") {
  CHECK(place_in("claude-code", "/w/a_b.c d").folders[1] == "-w-a-b-c-d");
  CHECK(place_in("claude-code", "/w/\xC3\xA4/\xF0\x9F\x98\x80").folders[1] ==
        "-w----"
        "-");
  CHECK(place_in("claude-code", "/../..").folders[1] == "------");
  CHECK_FALSE(resume_place("claude-code", {kId, "/" + std::string(200, 'x'), {}}));
  CHECK_FALSE(resume_place("claude-code", {kId, "", {}}));
}

TEST_CASE("an id that is not plain reaches neither a path nor a command") {
  const std::vector<std::string> evil{"",
                                      "-x",
                                      "--help",
                                      "a b",
                                      "a;b",
                                      "a$b",
                                      "a'b",
                                      "a/b",
                                      "..",
                                      ".a",
                                      "a\nb",
                                      "\xC3\xA4",
                                      std::string(129, 'a')};
  for (const std::string& id : evil) {
    CHECK_FALSE(is_plain_session(id));
    for (const char* client : {"claude-code", "qwen", "codex", "copilot"})
      CHECK_FALSE(resume_place(client, {id, "/w", {}}));
  }
  CHECK(rc::check([] {
    const auto id = *rc::gen::arbitrary<std::string>();
    const auto directory = *rc::gen::arbitrary<std::string>();
    const auto place = resume_place("claude-code", {id, directory, {}});
    if (!place) return;
    RC_ASSERT(place->name.find('/') == std::string::npos);
    for (const std::string& folder : place->folders) {
      RC_ASSERT(folder.find('/') == std::string::npos);
      RC_ASSERT(folder != "." && folder != ".." && !folder.empty());
    }
  }));
}

TEST_CASE("a record's name for its client is one of ours") {
  CHECK(client_of_agent("Claude Code") == "claude-code");
  CHECK(client_of_agent("Copilot CLI") == "copilot");
  CHECK(client_of_agent("codex") == "codex");
  CHECK(client_of_agent("OpenCode") == "opencode");
  CHECK(client_of_agent("Factory AI Droid").empty());
  CHECK(client_of_agent("").empty());
}
