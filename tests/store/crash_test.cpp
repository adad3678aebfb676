// Power loss and failing disks at every step of a save: what was acknowledged survives, what was not is there
// whole or not at all, and the next save works.

#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "store/paths.hpp"
#include "store/state_store.hpp"
#include "store/store_samples.hpp"

namespace plankeep::store {
namespace {

using test::batch_of;
using test::Crash;
using test::Desk;
using test::Fault;
using test::kNow;
using test::state_with;
using test::tasks_in;
using Tasks = std::vector<std::string>;

// What the person was told, and what was tried after that.
struct Told {
  Tasks tasks;
  std::int64_t revision = 0;
  std::uint64_t offset = 0;
};

Tasks joined(Tasks first, const Tasks& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

bool save(Desk& desk, Told& told, const Tasks& tasks, bool recovery) {
  StateStore store(*desk.folder, "auth", "/plans/auth/plan.md");
  StateStore::Save wanted{state_with(told.revision + 1), batch_of(tasks), {}};
  if (recovery) wanted.recovery_reason = "test";
  const auto saved = store.save(std::move(wanted), kNow);
  if (!saved) return false;
  told.tasks = joined(told.tasks, tasks);
  told.revision = saved->revision;
  told.offset = saved->history_offset;
  return true;
}

// Empty when all is well, else what is wrong.
std::string problem_after(Desk& desk, const Told& told, const Tasks& tried) {
  const Tasks now = tasks_in(*desk.folder);
  if (now != told.tasks && now != joined(told.tasks, tried))
    return "the history lost or tore something: " + desk.get("history.jsonl");
  StateStore store(*desk.folder, "auth", "/plans/auth/plan.md");
  const auto loaded = store.load();
  if (!loaded) return "load: " + loaded.error().message;
  if (loaded->history_short) return "the state is ahead of the history";
  if (!loaded->state) {
    return loaded->source == Loaded::Source::history || now.empty() ? ""
                                                                    : "a history, and nothing to build from";
  }
  // Whatever state it is, the events behind its offset are exactly what it lacks.
  const Tasks behind = tasks_in(*desk.folder, loaded->state->history_offset);
  if (behind.size() > now.size() || !std::equal(behind.rbegin(), behind.rend(), now.rbegin()))
    return "bad offset";
  const auto known = static_cast<std::size_t>(loaded->state->revision);
  if (behind.size() + known != now.size()) return "the state does not fit to its place in the history";
  return "";
}

// Repairs as the program would, saves once more and looks again.
std::string problem_with_next_save(Desk& desk, Told told) {
  told.tasks = tasks_in(*desk.folder);
  told.revision = static_cast<std::int64_t>(told.tasks.size());
  StateStore store(*desk.folder, "auth", "/plans/auth/plan.md");
  const auto loaded = store.load();
  if (!loaded) return "load: " + loaded.error().message;
  if (!store.quarantine_damaged(loaded->damaged, kNow)) return "cannot set aside";
  if (!save(desk, told, {"next"}, true)) return "cannot save any more";
  desk.disk.crash();
  desk.open();
  if (tasks_in(*desk.folder) != told.tasks) return "the next save did not last: " + desk.get("history.jsonl");
  const auto again = StateStore(*desk.folder, "auth", "/plans/auth/plan.md").load();
  if (!again || !again->state) return "nothing to load after the next save";
  return "";
}

// `earlier` saves of one event each, so that revision and number of events go together.
void save_earlier(Desk& desk, Told& told, int earlier) {
  for (int i = 1; i <= earlier; ++i) REQUIRE(save(desk, told, {"t" + std::to_string(i)}, i % 2 == 0));
}

const std::vector<Crash> kCrashes{
    {Crash::Content::lost, 0, 0},        {Crash::Content::lost, 0, 1},
    {Crash::Content::lost, 0, 2},        {Crash::Content::lost, 0, Crash::kAll},
    {Crash::Content::first_bytes, 1, 0}, {Crash::Content::first_bytes, 60, Crash::kAll},
    {Crash::Content::zeros, 0, 0},       {Crash::Content::zeros, 0, Crash::kAll},
    {Crash::Content::kept, 0, 0},        {Crash::Content::kept, 0, Crash::kAll},
};

TEST_CASE("a power loss at every step of a save loses nothing that was acknowledged") {
  int died = 0;
  for (const int earlier : {0, 1, 6}) {
    for (const bool recovery : {false, true}) {
      for (const Crash& crash : kCrashes) {
        for (std::int64_t operation = 1;; ++operation) {
          bool acknowledged = false;
          for (const std::size_t written : {std::size_t{0}, std::size_t{30}, std::size_t{100'000}}) {
            Desk desk;
            Told told;
            save_earlier(desk, told, earlier);
            desk.disk.plan_fault({Fault::Kind::die, operation, written});
            acknowledged = save(desk, told, {"tried"}, recovery);
            died += acknowledged ? 0 : 1;
            desk.disk.crash(crash);
            desk.open();
            CAPTURE(earlier, recovery, operation, written, crash.name_changes, crash.bytes);
            CHECK(problem_after(desk, told, acknowledged ? Tasks{} : Tasks{"tried"}) == "");
            CHECK(problem_with_next_save(desk, told) == "");
          }
          if (acknowledged) break;
        }
      }
    }
  }
  CHECK(died > 1000);
}

TEST_CASE("a process killed at every step of a save loses nothing") {
  for (const int earlier : {0, 1, 6}) {
    for (std::int64_t operation = 1;; ++operation) {
      Desk desk;
      Told told;
      save_earlier(desk, told, earlier);
      desk.disk.plan_fault({Fault::Kind::die, operation, 30});
      const bool acknowledged = save(desk, told, {"tried"}, true);
      desk.disk.restart();
      desk.open();
      CAPTURE(earlier, operation);
      CHECK(problem_after(desk, told, acknowledged ? Tasks{} : Tasks{"tried"}) == "");
      CHECK(problem_with_next_save(desk, told) == "");
      if (acknowledged) break;
    }
  }
}

TEST_CASE("a batch is there whole or not at all after a power loss at every step") {
  const Tasks batch{"b1", "b2", "b3", "b4"};
  for (const Crash& crash : kCrashes) {
    for (std::int64_t operation = 1;; ++operation) {
      bool acknowledged = false;
      for (std::size_t written = 0; written < 700; written += 23) {
        Desk desk;
        Told told;
        save_earlier(desk, told, 2);
        desk.disk.plan_fault({Fault::Kind::die, operation, written});
        acknowledged = save(desk, told, batch, false);
        desk.disk.crash(crash);
        desk.open();
        const Tasks now = tasks_in(*desk.folder);
        const Tasks all{"t1", "t2", "b1", "b2", "b3", "b4"};
        CAPTURE(operation, written, now);
        const bool right = now == all || (!acknowledged && now == Tasks{"t1", "t2"});
        CHECK(right);
      }
      if (acknowledged) break;
    }
  }
}

TEST_CASE("operation 1, 2, 3 ... of a save fails until none fails, and nothing is lost") {
  for (const Fault::Kind kind : {Fault::Kind::fail_once, Fault::Kind::fail_from}) {
    for (const int earlier : {0, 1, 6}) {
      for (const std::size_t written : {std::size_t{0}, std::size_t{30}}) {
        for (std::int64_t operation = 1;; ++operation) {
          Desk desk;
          Told told;
          save_earlier(desk, told, earlier);
          desk.disk.plan_fault({kind, operation, written});
          const bool acknowledged = save(desk, told, {"tried"}, true);
          const bool reached = desk.disk.operations() >= operation;
          desk.disk.plan_fault({});
          CAPTURE(earlier, operation, written);
          CHECK(problem_after(desk, told, acknowledged ? Tasks{} : Tasks{"tried"}) == "");
          desk.disk.crash();
          desk.open();
          CHECK(problem_after(desk, told, acknowledged ? Tasks{} : Tasks{"tried"}) == "");
          CHECK(problem_with_next_save(desk, told) == "");
          if (!reached) {
            CHECK(acknowledged);
            break;
          }
        }
      }
    }
  }
}

TEST_CASE("loading fails clearly or succeeds when operation 1, 2, 3 ... fails, and changes nothing") {
  for (std::int64_t operation = 1;; ++operation) {
    Desk desk;
    Told told;
    save_earlier(desk, told, 6);
    desk.put("state.json", "{torn");
    const auto before = desk.disk.everything();
    desk.disk.plan_fault({Fault::Kind::fail_once, operation, 0});
    StateStore store(*desk.folder, "auth", "/plans/auth/plan.md");
    const auto loaded = store.load();
    CHECK(desk.disk.everything() == before);
    if (desk.disk.operations() < operation) {
      CHECK(loaded->file == "recovery.json");
      break;
    }
    REQUIRE_FALSE(loaded.has_value());
    CHECK(loaded.error().kind == base::ErrorKind::io);
  }
}

// One life of a folder as its owner sees it: `promised` is what was acknowledged or survived a power loss,
// `seen` what the last reader found (a killed process may have left whole lines that nobody synced yet).
struct Life {
  Desk desk;
  Tasks promised;
  Tasks seen;
  std::vector<std::size_t> boundaries{0};  // numbers of events at the ends of saves
  int next = 0;

  void round(const Tasks& tasks, const Fault& fault, bool recovery, const Crash* crash) {
    Told told{seen, static_cast<std::int64_t>(seen.size()), 0};
    desk.disk.plan_fault(fault);
    const bool acknowledged = save(desk, told, tasks, recovery);
    desk.disk.plan_fault({});
    if (crash != nullptr) desk.disk.crash(*crash);
    desk.disk.restart();
    desk.open();

    const Tasks now = tasks_in(*desk.folder);
    const Tasks all = joined(seen, tasks);
    boundaries.push_back(all.size());
    const std::size_t least = acknowledged ? all.size() : crash != nullptr ? promised.size() : seen.size();
    RC_ASSERT(now.size() >= least);
    RC_ASSERT(now.size() <= all.size());
    RC_ASSERT(std::equal(now.begin(), now.end(), all.begin()));
    RC_ASSERT(std::find(boundaries.begin(), boundaries.end(), now.size()) != boundaries.end());
    seen = now;
    if (acknowledged || crash != nullptr) promised = now;

    StateStore store(*desk.folder, "auth", "/plans/auth/plan.md");
    const auto loaded = store.load();
    RC_ASSERT(loaded.has_value());
    RC_ASSERT(store.quarantine_damaged(loaded->damaged, kNow).has_value());
    if (acknowledged && crash == nullptr) RC_ASSERT(loaded->source == Loaded::Source::state);
  }
};

TEST_CASE("any sequence of saves, deaths and power losses keeps every acknowledged event once and in order") {
  CHECK(rc::check("acknowledged events survive", [] {
    Life life;
    const int rounds = *rc::gen::inRange(1, 12);
    for (int round = 0; round < rounds; ++round) {
      Tasks tasks;
      const int size = *rc::gen::inRange(1, 4);
      for (int i = 0; i < size; ++i) tasks.push_back("t" + std::to_string(++life.next));
      Fault fault;
      fault.operation = *rc::gen::inRange(0, 25);
      fault.written_bytes = static_cast<std::size_t>(*rc::gen::inRange(0, 400));
      fault.kind = static_cast<Fault::Kind>(*rc::gen::inRange(0, 4));
      const bool recovery = *rc::gen::arbitrary<bool>();
      const auto which =
          static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(kCrashes.size()) * 2));
      life.round(tasks, fault, recovery, which < kCrashes.size() ? &kCrashes[which] : nullptr);
    }
  }));
}

TEST_CASE("a state that took in found events is never ahead of the history after a power loss") {
  for (const Crash& crash : kCrashes) {
    Desk desk;
    Told told;
    save_earlier(desk, told, 1);
    // The process dies at the sync of its append; a later one finds the events and saves the state without
    // new ones.
    desk.disk.plan_fault({Fault::Kind::die, 5, 0});
    REQUIRE_FALSE(save(desk, told, {"found"}, false));
    CHECK(desk.disk.log().back() == "sync_data history.jsonl");
    desk.disk.restart();
    REQUIRE(tasks_in(*desk.folder) == Tasks{"t1", "found"});
    StateStore store(*desk.folder, "auth", "/plans/auth/plan.md");
    StateStore::Save found{state_with(2), {}, {}};
    found.found_events = true;
    REQUIRE(store.save(std::move(found), kNow));
    desk.disk.crash(crash);
    desk.open();
    CHECK(tasks_in(*desk.folder) == Tasks{"t1", "found"});
    CHECK(problem_after(desk, Told{{"t1", "found"}, 2, 0}, {}) == "");
  }
}

}  // namespace
}  // namespace plankeep::store
