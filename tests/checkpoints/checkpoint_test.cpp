// Checkpoints over a real folder: SQLite has no other.

#include "checkpoints/checkpoint.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/sha256.hpp"
#include "checkpoints/find_checkpoint.hpp"
#include "checkpoints/retention.hpp"
#include "doctor/doctor.hpp"
#include "editing/record.hpp"
#include "support/fake_clock.hpp"
#include "support/map_environment.hpp"
#include "support/temporary_folder.hpp"
#include "support/world.hpp"
#include "system/posix/posix_file_system.hpp"
#include "system/posix/posix_processes.hpp"
#include "tracking/start_tracking.hpp"
#include "tracking/track.hpp"

using namespace plankeep;
using namespace plankeep::app;
using base::ErrorKind;

namespace {

constexpr const char* kPlan =
    "# Auth\n\n## Build\n<!-- CHECKPOINT: build -->\n- [x] Schema <!-- TASK: schema -->\n- [ ] Login <!-- "
    "TASK: "
    "login -->\n";

struct Desk {
  test::TemporaryFolder place;
  system::PosixFileSystem files;
  system::PosixProcesses processes;
  test::FakeClock clock;
  test::MapEnvironment environment;
  Context context{files, clock, environment, &processes};
  PlanLocation plan{place.path(), "plan.md"};

  Desk() {
    environment.directory = place.path();
    put("plan.md", kPlan);
  }
  void put(const std::string& name, const std::string& text) {
    std::ofstream(place.path_of(name), std::ios::binary) << text;
  }
  std::string get(const std::string& name) {
    std::ifstream in(place.path_of(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  bool git(const std::vector<std::string>& words) {
    system::Run run;
    run.words = {"git", "-C", place.path(), "-c", "user.name=Kim", "-c", "user.email=kim@example.org"};
    run.words.insert(run.words.end(), words.begin(), words.end());
    run.timeout = std::chrono::milliseconds{20000};
    const auto finished = processes.run(run);
    return finished && finished->status == 0;
  }
};

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("a checkpoint holds what git, the transcript and the plan say, and its event follows") {
  Desk desk;
  if (!desk.git({"init", "-q", "-b", "main"})) return;  // no git here
  REQUIRE(desk.git({"add", "plan.md"}));
  REQUIRE(desk.git({"commit", "-q", "-m", "first"}));
  desk.put("new.txt", "new\n");
  desk.put(
      "session.jsonl",
      R"({"type":"assistant","timestamp":"2026-11-20T14:23:19.493Z","message":{"content":[{"type":"tool_use",)"
      R"("id":"t1","name":"Bash","input":{"command":"make"}}]}})"
      "\n");
  CheckpointRequest request;
  request.type = core::CheckpointType::turn;
  request.trigger = "turn_end";
  request.instance = "5e55";
  request.message_id = [] { return std::string("m1"); };
  request.context_percent = 42;
  request.transcript = desk.place.path_of("session.jsonl");
  std::string asked;
  request.take_snapshot = [&](const git::SnapshotPlace& place) -> base::Result<core::Snapshot> {
    asked = place.top;
    return core::Snapshot{"t", "c", "refs/plankeep/x/1", 0, {}};
  };
  const auto made = create_checkpoint(desk.context, desk.plan, request);
  REQUIRE(made.has_value());
  CHECK(made->warnings.empty());
  CHECK(asked == desk.place.path());
  const core::Checkpoint& checkpoint = made->checkpoint;
  CHECK(checkpoint.moment.turn == 1);
  CHECK(checkpoint.moment.workspace_state == core::WorkspaceState::dirty);
  CHECK(checkpoint.moment.commit_sha.size() == 40);
  CHECK(checkpoint.moment.snapshot.has_value());
  CHECK(checkpoint.moment.plan_digest == base::sha256_hex(kPlan));
  CHECK(checkpoint.moment.todo_snapshot.size() == 2);
  CHECK(checkpoint.head.phase.text == "build");
  CHECK(checkpoint.head.sequence_num == 1);
  CHECK(checkpoint.work_state.git_status.branch == "main");
  CHECK(checkpoint.work_state.git_status.untracked_files == 2);
  REQUIRE(checkpoint.work_state.last_commands.size() == 1);
  CHECK(checkpoint.work_state.last_commands[0].message == "make");
  CHECK(desk.get(".checkpoint/history.jsonl").find("\"checkpointId\":\"" + checkpoint.head.id.text + "\"") !=
        std::string::npos);

  const auto got = get_checkpoint(desk.context, desk.plan, "last");
  REQUIRE(got.has_value());
  CHECK(got->checkpoint == checkpoint);
  const auto opened = open_checkpoints(desk.context, desk.plan, records::Access::read);
  CHECK(opened->store->plan_text(checkpoint.moment.plan_digest).value() == kPlan);
  CHECK(opened->store->turn(1)->head.id == checkpoint.head.id);
  CHECK(opened->store->by_message("m1")->head.id == checkpoint.head.id);
}

TEST_CASE("a checkpoint is named by last, by a time or by its row, and those of rewinds are none of these") {
  Desk desk;
  const auto made = [&](core::CheckpointType type, std::int64_t later) {
    desk.clock.advance(later);
    CheckpointRequest request;
    request.type = type;
    return create_checkpoint(desk.context, desk.plan, request)->checkpoint.head;
  };
  const auto found = [&](const std::string& which) {
    const auto opened = open_checkpoints(desk.context, desk.plan, records::Access::read);
    REQUIRE(opened.has_value());
    return find_checkpoint(*opened->store, which);
  };
  const auto id = [&](const std::string& which) { return found(which)->head.id; };
  const auto as_logged = [](base::Instant time) {
    std::string text = base::to_iso8601(time).substr(0, 16);
    return text.replace(10, 1, " ");
  };
  const core::CheckpointHead safety = made(core::CheckpointType::pre_rewind, 0);
  CHECK(found("last").error().message == "all checkpoints until then were made by rewinds");
  const core::CheckpointHead first = made(core::CheckpointType::manual, base::kHour);
  const core::CheckpointHead second = made(core::CheckpointType::turn, 2 * base::kMinute);
  const core::CheckpointHead other = made(core::CheckpointType::pre_rewind, base::kHour);
  CHECK(id("last") == second.id);
  CHECK(id("1") == second.id);
  CHECK(id("2") == first.id);
  CHECK(found("3").error().message == "the list has no row 3");
  for (const std::string which : {"001", "_001", "01"}) CHECK(id(which) == safety.id);
  CHECK(found("000").error().kind == ErrorKind::not_found);
  CHECK(id(other.id.text) == other.id);
  CHECK(id(as_logged(other.timestamp)) == second.id);
  CHECK(id(as_logged(second.timestamp)) == second.id);
  CHECK(id(as_logged({second.timestamp.milliseconds - base::kMinute})) == first.id);
  CHECK(id(base::to_iso8601(second.timestamp)) == second.id);
  CHECK(id(base::to_iso8601({second.timestamp.milliseconds - 1})) == first.id);
  CHECK(found(as_logged(safety.timestamp)).error().kind == ErrorKind::not_found);
  CHECK(found("1999-12-31 24:00").error().message == "1999-12-31 24:00 is not a valid time");
  CHECK(found("1970-01-02 10:00").error().message == "no checkpoint is that old");
  CHECK(found("10:15").error().kind == ErrorKind::invalid_input);
}

TEST_CASE("the history's lines are counted on from the last checkpoint, and anew when it was cut") {
  Desk desk;
  const auto number = [&] {
    return create_checkpoint(desk.context, desk.plan, {})->checkpoint.head.sequence_num;
  };
  CHECK(number() == 1);
  CHECK(number() == 2);
  REQUIRE(save_note(desk.context, desk.plan, "x", "main").has_value());
  CHECK(number() == 4);
  std::filesystem::remove(desk.place.path_of(".checkpoint/history.jsonl"));
  const std::int64_t anew = number();
  CHECK(static_cast<std::size_t>(anew) == count(desk.get(".checkpoint/history.jsonl"), "\n") - 1);
}

TEST_CASE("checkpoints of concurrent turns describe their own moments, in whatever order they are recorded") {
  Desk desk;
  const auto ended = [&](const char* text) {
    const auto noted = save_note(desk.context, desk.plan, text, "main");
    if (!noted) FAIL(noted.error().message);
    CheckpointRequest request;
    request.type = core::CheckpointType::turn;
    request.then = plan_then(noted->state, kPlan);
    REQUIRE(request.then);
    return request;
  };
  const CheckpointRequest earlier = ended("one");
  const CheckpointRequest later = ended("two");
  const auto second = create_checkpoint(desk.context, desk.plan, later);
  const auto first = create_checkpoint(desk.context, desk.plan, earlier);
  REQUIRE((first && second));
  CHECK(second->checkpoint.head.sequence_num == first->checkpoint.head.sequence_num + 1);
  CHECK(first->checkpoint.moment.history_offset == earlier.then->history_offset);
  CHECK(second->checkpoint.moment.history_offset == later.then->history_offset);
}

TEST_CASE("a checkpoint that leaves edits tells of then, and whoever looks next is told of them") {
  Desk desk;
  const auto noted = save_note(desk.context, desk.plan, "one", "main");
  REQUIRE(noted);
  CheckpointRequest request;
  request.type = core::CheckpointType::turn;
  request.leaves_edits = true;
  if (GENERATE(true, false)) request.then = plan_then(noted->state, kPlan);
  const bool another_was_recorded = GENERATE(false, true);
  if (another_was_recorded) REQUIRE(save_note(desk.context, desk.plan, "two", "main"));
  desk.put("plan.md", "# Auth\n\n## Build\n<!-- CHECKPOINT: build -->\n- [ ] Schema <!-- TASK: schema -->\n");

  const auto made = create_checkpoint(desk.context, desk.plan, request);
  REQUIRE(made);
  CHECK(made->checkpoint.moment.plan_digest == (request.then ? base::sha256_hex(kPlan) : ""));
  CHECK(count(desk.get(".checkpoint/history.jsonl"), "task_reopened") == 0);
  CHECK(count(desk.get(".checkpoint/history.jsonl"), "checkpoint_saved") == 1);

  const auto next = track(desk.context, desk.plan, Edit{});
  REQUIRE(next);
  CHECK(next->notices.size() == 2);
  CHECK(count(desk.get(".checkpoint/history.jsonl"), "task_reopened") == 1);
  CHECK(count(desk.get(".checkpoint/history.jsonl"), "task_removed") == 1);
}

TEST_CASE("a checkpoint that leaves edits repairs the records all the same") {
  Desk desk;
  REQUIRE(save_note(desk.context, desk.plan, "one", "main"));
  std::filesystem::remove(desk.place.path_of(".checkpoint/history.jsonl"));
  CheckpointRequest request;
  request.leaves_edits = true;
  REQUIRE(create_checkpoint(desk.context, desk.plan, request));
  CHECK(count(desk.get(".checkpoint/history.jsonl"), "\n") > 1);
}

TEST_CASE("a long history is read before the lock is taken, so that hooks do not wait for it") {
  test::World world;
  world.put_plan(kPlan);
  const auto started = start_tracking(world.context, world.location);
  REQUIRE(started);
  std::string events;
  for (int i = 0; i < 3000; ++i)
    events += R"({"ts":"2026-01-01T00:00:00.000Z","event":"note_saved","by":"main","note":"n"})"
              "\n";
  const std::string history = "/home/kim/.checkpoint/history.jsonl";
  world.disk().put(history, world.disk().get(history).value_or("") + events);
  const auto noted = save_note(world.context, world.location, "ended", "main");
  REQUIRE(noted);
  CheckpointRequest request;
  request.then = plan_then(noted->state, kPlan);
  REQUIRE(request.then);
  REQUIRE(save_note(world.context, world.location, "the next turn", "main"));

  world.disk().forget_log();
  std::uint64_t before_lock = 0;
  world.disk().before = [&](const std::string& operation) {
    if (operation == "lock lock") before_lock = world.disk().bytes_read();
  };
  // Fails when SQLite opens its file, which is after all reading of the history.
  const auto made = create_checkpoint(world.context, world.location, request);
  world.disk().before = nullptr;
  REQUIRE_FALSE(made);
  CHECK(before_lock >= events.size());
  CHECK(world.disk().bytes_read() - before_lock < events.size() / 10);
}

TEST_CASE("a snapshot that fails is a warning, and the checkpoint is made without it") {
  Desk desk;
  if (!desk.git({"init", "-q", "-b", "main"})) return;
  CheckpointRequest request;
  request.take_snapshot = [](const git::SnapshotPlace&) -> base::Result<core::Snapshot> {
    return base::fail(ErrorKind::busy, "took too long");
  };
  const auto made = create_checkpoint(desk.context, desk.plan, request);
  REQUIRE(made.has_value());
  CHECK_FALSE(made->checkpoint.moment.snapshot.has_value());
  REQUIRE(made->warnings.size() == 1);
  CHECK(made->warnings[0].find("took too long") != std::string::npos);
}

TEST_CASE("without git and other processes a checkpoint has the plan at least") {
  Desk desk;
  const Context alone{desk.files, desk.clock, desk.environment, nullptr};
  const auto made = create_checkpoint(alone, desk.plan, {});
  REQUIRE(made.has_value());
  CHECK(made->checkpoint.moment.workspace_state == core::WorkspaceState::none);
  CHECK(made->checkpoint.moment.todo_snapshot.size() == 2);
  CHECK(made->checkpoint.work_state.environment.hostname.empty());
}

TEST_CASE("a plan that cannot be read leaves the digest out and the state's facts in") {
  Desk desk;
  REQUIRE(create_checkpoint(desk.context, desk.plan, {}).has_value());
  std::filesystem::remove(desk.place.path_of("plan.md"));
  const auto made = create_checkpoint(desk.context, desk.plan, {});
  REQUIRE(made.has_value());
  CHECK(made->checkpoint.moment.plan_digest.empty());
  CHECK(made->checkpoint.work_state.current_epic.epic_id == "build");
  CHECK_FALSE(made->checkpoint.moment.knows_tasks());
  CHECK(made->checkpoint.moment.todo_snapshot.size() == 2);
  CHECK(made->instructions.finished.front().ends_with(
      " of 2 tasks were done, as last recorded: this checkpoint has no readable plan."));
  CHECK_FALSE(made->warnings.empty());
}

TEST_CASE("a folder that may not be tracked gets no checkpoint and no file") {
  Desk desk;
  desk.put("plan.md", "# Nothing of ours\n");
  const auto made = create_checkpoint(desk.context, desk.plan, {});
  REQUIRE_FALSE(made.has_value());
  CHECK(made.error().kind == ErrorKind::not_found);
  CHECK_FALSE(std::filesystem::exists(desk.place.path_of(".checkpoint")));
  CHECK(list_checkpoints(desk.context, desk.plan, {}).error().kind == ErrorKind::not_found);
}

TEST_CASE("hostile notes and names come out safe, and a note that is no UTF-8 is refused") {
  Desk desk;
  CheckpointRequest request;
  request.note = "a\x1b[31m" + std::string(5000, 'n');
  request.instance = "s\x07" + std::string(5000, 's');
  const auto made = create_checkpoint(desk.context, desk.plan, request);
  REQUIRE(made.has_value());
  CHECK(made->checkpoint.head.metadata.note.find('\x1b') == std::string::npos);
  CHECK(made->checkpoint.head.metadata.note.size() <= 2000);
  CHECK(made->checkpoint.head.instance_id.size() <= 200);
  request.note = "\xff";
  CHECK(create_checkpoint(desk.context, desk.plan, request).error().kind == ErrorKind::invalid_input);
}

TEST_CASE("a cleanup drops snapshots behind the records, with those that are kept") {
  Desk desk;
  if (!desk.git({"init", "-q", "-b", "main"})) return;
  CheckpointRequest request;
  int taken = 0;
  request.take_snapshot = [&](const git::SnapshotPlace&) -> base::Result<core::Snapshot> {
    return core::Snapshot{"t", "c", "refs/plankeep/x/" + std::to_string(++taken), 0, {}};
  };
  REQUIRE(create_checkpoint(desk.context, desk.plan, request).has_value());
  desk.clock.advance(100'000);
  REQUIRE(create_checkpoint(desk.context, desk.plan, request).has_value());
  std::vector<std::string> kept;
  const SnapshotDropper drop = [&](const std::string&, const std::vector<std::string>& refs,
                                   base::Instant) -> base::Result<std::int64_t> {
    kept = refs;
    return std::int64_t{1};
  };
  const auto cleaned = clean_up_checkpoints(desk.context, desk.plan, {50'000, true, false}, drop);
  REQUIRE(cleaned.has_value());
  CHECK(cleaned->cleaned.deleted_count == 1);
  CHECK(cleaned->dropped_snapshots == 1);
  CHECK(kept == std::vector<std::string>{"refs/plankeep/x/2"});
  const auto again = clean_up_checkpoints(desk.context, desk.plan, {-1, true, false}, {});
  REQUIRE(again.has_value());
  CHECK(again->warnings.size() == 1);  // nobody drops what is gone now
}

TEST_CASE("a damaged store is set aside with its log by a repair, and only then begun anew") {
  Desk desk;
  REQUIRE(create_checkpoint(desk.context, desk.plan, {}).has_value());
  // Pages that stand in the log are not missed in the file.
  desk.put(".checkpoint/checkpoints.db", std::string(8192, 'x'));
  desk.put(".checkpoint/checkpoints.db-wal", std::string(8192, 'y'));
  CHECK(create_checkpoint(desk.context, desk.plan, {}).error().kind == ErrorKind::corrupt);
  CHECK(desk.get(".checkpoint/checkpoints.db") == std::string(8192, 'x'));
  REQUIRE(repair(desk.context, desk.plan).has_value());
  std::size_t aside = 0;
  for (const auto& entry : std::filesystem::directory_iterator(desk.place.path_of(".checkpoint"))) {
    if (entry.path().filename().string().starts_with("checkpoints.db.damaged-")) ++aside;
  }
  CHECK(aside >= 2);
  CHECK(list_checkpoints(desk.context, desk.plan, {})->listed.empty());
  CHECK(create_checkpoint(desk.context, desk.plan, {}).has_value());
}
