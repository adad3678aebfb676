#include "project/settings.hpp"

#include <catch2/catch.hpp>

#include "project/text_redactor.hpp"
#include "support/world.hpp"

using namespace plankeep;
using app::ClaimPolicy;
using app::RewindOnEdit;
using Catch::Contains;
using test::World;
using Names = std::vector<std::string>;

namespace {

struct SettingsWorld : World {
  void project(std::string_view text) { disk().put("/home/kim/.plankeep.json", text); }
  void user(std::string_view text) { disk().put("/home/ada/.config/plankeep/config.json", text); }
  app::Settings read() { return app::read_settings(context, "/home/kim"); }
};

void check_defaults(const app::Settings& settings) {
  CHECK(settings.audit == ClaimPolicy::block);
  CHECK(settings.gate == ClaimPolicy::off);
  CHECK(settings.resume_budget == 2000);
  CHECK_FALSE(settings.context_window);
  CHECK(settings.plan_names.empty());
  CHECK(settings.snapshots);
  CHECK(settings.snapshot_file_limit == 10'485'760);
  CHECK(settings.snapshot_total_limit == 1'073'741'824);
  CHECK(settings.snapshot_budget == std::chrono::seconds(10));
}

}  // namespace

TEST_CASE("without a file the defaults hold and nobody is warned") {
  SettingsWorld world;
  const app::Settings settings = world.read();
  check_defaults(settings);
  CHECK(settings.warnings.empty());
}

TEST_CASE("every setting is read, and a link to the schema is welcome") {
  SettingsWorld world;
  world.project(
      "{\"$schema\": \"https://example.org/settings.schema.json\", \"audit\": \"warn\", \"gate\": "
      "\"block\",\n"
      " \"resumeBudget\": 9900, \"contextWindow\": 1000000, \"contextTrigger\": 95, \"checkpoints\": false, "
      "\"planNames\": [\"TODO.md\", \"计划.md\"],\n"
      " \"rewindOnEdit\": \"auto\", \"snapshots\": false, \"snapshotFileLimit\": 1, \"snapshotTotalLimit\": "
      "1048576, \"snapshotBudget\": "
      "100}\n");
  const app::Settings settings = world.read();
  CHECK(settings.audit == ClaimPolicy::warn);
  CHECK(settings.gate == ClaimPolicy::block);
  CHECK(settings.resume_budget == 9900);
  CHECK(settings.context_window == 1'000'000);
  CHECK(settings.context_trigger == 95);
  CHECK_FALSE(settings.checkpoints);
  CHECK(settings.plan_names == Names{"TODO.md", "计划.md"});
  CHECK(settings.rewind_on_edit == RewindOnEdit::automatic);
  CHECK_FALSE(settings.snapshots);
  CHECK(settings.snapshot_file_limit == 1);
  CHECK(settings.snapshot_total_limit == 1'048'576);
  CHECK(settings.snapshot_budget == std::chrono::milliseconds(100));
  CHECK(settings.warnings.empty());
}

TEST_CASE("the project's file goes over the user's, setting by setting") {
  SettingsWorld world;
  world.user("{\"audit\": \"off\", \"gate\": \"warn\", \"resumeBudget\": 500, \"planNames\": [\"A.md\"]}");
  world.project("{\"gate\": \"off\", \"planNames\": [\"B.md\"]}");
  const app::Settings settings = world.read();
  CHECK(settings.audit == ClaimPolicy::off);
  CHECK(settings.gate == ClaimPolicy::off);
  CHECK(settings.resume_budget == 500);
  CHECK(settings.plan_names == Names{"B.md"});
  CHECK(settings.warnings.empty());
}

TEST_CASE("the user's file stands where XDG says, else below the home folder") {
  SettingsWorld world;
  CHECK(app::user_settings_folder(world.context) == "/home/ada/.config/plankeep");
  world.environment.variables["XDG_CONFIG_HOME"] = "/etc/ada";
  CHECK(app::user_settings_folder(world.context) == "/etc/ada/plankeep");
  world.disk().put("/etc/ada/plankeep/config.json", "{\"resumeBudget\": 700}");
  CHECK(world.read().resume_budget == 700);
  // XDG: a relative path is to be ignored.
  world.environment.variables["XDG_CONFIG_HOME"] = "etc/ada";
  CHECK(app::user_settings_folder(world.context) == "/home/ada/.config/plankeep");
  world.environment.variables.erase("HOME");
  CHECK_FALSE(app::user_settings_folder(world.context));
  check_defaults(world.read());
}

TEST_CASE("a setting that is not known is a warning and changes nothing") {
  SettingsWorld world;
  world.project("{\"colour\": {\"deep\": [1, 2]}, \"audit\": \"off\", \"Audit\": \"warn\"}");
  const app::Settings settings = world.read();
  CHECK(settings.audit == ClaimPolicy::off);
  REQUIRE(settings.warnings.size() == 2);
  CHECK(settings.warnings.front() == "/home/kim/.plankeep.json: unknown setting \"colour\"");
}

TEST_CASE("a value that cannot be is a warning, and the setting keeps what it had") {
  SettingsWorld world;
  world.user(
      "{\"audit\": \"warn\", \"resumeBudget\": 500, \"contextWindow\": 5000, \"planNames\": [\"A.md\"]}");
  const std::string text = GENERATE(
      as<std::string>(), "{\"audit\": \"loud\"}", "{\"audit\": true}", "{\"audit\": null}",
      "{\"resumeBudget\": 299}", "{\"resumeBudget\": 9901}", "{\"resumeBudget\": -1}",
      "{\"resumeBudget\": 500.5}", "{\"resumeBudget\": \"600\"}", "{\"resumeBudget\": 99999999999999999999}",
      "{\"contextWindow\": 999}", "{\"contextWindow\": 100000001}", "{\"contextWindow\": []}",
      "{\"contextWindow\": null}", "{\"planNames\": \"B.md\"}", "{\"planNames\": {}}",
      "{\"planNames\": null}", "{\"planNames\": [\"B.md\", 1]}", "{\"planNames\": [\"a/b.md\"]}",
      "{\"planNames\": [\"\"]}", "{\"planNames\": [\"a\\u0000.md\"]}");
  CAPTURE(text);
  world.project(text);
  const app::Settings settings = world.read();
  CHECK(settings.audit == ClaimPolicy::warn);
  CHECK(settings.resume_budget == 500);
  CHECK(settings.context_window == 5000);
  CHECK(settings.plan_names == Names{"A.md"});
  REQUIRE(settings.warnings.size() == 1);
  CHECK_THAT(settings.warnings.front(), Contains("/home/kim/.plankeep.json: \""));
}

TEST_CASE("the smallest and the largest numbers are fine") {
  SettingsWorld world;
  world.project("{\"resumeBudget\": 300, \"contextWindow\": 1000}");
  CHECK(world.read().resume_budget == 300);
  CHECK(world.read().context_window == 1000);
  world.project("{\"resumeBudget\": 9900, \"contextWindow\": 100000000}");
  CHECK(world.read().resume_budget == 9900);
  CHECK(world.read().context_window == 100'000'000);
  CHECK(world.read().warnings.empty());
}

TEST_CASE("a file that is no JSON object is reported, and nothing of it holds") {
  SettingsWorld world;
  world.user("{\"gate\": \"warn\"}");
  const std::string text =
      GENERATE(as<std::string>(), "", "{", "[]", "null", "{\"audit\": \"off\"", "nonsense",
               "{\"audit\": \"off\"} trailing", "{\"audit\": \"off\", }", "{\"audit\": \"off\"}\xff");
  CAPTURE(text);
  world.project(text);
  const app::Settings settings = world.read();
  CHECK(settings.audit == ClaimPolicy::block);
  CHECK(settings.gate == ClaimPolicy::warn);
  REQUIRE(settings.warnings.size() == 1);
  CHECK_THAT(settings.warnings.front(), Contains("/home/kim/.plankeep.json: "));
}

TEST_CASE("what is no regular file, or a giant, is reported and not read") {
  SettingsWorld world;
  SECTION("a link") {
    world.disk().put("/home/kim/other.json", "{\"audit\": \"off\"}");
    world.disk().put_link("/home/kim/.plankeep.json", "/home/kim/other.json");
  }
  SECTION("a pipe") {
    world.disk().put_other("/home/kim/.plankeep.json");
  }
  SECTION("a folder") {
    world.disk().put_folder("/home/kim/.plankeep.json");
  }
  SECTION("a giant") {
    world.project("{\"audit\": \"off\", \"x\": \"" + std::string(std::size_t{2} << 20, 'x') + "\"}");
  }
  const app::Settings settings = world.read();
  check_defaults(settings);
  CHECK(settings.warnings.size() == 1);
}

TEST_CASE("of sessions a project can have less kept than the person says, never more") {
  const auto read = [](const std::string& user, const std::string& project) {
    SettingsWorld world;
    if (!user.empty()) world.user(user);
    if (!project.empty()) world.project(project);
    return world.read();
  };
  CHECK(read("", "").session_transcripts == core::TranscriptExtent::full);
  CHECK_FALSE(read("", "").session_images);
  const std::string slice = R"({"sessionTranscripts": "slice"})";
  CHECK(read(slice, "").session_transcripts == core::TranscriptExtent::slice);
  CHECK(read("", slice).session_transcripts == core::TranscriptExtent::slice);
  CHECK(read(slice, R"({"sessionTranscripts": "full"})").session_transcripts ==
        core::TranscriptExtent::slice);
  CHECK(read(slice, R"({"sessionTranscripts": "none"})").session_transcripts == core::TranscriptExtent::none);
  const std::string keep = R"({"sessionImages": "keep"})";
  CHECK(read(keep, "").session_images);
  CHECK_FALSE(read("", keep).session_images);
  CHECK_FALSE(read(keep, R"({"sessionImages": "redact"})").session_images);
}

TEST_CASE("redaction: rules of the person and of the project are all in force") {
  SettingsWorld world;
  world.user(
      "{\"redaction\": {\"rules\": [{\"id\": \"a\", \"regex\": \"A+\"}], \"files\": [\"~/r.toml\", "
      "\"x.toml\"]}}");
  world.project(
      "{\"snapshotSecrets\": true, \"redaction\": {\"rules\": [{\"id\": \"b\", \"regex\": \"(B)(C)\", "
      "\"keywords\": "
      "[\"bc\"], \"entropy\": 2.5, \"secretGroup\": 2, \"replace\": \"[B]\"}], \"files\": [\"y.toml\"], "
      "\"personal\": true}}");
  const app::Settings settings = world.read();
  CHECK(settings.warnings.empty());
  CHECK_FALSE(settings.sessions);
  CHECK(settings.snapshot_secrets);
  CHECK(settings.redaction.personal);
  REQUIRE(settings.redaction.rules.size() == 2);
  CHECK(settings.redaction.rules[1] == secrets::CustomRule{"b", "(B)(C)", {"bc"}, 2, 2.5, "[B]"});
  CHECK(settings.redaction.files ==
        Names{"/home/ada/r.toml", "/home/ada/.config/plankeep/x.toml", "/home/kim/y.toml"});
}

TEST_CASE("redaction: what is not understood is said, and nothing goes by unredacted") {
  for (const char* text :
       {"{\"redaction\": 1}", "{\"redaction\": {\"rules\": {}}}", "{\"redaction\": {\"rules\": [1]}}",
        "{\"redaction\": {\"rules\": [{\"id\": 1}]}}", "{\"redaction\": {\"files\": [\"/etc/r.toml\"]}}",
        "{\"redaction\": {\"files\": [\"../r.toml\"]}}", "{\"redaction\": {\"files\": \"x\"}}",
        "{\"redaction\": ", "{\"redaction\": {\"personal\": \"yes\"}}"}) {
    CAPTURE(text);
    SettingsWorld world;
    world.project(text);
    const app::Settings settings = world.read();
    CHECK(settings.warnings.size() == 1);
    CHECK_FALSE(settings.redaction.problem.empty());
    CHECK(app::TextRedactor(world.context, settings)("some words") == "REDACTED");
  }
  for (const char* text : {"{\"redaction\": {\"what\": 1}}",
                           "{\"redaction\": {\"rules\": [{\"id\": \"a\", \"regex\": "
                           "\"b\", \"replace\": \"\\u001b\"}]}}"}) {
    SettingsWorld world;
    world.project(text);
    const app::Settings settings = world.read();
    CHECK(settings.warnings.size() == 1);
    CHECK(app::TextRedactor(world.context, settings)("some words") == "some words");
  }
}

TEST_CASE("sessions: the project's word counts before the person's, and no other word is taken") {
  SettingsWorld world;
  world.user("{\"sessions\": \"off\"}");
  CHECK(world.read().sessions == app::SessionsSetting::off);
  for (const auto& [word, meaning] :
       {std::pair{"read", app::SessionsSetting::read}, std::pair{"write", app::SessionsSetting::write}}) {
    world.project(std::string("{\"sessions\": \"") + word + "\"}");
    CHECK(world.read().sessions == meaning);
    CHECK(world.read().warnings.empty());
  }
  for (const char* value : {"true", "\"on\"", "[\"write\"]"}) {
    world.project(std::string("{\"sessions\": ") + value + "}");
    CHECK(world.read().sessions == app::SessionsSetting::off);
    CHECK_THAT(world.read().warnings.at(0), Contains("\"read\", \"write\" or \"off\""));
  }
}

TEST_CASE("where sessions are pushed to is the person's to say, not a project's") {
  SettingsWorld world;
  world.project("{\"sessionsPush\": \"evil\"}");
  app::Settings settings = world.read();
  CHECK_FALSE(settings.sessions_push);
  CHECK_THAT(settings.warnings.at(0), Contains("in your own settings"));
  world.user("{\"sessionsPush\": \"origin\"}");
  settings = world.read();
  CHECK(settings.sessions_push == "origin");
  world.project("{}");
  for (const char* bad : {"1", "\"\"", "\"--exec=x\"", "\"a\\u001b\""}) {
    world.user("{\"sessionsPush\": " + std::string(bad) + "}");
    settings = world.read();
    CHECK_FALSE(settings.sessions_push);
    CHECK(settings.warnings.size() == 1);
  }
}
