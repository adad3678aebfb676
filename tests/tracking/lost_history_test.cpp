#include <algorithm>
#include <catch2/catch.hpp>

#include "model/json/event_json.hpp"
#include "support/bookkeeping.hpp"
#include "support/world.hpp"
#include "tracking/track.hpp"

using namespace plankeep;
using core::EventKind;
using test::World;

namespace {

constexpr const char* kHistoryPath = "/home/kim/.checkpoint/history.jsonl";
constexpr const char* kStatePath = "/home/kim/.checkpoint/state.json";

app::Outcome tracked_by(World& world, const std::string& actor) {
  auto outcome = app::track(world.context, world.location, {actor, true, false});
  if (!outcome) FAIL(outcome.error().message);
  return std::move(*outcome);
}

std::vector<std::string> lines_of_history(World& world) {
  std::vector<std::string> lines;
  const std::string text = world.disk().get(kHistoryPath).value_or("");
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at + 1));
    at = end + 1;
  }
  return lines;
}

// As hooks and other tools append: by themselves, without a chain.
void append(World& world, core::Event event) {
  world.clock.advance(1000);
  event.time = world.clock.now();
  world.disk().put(kHistoryPath, world.disk().get(kHistoryPath).value_or("") + core::encode_event(event));
}

core::Event made(EventKind kind, const std::string& by) {
  core::Event event;
  event.kind = kind;
  event.by = by;
  return event;
}

core::Event lease_of(EventKind kind, const std::string& task, std::int64_t fence) {
  core::Event event = made(kind, "team:q");
  event.task = core::TaskId(task);
  event.phase = core::PhaseId("build");
  event.fence = fence;
  return event;
}

// Everything a line can say, and things that were undone.
core::State with_a_past(World& world) {
  world.put_plan(test::kPlanText);
  tracked_by(world, "main");
  const auto edit = [&world](const char* from, const char* to, const char* actor) {
    world.clock.advance(1000);
    world.edit(from, to);
    tracked_by(world, actor);
  };
  edit("[ ] Login", "[x] Login", "subagent:x");
  edit("[ ] Logout", "[x] Logout", "team:y");
  edit("[x] Logout", "[ ] Logout", "person:Ann");
  core::Event note = made(EventKind::note_saved, "person:Ann");
  note.note = "hi";
  append(world, note);
  append(world, lease_of(EventKind::task_claimed, "logout", 1));
  append(world, lease_of(EventKind::task_released, "logout", 1));
  append(world, lease_of(EventKind::task_claimed, "logout", 2));
  append(world, made(EventKind::plan_archived, "main"));
  core::Event reopened = made(EventKind::plan_archived, "main");
  reopened.undo = true;
  append(world, reopened);
  world.clock.advance(1000);
  return tracked_by(world, "main").state;
}

core::State compared(core::State state) {
  state = test::without_bookkeeping(std::move(state));
  state.revision = 0;
  state.history_offset = 0;
  state.history_chain.clear();
  state.last_saved = {};
  state.plan_stamp.reset();
  return state;
}

}  // namespace

TEST_CASE("one line that is missing in the history is given back, and nothing is told twice") {
  World world;
  const core::State before = with_a_past(world);
  const std::vector<std::string> lines = lines_of_history(world);
  REQUIRE(lines.size() > 9);
  const auto disk = world.disk().get(kStatePath);
  world.clock.advance(60'000);
  for (std::size_t gone = 0; gone < lines.size(); ++gone) {
    CAPTURE(lines[gone]);
    std::string left;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (i != gone) left += lines[i];
    }
    world.disk().put(kHistoryPath, left);
    world.disk().put(kStatePath, *disk);
    const app::Outcome outcome = tracked_by(world, "main");
    CHECK(compared(outcome.state) == compared(before));

    std::vector<std::string> given_back = World::lines_of(outcome.events);
    CAPTURE(given_back);
    CHECK(std::count_if(outcome.events.begin(), outcome.events.end(), [](const core::Event& event) {
            return event.kind == EventKind::full_recovery;
          }) == 1);
    CHECK(outcome.events.size() <= 3);
    world.disk().erase(kStatePath);
    world.disk().erase("/home/kim/.checkpoint/recovery.json");
    CHECK(compared(tracked_by(world, "main").state) == compared(before));
  }
}
