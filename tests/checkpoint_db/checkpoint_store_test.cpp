// What every engine of the checkpoint store must do (checkpoint_db/engines names them).

#include "checkpoint_db/checkpoint_store.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <functional>

#include "base/sha256.hpp"
#include "checkpoint_db/engines.hpp"
#include "model/random_checkpoint.hpp"

using namespace plankeep;
using core::Checkpoint;
using core::CheckpointType;
using records::CheckpointStore;

namespace {

constexpr std::int64_t kDay = 86'400'000;
constexpr std::int64_t kStart = 1'763'000'000'000;

// Runs `check` over every engine.
void on_every_engine(const std::function<void(CheckpointStore& store)>& check) {
  for (const test::EngineKind& kind : test::engines()) {
    DYNAMIC_SECTION(kind.name) {
      const auto engine = kind.make();
      check(engine->store());
    }
  }
}

Checkpoint made(CheckpointType type, std::int64_t day, const std::string& instance = "s1",
                const std::string& phase = "build") {
  Checkpoint checkpoint;
  checkpoint.head.type = type;
  checkpoint.head.timestamp = base::Instant{kStart + day * kDay};
  checkpoint.head.instance_id = instance;
  checkpoint.head.phase = core::PhaseId(phase);
  checkpoint.head.metadata.trigger = "test";
  checkpoint.moment.todo_snapshot = {
      {core::PhaseId(phase), core::TaskId("a"), "A", core::BoxState::open, false}};
  return checkpoint;
}

Checkpoint with_plan(Checkpoint checkpoint, const std::string& text) {
  checkpoint.moment.plan_digest = base::sha256_hex(text);
  return checkpoint;
}

std::vector<std::string> ids_of(const std::vector<core::ListedCheckpoint>& heads) {
  std::vector<std::string> ids;
  for (const core::ListedCheckpoint& one : heads) ids.push_back(one.head.id.text);
  return ids;
}

std::string id(const std::string& instance, std::int64_t number) {
  return core::checkpoint_id(core::checkpoint_prefix(instance), number).text;
}

}  // namespace

TEST_CASE("a store that is empty has nothing and says so") {
  on_every_engine([](CheckpointStore& store) {
    CHECK(store.list({})->empty());
    CHECK_FALSE(store.latest({})->has_value());
    CHECK(store.get(core::CheckpointId("cp_000000_001")).error().kind == base::ErrorKind::not_found);
    CHECK(store.turn(1).error().kind == base::ErrorKind::not_found);
    CHECK(store.turn(0).error().kind == base::ErrorKind::not_found);
    CHECK(store.by_message("m").error().kind == base::ErrorKind::not_found);
    CHECK(store.plan_text("x").error().kind == base::ErrorKind::not_found);
    CHECK(store.clean_up({base::Instant{kStart}}, false)->deleted_count == 0);
    CHECK(store.stats()->checkpoints == 0);
    CHECK_FALSE(store.stats()->oldest.has_value());
    CHECK(store.examine()->damage.empty());
    CHECK(store.examine()->changed.empty());
  });
}

TEST_CASE("ids are numbered within their session") {
  on_every_engine([](CheckpointStore& store) {
    CHECK(store.add(made(CheckpointType::manual, 0, "s1"), {})->head.id.text == id("s1", 1));
    CHECK(store.add(made(CheckpointType::manual, 0, "s1"), {})->head.id.text == id("s1", 2));
    CHECK(store.add(made(CheckpointType::manual, 0, "s2"), {})->head.id.text == id("s2", 1));
    CHECK(store.add(made(CheckpointType::manual, 0, "s1"), {})->head.id.text == id("s1", 3));
  });
}

TEST_CASE("turns are numbered within the plan, other checkpoints have none") {
  on_every_engine([](CheckpointStore& store) {
    CHECK(store.add(made(CheckpointType::turn, 0, "s1"), {})->moment.turn == 1);
    CHECK(store.add(made(CheckpointType::manual, 0, "s1"), {})->moment.turn == 0);
    CHECK(store.add(made(CheckpointType::turn, 0, "s2"), {})->moment.turn == 2);
    CHECK(store.turn(2)->head.instance_id == "s2");
    CHECK(store.turn(3).error().kind == base::ErrorKind::not_found);
  });
}

TEST_CASE("numbers are never given twice, also not after a cleanup") {
  on_every_engine([](CheckpointStore& store) {
    (void)store.add(made(CheckpointType::turn, 0), {});
    (void)store.add(made(CheckpointType::turn, 0), {});
    CHECK(store.clean_up({base::Instant{kStart + kDay}}, false)->deleted_count == 2);
    const auto next = store.add(made(CheckpointType::turn, 3), {});
    CHECK(next->head.id.text == id("s1", 3));
    CHECK(next->moment.turn == 3);
  });
}

TEST_CASE("what was added comes back the same, to the field") {
  on_every_engine([](CheckpointStore& store) {
    CHECK(rc::check([&] {
      const std::string text = test::hostile_bytes();
      const bool readable = *rc::gen::arbitrary<bool>();
      Checkpoint checkpoint = core::random_checkpoint();
      for (core::TodoItem& item : checkpoint.moment.todo_snapshot)
        item.title = base::to_valid_utf8(item.title);
      if (readable) checkpoint.moment.plan_digest = base::sha256_hex(text);
      const auto added =
          store.add(checkpoint, readable ? std::optional<std::string_view>(text) : std::nullopt);
      RC_ASSERT(added.has_value());
      checkpoint.head.id = added->head.id;
      checkpoint.head.metadata.size_bytes = added->head.metadata.size_bytes;
      checkpoint.moment.turn = added->moment.turn;
      RC_ASSERT(*added == checkpoint);
      const auto got = store.get(added->head.id);
      RC_ASSERT(got.has_value());
      RC_ASSERT(*got == *added);
      if (readable) RC_ASSERT(store.plan_text(checkpoint.moment.plan_digest).value() == text);
    }));
  });
}

TEST_CASE("a work state that is too large is fitted, and its size is told") {
  on_every_engine([](CheckpointStore& store) {
    Checkpoint checkpoint = made(CheckpointType::manual, 0);
    for (int i = 0; i < 5000; ++i) {
      checkpoint.work_state.files_modified.push_back({"f" + std::to_string(i), "modified", 1, {}});
    }
    const auto added = store.add(checkpoint, {});
    REQUIRE(added.has_value());
    CHECK(added->work_state.files_more > 4900);
    CHECK(added->head.metadata.size_bytes > 1000);
    CHECK(added->head.metadata.size_bytes <= static_cast<std::int64_t>(core::kWorkStateLimit));
  });
}

TEST_CASE("a plan's text must be the one of its digest") {
  on_every_engine([](CheckpointStore& store) {
    Checkpoint checkpoint = with_plan(made(CheckpointType::turn, 0), "# Plan\n");
    CHECK(store.add(checkpoint, "# Another\n").error().kind == base::ErrorKind::invalid_input);
    CHECK(store.add(checkpoint, {}).error().kind == base::ErrorKind::invalid_input);
    CHECK(store.list({})->empty());
    CHECK(store.add(checkpoint, "# Plan\n").has_value());
    CHECK(store.plan_text(checkpoint.moment.plan_digest).value() == "# Plan\n");
  });
}

TEST_CASE("a text is kept once, however many checkpoints have it") {
  on_every_engine([](CheckpointStore& store) {
    const std::string text(10'000, 'x');
    for (int i = 0; i < 5; ++i) (void)store.add(with_plan(made(CheckpointType::turn, i), text), text);
    CHECK(store.stats()->checkpoints == 5);
    CHECK(store.stats()->texts == 3);  // the plan, its tasks and the state of the work
  });
}

TEST_CASE("lists are newest first, and of one moment the last added first") {
  on_every_engine([](CheckpointStore& store) {
    (void)store.add(made(CheckpointType::manual, 2), {});
    (void)store.add(made(CheckpointType::manual, 1), {});
    (void)store.add(made(CheckpointType::manual, 2), {});
    CHECK(ids_of(*store.list({})) == std::vector{id("s1", 3), id("s1", 1), id("s1", 2)});
    CHECK(ids_of(*store.list({.limit = 1})) == std::vector{id("s1", 3)});
    CHECK(store.list({.limit = 0})->empty());
    CHECK((*store.latest({}))->head.id.text == id("s1", 3));
  });
}

TEST_CASE("queries go by type, phase, session, time and snapshot, and all of it together") {
  on_every_engine([](CheckpointStore& store) {
    (void)store.add(made(CheckpointType::manual, 1, "s1", "build"), {});
    (void)store.add(made(CheckpointType::turn, 2, "s1", "ship"), {});
    (void)store.add(made(CheckpointType::turn, 3, "s2", "ship"), {});
    Checkpoint with_files = made(CheckpointType::turn, 4, "s2", "build");
    with_files.moment.snapshot = core::Snapshot{"t", "c", "refs/plankeep/p/1", 0, {}};
    (void)store.add(with_files, {});
    CHECK(ids_of(*store.list({.type = CheckpointType::manual})) == std::vector{id("s1", 1)});
    CHECK(ids_of(*store.list({.phase = core::PhaseId("ship")})) == std::vector{id("s2", 1), id("s1", 2)});
    CHECK(ids_of(*store.list({.instance = "s2"})) == std::vector{id("s2", 2), id("s2", 1)});
    CHECK(ids_of(*store.list({.since = base::Instant{kStart + 3 * kDay}})) ==
          std::vector{id("s2", 2), id("s2", 1)});
    CHECK(ids_of(*store.list({.with_snapshot = true})) == std::vector{id("s2", 2)});
    CHECK(ids_of(*store.list({.type = CheckpointType::turn,
                              .phase = core::PhaseId("ship"),
                              .instance = "s1",
                              .since = base::Instant{kStart}})) == std::vector{id("s1", 2)});
    CHECK(store.list({.phase = core::PhaseId("' OR 1=1 --")})->empty());
    CHECK((*store.latest({.phase = core::PhaseId("ship")}))->head.id.text == id("s2", 1));
    CHECK_FALSE(store.latest({.type = CheckpointType::pre_rewind})->has_value());
  });
}

TEST_CASE("a message names the newest turn that ended with it, else the newest checkpoint") {
  on_every_engine([](CheckpointStore& store) {
    Checkpoint checkpoint = made(CheckpointType::turn, 1);
    checkpoint.moment.message_id = "m1";
    (void)store.add(checkpoint, {});
    checkpoint.head.timestamp.milliseconds += 1;
    (void)store.add(checkpoint, {});
    (void)store.add(made(CheckpointType::turn, 2), {});
    CHECK(store.by_message("m1")->head.id.text == id("s1", 2));
    CHECK(store.by_message("").error().kind == base::ErrorKind::not_found);
    // Made while the next turn was under way: the message is the last one still, its turn is the older.
    Checkpoint later = made(CheckpointType::epic_completion, 3);
    later.moment.message_id = "m1";
    REQUIRE(store.add(std::move(later), {}).has_value());
    CHECK(store.by_message("m1")->head.id.text == id("s1", 2));
    Checkpoint alone = made(CheckpointType::manual, 4);
    alone.moment.message_id = "m9";
    const auto manual = store.add(std::move(alone), {});
    REQUIRE(manual.has_value());
    CHECK(store.by_message("m9")->head.id == manual->head.id);
  });
}

TEST_CASE("a cleanup deletes what is old, keeps completed phases for ever, and says what went") {
  on_every_engine([](CheckpointStore& store) {
    const std::string old_text = "# Old\n";
    const std::string new_text = "# New\n";
    (void)store.add(with_plan(made(CheckpointType::turn, 0), old_text), old_text);
    (void)store.add(with_plan(made(CheckpointType::epic_completion, 0), new_text), new_text);
    (void)store.add(with_plan(made(CheckpointType::manual, 1), old_text), old_text);
    (void)store.add(with_plan(made(CheckpointType::manual, 5), new_text), new_text);
    const records::CleanUp rules{base::Instant{kStart + 5 * kDay}};

    const auto dry = store.clean_up(rules, true);
    REQUIRE(dry.has_value());
    CHECK(dry->deleted_count == 2);
    CHECK(store.stats()->checkpoints == 4);
    CHECK(store.plan_text(base::sha256_hex(old_text)).has_value());

    const auto cleaned = store.clean_up(rules, false);
    REQUIRE(cleaned.has_value());
    CHECK(cleaned->deleted_count == 2);
    CHECK(cleaned->freed_bytes > 500);
    CHECK(cleaned->freed_bytes == dry->freed_bytes);
    REQUIRE(cleaned->deleted.size() == 2);
    CHECK(cleaned->deleted[0].id.text == id("s1", 1));
    CHECK(cleaned->deleted[1].id.text == id("s1", 3));
    CHECK(ids_of(*store.list({})) == std::vector{id("s1", 4), id("s1", 2)});
    CHECK(store.get(core::CheckpointId(id("s1", 1))).error().kind == base::ErrorKind::not_found);
    CHECK(store.plan_text(base::sha256_hex(old_text)).error().kind == base::ErrorKind::not_found);
    CHECK(store.plan_text(base::sha256_hex(new_text)).has_value());
    CHECK(store.clean_up(rules, false)->deleted_count == 0);
    CHECK(store.examine()->damage.empty());
    CHECK(store.examine()->changed.empty());
  });
}

TEST_CASE("a cleanup names the snapshots that nobody has any more, and no other") {
  on_every_engine([](CheckpointStore& store) {
    Checkpoint alone = made(CheckpointType::turn, 0);
    alone.moment.snapshot = core::Snapshot{"t1", "c1", "refs/plankeep/p/1", 0, {}};
    Checkpoint shared = made(CheckpointType::turn, 0);
    shared.moment.snapshot = core::Snapshot{"t2", "c2", "refs/plankeep/p/2", 1, {"big"}};
    (void)store.add(alone, {});
    (void)store.add(shared, {});
    shared.head.timestamp.milliseconds += 10 * kDay;
    (void)store.add(shared, {});
    CHECK(store.snapshot_refs().value() ==
          std::vector<std::string>{"refs/plankeep/p/1", "refs/plankeep/p/2"});
    const auto cleaned = store.clean_up({base::Instant{kStart + kDay}}, false);
    REQUIRE(cleaned->deleted.size() == 2);
    CHECK(cleaned->deleted[0].snapshot == alone.moment.snapshot);
    CHECK_FALSE(cleaned->deleted[1].snapshot.has_value());
    CHECK(store.snapshot_refs().value() == std::vector<std::string>{"refs/plankeep/p/2"});
    CHECK(store.stats()->snapshots == 1);
  });
}

TEST_CASE("a cleanup can keep the newest checkpoint of each session") {
  on_every_engine([](CheckpointStore& store) {
    (void)store.add(made(CheckpointType::turn, 0, "s1"), {});
    (void)store.add(made(CheckpointType::turn, 2, "s1"), {});
    (void)store.add(made(CheckpointType::turn, 1, "s1"), {});
    (void)store.add(made(CheckpointType::manual, 1, "s2"), {});
    (void)store.add(made(CheckpointType::manual, 1, "s2"), {});
    records::CleanUp rules{base::Instant{kStart + 9 * kDay}};
    rules.newest_of_sessions = true;
    CHECK(store.clean_up(rules, true)->deleted_count == 3);
    CHECK(store.clean_up(rules, false)->deleted_count == 3);
    CHECK(ids_of(*store.list({})) == std::vector{id("s1", 2), id("s2", 2)});
    CHECK(store.examine()->changed.empty());
    CHECK(store.clean_up(rules, false)->deleted_count == 0);
  });
}

TEST_CASE("a list tells what people choose by") {
  on_every_engine([](CheckpointStore& store) {
    const std::string text = "# Plan\n";
    Checkpoint turn = with_plan(made(CheckpointType::turn, 0), text);
    turn.moment.message_id = "m1";
    turn.moment.prompt = "Fix it.";
    turn.moment.commit_sha = std::string(40, 'a');
    turn.moment.snapshot = core::Snapshot{"t1", "c1", "refs/plankeep/p/1", 0, {}};
    turn.moment.todo_snapshot.push_back(
        {core::PhaseId("build"), core::TaskId("b"), "B", core::BoxState::done, false});
    const auto kept = store.add(turn, text);
    REQUIRE(kept.has_value());
    const auto listed = store.list({});
    REQUIRE(listed->size() == 1);
    CHECK(listed->front() == core::listed(*kept));
    CHECK(listed->front().turn == 1);
    CHECK(listed->front().count == core::TaskCount{2, 1});
  });
}

TEST_CASE("what was kept before a prompt has no number, and a turn's end stands before it for a message") {
  on_every_engine([](CheckpointStore& store) {
    Checkpoint turn = made(CheckpointType::turn, 0);
    turn.moment.message_id = "m1";
    CHECK(store.add(turn, {})->moment.turn == 1);
    Checkpoint before = made(CheckpointType::turn, 1);
    before.head.metadata.trigger = std::string(core::kBeforePrompt);
    before.moment.message_id = "m1";
    CHECK(store.add(before, {})->moment.turn == 0);
    CHECK(store.add(turn, {})->moment.turn == 2);
    CHECK(store.by_message("m1")->moment.turn == 2);
    CHECK(store.list({.turn_ends = true})->size() == 2);
    CHECK(store.list({.type = CheckpointType::turn})->size() == 3);
  });
}

TEST_CASE("rules may keep other types, or none") {
  on_every_engine([](CheckpointStore& store) {
    (void)store.add(made(CheckpointType::epic_completion, 0), {});
    (void)store.add(made(CheckpointType::pre_rewind, 0), {});
    const base::Instant later{kStart + kDay};
    CHECK(store.clean_up({later, {CheckpointType::epic_completion, CheckpointType::pre_rewind}}, true)
              ->deleted_count == 0);
    CHECK(store.clean_up({later, {}}, true)->deleted_count == 2);
  });
}

TEST_CASE("all checkpoints come in the order in which they were added, until it is enough") {
  on_every_engine([](CheckpointStore& store) {
    for (const int day : {3, 1, 2}) (void)store.add(made(CheckpointType::manual, day), {});
    std::vector<std::string> seen;
    REQUIRE(store.for_each([&](const Checkpoint& one) {
      seen.push_back(one.head.id.text);
      CHECK(one.moment.todo_snapshot.size() == 1);
      return true;
    }));
    CHECK(seen == std::vector{id("s1", 1), id("s1", 2), id("s1", 3)});
    seen.clear();
    REQUIRE(store.for_each([&](const Checkpoint& one) {
      seen.push_back(one.head.id.text);
      return false;
    }));
    CHECK(seen.size() == 1);
  });
}

TEST_CASE("the oldest and the newest moment are told") {
  on_every_engine([](CheckpointStore& store) {
    for (const int day : {3, 1, 2}) (void)store.add(made(CheckpointType::manual, day), {});
    const auto stats = store.stats();
    CHECK(stats->oldest == base::Instant{kStart + kDay});
    CHECK(stats->newest == base::Instant{kStart + 3 * kDay});
  });
}
