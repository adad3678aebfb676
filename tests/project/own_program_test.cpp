#include "project/own_program.hpp"

#include <catch2/catch.hpp>

#include "support/world.hpp"

using namespace plankeep;
using test::World;

namespace {

struct Installed : World {
  Installed() { environment.running = "/opt/tools/bin/plankeep"; }
  void put_origin(std::string_view text) {
    disk().put_folder("/opt/tools/share/plankeep");
    disk().put("/opt/tools/share/plankeep/origin.json", text);
  }
  std::optional<app::ProgramOrigin> origin() { return app::program_origin(context, "1.2.3"); }
};

}  // namespace

TEST_CASE("a package says of its program where it came from") {
  Installed world;
  CHECK_FALSE(world.origin());
  world.put_origin(R"({"package": "deb", "version": "1.2.3", "commit": "0a1b", "later": [1, {}]})");
  REQUIRE(world.origin());
  CHECK(world.origin()->package == "deb");
  CHECK(world.origin()->commit == "0a1b");
  world.put_origin(R"({"version": "1.2.3", "package": "tarball"})");
  CHECK(world.origin()->commit.empty());
}

TEST_CASE("the manual's pages are found beside the program") {
  Installed world;
  CHECK_FALSE(app::manual_page(world.context, "lint.md"));
  world.disk().put_folder("/opt/tools/share/doc");
  world.disk().put_folder("/opt/tools/share/doc/plankeep");
  world.disk().put_folder("/opt/tools/share/doc/plankeep/docs");
  world.disk().put("/opt/tools/share/doc/plankeep/docs/lint.md", "# Lint\n");
  CHECK(app::manual_page(world.context, "lint.md") == "/opt/tools/share/doc/plankeep/docs/lint.md");
  CHECK_FALSE(app::manual_page(world.context, "other.md"));
}

TEST_CASE("what belongs to another program, or is damaged, says nothing") {
  Installed world;
  const std::string text = GENERATE(as<std::string>(), "", "{", "[]", R"({"package": "deb"})",
                                    R"({"package": "deb", "version": "1.2.4"})", R"({"version": "1.2.3"})",
                                    R"({"package": "a\u001b[2J", "version": "1.2.3"})",
                                    R"({"package": "deb", "version": "1.2.3", "commit": "a\nb"})",
                                    R"({"package": "deb", "version": "1.2.3"} more)");
  world.put_origin(text);
  INFO(text);
  CHECK_FALSE(world.origin());
  world.put_origin(R"({"package": "deb", "version": "1.2.3", "x": ")" + std::string(5000, 'x') + "\"}");
  CHECK_FALSE(world.origin());
  world.put_origin(R"({"package": "deb", "version": "1.2.3"})");
  world.environment.running.clear();
  CHECK_FALSE(world.origin());
}

TEST_CASE("a program in npx's cache is known by its path") {
  CHECK(app::in_npx_cache("/home/kim/.npm/_npx/0f1e/node_modules/@plankeep/linux-x64/bin/plankeep"));
  CHECK_FALSE(app::in_npx_cache("/usr/lib/node_modules/@plankeep/linux-x64/bin/plankeep"));
}
