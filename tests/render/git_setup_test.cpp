#include "render/git_setup.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace plankeep::render;
using plankeep::app::GitSetupReport;
using Action = plankeep::app::GitSetupRequest::Action;
using Catch::Matchers::Contains;

namespace {

GitSetupReport view(const std::string& state) {
  GitSetupReport result;
  result.top = "/home/kim";
  result.effective = "plankeep";
  for (const char* what : {"merge.plankeep.name", "merge.plankeep.driver", "plan.md merge=plankeep"}) {
    result.steps.push_back({what, "/home/kim/x", "x", state});
  }
  return result;
}

}  // namespace

TEST_CASE("git-setup says what it did, and that state and history are never in git") {
  const std::string text = git_setup_text(view("added"), false, {false, 100});
  CHECK_THAT(text, Contains("added     merge.plankeep.driver in x\n"));
  CHECK_THAT(text, Contains("state and history belong to one machine and are never in git"));
  // --local writes nothing that could be committed.
  CHECK_THAT(text, Contains("this clone alone") && !Contains(".gitattributes"));
  GitSetupReport shared = view("added");
  shared.steps.back().where = "/home/kim/.gitattributes";
  CHECK_THAT(git_setup_text(shared, false, {false, 100}), Contains("Commit .gitattributes"));
}

TEST_CASE("git-setup is complete when everything is there and nothing is stronger") {
  CHECK(complete(view("present")));
  CHECK_FALSE(complete(view("added")));
  GitSetupReport stronger = view("present");
  stronger.effective = "union";
  CHECK_FALSE(complete(stronger));
  CHECK_THAT(git_setup_text(stronger, false, {false, 100}), Contains("git uses merge=union for plan.md"));
}

TEST_CASE("a check says what is missing, an undo what was absent") {
  GitSetupReport check = view("added");
  check.action = Action::check;
  CHECK_THAT(git_setup_text(check, false, {false, 100}), Contains("missing   merge.plankeep.name"));
  GitSetupReport undo = view("missing");
  undo.action = Action::undo;
  CHECK_THAT(git_setup_text(undo, false, {false, 100}), Contains("absent    merge.plankeep.name"));
}

TEST_CASE("a dry run does not say that something was done") {
  CHECK_THAT(git_setup_text(view("added"), true, {false, 100}),
             Contains("would add     merge.plankeep.name in x\n") && Contains("nothing written"));
  GitSetupReport undo = view("removed");
  undo.action = Action::undo;
  CHECK_THAT(git_setup_text(undo, true, {false, 100}), Contains("would remove  merge.plankeep.name"));
}

TEST_CASE("git-setup tells programs the same") {
  const auto json = nlohmann::json::parse(git_setup_json(view("present")));
  CHECK(json["complete"] == true);
  CHECK(json["effective"] == "plankeep");
  REQUIRE(json["steps"].size() == 3);
  CHECK(json["steps"][2]["what"] == "plan.md merge=plankeep");
}
