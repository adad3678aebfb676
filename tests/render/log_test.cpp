#include "render/recorded/log.hpp"

#include <catch2/catch.hpp>

#include "render/samples.hpp"

namespace plankeep::render {
namespace {

using core::EventKind;

std::string shown(EventKind kind, const auto& fill) {
  core::Event made = event(kind, "2026-11-20T15:43:50Z", "");
  fill(made);
  return describe(made);
}

}  // namespace

TEST_CASE("the log names what is known of a session, and nothing that is not") {
  const auto nothing = [](core::Event&) {};
  const auto with_client = [](core::Event& made) { made.client = "codex"; };
  const auto all = [](core::Event& made) {
    made.client = "codex";
    made.source = "startup";
    made.reason = "clear";
    made.from = "recovery.json";
    made.tasks_restored = 1;
  };
  CHECK(shown(EventKind::session_started, nothing) == "session started");
  CHECK(shown(EventKind::session_started, with_client) == "session started: codex");
  CHECK(shown(EventKind::session_started, all) == "session started: codex (startup)");
  CHECK(shown(EventKind::session_ended, nothing) == "session ended");
  CHECK(shown(EventKind::session_ended, all) == "session ended: codex (clear)");
  CHECK(shown(EventKind::session_crash, all) == "session ended unexpectedly");
  CHECK(shown(EventKind::session_recovered, all) == "restored from recovery.json: 1 task done");
}

TEST_CASE("the log names where a plan was moved without the folders that both places are in") {
  const auto moved = [](const char* from, const char* to) {
    return shown(EventKind::plan_moved, [&](core::Event& made) {
      made.from = from;
      made.to = to;
    });
  };
  CHECK(moved("/home/kim/shop/plan.md", "/home/kim/shop/docs/road.md") ==
        "plan moved from plan.md to docs/road.md");
  CHECK(moved("/home/kim/shop/a/plan.md", "/home/kim/shop/about/plan.md") ==
        "plan moved from a/plan.md to about/plan.md");
  CHECK(moved("/home/kim/old/plan.md", "/home/kim/new/plan.md") ==
        "plan moved from old/plan.md to new/plan.md");
  CHECK(moved("/srv/plan.md", "/home/kim/plan.md") == "plan moved from /srv/plan.md to /home/kim/plan.md");
  CHECK(moved("plan.md", "docs/plan.md") == "plan moved from plan.md to docs/plan.md");
  CHECK(moved("", "/x") == "plan moved from  to /x");
}

TEST_CASE("the log counts the tasks at first sight where they were counted") {
  CHECK(shown(EventKind::checkpoint_created, [](core::Event&) {}) == "tracking started");
  CHECK(shown(EventKind::checkpoint_created, [](core::Event& made) { made.total_tasks = 1; }) ==
        "tracking started: 1 task");
}

TEST_CASE("the log names a subagent's type and tasks, and what it claimed without ticking it") {
  const auto nothing = [](core::Event&) {};
  const auto of_type = [](core::Event& made) { made.agent_type = "builder"; };
  const auto with_tasks = [](core::Event& made) {
    made.agent_type = "builder";
    made.tasks = {core::TaskId("a"), core::TaskId("b")};
  };
  const auto claiming = [](core::Event& made) {
    made.agent_type = "builder";
    made.claimed = {"a", "b"};
    made.unverified = {"a", "b"};
  };
  CHECK(shown(EventKind::subagent_started, nothing) == "subagent started");
  CHECK(shown(EventKind::subagent_started, of_type) == "subagent builder started");
  CHECK(shown(EventKind::subagent_started, with_tasks) == "subagent builder started: a, b");
  CHECK(shown(EventKind::subagent_stopped, nothing) == "subagent stopped");
  CHECK(shown(EventKind::subagent_stopped, with_tasks) == "subagent builder stopped: a, b");
  CHECK(shown(EventKind::subagent_stopped, claiming) ==
        "subagent builder stopped; reported done while unticked: a, b");
}

TEST_CASE("names from strangers are safe in the log") {
  const std::string line = shown(EventKind::subagent_stopped, [](core::Event& made) {
    made.agent_type = "b\x1b[31m";
    made.tasks = {core::TaskId("a\nb")};
    made.unverified = {"c\rd\x07"};
  });
  CHECK(line.find_first_of("\n\r\x07\x1b") == std::string::npos);
}

}  // namespace plankeep::render
