#include "install/install.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "doctor/hooks_health.hpp"
#include "support/world.hpp"

using namespace plankeep;
using app::InstallReport;
using app::InstallRequest;
using app::Scope;
using test::World;

namespace {

constexpr const char* kSettings = "/home/kim/.claude/settings.json";
constexpr const char* kCopy = "/home/kim/.claude/settings.json.plankeep-backup";

struct Clients : World {
  Clients() {
    environment.variables["PATH"] = "relative:/usr/bin";
    disk().put_folder("/home/kim/.git");
    put_plan(test::kPlanText);
  }
  static InstallRequest request(std::string client, Scope scope = Scope::project) {
    InstallRequest wanted;
    wanted.client = std::move(client);
    wanted.scope = scope;
    wanted.program = app::ProgramName::on_path;
    return wanted;
  }
  InstallReport install(const InstallRequest& wanted) {
    auto report = app::install(context, wanted);
    if (!report) FAIL(report.error().message);
    return std::move(*report);
  }
  InstallReport uninstall(const InstallRequest& wanted) {
    auto report = app::uninstall(context, wanted);
    if (!report) FAIL(report.error().message);
    return std::move(*report);
  }
  bool finds(std::string_view part) {
    for (const app::Finding& finding : app::examine_hooks(context, location)) {
      if (finding.message.find(part) != std::string::npos) return true;
    }
    return false;
  }
};

}  // namespace

TEST_CASE("install and uninstall leave the disk as it was, for every client and both scopes") {
  for (const clients::SettingsFormat& format : clients::settings_formats()) {
    for (const Scope scope : {Scope::project, Scope::user}) {
      Clients world;
      const auto before = world.disk().everything();
      const auto wanted = Clients::request(std::string(format.client), scope);
      CHECK(world.install(wanted).change == app::FileChange::created);
      const auto between = world.disk().everything();
      CHECK(between != before);
      CHECK(world.install(wanted).change == app::FileChange::none);
      CHECK(world.disk().everything() == between);
      CHECK(world.uninstall(wanted).change == app::FileChange::removed);
      CHECK(world.disk().everything() == before);
    }
  }
}

TEST_CASE("a folder that was there and empty stays, one that install made goes") {
  const Scope scope = GENERATE(Scope::project, Scope::user);
  Clients world;
  world.environment.variables["XDG_STATE_HOME"] = "/home/kim/state";
  const std::string base = scope == Scope::user ? "/home/ada" : "/home/kim";
  world.disk().put_folder(base + "/.github/hooks");
  const auto present = [&](const std::string& folder) { return world.disk().everything().contains(folder); };
  const auto wanted = Clients::request("codex", scope);
  world.disk().put_folder(base + "/.codex");
  for (int round = 0; round < 2; ++round) {
    world.install(wanted);
    CHECK(world.uninstall(wanted).change == app::FileChange::removed);
    CHECK(present(base + "/.codex"));
  }
  if (scope == Scope::project) {
    world.install(Clients::request("copilot"));
    world.uninstall(Clients::request("copilot"));
    CHECK(present(base + "/.github/hooks"));
  }
  world.install(Clients::request("cursor", scope));
  world.uninstall(Clients::request("cursor", scope));
  CHECK_FALSE(present(base + "/.cursor"));
}

TEST_CASE("a file that was there gets a copy, and comes back with the copy gone") {
  Clients world;
  world.disk().put(kSettings, "{\n  \"hooks\": {}\n}");
  const auto before = world.disk().everything();
  world.install(Clients::request("claude-code"));
  CHECK(world.disk().get(kCopy) == "{\n  \"hooks\": {}\n}");
  CHECK(world.uninstall(Clients::request("claude-code")).exact);
  CHECK(world.disk().everything() == before);
}

TEST_CASE("an empty file holds no settings, and comes back empty") {
  Clients world;
  const std::string blank = GENERATE(as<std::string>(), "", " \n", "\xEF\xBB\xBF");
  world.disk().put(kSettings, blank);
  const auto before = world.disk().everything();
  CHECK(world.uninstall(Clients::request("claude-code")).change == app::FileChange::none);
  world.install(Clients::request("claude-code"));
  CHECK(world.disk().get(kSettings)->find("plankeep hook") != std::string::npos);
  CHECK(world.uninstall(Clients::request("claude-code")).exact);
  CHECK(world.disk().everything() == before);
}

TEST_CASE("a file that is plankeep's own gets no copy, whatever is put into it later") {
  Clients world;
  const auto before = world.disk().everything();
  auto wanted = Clients::request("gemini");
  world.install(wanted);
  wanted.program = app::ProgramName::absolute;
  CHECK(world.install(wanted).copy.empty());
  const InstallReport report = world.uninstall(wanted);
  CHECK(report.notes.empty());
  CHECK(world.disk().everything() == before);
}

TEST_CASE("a hook that somebody wrote by hand is kept as a copy, and put back or named") {
  const std::string mine =
      "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"command\": \"plankeep hook claude-code Stop || true\"}]}]}}\n";
  Clients world;
  world.disk().put(kSettings, mine);
  const auto before = world.disk().everything();
  const InstallReport report = world.install(Clients::request("claude-code"));
  CHECK(report.copy == kCopy);
  CHECK(world.disk().get(kCopy) == mine);
  const auto said = [](const InstallReport& told, std::string_view start) {
    return std::any_of(told.notes.begin(), told.notes.end(),
                       [&](const std::string& note) { return note.starts_with(start); });
  };
  CHECK(said(report, "taken over from what somebody wrote by hand: Stop"));
  SECTION("put back, and left there by another uninstall") {
    const InstallReport back = world.uninstall(Clients::request("claude-code"));
    CHECK(back.exact);
    CHECK(said(back, "back as it was before plankeep was installed: Stop"));
    CHECK(world.disk().everything() == before);
    const InstallReport again = world.uninstall(Clients::request("claude-code"));
    CHECK(again.change == app::FileChange::none);
    CHECK(said(again, "written by hand, so left in the file: Stop"));
    CHECK(world.disk().everything() == before);
  }
  SECTION("named, where others changed the file since") {
    world.disk().put(kSettings, *world.disk().get(kSettings) + "\n");
    const InstallReport gone = world.uninstall(Clients::request("claude-code"));
    CHECK(said(gone, "not put back, because the file was changed by others since: Stop"));
    CHECK(world.disk().get(kCopy) == mine);
  }
}

TEST_CASE("a plugin that somebody has added to is kept as a copy") {
  const std::string path = "/home/kim/.opencode/plugins/plankeep.js";
  const std::string copy = path + ".plankeep-backup";
  Clients world;
  auto wanted = Clients::request("opencode");
  world.install(wanted);
  const std::string mine = *world.disk().get(path) + "// mine\n";
  world.disk().put(path, mine);
  SECTION("by uninstall") {
    const InstallReport report = world.uninstall(wanted);
    CHECK(report.copy == copy);
    CHECK(report.notes.size() == 1);
    CHECK_FALSE(world.disk().get(path));
  }
  SECTION("by install, which puts the plugin's text in its place") {
    CHECK(world.install(wanted).copy == copy);
    CHECK(world.install(wanted).copy.empty());
    // Of another version's file, or one with another path in it, none is.
    wanted.program = app::ProgramName::absolute;
    CHECK(world.install(wanted).copy.empty());
    CHECK(world.uninstall(wanted).copy.empty());
  }
  SECTION("not by a dry run") {
    wanted.write = false;
    world.uninstall(wanted);
    CHECK(world.disk().get(path) == mine);
    return;
  }
  CHECK(world.disk().get(copy) == mine);
}

TEST_CASE("a client without a status line is told of, where one is asked for") {
  Clients world;
  for (const char* client : {"codex", "gemini", "copilot", "qwen", "opencode", "cursor", "claude-code"}) {
    auto wanted = Clients::request(client);
    wanted.wrap_status_line = true;
    const InstallReport report = world.install(wanted);
    const bool said = std::any_of(report.notes.begin(), report.notes.end(), [](const std::string& note) {
      return note.starts_with("--status-line does nothing here");
    });
    CHECK(said == (std::string_view(client) != "claude-code"));
  }
}

TEST_CASE("a copy is never written over by another text") {
  Clients world;
  world.disk().put(kSettings, "{\"a\": 1}");
  world.install(Clients::request("claude-code"));
  std::string text = *world.disk().get(kSettings);
  world.disk().put(kSettings, text.replace(text.find('1'), 1, "2"));
  const InstallReport report = world.uninstall(Clients::request("claude-code"));
  CHECK_FALSE(report.exact);
  CHECK(world.disk().get(kSettings) == "{\"a\": 2}");
  CHECK(world.disk().get(kCopy) == "{\"a\": 1}");
  world.install(Clients::request("claude-code"));
  CHECK(world.disk().get(kCopy) == "{\"a\": 1}");
  CHECK(world.disk().get(std::string(kCopy) + "-2") == "{\"a\": 2}");
  CHECK(world.uninstall(Clients::request("claude-code")).exact);
  CHECK(world.disk().get(kSettings) == "{\"a\": 2}");
}

TEST_CASE("a dry run writes nothing, and a file that cannot be read stays") {
  Clients world;
  world.disk().put(kSettings, "{\"a\": 1}");
  auto wanted = Clients::request("claude-code");
  wanted.write = false;
  const auto before = world.disk().everything();
  CHECK(world.install(wanted).change == app::FileChange::changed);
  CHECK(world.disk().everything() == before);
  world.disk().put(kSettings, "{\"a\": }");
  const auto refused = app::install(world.context, Clients::request("claude-code"));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message == std::string(kSettings) + ": line 1, column 7: expected a value");
  CHECK(world.disk().get(kSettings) == "{\"a\": }");
}

TEST_CASE("the user's link is written through and stays, a project's may not lead out") {
  Clients world;
  world.disk().put("/dotfiles/claude.json", "{}");
  world.disk().put_folder("/home/ada/.claude");
  world.disk().put_link("/home/ada/.claude/settings.json", "/dotfiles/claude.json");
  const auto before = world.disk().everything();
  world.install(Clients::request("claude-code", Scope::user));
  CHECK(world.disk().get("/dotfiles/claude.json")->find("plankeep hook") != std::string::npos);
  CHECK(world.disk().everything().at("/home/ada/.claude/settings.json") == "/dotfiles/claude.json");
  world.uninstall(Clients::request("claude-code", Scope::user));
  CHECK(world.disk().everything() == before);

  world.disk().put_folder("/home/kim/.claude");
  world.disk().put_link(kSettings, "/dotfiles/claude.json");
  CHECK_FALSE(app::install(world.context, Clients::request("claude-code")));
  CHECK(world.disk().get("/dotfiles/claude.json") == "{}");
  world.disk().erase(kSettings);
  world.disk().put_other(kSettings);
  CHECK_FALSE(app::install(world.context, Clients::request("claude-code")));
}

TEST_CASE("whatever operation fails, the settings are the old text or the new one") {
  for (std::int64_t operation = 1;; ++operation) {
    Clients world;
    world.disk().put(kSettings, "{\"a\": 1}");
    const std::string after = [] {
      Clients other;
      other.disk().put(kSettings, "{\"a\": 1}");
      other.install(Clients::request("claude-code"));
      return *other.disk().get(kSettings);
    }();
    world.disk().plan_fault({test::Fault::Kind::die, world.disk().operations() + operation, 3});
    const auto report = app::install(world.context, Clients::request("claude-code"));
    const bool died = world.disk().dead();
    world.disk().crash({});
    const auto text = world.disk().get(kSettings);
    REQUIRE(text);
    CHECK((*text == "{\"a\": 1}" || *text == after));
    if (report) CHECK(*text == after);
    if (*text == after) CHECK(world.disk().get(kCopy) == "{\"a\": 1}");
    if (!died) break;
  }
}

TEST_CASE("hooks call the name where PATH finds this program by it, else its path") {
  Clients world;
  world.environment.running = "/opt/x y/plankeep";
  auto wanted = Clients::request("codex");
  wanted.program = app::ProgramName::automatic;
  wanted.write = false;
  CHECK(world.install(wanted).program == "/opt/x y/plankeep");
  CHECK(world.install(wanted).after->find("'/opt/x y/plankeep' hook codex Stop") != std::string::npos);
  world.environment.running = "/opt/plankeep-0.1";
  CHECK_FALSE(app::install(world.context, wanted));
}

TEST_CASE("variables that move a client's folder are honoured") {
  Clients world;
  world.environment.variables["CODEX_HOME"] = "/home/ada/codex";
  CHECK(world.install(Clients::request("codex", Scope::user)).path == "/home/ada/codex/hooks.json");
  world.environment.variables["XDG_CONFIG_HOME"] = "relative";
  world.environment.variables.erase("HOME");
  CHECK_FALSE(app::install(world.context, Clients::request("claude-code", Scope::user)));
}

TEST_CASE("doctor tells what keeps hooks from running") {
  Clients world;
  CHECK(world.finds("no hooks are installed for any client"));
  world.install(Clients::request("claude-code"));
  CHECK(world.finds("which is not in PATH"));
  world.disk().put("/home/kim/.claude/settings.local.json", "{\"disableAllHooks\": true}");
  CHECK(world.finds("all hooks are disabled"));
  world.install(Clients::request("claude-code", Scope::user));
  CHECK(world.finds("installed twice"));
  world.install(Clients::request("copilot"));
  CHECK(world.finds("also runs the hooks of .claude/settings.json"));
  CHECK(world.finds("not among Copilot CLI's trusted folders"));
  world.disk().put("/home/ada/.copilot/config.json", "// machine\n{\"trustedFolders\": [\"/home\"]}");
  CHECK_FALSE(world.finds("not among Copilot CLI's trusted folders"));

  world.install(Clients::request("codex"));
  CHECK(world.finds("the project is not known to be trusted"));
  CHECK(world.finds("silently skipped: every hook"));
  world.disk().put(
      "/home/ada/.codex/config.toml",
      "[projects.\"/home/kim\"]\ntrust_level = \"trusted\"\n"
      "[hooks.state.\"/home/kim/.codex/hooks.json:session_start:0:0\"]\ntrusted_hash = 'sha256:1'\n");
  CHECK_FALSE(world.finds("the project is not known to be trusted"));
  CHECK(world.finds("silently skipped: UserPromptSubmit, "));

  world.install(Clients::request("gemini"));
  CHECK(world.finds("not known to be trusted: Gemini CLI"));
  world.disk().put("/home/ada/.gemini/trustedFolders.json",
                   "{\"/home/kim\": \"DO_NOT_TRUST\", \"/home\": \"TRUST_FOLDER\"}");
  CHECK(world.finds("the folder is not trusted: Gemini CLI"));

  CHECK_FALSE(world.finds("PLANKEEP_DISABLE"));
  world.environment.variables["PLANKEEP_DISABLE"] = "1";
  CHECK(world.finds("PLANKEEP_DISABLE"));
  world.disk().put("/home/kim/.checkpoint/hooks.log",
                   "2026-11-20T15:43:50.123Z codex Stop 1200 ok\ntorn\n2026-11-20T15:43:51.123Z codex Stop "
                   "2500000 problem\n"
                   "2026-11-20T15:43:52.123Z codex SessionEnd 900 ok\n");
  CHECK(world.finds("3 most recent calls: median 1.2 ms, slowest 2500 ms (codex Stop)"));
  CHECK(world.finds("1 of them failed"));
}

TEST_CASE("doctor says that a push to the fleet is wanted which nobody can make") {
  Clients world;
  const bool wanted = GENERATE(true, false);
  world.disk().put("/home/ada/.config/plankeep/config.json",
                   wanted ? R"({"fleetPush": true})" : R"({"fleetPush": false})");
  CHECK(world.finds("plankeep-fleet is not installed") == wanted);
}
