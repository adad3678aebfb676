#include "install/install_server.hpp"

#include <catch2/catch.hpp>

#include "settings_files/server_format.hpp"
#include "support/world.hpp"

using namespace plankeep;
using app::FileChange;
using app::InstallReport;
using app::InstallRequest;
using app::Scope;
using test::World;

namespace {

struct Project : World {
  Project() {
    environment.variables["PATH"] = "/usr/bin";
    disk().put_folder("/home/kim/.git");
  }
  static InstallRequest request(std::string client, Scope scope = Scope::project) {
    InstallRequest wanted;
    wanted.client = std::move(client);
    wanted.scope = scope;
    wanted.program = app::ProgramName::on_path;
    return wanted;
  }
  InstallReport install(const InstallRequest& wanted) {
    auto report = app::install_server(context, wanted);
    if (!report) FAIL(report.error().message);
    return std::move(*report);
  }
  InstallReport uninstall(const InstallRequest& wanted) {
    auto report = app::uninstall_server(context, wanted);
    if (!report) FAIL(report.error().message);
    return std::move(*report);
  }
};

}  // namespace

TEST_CASE(
    "registering the server and taking it back leaves the disk as it was, for every client and both scopes") {
  for (const clients::ServerFormat& format : clients::server_formats()) {
    for (const Scope scope : {Scope::project, Scope::user}) {
      Project world;
      INFO(format.file.client);
      const auto before = world.disk().everything();
      const auto wanted = Project::request(std::string(format.file.client), scope);
      CHECK(world.install(wanted).change == FileChange::created);
      const auto between = world.disk().everything();
      CHECK(world.install(wanted).change == FileChange::none);
      CHECK(world.disk().everything() == between);
      CHECK(world.uninstall(wanted).change == FileChange::removed);
      CHECK(world.disk().everything() == before);
      CHECK(world.uninstall(wanted).change == FileChange::none);
    }
  }
}

constexpr const char* kServerStays =
    "the MCP server stays registered; to remove it: plankeep uninstall gemini --mcp";

TEST_CASE("hooks and server share a settings file, and either may go first") {
  const auto text = GENERATE(as<std::optional<std::string>>(), "{\n  \"theme\": \"dark\"\n}\n",
                             "{\"mcpServers\": {}}", "\xEF\xBB\xBF", "", std::nullopt);
  for (const bool hooks_first : {true, false}) {
    for (const bool hooks_leave_first : {true, false}) {
      Project world;
      if (text) {
        world.disk().put_folder("/home/kim/.gemini");
        world.disk().put("/home/kim/.gemini/settings.json", *text);
      }
      const auto before = world.disk().everything();
      const auto wanted = Project::request("gemini");
      if (hooks_first) REQUIRE(app::install(world.context, wanted));
      CHECK(world.install(wanted).written);
      if (!hooks_first) REQUIRE(app::install(world.context, wanted));
      const auto hooks_leave = [&] {
        const auto report = app::uninstall(world.context, wanted);
        REQUIRE(report);
        // Nobody else has changed the file.
        CHECK(report->notes ==
              (hooks_leave_first ? std::vector<std::string>{kServerStays} : std::vector<std::string>()));
      };
      if (hooks_leave_first) hooks_leave();
      const InstallReport report = world.uninstall(wanted);
      CHECK(report.written);
      CHECK(report.notes.empty());
      if (!hooks_leave_first) hooks_leave();
      CHECK(world.disk().everything() == before);
    }
  }
}

TEST_CASE("without writing the report says what would be") {
  Project world;
  const auto before = world.disk().everything();
  auto wanted = Project::request("codex");
  wanted.write = false;
  const InstallReport report = world.install(wanted);
  CHECK(report.change == FileChange::created);
  CHECK_FALSE(report.written);
  CHECK(report.after == "[mcp_servers.plankeep]\ncommand = \"plankeep\"\nargs = [\"mcp\"]\n");
  CHECK(report.entries == std::vector<clients::EntryChange>{{"mcp-server", clients::EntryState::added}});
  CHECK(world.disk().everything() == before);
}

TEST_CASE("one project file serves two clients, and both are told") {
  Project world;
  const InstallReport claude = world.install(Project::request("claude-code"));
  CHECK(claude.path == "/home/kim/.mcp.json");
  CHECK(std::find(claude.notes.begin(), claude.notes.end(), "GitHub Copilot CLI reads this file too") !=
        claude.notes.end());
  CHECK(world.install(Project::request("copilot")).change == FileChange::changed);
  CHECK(world.install(Project::request("claude-code")).change == FileChange::none);
  CHECK(world.uninstall(Project::request("claude-code")).change == FileChange::removed);
}

TEST_CASE("a file that cannot be changed safely is named and stays") {
  Project world;
  world.disk().put("/home/kim/.mcp.json", "{\"mcpServers\": {\"plankeep\": {\"command\": \"other\"}}}");
  const auto refused = app::install_server(world.context, Project::request("claude-code"));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == base::ErrorKind::invalid_input);
  CHECK(refused.error().message.find("/home/kim/.mcp.json: line 1") == 0);
  const auto unknown = app::install_server(world.context, Project::request("vim"));
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().message == "plankeep does not know where vim keeps its MCP servers");
}
