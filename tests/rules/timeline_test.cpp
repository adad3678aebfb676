#include "rules/timeline.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch.hpp>

namespace plankeep::core {
namespace {

Event event(EventKind kind, std::int64_t time) {
  Event made;
  made.kind = kind;
  made.time = base::Instant{time};
  return made;
}

ListedCheckpoint head(const std::string& id, std::int64_t time) {
  ListedCheckpoint made;
  made.head.id = CheckpointId(id);
  made.head.timestamp = base::Instant{time};
  return made;
}

TimedCommit commit(const std::string& id, std::int64_t time) {
  TimedCommit made;
  made.time = base::Instant{time};
  made.commit.id = id;
  return made;
}

}  // namespace

TEST_CASE(
    "what happened stands in the order of time, at one moment events before checkpoints before commits") {
  const auto entries =
      timeline_of({event(EventKind::task_completed, 5), event(EventKind::phase_completed, 9)},
                  {head("cp_000000_002", 9), head("cp_000000_001", 1)}, {commit("a", 9)});
  REQUIRE(entries.size() == 5);
  CHECK(entries[0].checkpoint->head.id.text == "cp_000000_001");
  CHECK(entries[1].event->kind == EventKind::task_completed);
  CHECK(entries[2].event->kind == EventKind::phase_completed);
  CHECK(entries[3].checkpoint->head.id.text == "cp_000000_002");
  CHECK(entries[4].commit->id == "a");
}

TEST_CASE("an event about a checkpoint or a commit gives way to the thing itself, and stays without it") {
  Event saved = event(EventKind::checkpoint_saved, 2);
  saved.checkpoint = "cp_000000_001";
  Event cleaned = event(EventKind::checkpoint_saved, 1);
  cleaned.checkpoint = "cp_000000_000";
  Event bound = event(EventKind::checkpoint_complete, 3);
  bound.commit = "a";
  bound.milestone = 4;
  bound.phase = PhaseId("build");
  bound.tier = "tier1";
  Event gone = event(EventKind::checkpoint_complete, 4);
  gone.commit = "b";
  const auto entries = timeline_of({cleaned, saved, bound, gone, event(EventKind::recovery_saved, 5)},
                                   {head("cp_000000_001", 2)}, {commit("a", 3)});
  REQUIRE(entries.size() == 4);
  CHECK(entries[0].event->checkpoint == "cp_000000_000");
  CHECK(entries[1].checkpoint->head.id.text == "cp_000000_001");
  REQUIRE(entries[2].commit);
  CHECK(entries[2].commit->milestone == 4);
  CHECK(entries[2].commit->phase == PhaseId("build"));
  CHECK(entries[2].commit->tier == "tier1");
  CHECK(entries[3].event->commit == "b");
}

TEST_CASE("nothing else is lost or told twice, and each entry is one thing") {
  CHECK(rc::check("timeline", [] {
    std::vector<Event> events;
    std::vector<ListedCheckpoint> heads;
    std::vector<TimedCommit> commits;
    const int count = *rc::gen::inRange(0, 20);
    for (int i = 0; i < count; ++i) {
      const std::int64_t time = *rc::gen::inRange<std::int64_t>(0, 5);
      const std::string id = std::to_string(i);
      switch (*rc::gen::inRange(0, 3)) {
        case 0:
          events.push_back(event(EventKind::task_completed, time));
          break;
        case 1:
          heads.push_back(head("cp_000000_00" + id, time));
          break;
        default:
          commits.push_back(commit(id, time));
      }
    }
    std::stable_sort(events.begin(), events.end(),
                     [](const Event& a, const Event& b) { return a.time < b.time; });
    const auto entries = timeline_of(events, heads, commits);
    RC_ASSERT(entries.size() == events.size() + heads.size() + commits.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const TimelineEntry& entry = entries[i];
      RC_ASSERT(entry.event.has_value() + entry.checkpoint.has_value() + entry.commit.has_value() == 1);
      if (i > 0) RC_ASSERT(entries[i - 1].time <= entry.time);
    }
  }));
}

}  // namespace plankeep::core
