#include "git/checkpoint_message.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "model/sidecar.hpp"

using namespace plankeep::core;

namespace {

Phase phase() {
  Phase one;
  one.id = PhaseId("api");
  one.title = "The API";
  for (const char* id : {"login", "logout"}) {
    Task task;
    task.id = TaskId(id);
    task.title = std::string("Do ") + id;
    one.tasks.push_back(std::move(task));
  }
  return one;
}

CheckpointMessage auth() {
  CheckpointMessage message;
  message.run = "auth";
  message.milestone = 1;
  message.phase = PhaseId("api");
  message.plan = "auth";
  return message;
}

}  // namespace

TEST_CASE("the message says run, milestone, title and what was done") {
  CHECK(checkpoint_message(auth(), phase(), {0, 1}, "") ==
        "chore(plankeep): checkpoint auth milestone 1\n\nThe API\n\n- [x] Do login (login)\n"
        "- [x] Do logout (logout)\n\nPlankeep-Phase: api\n");
  CHECK(checkpoint_message(auth(), phase(), {0}, "As agreed.") ==
        "chore(plankeep): checkpoint auth milestone 1\n\nThe API\n\nAs agreed.\n\nPlankeep-Phase: api\n");
  CheckpointMessage other = auth();
  other.run = "spike";
  CHECK_THAT(checkpoint_message(other, phase(), {}, ""),
             Catch::EndsWith("Plankeep-Phase: api\nPlankeep-Plan: auth\n"));
}

TEST_CASE("a message is read as it was written") {
  const auto read = read_checkpoint_message(checkpoint_message(auth(), phase(), {0}, ""));
  REQUIRE(read);
  CHECK(read->run == "auth");
  CHECK(read->milestone == 1);
  CHECK(read->phase.text == "api");
  CHECK_FALSE(read->legacy);
  CHECK(rc::check("whatever run and number it has", [](const std::string& name) {
    CheckpointMessage message = auth();
    message.run = run_of_plan(name);
    message.milestone = *rc::gen::inRange(0, 1000);
    const auto again = read_checkpoint_message(checkpoint_message(message, phase(), {}, ""));
    RC_ASSERT(again && again->run == message.run && again->milestone == message.milestone);
  }));
}

TEST_CASE("text of the plan cannot end the first line or print escapes") {
  Phase hostile = phase();
  hostile.title = "A\x1b[31m\nPlankeep-Phase: other";
  hostile.tasks[0].title = std::string(5000, 'a');
  const std::string text = checkpoint_message(auth(), hostile, {0}, "");
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.size() < 1000);
  CHECK(read_checkpoint_message(text)->phase.text == "api");
}

TEST_CASE("many tasks become a number") {
  Phase many = phase();
  std::vector<std::size_t> done;
  for (std::size_t i = 0; i < 30; ++i) {
    done.push_back(i);
    if (i >= 2) many.tasks.push_back(many.tasks[0]);
  }
  CHECK_THAT(checkpoint_message(auth(), many, done, ""), Catch::Contains("- and 10 more\n"));
}

TEST_CASE("the legacy pattern is known by its first line") {
  const auto read = read_checkpoint_message("chore(runr): checkpoint 20260101-abc milestone 4\n\nbody\n");
  REQUIRE(read);
  CHECK(read->legacy);
  CHECK(read->run == "20260101-abc");
  CHECK(read->milestone == 4);
  CHECK(read_checkpoint_message("chore(runr): checkpoint milestone 4")->run.empty());
}

TEST_CASE("other messages are none") {
  for (const char* text :
       {"", "fix: a bug", "chore(plankeep): checkpoint auth", "chore(plankeep): checkpoint milestone 1",
        "chore(plankeep): checkpoint auth milestone", "chore(plankeep): checkpoint auth milestone -1",
        "chore(plankeep): checkpoint auth milestone 1a",
        "chore(plankeep): checkpoint auth milestone 99999999999999999999",
        "Revert \"chore(plankeep): checkpoint auth milestone 1\"",
        "x\nchore(plankeep): checkpoint auth milestone 1"}) {
    INFO(text);
    CHECK_FALSE(read_checkpoint_message(text));
  }
}

TEST_CASE("a squash carries the messages of its commits") {
  CheckpointMessage second = auth();
  second.milestone = 2;
  second.phase = PhaseId("ui");
  Phase ui = phase();
  ui.id = second.phase;
  const std::string texts[] = {checkpoint_message(auth(), phase(), {0}, ""),
                               checkpoint_message(second, ui, {}, "* not a list of ours")};
  std::string by_git = "Squashed commit of the following:\n\n";
  std::string by_forge = "Work (#7)\n\n";
  for (const std::string& text : texts) {
    by_git += "commit 0123\nAuthor: Kim\n\n";
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      by_git += "    " + text.substr(at, end - at) + "\n";
      at = end + 1;
    }
    by_forge += "* " + text + "\n";
  }
  for (const std::string& squashed : {by_git, by_forge}) {
    const auto read = read_checkpoint_messages(squashed);
    REQUIRE(read.size() == 2);
    CHECK(read[0].milestone == 1);
    CHECK(read[0].phase.text == "api");
    CHECK(read[1].milestone == 2);
    CHECK(read[1].phase.text == "ui");
    CHECK_FALSE(read_checkpoint_message(squashed));
  }
  CHECK(read_checkpoint_messages("Revert \"chore(plankeep): checkpoint auth milestone 1\"").empty());
}

TEST_CASE("a message answers by its run, and for the plan at the top by its path") {
  RunQuery query;
  query.run = "copy";
  query.own = true;
  query.path = "plan.md";
  CheckpointMessage message = auth();
  message.plan.clear();
  CHECK_FALSE(answers(query, message));
  message.path = "plan.md";
  CHECK(answers(query, message));
  message.run = "copy";
  message.path = "plans/copy/plan.md";
  CHECK_FALSE(answers(query, message));
  message.path.clear();
  CHECK(answers(query, message));
  message.legacy = true;
  CHECK_FALSE(answers(query, message));
}
