// What the board's keys do, on a disk in memory.

#include "board_screen/plan_desk.hpp"

#include <catch2/catch.hpp>

#include "editing/claim.hpp"
#include "editing/complete.hpp"
#include "editing/record.hpp"
#include "support/world.hpp"
#include "tracking/start_tracking.hpp"
#include "tracking/track.hpp"

namespace plankeep::board_screen {
namespace {

using board::Key;
using test::World;

/// Ends as it is told, and notes what ran.
class ScriptedProcesses : public system::Processes {
 public:
  system::Ended ends;
  std::vector<std::string> ran;

  std::optional<std::string> identity(std::int64_t) override { return std::nullopt; }
  std::vector<std::int64_t> ancestors() override { return {}; }
  std::string host() override { return "here"; }
  base::Result<system::Finished> run(const system::Run&) override {
    return base::fail(base::ErrorKind::not_found, "no git here");
  }
  base::Result<system::Ended> run_command(const system::Command& command,
                                          system::CommandWatch& watch) override {
    ran.push_back(command.line);
    watch.said("some output\n");
    ends.interrupted = !watch.go_on(std::chrono::milliseconds(1));
    return ends;
  }
};

class Silent : public system::CommandWatch {
 public:
  bool stop = false;
  void said(std::string_view) override {}
  bool go_on(std::chrono::milliseconds) override { return !stop; }
};

struct Desk {
  test::World world;
  ScriptedProcesses processes;
  board::Board board;
  Silent watch;
  std::optional<PlanDesk> desk;

  Desk() {
    world.context.processes = &processes;
    world.put_plan(test::kPlanText);
    REQUIRE(app::start_tracking(world.context, world.location));
    board.resize({24, 100});
    desk.emplace(world.context, world.location, "person", board);
    REQUIRE(desk->load());
  }

  void press(Key key) { REQUIRE(desk->act(board.press(key), watch)); }
  void press(char letter) { press(Key{Key::Kind::character, static_cast<char32_t>(letter)}); }
  void type(std::string_view text) {
    for (const char letter : text) press(letter);
    press(Key{Key::Kind::enter});
  }
  void go_to(const std::string& key) {
    press(Key{Key::Kind::home});
    for (std::size_t i = 0; i < board.shown().size(); ++i) {
      if (board.items()[board.shown()[board.cursor()]].key == key) return;
      press(Key{Key::Kind::down});
    }
    FAIL("no row " << key);
  }
  std::string message() const { return board.message() ? board.message()->text : ""; }
  std::string last_event() { return world.told().back(); }
  bool plan_has(std::string_view text) { return world.plan().find(text) != std::string::npos; }
};

TEST_CASE("Space ticks under our name, and u takes it back") {
  Desk desk;
  desk.go_to("task:build/login");
  desk.press(' ');
  CHECK(desk.plan_has("- [x] Login form"));
  CHECK(desk.world.told().back().find("login person") != std::string::npos);
  CHECK(desk.board.marked().empty());
  desk.press('u');
  CHECK(desk.plan_has("- [ ] Login form"));
  CHECK(desk.message() == "undone");
  desk.press('u');
  CHECK(desk.message() == "nothing to undo");
}

TEST_CASE("u gives back what a box was: in progress, not only open") {
  Desk desk;
  desk.go_to("task:ship/notes");
  desk.press('s');
  CHECK(desk.plan_has("- [~] Release notes"));
  desk.press(' ');
  CHECK(desk.plan_has("- [x] Release notes"));
  desk.press('u');
  CHECK(desk.plan_has("- [~] Release notes"));
  desk.press('u');
  CHECK(desk.plan_has("- [ ] Release notes"));
}

TEST_CASE("u gives a tick of somebody else back with who made it and when") {
  Desk desk;
  const auto tick = [&desk](const std::string& id, const std::string& actor) {
    desk.world.clock.advance(60'000);
    REQUIRE(app::set_tasks(desk.world.context, desk.world.location, {id}, core::BoxState::done, {actor}));
    REQUIRE(desk.desk->reload());
  };
  const auto untick = [&desk](const std::string& key) {
    desk.world.clock.advance(60'000);
    desk.go_to(key);
    desk.press(' ');
    CHECK_FALSE(desk.plan_has("- [x] Login form"));
  };
  tick("login", "team:ada");
  tick("logout", "team:bob");
  const core::State before = *desk.world.state();
  untick("task:build/login");
  desk.press('u');
  CHECK(desk.message() == "undone");
  CHECK(desk.plan_has("- [x] Login form"));
  CHECK(desk.world.state()->phases == before.phases);

  desk.world.disk().erase("/home/kim/.checkpoint/state.json");
  desk.world.disk().erase("/home/kim/.checkpoint/recovery.json");
  REQUIRE(app::track(desk.world.context, desk.world.location, app::Edit{}));
  CHECK(desk.world.state()->phases == before.phases);

  // What somebody else did meanwhile is theirs, and the phase is complete since then.
  untick("task:build/login");
  desk.world.edit("- [x] Logout", "- [ ] Logout");
  tick("logout", "team:eve");
  const base::Instant later = desk.world.clock.now();
  desk.world.clock.advance(60'000);
  desk.press('u');
  const core::State after = *desk.world.state();
  CHECK(*World::task(after, "login") == *World::task(before, "login"));
  CHECK(World::task(after, "logout")->completed_by == "team:eve");
  CHECK(World::task(after, "logout")->completed_at == later);
  CHECK(after.phases[0].completed_at > later);
}

TEST_CASE("u gives a criterion that was met back with when it was") {
  Desk desk;
  REQUIRE(app::set_tasks(desk.world.context, desk.world.location, {"tests"}, core::BoxState::done, {"main"}));
  REQUIRE(desk.desk->reload());
  const core::State before = *desk.world.state();
  desk.world.clock.advance(60'000);
  desk.go_to("criterion:ship/tests");
  desk.press(' ');
  desk.press('u');
  CHECK(desk.world.state()->phases == before.phases);
}

TEST_CASE("u leaves a tick that somebody else has made since") {
  Desk desk;
  desk.go_to("task:build/login");
  desk.press(' ');
  CHECK(desk.plan_has("- [x] Login form"));
  desk.world.clock.advance(60'000);
  for (const core::BoxState state : {core::BoxState::open, core::BoxState::done})
    REQUIRE(app::set_tasks(desk.world.context, desk.world.location, {"login"}, state, {"team:ada"}));
  REQUIRE(desk.desk->reload());
  desk.press('u');
  CHECK(desk.board.message()->is_error);
  CHECK(desk.message().starts_with("login was ticked again by team:ada just now"));
  CHECK(World::task(*desk.world.state(), "login")->completed_by == "team:ada");
  CHECK(desk.plan_has("- [x] Login form"));
}

TEST_CASE("s on a task that is done is refused, and its tick stands") {
  Desk desk;
  REQUIRE(
      app::set_tasks(desk.world.context, desk.world.location, {"login"}, core::BoxState::done, {"team:ada"}));
  REQUIRE(desk.desk->reload());
  desk.go_to("task:build/login");
  const std::size_t events = desk.world.told().size();
  desk.press('s');
  CHECK(desk.board.message()->is_error);
  CHECK(desk.message().starts_with("login is done, by team:ada "));
  CHECK(desk.plan_has("- [x] Login form"));
  CHECK(desk.world.told().size() == events);
}

TEST_CASE("each plan keeps what can be undone, also while another one is looked at") {
  Desk desk;
  const app::PlanLocation other{desk.world.location.folder, "other.md"};
  desk.world.disk().put(other.path(), test::kPlanText);
  REQUIRE(app::start_tracking(desk.world.context, other));
  const auto open = [&desk](const std::string& path) {
    REQUIRE(desk.desk->act({.kind = board::Action::Kind::open_plan, .target = path}, desk.watch));
  };
  desk.go_to("task:build/login");
  desk.press(' ');
  open(other.path());
  desk.press('u');
  CHECK(desk.message() == "nothing to undo");
  desk.go_to("task:build/logout");
  desk.press(' ');
  open("/home/kim/none.md");
  open(desk.world.location.path());
  desk.press('u');
  CHECK(desk.message() == "undone");
  CHECK(desk.plan_has("- [ ] Login form"));
  open(other.path());
  desk.press('u');
  CHECK(desk.message() == "undone");
  CHECK(*desk.world.disk().get(other.path()) == test::kPlanText);
}

TEST_CASE("a task is added beside the chosen one and taken away again, to the byte") {
  Desk desk;
  const std::string before = desk.world.plan();
  desk.go_to("task:build/logout");
  desk.press('a');
  desk.type("Remember me");
  CHECK(desk.plan_has("Remember me"));
  CHECK(desk.world.plan().find("Remember me") < desk.world.plan().find("## Ship"));
  CHECK(desk.board.marked().empty());
  desk.press('u');
  CHECK(desk.message() == "undone");
  CHECK(desk.world.plan() == before);
}

TEST_CASE("what somebody else wrote since is never taken back with our change") {
  Desk desk;
  desk.go_to("task:build/logout");
  desk.press('a');
  desk.type("Remember me");
  desk.world.edit("- [ ] Release notes", "- [x] Release notes");
  desk.press('u');
  CHECK(desk.message().starts_with("the plan has changed since"));
  CHECK(desk.board.message()->is_error);
  CHECK(desk.plan_has("- [x] Release notes"));
  CHECK(desk.plan_has("Remember me"));
}

TEST_CASE("a note that somebody else wrote since is not undone") {
  Desk desk;
  desk.press('n');
  desk.type("ours");
  REQUIRE(app::save_note(desk.world.context, desk.world.location, "theirs", "other"));
  REQUIRE(desk.desk->reload());
  desk.press('u');
  CHECK(desk.message().starts_with("the note was changed since"));
  CHECK(desk.world.state()->session_notes == "theirs");
}

TEST_CASE("what was recorded already is no change to undo") {
  Desk desk;
  desk.press('d');
  desk.type("Use SQLite");
  desk.type("");
  desk.press('d');
  desk.type("Use SQLite");
  desk.type("");
  desk.press('u');
  CHECK(desk.message() == "undone");
  CHECK_FALSE(desk.plan_has("DECISION"));
}

TEST_CASE("what somebody else has set back already is not said to be undone") {
  Desk desk;
  desk.go_to("task:build/login");
  desk.press(' ');
  REQUIRE(
      app::set_tasks(desk.world.context, desk.world.location, {"login"}, core::BoxState::open, {"team:ada"}));
  REQUIRE(desk.desk->reload());
  desk.press('u');
  CHECK(desk.message() == "nothing to undo: login is already as it was before");
  desk.press('c');
  app::ClaimRequest request;
  request.actor = "person";
  REQUIRE(app::release_task(desk.world.context, desk.world.location, "login", request, core::Force::yes));
  desk.press('u');
  CHECK(desk.message() == "nothing to undo: login is not claimed any more");
}

TEST_CASE("a task that vanished is said in the header and on the page of plans") {
  Desk desk;
  desk.world.edit("Login form", "Login page");
  std::string text = desk.world.plan();
  const std::size_t at = text.find("- [ ] Release notes");
  text.erase(at, text.find('\n', at) + 1 - at);
  desk.world.put_plan(text);
  REQUIRE(desk.desk->reload());
  REQUIRE(desk.board.header().doubts.size() == 2);
  CHECK(desk.board.header().doubts[0].starts_with("1 task is no longer in the plan: notes"));
  desk.press('5');
  REQUIRE_FALSE(desk.board.page().empty());
  CHECK(desk.board.page()[0].text.find("1 task vanished") != std::string::npos);
}

TEST_CASE("decisions, blockers and notes are recorded, and undone") {
  Desk desk;
  const std::string before = desk.world.plan();
  desk.press('d');
  desk.type("Use SQLite");
  desk.type("one file");
  CHECK(desk.plan_has("<!-- DECISION: Use SQLite | reason: one file -->"));
  desk.press('u');
  CHECK(desk.world.plan() == before);

  desk.press('b');
  desk.type("no certificate");
  CHECK(desk.plan_has("<!-- BLOCKER: no certificate -->"));
  CHECK(desk.board.header().blockers == 1);
  desk.press('u');
  CHECK_FALSE(desk.plan_has("BLOCKER"));

  desk.press('n');
  desk.type("first");
  desk.press('n');
  desk.type("second");
  CHECK(desk.world.state()->session_notes == "second");
  desk.press('u');
  CHECK(desk.world.state()->session_notes == "first");
}

TEST_CASE("a claim is shown, and given back by u") {
  Desk desk;
  desk.go_to("task:build/login");
  desk.press('c');
  CHECK(desk.last_event().starts_with("task_claimed"));
  CHECK(desk.message().find("claimed") != std::string::npos);
  desk.press('u');
  CHECK(desk.last_event().starts_with("task_released"));
}

TEST_CASE("an error of a use case is told, and nothing changes") {
  Desk desk;
  const std::string before = desk.world.plan();
  desk.go_to("task:build/logout");
  desk.press('c');  // it waits for login
  CHECK(desk.board.message()->is_error);
  desk.press('v');
  CHECK(desk.board.message()->is_error);
  CHECK(desk.message().starts_with("logout is a task: "));
  CHECK(desk.world.plan() == before);
}

TEST_CASE("a change from outside is marked, ours is not") {
  Desk desk;
  desk.world.edit("- [ ] Login form", "- [x] Login form");
  REQUIRE(desk.desk->reload());
  CHECK(desk.board.marked().contains("task:build/login"));
  CHECK_FALSE(desk.board.marked().contains("task:ship/notes"));
}

TEST_CASE("a command runs only after it was agreed to, and Escape ends it") {
  Desk desk;
  desk.processes.ends.status = 0;
  desk.go_to("criterion:ship/tests");
  desk.press('v');
  REQUIRE(desk.board.sheet());
  CHECK(desk.board.sheet()->kind == board::Board::Sheet::Kind::verify);
  CHECK(desk.processes.ran.empty());
  desk.press('n');
  CHECK(desk.processes.ran.empty());
  CHECK_FALSE(desk.plan_has("- [x] Tests pass"));

  desk.press('v');
  desk.watch.stop = true;
  desk.press('y');
  CHECK(desk.message() == "stopped: nothing was recorded for tests");
  CHECK_FALSE(desk.plan_has("- [x] Tests pass"));

  desk.watch.stop = false;
  desk.press('v');
  desk.press('y');
  CHECK(desk.processes.ran.back() == "make test");
  CHECK(desk.plan_has("- [x] Tests pass"));
  desk.press(Key{Key::Kind::escape});
  desk.press('u');
  CHECK(desk.message().starts_with("the result of a verify command cannot be undone"));
}

TEST_CASE("a trusted command is not asked about again") {
  Desk desk;
  desk.go_to("criterion:ship/tests");
  desk.press('v');
  desk.press('t');
  desk.press(Key{Key::Kind::escape});
  CHECK(desk.processes.ran.size() == 1);
  desk.press('v');
  CHECK(desk.processes.ran.size() == 2);
}

TEST_CASE("the log is shown and grows") {
  Desk desk;
  desk.press('2');
  const std::size_t before = desk.board.page().size();
  desk.world.edit("- [ ] Login form", "- [x] Login form");
  REQUIRE(app::track(desk.world.context, desk.world.location, app::Edit{}));
  REQUIRE(desk.desk->reload());
  CHECK(desk.board.page().size() > before);
}

TEST_CASE("details of a task are opened") {
  Desk desk;
  desk.go_to("task:build/login");
  desk.press(Key{Key::Kind::enter});
  REQUIRE(desk.board.sheet());
  std::string text;
  for (const std::string& line : desk.board.sheet()->lines) text += line + "\n";
  CHECK(text.find("Login form") != std::string::npos);
}

TEST_CASE("a plan that vanishes is shown as it was known, and ends the board with its folder") {
  Desk desk;
  desk.world.disk().erase("/home/kim/plan.md");
  REQUIRE(desk.desk->reload());
  CHECK_FALSE(desk.board.items().empty());
  // For as long as it lasts, whatever key is pressed.
  const auto doubt = [&desk] {
    return desk.board.header().doubts.empty() ? "" : desk.board.header().doubts[0];
  };
  CHECK(doubt().find("plan.md is missing") != std::string::npos);
  desk.press('j');
  CHECK(doubt().find("plan.md is missing") != std::string::npos);
  desk.world.put_plan("");
  REQUIRE(desk.desk->reload());
  CHECK(doubt().find("has no tasks any more") != std::string::npos);
  desk.world.disk().erase("/home/kim/plan.md");
  CHECK(desk.desk->files().front() == "/home/kim/plan.md");
}

}  // namespace
}  // namespace plankeep::board_screen
