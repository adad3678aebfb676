#include "verify/command_trust.hpp"

#include <catch2/catch.hpp>

#include "support/world.hpp"

using namespace plankeep;
using namespace plankeep::app;
using base::ErrorKind;

namespace {

constexpr const char* kFile = "/home/ada/.config/plankeep/trusted-commands.json";

bool trusts(const test::World& world, const std::string& root, const std::string& command) {
  return CommandTrust::read(world.context, root).trusts(command);
}

}  // namespace

TEST_CASE("nothing is trusted before somebody says so, and then exactly that") {
  test::World world;
  CHECK_FALSE(trusts(world, "/home/kim", "make"));
  CHECK(CommandTrust::read(world.context, "/home/kim").warning().empty());
  REQUIRE(trust_commands(world.context, "/home/kim", {"make", "make test"}));
  CHECK(trusts(world, "/home/kim", "make"));
  CHECK(trusts(world, "/home/kim", "make test"));
  for (const char* other : {"make ", " make", "Make", "make;", ""})
    CHECK_FALSE(trusts(world, "/home/kim", other));
  CHECK_FALSE(trusts(world, "/home", "make"));
  CHECK_FALSE(trusts(world, "/home/kim/sub", "make"));
}

TEST_CASE("trust is added to what there is, for every repository, and the same again writes nothing") {
  test::World world;
  REQUIRE(trust_commands(world.context, "/a", {"one"}));
  REQUIRE(trust_commands(world.context, "/b", {"two"}));
  REQUIRE(trust_commands(world.context, "/a", {"three"}));
  CHECK(trusts(world, "/a", "one"));
  CHECK(trusts(world, "/a", "three"));
  CHECK(trusts(world, "/b", "two"));
  CHECK_FALSE(trusts(world, "/b", "one"));
  world.disk().forget_log();
  REQUIRE(trust_commands(world.context, "/a", {"one", "three"}));
  CHECK(world.operations_named("rename") == 0);
}

TEST_CASE("the folder of the configuration is the one that the environment names") {
  test::World world;
  world.environment.variables["XDG_CONFIG_HOME"] = "/home/ada/elsewhere/deep";
  REQUIRE(trust_commands(world.context, "/a", {"one"}));
  CHECK(world.disk().get("/home/ada/elsewhere/deep/plankeep/trusted-commands.json"));
  CHECK(trusts(world, "/a", "one"));
  world.environment.variables.clear();
  CHECK_FALSE(trusts(world, "/a", "one"));
  CHECK(trust_commands(world.context, "/a", {"one"}).error().kind == ErrorKind::not_found);
}

TEST_CASE("a file that is not what we wrote trusts nothing, says so, and is left as it is") {
  test::World world;
  REQUIRE(trust_commands(world.context, "/a", {"one"}));
  const std::string good = world.disk().get(kFile).value();
  std::string text;
  SECTION("cut") {
    text = good.substr(0, good.size() / 2);
  }
  SECTION("no JSON") {
    text = "yes";
  }
  SECTION("empty") {
    text = "";
  }
  SECTION("a digest of another text") {
    text = good;
    text.replace(text.find("one"), 3, "two");
  }
  SECTION("another version") {
    text = good;
    text.replace(text.find("\"version\": 1"), 12, "\"version\": 2");
  }
  SECTION("a command that is no text") {
    text = R"({"version":1,"repositories":{"/a":{"00":true}}})";
  }
  world.disk().put(kFile, text);
  const CommandTrust trust = CommandTrust::read(world.context, "/a");
  CHECK_FALSE(trust.trusts("one"));
  CHECK_FALSE(trust.trusts("two"));
  CHECK(trust.warning().find("trusted-commands.json") != std::string::npos);
  CHECK_FALSE(trust_commands(world.context, "/a", {"three"}));
  CHECK(world.disk().get(kFile) == text);
}

TEST_CASE("a repository whose path is no text cannot be remembered") {
  test::World world;
  CHECK(trust_commands(world.context, "/a\xff", {"one"}).error().kind == ErrorKind::invalid_input);
  CHECK_FALSE(world.disk().get(kFile));
}
