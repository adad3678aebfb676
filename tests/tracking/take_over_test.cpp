// Folders that an earlier version wrote, which knew boxes below a task as counts only. earlier_version/ holds
// two of them as they were, but for the path.

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "rules/replay.hpp"
#include "support/bookkeeping.hpp"
#include "support/world.hpp"
#include "tracking/track.hpp"

using namespace plankeep;
using core::EventKind;
using core::TaskId;
using test::World;

namespace {

std::string fixture(const std::string& folder, const std::string& name) {
  const std::string path = PLANKEEP_TESTS_DIR "/tracking/earlier_version/" + folder + "/" + name;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("no " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

World earlier(const std::string& folder) {
  World world;
  world.put_plan(fixture(folder, "plan.md"));
  world.disk().put_folder("/home/kim/.checkpoint");
  world.disk().put("/home/kim/.checkpoint/state.json", fixture(folder, "state.json"));
  world.disk().put("/home/kim/.checkpoint/history.jsonl", fixture(folder, "history.jsonl"));
  return world;
}

app::Outcome tracked(World& world) {
  auto outcome = app::track(world.context, world.location, {});
  if (!outcome) FAIL(outcome.error().message);
  return std::move(*outcome);
}

std::vector<const core::TaskState*> all_tasks(const core::State& state) {
  std::vector<const core::TaskState*> tasks;
  for (const core::PhaseState& phase : state.phases) {
    for (const core::TaskState& task : phase.tasks) tasks.push_back(&task);
  }
  return tasks;
}

// The parts of a state that the law state = fold(plan, history) speaks of.
core::State lawful(core::State state) {
  state = test::without_bookkeeping(std::move(state));
  state.revision = 0;
  state.history_offset = 0;
  state.history_chain.clear();
  state.plan_stamp.reset();
  state.last_saved = {};
  state.checksum.clear();
  return state;
}

}  // namespace

TEST_CASE("a folder of an earlier version is taken over with every time and name, in one event") {
  for (const std::string folder : {"marked", "plain"}) {
    CAPTURE(folder);
    World world = earlier(folder);
    const core::State before = *world.state();
    REQUIRE_FALSE(before.every_box);
    const std::size_t lines = world.events().size();
    const app::Outcome outcome = tracked(world);
    for (const core::Event& event : outcome.events) {
      CAPTURE(core::name_of(event.kind));
      const bool meant = event.kind == EventKind::boxes_found || event.kind == EventKind::recovery_saved;
      CHECK(meant);
    }
    CHECK(outcome.events.front().kind == EventKind::boxes_found);
    for (const core::TaskState* task : all_tasks(before)) {
      CAPTURE(task->id.text);
      const core::TaskState* now = World::task(outcome.state, task->id.text);
      REQUIRE(now != nullptr);
      CHECK(now->done == task->done);
      CHECK(now->completed_at == task->completed_at);
      CHECK(now->completed_by == task->completed_by);
    }
    CHECK(all_tasks(outcome.state).size() > all_tasks(before).size());
    CHECK(outcome.state.decisions == before.decisions);
    CHECK(outcome.state.session_notes == before.session_notes);
    CHECK(outcome.state.phases[0].started_at == before.phases[0].started_at);
    const core::TaskState* database = World::task(outcome.state, "choose-a-database");
    REQUIRE(database != nullptr);
    CHECK(database->done);
    CHECK_FALSE(database->completed_at);
    CHECK(database->parent == TaskId(folder == "marked" ? "storage" : "T001"));
    for (const core::Notice& notice : outcome.notices) CHECK(notice.kind == core::NoticeKind::boxes_found);

    // Said once.
    world.disk().forget_log();
    const std::string state = *world.disk().get("/home/kim/.checkpoint/state.json");
    CHECK(tracked(world).events.empty());
    CHECK(*world.disk().get("/home/kim/.checkpoint/state.json") == state);
    CHECK(world.events().size() == lines + outcome.events.size());

    // And the history alone leads there.
    const core::State kept = *world.state();
    world.disk().erase("/home/kim/.checkpoint/state.json");
    CHECK(lawful(tracked(world).state) == lawful(kept));
  }
}

TEST_CASE("what a hook's edit ticks while a folder is taken over has its time and name") {
  World world = earlier("marked");
  world.edit("- [ ] Card", "- [x] Card");
  app::Edit edit;
  edit.actor = "subagent:builder";
  edit.announced = true;
  auto outcome = app::track(world.context, world.location, edit);
  REQUIRE(outcome);
  CHECK(outcome->events.front().kind == EventKind::boxes_found);
  CHECK(World::task(outcome->state, "card")->completed_by == "subagent:builder");
  CHECK(World::task(outcome->state, "storage")->completed_by == "subagent:builder");
  CHECK(World::task(outcome->state, "totals")->completed_by == "kim");
}

TEST_CASE("an earlier version's history alone is taken over like its state") {
  World world = earlier("marked");
  world.disk().erase("/home/kim/.checkpoint/state.json");
  const app::Outcome outcome = tracked(world);
  CHECK(World::task(outcome.state, "storage")->completed_by == "subagent:builder");
  CHECK(World::task(outcome.state, "totals")->completed_by == "kim");
  const auto found = [](const core::Event& event) { return event.kind == EventKind::boxes_found; };
  CHECK(std::count_if(outcome.events.begin(), outcome.events.end(), found) == 1);
  const auto added = [](const core::Event& event) { return event.kind == EventKind::task_added; };
  CHECK(std::count_if(outcome.events.begin(), outcome.events.end(), added) == 0);
}
