#include "store/state_store.hpp"

#include <catch2/catch.hpp>

#include "model/chain.hpp"
#include "model/json/state_json.hpp"
#include "store/paths.hpp"
#include "store/store_samples.hpp"

namespace plankeep::store {
namespace {

using test::batch_of;
using test::Desk;
using test::kNow;
using test::lines_of;
using test::state_with;
using Names = std::vector<std::string>;
using Source = Loaded::Source;

StateStore store_of(Desk& desk) {
  return StateStore(*desk.folder, "auth", "/plans/auth/plan.md");
}

core::State save(Desk& desk, std::int64_t revision, const Names& tasks,
                 std::optional<std::string> reason = {}) {
  return store_of(desk).save({state_with(revision), batch_of(tasks), std::move(reason)}, kNow).value();
}

void put_recovery(Desk& desk, int generation, const core::State& state) {
  desk.put(recovery_name(generation), core::encode_recovery({kNow, "test", state}));
}

Names damaged_names(const Loaded& loaded) {
  Names names;
  for (const Damage& damage : loaded.damaged) {
    CHECK_FALSE(damage.reason.empty());
    names.push_back(damage.name);
  }
  return names;
}

TEST_CASE("an empty tracking folder holds nothing") {
  Desk desk;
  const Loaded loaded = store_of(desk).load().value();
  CHECK(loaded.source == Source::none);
  CHECK_FALSE(loaded.state.has_value());
  CHECK(loaded.damaged.empty());
  CHECK_FALSE(loaded.state_missing);
}

TEST_CASE("what was saved is loaded, with the history's size as its offset") {
  Desk desk;
  const core::State saved = save(desk, 1, {"t1"});
  CHECK(saved.history_offset == desk.get("history.jsonl").size());
  CHECK(saved.history_chain == core::chain_of(desk.get("history.jsonl")));
  const Loaded loaded = store_of(desk).load().value();
  CHECK(loaded.source == Source::state);
  CHECK(loaded.file == "state.json");
  CHECK(loaded.state.value() == saved);
  CHECK_FALSE(loaded.history_short);
  CHECK_FALSE(loaded.state_missing);
}

TEST_CASE("a save syncs once, and without events not at all") {
  Desk desk;
  save(desk, 1, {"t1"});
  const auto syncs = [&] {
    return std::count_if(desk.disk.log().begin(), desk.disk.log().end(),
                         [](const std::string& entry) { return entry.find("sync") == 0; });
  };
  desk.disk.forget_log();
  save(desk, 2, {"t2"});
  CHECK(syncs() == 1);
  desk.disk.forget_log();
  const core::State saved = save(desk, 3, {});
  CHECK(syncs() == 0);
  CHECK(saved.history_offset == desk.get("history.jsonl").size());
}

TEST_CASE("a save without events does not count a torn end as folded in") {
  Desk desk;
  desk.put("history.jsonl", lines_of({"t1"}) + "{\"torn");
  CHECK(save(desk, 1, {}).history_offset == lines_of({"t1"}).size());
  save(desk, 2, {"t2"});
  CHECK(test::tasks_in(*desk.folder, lines_of({"t1"}).size()) == Names{"t2"});
}

TEST_CASE("a state of a folder that was moved takes over the plan's new path") {
  Desk desk;
  save(desk, 1, {"t1"});
  StateStore moved(*desk.folder, "auth", "/elsewhere/auth/plan.md");
  CHECK(moved.load()->state->plan_path == "/elsewhere/auth/plan.md");
}

namespace {

// A history that says of which plan it is, as every first save does.
void put_history_of(Desk& desk, const std::string& id) {
  core::Event created;
  created.time = kNow;
  created.kind = core::EventKind::checkpoint_created;
  created.plan_id = id;
  desk.put("history.jsonl", core::encode_event(created));
}

}  // namespace

TEST_CASE("state and copies of a plan whose folder has another name now are taken over") {
  Desk desk;
  put_history_of(desk, "auth");
  core::State state = state_with(7);
  state.unknown = {{"theirs", "{\"kept\": true}"}};
  std::string file = "state.json";
  SECTION("the state") {
    desk.put("state.json", core::encode_state(state));
  }
  SECTION("a recovery copy") {
    desk.put("recovery.json", core::encode_recovery({kNow, "test", state}));
    file = "recovery.json";
  }
  StateStore moved(*desk.folder, "login", "/plans/login/plan.md");
  const Loaded loaded = moved.load().value();
  CHECK(loaded.file == file);
  CHECK(loaded.damaged.empty());
  CHECK(loaded.moved_from == "/plans/auth/plan.md");
  REQUIRE(loaded.state);
  CHECK(loaded.state->unknown == state.unknown);
  CHECK(loaded.state->plan_path == "/plans/login/plan.md");

  // Once more, and back again: the history knows all of its names.
  core::Event event;
  event.time = kNow;
  event.kind = core::EventKind::plan_moved;
  event.plan_id = "login";
  desk.put("history.jsonl", desk.get("history.jsonl") + core::encode_event(event));
  state.plan_id = "login";
  state.plan_path = "/plans/login/plan.md";
  desk.put("state.json", core::encode_state(state));
  CHECK(StateStore(*desk.folder, "third", "/plans/third/plan.md").load()->damaged.empty());
  CHECK(StateStore(*desk.folder, "auth", "/plans/auth/plan.md").load()->damaged.empty());
}

TEST_CASE("a state of another plan or another file stays another's") {
  Desk desk;
  put_history_of(desk, "auth");
  core::State state = state_with(7);
  SECTION("that the history knows nothing of") {
    state.plan_id = "other";
    state.plan_path = "/plans/other/plan.md";
  }
  SECTION("of another file") {
    state.plan_id = "other";
    state.plan_path = "/plans/auth/tasks.md";
    put_history_of(desk, "other");
  }
  desk.put("state.json", core::encode_state(state));
  const Loaded loaded = store_of(desk).load().value();
  CHECK_FALSE(loaded.state);
  REQUIRE(loaded.damaged.size() == 1);
  CHECK(loaded.damaged[0].reason == "belongs to another plan: other");
}

TEST_CASE("a recovery copy from before a move moves on in the row and is not set aside") {
  Desk desk;
  put_history_of(desk, "auth");
  desk.put("recovery.json", core::encode_recovery({kNow, "test", state_with(4)}));
  StateStore moved(*desk.folder, "login", "/plans/login/plan.md");
  core::State state = state_with(5);
  state.plan_id = "login";
  state.plan_path = "/plans/login/plan.md";
  StateStore::Save wanted{state, batch_of({"t1"}), "test"};
  REQUIRE(moved.save(std::move(wanted), kNow));
  CHECK(core::decode_recovery(desk.get("recovery.1.json"))->state.plan_id == "auth");
  CHECK(core::decode_recovery(desk.get("recovery.json"))->state.plan_id == "login");
}

TEST_CASE("a state that cannot be used is named with its reason, and the newest good recovery copy taken") {
  Desk desk;
  save(desk, 1, {"t1"});
  put_recovery(desk, 0, state_with(30));
  put_recovery(desk, 1, state_with(20));
  core::State foreign = state_with(9);
  foreign.plan_id = "other";
  std::string reason;
  SECTION("torn") {
    desk.put("state.json", desk.get("state.json").substr(0, 100));
  }
  SECTION("empty") {
    desk.put("state.json", "");
  }
  SECTION("zeros") {
    desk.put("state.json", std::string(500, '\0'));
  }
  SECTION("no object") {
    desk.put("state.json", "[1, 2]\n");
  }
  SECTION("of another version") {
    desk.put("state.json", "{\"version\": 3}\n");
  }
  SECTION("deeply nested") {
    desk.put("state.json", std::string(100'000, '['));
  }
  SECTION("a link") {
    desk.disk.put_link(Desk::path("state.json"), "recovery.json");
  }
  SECTION("a directory") {
    desk.disk.erase(Desk::path("state.json"));
    desk.disk.put_folder(Desk::path("state.json"));
  }
  SECTION("a FIFO") {
    desk.disk.put_other(Desk::path("state.json"));
  }
  SECTION("of another plan") {
    desk.put("state.json", core::encode_state(foreign));
    reason = "belongs to another plan: other";
  }
  const Loaded loaded = store_of(desk).load().value();
  CHECK(loaded.source == Source::recovery);
  CHECK(loaded.file == "recovery.json");
  CHECK(loaded.state->revision == 30);
  CHECK(damaged_names(loaded) == Names{"state.json"});
  if (!reason.empty()) CHECK(loaded.damaged[0].reason == reason);
  CHECK_FALSE(loaded.state_missing);
}

TEST_CASE("every combination of good, damaged and missing files loads the first good one") {
  const Names files{"state.json", "recovery.json", "recovery.1.json", "recovery.2.json"};
  for (int combination = 0; combination < 81; ++combination) {
    Desk desk;
    Names damaged;
    std::string expected;
    int rest = combination;
    for (std::size_t i = 0; i < files.size(); ++i, rest /= 3) {
      const auto revision = static_cast<std::int64_t>(i) + 1;
      const bool good = rest % 3 == 0;
      if (good && i == 0) desk.put(files[i], core::encode_state(state_with(revision)));
      if (good && i > 0) put_recovery(desk, static_cast<int>(i) - 1, state_with(revision));
      if (rest % 3 == 1) desk.put(files[i], "{\"version\": 2,");
      if (expected.empty() && good) expected = files[i];
      if (expected.empty() && rest % 3 == 1) damaged.push_back(files[i]);
    }
    CAPTURE(combination);
    const Loaded loaded = store_of(desk).load().value();
    CHECK(loaded.file == expected);
    CHECK(loaded.state.has_value() == !expected.empty());
    CHECK(damaged_names(loaded) == damaged);
    CHECK(loaded.state_missing == (combination % 3 == 2 && (!expected.empty() || !damaged.empty())));
  }
}

TEST_CASE("with nothing but a history the source is the history") {
  Desk desk;
  desk.put("history.jsonl", lines_of({"t1"}));
  const Loaded loaded = store_of(desk).load().value();
  CHECK(loaded.source == Source::history);
  CHECK_FALSE(loaded.state.has_value());
  CHECK(loaded.state_missing);
}

TEST_CASE("a state that has folded more history than there is, is used and says so") {
  Desk desk;
  save(desk, 1, {"t1"});
  save(desk, 2, {"t2"});
  desk.put("history.jsonl", lines_of({"t1"}));
  const Loaded loaded = store_of(desk).load().value();
  CHECK(loaded.source == Source::state);
  CHECK(loaded.state->revision == 2);
  CHECK(loaded.history_short);
}

TEST_CASE("what the system refuses to read is an error and not damage") {
  Desk desk;
  save(desk, 1, {"t1"});
  desk.disk.plan_fault({test::Fault::Kind::fail_once, 1, 0});
  const auto loaded = store_of(desk).load();
  REQUIRE_FALSE(loaded.has_value());
  CHECK(loaded.error().kind == base::ErrorKind::io);
}

TEST_CASE("loading writes nothing") {
  Desk desk;
  save(desk, 1, {"t1"}, "first");
  desk.put("state.json", "x");
  desk.put("history.jsonl", lines_of({"t1"}) + "torn");
  const auto before = desk.disk.everything();
  REQUIRE(store_of(desk).load());
  CHECK(desk.disk.everything() == before);
}

TEST_CASE("damaged files are renamed away, then saving works again") {
  Desk desk;
  desk.disk.put_folder(Desk::path("state.json"));
  desk.disk.put_link(Desk::path("recovery.json"), "/etc/passwd");
  StateStore store = store_of(desk);
  const Loaded loaded = store.load().value();
  REQUIRE(store.quarantine_damaged(loaded.damaged, kNow));
  save(desk, 1, {"t1"}, "repaired");
  CHECK(store.load()->source == Source::state);
  CHECK(desk.has("state.json.damaged-20261120T154350.123Z"));
  CHECK(desk.get("recovery.json.damaged-20261120T154350.123Z") == "/etc/passwd");
}

TEST_CASE("recovery copies rotate through three generations, newest first") {
  Desk desk;
  for (int revision = 1; revision <= 5; ++revision) {
    save(desk, revision, {"t" + std::to_string(revision)}, "save " + std::to_string(revision));
  }
  for (int generation = 0; generation < 3; ++generation) {
    const auto copy = core::decode_recovery(desk.get(recovery_name(generation))).value();
    CHECK(copy.state.revision == 5 - generation);
    CHECK(copy.reason == "save " + std::to_string(5 - generation));
    CHECK(copy.saved_at == kNow);
  }
  CHECK_FALSE(desk.has(recovery_name(3)));
}

TEST_CASE(
    "a recovery copy without tasks never replaces one with tasks, also not when the newest is missing") {
  Desk desk;
  save(desk, 1, {"t1"}, "good");
  if (GENERATE(false, true)) {
    desk.put("recovery.1.json", desk.get("recovery.json"));
    desk.disk.erase(Desk::path("recovery.json"));
  }
  const auto before = desk.disk.everything();
  core::State empty = state_with(2, 0);
  REQUIRE(store_of(desk).save({empty, batch_of({"t2"}), "emptied"}, kNow));
  for (int generation = 0; generation < 3; ++generation) {
    const auto found = before.find(Desk::path(recovery_name(generation)));
    CHECK(desk.get(recovery_name(generation)) == (found == before.end() ? "(missing)" : found->second));
  }
  CHECK(store_of(desk).load()->state->revision == 2);
}

TEST_CASE("a damaged newest copy is set aside and pushes no good one out") {
  Desk desk;
  put_recovery(desk, 1, state_with(20));
  put_recovery(desk, 2, state_with(10));
  desk.put("recovery.json", "{torn");
  save(desk, 30, {"t1"}, "new");
  CHECK(core::decode_recovery(desk.get("recovery.json"))->state.revision == 30);
  CHECK(core::decode_recovery(desk.get("recovery.1.json"))->state.revision == 20);
  CHECK(core::decode_recovery(desk.get("recovery.2.json"))->state.revision == 10);
  CHECK(desk.get("recovery.json.damaged-20261120T154350.123Z") == "{torn");
}

TEST_CASE("a directory or a link in the row of generations does not stop the rotation") {
  Desk desk;
  save(desk, 1, {"t1"}, "one");
  desk.disk.put_folder(Desk::path("recovery.1.json"));
  desk.disk.put_link(Desk::path("recovery.2.json"), "/etc/passwd");
  save(desk, 2, {"t2"}, "two");
  CHECK(core::decode_recovery(desk.get("recovery.json"))->state.revision == 2);
  CHECK(core::decode_recovery(desk.get("recovery.1.json"))->state.revision == 1);
  CHECK(desk.has("recovery.1.json.damaged-20261120T154350.123Z"));
  CHECK(desk.has("recovery.2.json.damaged-20261120T154350.123Z"));
}

}  // namespace
}  // namespace plankeep::store
