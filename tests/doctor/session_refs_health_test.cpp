#include "doctor/session_refs_health.hpp"

#include <catch2/catch.hpp>

#include "support/world.hpp"

using namespace plankeep;
using test::World;

namespace {

struct SessionRefs : World {
  SessionRefs() { disk().put("/home/kim/.git/HEAD", "ref: refs/heads/main\n"); }
  void refs(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::string number = std::to_string(10'000 + i);
      disk().put(
          "/home/kim/.git/refs/entire/checkpoints/" + number.substr(3) + "/01HF7YAT00000G40R40M3" + number,
          "x");
    }
  }
  std::vector<app::Finding> found(const std::string& folder = "/home/kim") {
    return app::examine_session_refs(context, folder);
  }
};

}  // namespace

TEST_CASE("a repository without session checkpoints has nothing said of them") {
  SessionRefs world;
  CHECK(world.found().empty());
  CHECK(world.found("/").empty());
}

TEST_CASE("from a thousand loose refs on doctor names the command that packs them") {
  SessionRefs world;
  world.refs(999);
  CHECK(world.found().empty());
  world.refs(1000);
  const auto found = world.found();
  REQUIRE(found.size() == 1);
  CHECK(found.front().condition == app::Condition::attention);
  CHECK(found.front().message.find("1000 refs") == 0);
  CHECK(found.front().remedy == "git pack-refs --all");
}

TEST_CASE("doctor says what waits for a push, in a linked work tree too") {
  SessionRefs world;
  const std::string line = "{\"ref\":\"refs/entire/checkpoints/09/01HF7YAT00000G40R40M30E209\"}\n";
  world.disk().put("/home/kim/.git/entire-checkpoint-push-queue.jsonl", line + line);
  const std::string message = "1 waits for a push (plankeep session push)";
  REQUIRE(world.found().size() == 1);
  CHECK(world.found().front().message == message);
  CHECK(world.found().front().condition == app::Condition::fine);

  world.disk().put("/home/kim/.git/worktrees/w/commondir", "../..\n");
  world.disk().put("/work/.git", "gitdir: /home/kim/.git/worktrees/w\n");
  REQUIRE(world.found("/work").size() == 1);
  CHECK(world.found("/work").front().message == message);
}
