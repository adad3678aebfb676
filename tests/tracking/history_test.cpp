#include "tracking/history.hpp"

#include <catch2/catch.hpp>

#include "editing/complete.hpp"
#include "support/world.hpp"
#include "tracking/track.hpp"

using namespace plankeep;
using test::World;

namespace {

std::vector<std::string> names(const base::Result<std::vector<store::TailLine>>& lines) {
  if (!lines) FAIL(lines.error().message);
  std::vector<std::string> all;
  for (const store::TailLine& line : *lines) all.push_back(World::line_of(line.event));
  return all;
}

void done(World& world, const std::string& id) {
  world.clock.advance(3'600'000);
  if (!app::set_tasks(world.context, world.location, {id}, core::BoxState::done, {"main"}))
    FAIL("cannot tick");
}

}  // namespace

TEST_CASE("the newest events come last, filtered by event, task and time") {
  World world;
  world.put_plan(test::kPlanText);
  REQUIRE(app::track(world.context, world.location, {}));
  done(world, "login");
  done(world, "notes");
  auto reader = app::HistoryReader::open(world.context, world.location);
  REQUIRE(reader);
  CHECK(names(reader->newest(1, {"task_completed", "", {}})) ==
        std::vector<std::string>{"task_completed notes main"});
  CHECK(names(reader->newest(9, {"", "login", {}})) == std::vector<std::string>{"task_completed login main"});
  CHECK(names(reader->newest(9, {"", "build/login", {}})).size() == 1);
  CHECK(names(reader->newest(9, {"", "ship/login", {}})).empty());
  // Other tools may write any character as an escape.
  const std::string path = "/home/kim/.checkpoint/history.jsonl";
  world.disk().put(
      path,
      world.disk().get(path).value_or("") +
          R"({"ts":"2025-11-20T15:43:50Z","event":"task\u005freopened","phaseId":"build","taskId":"log\u0069n"})"
          "\n");
  CHECK(names(reader->newest(9, {"task_reopened", "", {}})).empty());  // came after the first look
  auto later = app::HistoryReader::open(world.context, world.location);
  REQUIRE(later);
  CHECK(names(later->newest(9, {"task_reopened", "build/login", {}})) ==
        std::vector<std::string>{"task_reopened login"});
  const auto since = base::read_since("--since", "30m", world.clock.now());
  REQUIRE(since);
  CHECK(names(reader->newest(9, {"task_completed", "", *since})) ==
        std::vector<std::string>{"task_completed notes main"});
}

TEST_CASE("a task is followed back through its earlier ids, to one that it has again too") {
  World world;
  world.put_plan(test::kPlanText);
  REQUIRE(app::track(world.context, world.location, {}));
  done(world, "login");
  const auto rename = [&world](const std::string& from, const std::string& to) {
    world.clock.advance(3'600'000);
    world.edit("TASK: " + from, "TASK: " + to);
    REQUIRE(app::track(world.context, world.location, {}));
  };
  const auto of = [&world](const std::string& id) {
    auto reader = app::HistoryReader::open(world.context, world.location);
    REQUIRE(reader);
    app::HistoryFilter filter;
    filter.task = id;
    filter.earlier_ids = true;
    filter.event = "task_completed";
    return names(reader->newest(9, filter));
  };
  using Lines = std::vector<std::string>;
  rename("login", "enter");
  CHECK(of("enter") == Lines{"task_completed login main"});
  world.edit("[x] Login", "[ ] Login");
  REQUIRE(app::track(world.context, world.location, {}));
  done(world, "enter");
  rename("enter", "login");
  CHECK(of("login") == Lines{"task_completed login main", "task_completed enter main"});
  CHECK(of("notes").empty());
  CHECK(of("enter") == Lines{"task_completed login main", "task_completed enter main"});
}

TEST_CASE("following gives each new event once") {
  World world;
  world.put_plan(test::kPlanText);
  REQUIRE(app::track(world.context, world.location, {}));
  auto reader = app::HistoryReader::open(world.context, world.location);
  REQUIRE(reader);
  CHECK_FALSE(names(reader->newest(20, {})).empty());
  CHECK(names(reader->more({})).empty());
  done(world, "login");
  CHECK(names(reader->more({"task_completed", "", {}})) ==
        std::vector<std::string>{"task_completed login main"});
  CHECK(names(reader->more({})).empty());
}

TEST_CASE("an event that is appended while the newest are read is not told twice") {
  World world;
  world.put_plan(test::kPlanText);
  REQUIRE(app::track(world.context, world.location, {}));
  auto reader = app::HistoryReader::open(world.context, world.location);
  REQUIRE(reader);
  bool once = false;
  int looks = 0;
  world.disk().before = [&](const std::string& operation) {
    if (once || operation.rfind("read_range history.jsonl", 0) != 0 || ++looks != 2) return;
    once = true;
    done(world, "login");
  };
  std::vector<std::string> told = names(reader->newest(20, {"task_completed", "", {}}));
  world.disk().before = nullptr;
  REQUIRE(once);
  for (const std::string& line : names(reader->more({"task_completed", "", {}}))) told.push_back(line);
  CHECK(told == std::vector<std::string>{"task_completed login main"});
}

TEST_CASE("an untracked plan has no history to read") {
  World world;
  world.put_plan(test::kPlanText);
  const auto reader = app::HistoryReader::open(world.context, world.location);
  REQUIRE_FALSE(reader);
  CHECK(reader.error().kind == base::ErrorKind::not_found);
}
