#include "project/text_redactor.hpp"

#include <catch2/catch.hpp>

#include "project/plan_secrets.hpp"
#include "support/world.hpp"

using namespace plankeep;
using Catch::Contains;
using test::World;

namespace {

// In pieces, so that nobody who looks for keys in sources finds one here.
const std::string kToken = std::string("ghp") + "_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";

app::Settings with_file(const std::string& path) {
  app::Settings settings;
  settings.redaction.files = {path};
  return settings;
}

}  // namespace

TEST_CASE("without rules in the settings the built-in ones are in force") {
  World world;
  const app::TextRedactor redact(world.context, app::Settings());
  CHECK(redact.problem().empty());
  CHECK(redact("key " + kToken) == "key REDACTED");
  CHECK(redact("ACME-1234").find("1234") != std::string::npos);
}

TEST_CASE("rules of a file in gitleaks' format are in force beside them") {
  World world;
  world.disk().put("/home/kim/rules.toml",
                   "title = \"x\"\n[[rules]]\nid = \"ticket\"\nregex = '''ACME-([0-9]+)'''\nsecretGroup = 1\n"
                   "keywords = [\"acme\"]\nentropy = 0.5\n[[rules.allowlists]]\nregexes = [\"1\"]\n"
                   "[[rules]]\nid = \"by-name\"\npath = '''x'''\n");
  const app::TextRedactor redact(world.context, with_file("/home/kim/rules.toml"));
  CHECK(redact.problem().empty());
  CHECK(redact("ACME-1234 " + kToken) == "ACME-REDACTED REDACTED");
}

TEST_CASE("an entropy that no text has does not switch a rule of a file off") {
  World world;
  const char* entropy = GENERATE("inf", "nan", "8.5", "-1.0");
  CAPTURE(entropy);
  world.disk().put("/home/kim/rules.toml",
                   "[[rules]]\nid = \"ticket\"\nregex = "
                   "'ACME-[0-9]+'\nentropy = " +
                       std::string(entropy) + "\n");
  const app::TextRedactor redact(world.context, with_file("/home/kim/rules.toml"));
  CHECK(redact.problem().empty());
  CHECK(redact("ACME-1234") == "REDACTED");
}

TEST_CASE("a rule or a file that is wrong lets nothing through, and is named") {
  World world;
  world.disk().put("/home/kim/bad.toml", "[[rules]]\nid = \"bad\"\nregex = '''a(?=b)'''\n");
  world.disk().put("/home/kim/torn.toml", "[[rules]\n");
  world.disk().put("/home/kim/nameless.toml", "[[rules]]\nregex = '''a'''\n");
  world.disk().put("/home/kim/misspelt.toml", "[[rules]]\nid = \"bad\"\nregexp = '''a'''\n");
  for (const auto& [file, words] :
       {std::pair("bad", "\"bad\""), std::pair("torn", "line 1"), std::pair("nameless", "no id"),
        std::pair("misspelt", "neither"), std::pair("missing", "missing.toml")}) {
    CAPTURE(file);
    const app::TextRedactor redact(world.context, with_file("/home/kim/" + std::string(file) + ".toml"));
    CHECK_THAT(redact.problem(), Contains(words));
    CHECK(redact("anything") == "REDACTED");
    CHECK(redact("").empty());
  }
}

TEST_CASE("secrets in a plan are told with their place and without their value") {
  World world;
  const std::string plan = "# Plan\n\n- [ ] Use " + kToken + " once\n- [ ] b\n- [ ] DB_PASSWORD=hunter2\n";
  const auto found = app::secrets_in_plan(world.context, app::Settings(), plan);
  REQUIRE(found.size() == 2);
  CHECK(found[0].line == 3);
  CHECK(found[0].column == 11);
  CHECK(found[0].message == "looks like a secret (github-token)");
  CHECK(found[1].line == 5);
  CHECK(found[1].column == 19);
  for (const core::Diagnostic& one : found) {
    CHECK((one.message + one.hint).find("hunter2") == std::string::npos);
    CHECK(core::name_of(one.code) == "secret-in-plan");
  }
  CHECK(app::secrets_in_plan(world.context, app::Settings(), "- [ ] Rotate the API key\n").empty());
  app::Settings wrong;
  wrong.redaction.rules = {{"bad", "(", {}, -1, 0, ""}};
  const auto with_problem = app::secrets_in_plan(world.context, wrong, plan);
  REQUIRE(with_problem.size() == 3);
  CHECK_THAT(with_problem[0].message, Contains("\"bad\""));
}
