// A plan that changes with git's branches.
#include <catch2/catch.hpp>

#include "rules/latest_checkpoint.hpp"
#include "rules/replay.hpp"
#include "support/git_files.hpp"
#include "support/world.hpp"
#include "tracking/plan_work.hpp"
#include "tracking/project_tree.hpp"
#include "tracking/show.hpp"
#include "tracking/start_tracking.hpp"
#include "tracking/track.hpp"

using namespace plankeep;
using test::World;

namespace {

// A work tree whose plan is in git. git itself is not run: each call leaves what git leaves.
class Branches : public World {
 public:
  Branches() {
    clock.set({base::kDay});  // before the times of the disk's files
    put_plan(test::kPlanText);
    commit();
    (void)sync();
  }

  app::Outcome sync(const app::Edit& edit = {}) {
    clock.advance(base::kMinute);
    auto outcome = app::track(context, location, edit);
    if (!outcome) FAIL(outcome.error().message);
    return std::move(*outcome);
  }

  void tick(std::string_view title, const std::string& by) {
    edit("[ ] " + std::string(title), "[x] " + std::string(title));
    (void)sync({by, true});
  }
  void commit() {
    store();
    moved("commit: work");
  }
  /// HEAD is moved, and the plan is left.
  void moved(const std::string& message) {
    clock.advance(base::kMinute);
    reflog_ += test::reflog_entry(clock.now().milliseconds / base::kSecond, message);
    index();
    disk().put("/home/kim/.git/logs/HEAD", reflog_);
  }
  /// git writes this text.
  void git(const std::string& message, const std::string& text) {
    put_plan(text);
    moved(message);
  }
  void checkout(const std::string& text) { git("checkout: moving from here to there", text); }
  /// git writes this text and moves no HEAD, as `git restore` does.
  void write_alone(const std::string& text) {
    put_plan(text);
    index();
  }
  /// As `git stash apply` leaves it.
  void unstash(const std::string& text) {
    put_plan(text);
    disk().put("/home/kim/.git/index", test::index_file({{"plan.md", system::FileInfo{}}}));
  }
  /// `git add` of a text that somebody wrote.
  void add() {
    store();
    index();
  }
  void index() {
    disk().put("/home/kim/.git/index",
               test::index_file({{"plan.md", *context.files.info("/home/kim/plan.md")}}));
  }

  /// The state is gone, and made again from plan and history.
  void rebuild() {
    disk().erase("/home/kim/.checkpoint/state.json");
    disk().erase("/home/kim/.checkpoint/recovery.json");
    (void)sync();
  }

  /// Ticks what is in the second phase, which completes it.
  void ship() {
    edit("[ ] Release notes", "[x] Release notes");
    edit("[ ] Tests pass", "[x] Tests pass");
    (void)sync({"main", true});
  }

  /// Ticks the login form, commits, and goes to a branch where it is open. Returns the text with the tick.
  std::string leave_ticked() {
    const std::string open = plan();
    tick("Login form", "main");
    commit();
    const std::string ticked = plan();
    ticked_ = login();
    checkout(open);
    (void)sync();
    return ticked;
  }
  /// As it was before leave_ticked() left.
  const core::TaskState& ticked() const { return ticked_; }

  core::TaskState login() { return *World::task(*state(), "login"); }

 private:
  void store() { disk().put("/home/kim/.git/objects/01/01010101010101010101010101010101010101", "x"); }

  std::string reflog_;
  core::TaskState ticked_;
};

std::ptrdiff_t count(const app::Outcome& outcome, core::EventKind kind) {
  return std::count_if(outcome.events.begin(), outcome.events.end(),
                       [kind](const core::Event& event) { return event.kind == kind; });
}

}  // namespace

TEST_CASE("A tick comes back by way of a branch without the task and one where it is open") {
  Branches world;
  const std::string open = world.plan();
  std::string without = open;
  const std::size_t line = without.find("- [ ] Login form");
  without.erase(line, without.find('\n', line) + 1 - line);
  world.tick("Login form", "person:kim");
  world.commit();
  const std::string ticked = world.plan();
  const core::TaskState before = world.login();
  REQUIRE(before.completed_by == "person:kim");
  world.checkout(without);
  (void)world.sync();
  REQUIRE(World::task(*world.state(), "login") == nullptr);
  world.checkout(open);
  (void)world.sync();
  REQUIRE_FALSE(world.login().done);
  SECTION("git brings it back") {
    world.checkout(ticked);
    (void)world.sync();
    CHECK(world.login().completed_by == before.completed_by);
    CHECK(world.login().completed_at == before.completed_at);
    world.rebuild();
    CHECK(world.login().completed_by == before.completed_by);
    CHECK(world.login().completed_at == before.completed_at);
  }
  SECTION("somebody does it anew") {
    world.tick("Login form", "main");
    CHECK(world.login().completed_by == "main");
  }
}

TEST_CASE("a tick that git brings back under another number is whose it was") {
  Branches world;
  // "x" in front: ticked.
  const auto numbered = [](const std::vector<std::string>& titles) {
    std::string text = "# Auth\n\n";
    for (std::size_t i = 0; i < titles.size(); ++i) {
      const bool done = titles[i].starts_with("x ");
      text += std::string(done ? "- [x] T00" : "- [ ] T00") + std::to_string(i + 1) + " " +
              titles[i].substr(done ? 2 : 0) + "\n";
    }
    return text;
  };
  const auto task = [&world](const std::string& title) -> core::TaskState {
    const core::State state = *world.state();
    for (const core::PhaseState& phase : state.phases) {
      for (const core::TaskState& one : phase.tasks)
        if (one.title.ends_with(title)) return one;
    }
    return {};
  };
  world.put_plan(numbered({"Alpha", "Beta", "Gamma", "Delta"}));
  (void)world.sync();
  world.commit();
  world.tick("T003 Gamma", "team:kim");
  world.commit();
  const std::optional<base::Instant> when = task("Gamma").completed_at;
  // The other branch has one more in front, and all are open.
  world.checkout(numbered({"Zero", "Alpha", "Beta", "Gamma", "Delta"}));
  (void)world.sync();
  REQUIRE(task("Gamma").id.text == "T004");
  REQUIRE_FALSE(task("Gamma").done);
  SECTION("by a merge") {
    world.git("merge main: Merge made", numbered({"Zero", "Alpha", "Beta", "x Gamma", "Delta"}));
  }
  SECTION("by a merge that numbers anew once more") {
    world.git("merge main: Merge made", numbered({"Zero", "Alpha", "Beta", "Epsilon", "x Gamma", "Delta"}));
  }
  SECTION("by the first branch") {
    world.checkout(numbered({"Alpha", "Beta", "x Gamma", "Delta"}));
  }
  SECTION("after another branch with another number") {
    world.checkout(numbered({"Gamma", "Alpha", "Beta", "Zero", "Delta"}));
    (void)world.sync();
    world.checkout(numbered({"Zero", "Alpha", "Beta", "x Gamma", "Delta"}));
  }
  const app::Outcome back = world.sync();
  CHECK(task("Gamma").done);
  CHECK(task("Gamma").completed_by == "team:kim");
  CHECK(task("Gamma").completed_at == when);
  CHECK_FALSE(task("Beta").done);
  for (const core::Event& event : back.events) {
    if (event.kind == core::EventKind::task_completed) CHECK(event.via == core::kGivenBack);
  }
  world.rebuild();
  CHECK(task("Gamma").completed_by == "team:kim");
}

TEST_CASE("a task that has the number of one that git took back is not its author's") {
  Branches world;
  world.put_plan("# Auth\n\n- [ ] T001 Alpha\n- [ ] T002 Beta\n- [ ] T003 Gamma\n");
  (void)world.sync();
  world.commit();
  world.tick("T002 Beta", "team:kim");
  world.commit();
  world.checkout("# Auth\n\n- [ ] T001 Zero\n- [ ] T002 Alpha\n- [ ] T003 Beta\n- [ ] T004 Gamma\n");
  (void)world.sync();
  world.git("merge x: Merge made",
            "# Auth\n\n- [ ] T001 Zero\n- [x] T002 Alpha\n- [ ] T003 Beta\n- [ ] T004 Gamma\n");
  const app::Outcome back = world.sync();
  REQUIRE(count(back, core::EventKind::task_completed) == 1);
  for (const core::Event& event : back.events) {
    if (event.kind == core::EventKind::task_completed) CHECK(event.by == "external");
  }
}

TEST_CASE("who met a criterion comes back with the branch") {
  Branches world;
  const std::string open = world.plan();
  world.edit("[ ] Tests pass", "[x] Tests pass");
  (void)world.sync({"team:qa", true});
  world.commit();
  const std::string met = world.plan();
  world.checkout(open);
  (void)world.sync();
  world.checkout(met);
  const app::Outcome back = world.sync();
  const auto event = std::find_if(back.events.begin(), back.events.end(), [](const core::Event& one) {
    return one.kind == core::EventKind::acceptance_met;
  });
  REQUIRE(event != back.events.end());
  CHECK(event->via == core::kGivenBack);
  CHECK(event->by == "team:qa");
}

TEST_CASE("who ticked a task and when comes back with the branch") {
  Branches world;
  const std::string open = world.plan();
  world.tick("Login form", "subagent:dev");
  world.commit();
  const std::string ticked = world.plan();
  const core::TaskState before = world.login();
  world.checkout(open);
  const app::Outcome away = world.sync();
  CHECK(World::lines_of(away.events) ==
        std::vector<std::string>{"checksum_mismatch reparse", "task_reopened login external"});
  CHECK(away.events.back().via == "git");
  CHECK_FALSE(world.login().done);
  world.checkout(ticked);
  const app::Outcome back = world.sync();
  CHECK(world.login() == before);
  CHECK(count(back, core::EventKind::task_completed) == 1);
  CHECK(back.events.back().via == "restored");
  CHECK(back.events.back().by == "subagent:dev");
  CHECK(back.events.back().time == before.completed_at);
  SECTION("and from the history alone") {
    const core::State known = *world.state();
    world.disk().erase("/home/kim/.checkpoint/state.json");
    world.disk().erase("/home/kim/.checkpoint/recovery.json");
    (void)world.sync();
    CHECK(world.state()->phases == known.phases);
  }
  SECTION("every time, however quickly") {
    for (int i = 0; i < 3; ++i) {
      world.checkout(open);
      REQUIRE(app::track(world.context, world.location, {}));
      world.checkout(ticked);
      REQUIRE(app::track(world.context, world.location, {}));
      CHECK(world.login() == before);
    }
  }
  SECTION("but a tick that is made again is made now") {
    world.edit("[x] Login", "[ ] Login");
    (void)world.sync();
    world.edit("[ ] Login", "[x] Login");
    (void)world.sync();
    CHECK(world.login().completed_by == "external");
    CHECK(world.login().completed_at == world.clock.now());
  }
}

TEST_CASE("what git brought is shown as the next sync records it") {
  Branches world;
  const std::string open = world.plan();
  world.tick("Login form", "subagent:dev");
  world.commit();
  const std::string ticked = world.plan();
  world.checkout(open);
  (void)world.sync();
  world.checkout(ticked);
  const auto shown = app::load_shown(world.context, world.location, 0);
  REQUIRE(shown);
  REQUIRE(shown->state);
  (void)world.sync();
  CHECK(world.login().completed_by == "subagent:dev");
  CHECK(shown->state->phases == world.state()->phases);
  SECTION("a tick of nobody's is external") {
    world.edit("[x] Login", "[ ] Login");
    (void)world.sync();
    world.edit("[ ] Login", "[x] Login");
    const auto mine = app::load_shown(world.context, world.location, 0);
    REQUIRE(mine);
    const core::PhaseState& phase = mine->state->phases.front();
    CHECK(std::any_of(phase.tasks.begin(), phase.tasks.end(), [](const core::TaskState& task) {
      return task.done && task.completed_by == "external";
    }));
  }
}

TEST_CASE("whatever git does to bring a tick back, it is the one that was made") {
  Branches world;
  const std::string ticked = world.leave_ticked();
  const std::string message =
      GENERATE("merge feature: Fast-forward", "merge @{-1}: Merge made by the 'ort' strategy.",
               "commit (merge): Merge branch 'feature'", "pull: Fast-forward", "reset: moving to 0123abc",
               "rebase (finish): returning to refs/heads/main", "cherry-pick: work");
  world.git(message, ticked);
  (void)world.sync();
  CHECK(world.login() == world.ticked());
}

TEST_CASE("a save that does not look at the plan hides nothing that git did to it") {
  Branches world;
  const std::string ticked = world.leave_ticked();
  world.git("merge feature: Fast-forward", ticked);
  const auto save_unseen = [&] {
    world.clock.advance(base::kMinute);
    app::PlanWork work(world.context, world.location);
    REQUIRE(work.open(app::PlanWork::Create::if_plan));
    REQUIRE(work.lock(app::kTimeout));
    REQUIRE(work.records_whole());
    core::Event saved;
    saved.time = work.now();
    saved.kind = core::EventKind::checkpoint_saved;
    saved.checkpoint = "cp_0000_001";
    REQUIRE(work.save(work.state(), {saved}));
  };
  const base::Instant seen = world.state()->last_saved;
  save_unseen();
  save_unseen();
  CHECK(world.state()->plan_seen == seen);
  (void)world.sync();
  CHECK(world.login() == world.ticked());
  CHECK_FALSE(world.state()->plan_seen);
}

TEST_CASE("a tick that git did not bring is made now, wherever HEAD went") {
  Branches world;
  (void)world.leave_ticked();
  SECTION("HEAD moved, and left the plan as it is") {
    world.moved("merge other: Fast-forward");
    (void)world.sync();
    world.edit("[ ] Login", "[x] Login");
  }
  SECTION("it was made and committed by hand") {
    world.edit("[ ] Login", "[x] Login");
    world.commit();
  }
  SECTION("the plan is not in git") {
    world.disk().put("/home/kim/.git/index", test::index_file({}));
    world.edit("[ ] Login", "[x] Login");
    world.disk().put(
        "/home/kim/.git/logs/HEAD",
        test::reflog_entry(world.clock.now().milliseconds / base::kSecond, "checkout: moving from a to b"));
  }
  (void)world.sync();
  CHECK(world.login().completed_by == "external");
  CHECK(world.login().completed_at == world.clock.now());
}

TEST_CASE("a tick that was taken back on purpose is not given back by git") {
  Branches world;
  world.tick("Login form", "main");
  world.commit();
  const std::string ticked = world.plan();
  world.edit("[x] Login", "[ ] Login");
  (void)world.sync({"main", true});
  world.commit();
  world.checkout(ticked);
  (void)world.sync();
  CHECK(world.login().completed_by == "external");
  CHECK(world.login().completed_at == world.clock.now());
}

TEST_CASE("what was ticked on two branches stays what it is") {
  Branches world;
  const std::string feature = world.leave_ticked();
  world.tick("Login form", "team:blue");
  world.commit();
  const core::TaskState blue = world.login();
  CHECK(blue.completed_by == "team:blue");
  world.checkout(feature);
  (void)world.sync();
  CHECK(world.login() == blue);
}

TEST_CASE("tasks that came undone at different moments get each its own time back") {
  Branches world;
  const std::string none = world.plan();
  world.tick("Login form", "main");
  const core::TaskState login = world.login();
  const std::string one = world.plan();
  world.tick("Logout", "team:blue");
  const core::TaskState logout = *World::task(*world.state(), "logout");
  const std::string both = world.plan();
  world.commit();
  world.checkout(one);
  (void)world.sync();
  world.checkout(none);
  (void)world.sync();
  world.git("merge feature: Fast-forward", both);
  (void)world.sync();
  CHECK(world.login() == login);
  CHECK(*World::task(*world.state(), "logout") == logout);
}

TEST_CASE("criteria with their evidence and the times of phases come back too") {
  Branches world;
  const std::string open = world.plan();
  world.ship();
  world.commit();
  const std::string ticked = world.plan();
  const core::PhaseState before = world.state()->phases[1];
  REQUIRE(before.completed_at);
  REQUIRE(before.acceptance[0].verified_at);
  world.checkout(open);
  (void)world.sync();
  CHECK_FALSE(world.state()->phases[1].completed_at);
  world.checkout(ticked);
  (void)world.sync();
  CHECK(world.state()->phases[1] == before);
}

TEST_CASE("what git did not touch keeps its times, also those of a phase that was completed again") {
  Branches world;
  world.ship();
  const std::string shipped = world.plan();
  world.tick("Login form", "main");
  const std::string all = world.plan();
  const core::TaskState login = world.login();
  world.commit();
  world.checkout(shipped);
  (void)world.sync();
  world.edit("[x] Release notes", "[ ] Release notes");
  (void)world.sync({"main", true});
  world.edit("[ ] Release notes", "[x] Release notes");
  (void)world.sync({"main", true});
  const core::PhaseState ship = world.state()->phases[1];
  REQUIRE(ship.completed_at == world.clock.now());
  world.commit();
  world.git("merge feature: Fast-forward", all);
  (void)world.sync();
  CHECK(world.login() == login);
  CHECK(world.state()->phases[1] == ship);
}

TEST_CASE("after 30 days git brings a tick like any other") {
  Branches world;
  const std::string ticked = world.leave_ticked();
  const std::int64_t days = GENERATE(as<std::int64_t>(), 7, 29, 31);
  world.clock.advance(days * base::kDay);
  world.checkout(ticked);
  (void)world.sync();
  CHECK((world.login() == world.ticked()) == (days < 30));
}

TEST_CASE("a tick that was stashed comes back as it was made") {
  Branches world;
  const std::string open = world.plan();
  world.tick("Login form", "subagent:dev");
  const std::string ticked = world.plan();
  const core::TaskState before = world.login();
  world.git("reset: moving to HEAD", open);
  (void)world.sync();
  REQUIRE_FALSE(world.login().done);
  world.clock.advance(base::kMinute);
  SECTION("when it is applied or popped") {
    world.unstash(ticked);
    (void)world.sync();
    CHECK(world.login() == before);
  }
  SECTION("but a tick that is made by hand is made now") {
    world.put_plan(ticked);
    SECTION("and left") {}
    SECTION("and added at once") {
      world.add();
    }
    (void)world.sync();
    CHECK(world.login().completed_by == "external");
  }
}

TEST_CASE("an edit that git discards was never made") {
  Branches world;
  const std::string open = world.plan();
  world.tick("Login form", "subagent:dev");
  world.commit();
  const std::string ticked = world.plan();
  const core::TaskState before = world.login();
  SECTION("by hand") {
    world.put_plan(open);
  }
  SECTION("by git, from an earlier commit") {
    world.write_alone(open);
  }
  (void)world.sync();
  REQUIRE_FALSE(world.login().done);
  world.write_alone(ticked);
  const app::Outcome back = world.sync();
  CHECK(world.login() == before);
  CHECK(back.events.back().via == "restored");
}

TEST_CASE("ticks that a merge brings are those that were made, also where it stops") {
  Branches world;
  const std::string ticked = world.leave_ticked();
  SECTION("at another file") {
    world.put_plan(ticked);
    world.disk().put("/home/kim/.git/MERGE_HEAD", std::string(40, 'a') + "\n");
    (void)world.sync();
  }
  SECTION("at the plan, whoever resolves the conflict") {
    world.put_plan("<<<<<<< HEAD\n" + ticked + "=======\n" + ticked + ">>>>>>> other\n");
    CHECK_FALSE(world.sync().readable);
    world.put_plan(ticked);
    SECTION("by hand") {
      (void)world.sync();
    }
    SECTION("an agent") {
      (void)world.sync({"main", true});
    }
  }
  CHECK(world.login() == world.ticked());
}

TEST_CASE("a phase does not begin after what was done in it") {
  Branches world;
  world.put_plan("# Plan\n\n- [ ] One\n- [ ] Two\n");
  (void)world.sync();
  const std::string none = world.plan();
  world.tick("One", "main");
  world.commit();
  const std::string one = world.plan();
  const auto began = world.state()->phases[0].started_at;
  world.checkout(none);
  (void)world.sync();
  world.tick("Two", "main");
  world.commit();
  world.git("merge one: Fast-forward", "# Plan\n\n- [x] One\n- [x] Two\n");
  (void)world.sync();
  CHECK(world.state()->phases[0].started_at == began);
  CHECK(world.state()->phases[0].status == core::PhaseStatus::completed);
  const core::State known = *world.state();
  world.rebuild();
  CHECK(world.state()->phases == known.phases);
}

TEST_CASE("a phase that is missing on another branch comes back with its times and proof") {
  Branches world;
  const std::string whole = world.plan();
  const std::string part = whole.substr(0, whole.find("## Ship"));
  world.tick("Login form", "main");
  world.ship();
  const std::string shipped = world.plan();
  world.commit();
  const std::vector<core::PhaseState> before = world.state()->phases;
  REQUIRE(before[1].completed_at);
  REQUIRE(before[1].acceptance[0].verified_at);
  world.checkout(part);
  (void)world.sync();
  REQUIRE(world.state()->phases.size() == 1);
  world.checkout(shipped);
  (void)world.sync();
  CHECK(world.state()->phases == before);
  const core::State known = *world.state();
  world.rebuild();
  CHECK(world.state()->phases == known.phases);
}

TEST_CASE("decisions and blockers come back with their time and author") {
  Branches world;
  const std::string without = world.plan();
  world.put_plan(without +
                 "\n<!-- DECISION: Use SQLite | reason: one file -->\n<!-- BLOCKER: No network -->\n");
  (void)world.sync({"team:blue", true});
  world.commit();
  const std::string with = world.plan();
  const auto decided = world.state()->decisions;
  REQUIRE(decided.size() == 1);
  world.checkout(without);
  const app::Outcome away = world.sync();
  CHECK(World::lines_of(away.events) == std::vector<std::string>{"checksum_mismatch reparse",
                                                                 "decision_removed external",
                                                                 "blocker_resolved external"});
  CHECK(away.events.back().via == "git");
  world.checkout(with);
  const app::Outcome back = world.sync();
  CHECK(world.state()->decisions == decided);
  for (const core::Event& event : back.events) {
    if (event.kind == core::EventKind::checksum_mismatch) continue;
    CHECK(event.by == "team:blue");
    CHECK(event.time == decided.front().time);
    CHECK(event.via == "restored");
  }
  SECTION("and from the history alone") {
    const core::State known = *world.state();
    world.disk().erase("/home/kim/.checkpoint/state.json");
    world.disk().erase("/home/kim/.checkpoint/recovery.json");
    (void)world.sync();
    CHECK(world.state()->decisions == known.decisions);
    CHECK(world.state()->blockers == known.blockers);
  }
  SECTION("but one that is taken out and put in again by hand is of now") {
    world.put_plan(without);
    (void)world.sync();
    world.put_plan(with);
    (void)world.sync();
    CHECK(world.state()->decisions.front().time == world.clock.now());
  }
}

TEST_CASE("a title that was reworded on another branch gives the box its id back") {
  Branches world;
  const std::string start = "# Plan\n\n- [ ] Write parser tests\n- [ ] Ship\n";
  world.put_plan(start);
  (void)world.sync();
  world.put_plan("# Plan\n\n- [x] Write parser tests\n- [ ] Ship\n");
  (void)world.sync({"team:blue", true});
  world.commit();
  const std::string ticked = world.plan();
  const std::vector<core::PhaseState> before = world.state()->phases;
  for (int i = 0; i < 3; ++i) {
    world.checkout("# Plan\n\n- [ ] Write tests for lexer\n- [ ] Ship\n");
    (void)world.sync();
    CHECK(world.state()->phases[0].tasks[0].id.text == "write-tests-for-lexer");
    world.checkout(ticked);
    (void)world.sync();
    CHECK(world.state()->phases == before);
  }
}

TEST_CASE("a phase that comes back with a branch is not completed anew") {
  Branches world;
  const std::string open = world.plan();
  world.ship();
  world.commit();
  const std::string shipped = world.plan();
  world.checkout(open);
  (void)world.sync();
  world.checkout(shipped);
  const app::Outcome back = world.sync();
  const auto completed = std::find_if(back.events.begin(), back.events.end(), [](const core::Event& event) {
    return event.kind == core::EventKind::phase_completed;
  });
  REQUIRE(completed != back.events.end());
  CHECK(completed->via == "restored");
  CHECK(completed->time == world.state()->phases[1].completed_at);
}

TEST_CASE("a commit that git took away is not the last one, nor is the plan adrift from it") {
  Branches world;
  const std::string open = world.plan();
  world.ship();
  world.commit();
  const std::string shipped = world.plan();
  const core::PhaseId phase = world.state()->phases[1].id;
  {
    app::PlanWork work(world.context, world.location);
    REQUIRE(work.open(app::PlanWork::Create::if_plan));
    REQUIRE(work.lock(app::kTimeout));
    REQUIRE(work.sync({}));
    core::Event committed;
    committed.time = work.now();
    committed.kind = core::EventKind::checkpoint_complete;
    committed.phase = phase;
    committed.milestone = 1;
    committed.commit = std::string(40, 'b');
    committed.phase_complete = true;
    committed.last = true;
    core::State state = work.state();
    core::apply_checkpoint_event(state, committed);
    REQUIRE(work.save(std::move(state), {committed}));
  }
  const auto last = [&world] {
    world.clock.advance(base::kMinute);
    auto shown = app::load_shown(world.context, world.location, 0);
    if (!shown) FAIL(shown.error().message);
    app::inspect_tree(world.context, *shown);
    return app::view_of(*shown).last_commit.has_value();
  };
  CHECK(last());
  world.git("reset: moving to HEAD~1", open);
  CHECK_FALSE(last());
  (void)world.sync();
  CHECK_FALSE(last());
  world.checkout(shipped);
  (void)world.sync();
  CHECK(last());
  world.edit("[x] Release notes", "[ ] Release notes");
  CHECK(last());
  (void)world.sync({"main", true});
  CHECK(last());
}

TEST_CASE("a new phase does not take over the times of one that had its id") {
  Branches world;
  const std::string whole = world.plan();
  world.ship();
  world.put_plan(whole.substr(0, whole.find("## Ship")));
  (void)world.sync();
  world.put_plan(world.plan() + "## Ship\n<!-- CHECKPOINT: ship -->\n- [x] Sail <!-- TASK: sail -->\n");
  (void)world.sync();
  REQUIRE(world.state()->phases[1].status == core::PhaseStatus::completed);
  CHECK_FALSE(world.state()->phases[1].started_at);
  CHECK_FALSE(world.state()->phases[1].completed_at);
}

namespace {

// The repository of Branches with a second work tree, whose plan is tracked too.
struct TwoTrees : Branches {
  const app::PlanLocation there{"/home/agent", "plan.md"};

  TwoTrees() {
    disk().put("/home/kim/.git/worktrees/agent/gitdir", "/home/agent/.git\n");
    disk().put("/home/kim/.git/worktrees/agent/commondir", "../..\n");
    disk().put("/home/agent/.git", "gitdir: /home/kim/.git/worktrees/agent\n");
    disk().put(there.path(), plan());
    (void)sync_there({});
  }
  app::Outcome sync_there(const app::Edit& edit) {
    clock.advance(base::kMinute);
    auto outcome = app::track(context, there, edit);
    if (!outcome) FAIL(outcome.error().message);
    return std::move(*outcome);
  }
  void edit_there(std::string_view from, std::string_view to, const std::string& by) {
    std::string text = *disk().get(there.path());
    text.replace(text.find(from), from.size(), to);
    disk().put(there.path(), text);
    (void)sync_there({by, true});
  }
  core::State state_there() { return *core::decode_state(*disk().get("/home/agent/.checkpoint/state.json")); }
  app::Outcome merge() {
    git("merge agent: Fast-forward", *disk().get(there.path()));
    return sync();
  }
};

}  // namespace

TEST_CASE("what git brings from another work tree has who did it there and when") {
  TwoTrees world;
  world.edit_there("[ ] Login form", "[x] Login form", "subagent:dev");
  const core::TaskState done = *World::task(world.state_there(), "login");
  const app::Outcome merged = world.merge();
  CHECK(world.login() == done);
  CHECK(World::lines_of(merged.events) ==
        std::vector<std::string>{"checksum_mismatch reparse", "task_completed login subagent:dev"});
  CHECK(merged.events.back().via == "work-tree");
  CHECK(merged.events.back().time == done.completed_at);
  SECTION("and from the history alone") {
    const core::State known = *world.state();
    world.rebuild();
    CHECK(world.state()->phases == known.phases);
  }
  SECTION("once") {
    CHECK(world.sync().events.empty());
  }
  SECTION("and back, where it was taken away meanwhile") {
    const std::string ticked = world.plan();
    std::string open = ticked;
    open.replace(open.find("[x] Login form"), 3, "[ ]");
    world.checkout(open);
    (void)world.sync();
    world.checkout(ticked);
    CHECK(world.sync().events.back().via == "restored");
    CHECK(world.login() == done);
  }
}

TEST_CASE("a task that came with its tick from another work tree, and a phase that begins with it") {
  TwoTrees world;
  world.edit_there("[ ] Release notes", "[x] Release notes", "team:blue");
  const core::State there = world.state_there();
  world.edit_there("- [ ] Login form", "- [x] Found on the way\n- [ ] Login form", "subagent:dev");
  const app::Outcome merged = world.merge();
  const core::State here = *world.state();
  CHECK(World::task(here, "notes")->completed_by == "team:blue");
  CHECK(here.phases[1].started_at == there.phases[1].started_at);
  CHECK(World::task(here, "found-on-the-way")->completed_by ==
        World::task(world.state_there(), "found-on-the-way")->completed_by);
  const core::State known = *world.state();
  world.rebuild();
  CHECK(world.state()->phases == known.phases);
}

TEST_CASE("a plan that is new in a work tree has who did it and when from the others") {
  TwoTrees world;
  world.tick("Login form", "subagent:dev");
  world.disk().put("/home/kim/.git/worktrees/next/gitdir", "/home/next/.git\n");
  world.disk().put("/home/kim/.git/worktrees/next/commondir", "../..\n");
  world.disk().put("/home/next/.git", "gitdir: /home/kim/.git/worktrees/next\n");
  world.disk().put("/home/next/plan.md", world.plan());
  const app::PlanLocation next{"/home/next", "plan.md"};
  const auto started = app::start_tracking(world.context, next);
  REQUIRE(started);
  CHECK(started->created);
  CHECK(*World::task(started->outcome.state, "login") == world.login());
  world.disk().erase("/home/next/.checkpoint/state.json");
  const auto rebuilt = app::track(world.context, next, {});
  REQUIRE(rebuilt);
  CHECK(*World::task(rebuilt->state, "login") == world.login());
}

TEST_CASE("a tick is nobody's of another work tree") {
  TwoTrees world;
  SECTION("that has the task open") {}
  SECTION("where another task has the id") {
    world.edit_there("[ ] Login form", "[x] Another form", "subagent:dev");
  }
  SECTION("that is of another repository") {
    world.edit_there("[ ] Login form", "[x] Login form", "subagent:dev");
    world.disk().put("/home/agent/.git", "gitdir: /home/kim/.git/worktrees/other\n");
  }
  SECTION("that is gone") {
    world.edit_there("[ ] Login form", "[x] Login form", "subagent:dev");
    world.disk().erase("/home/agent/.git");
  }
  SECTION("whose records say that it will be done") {
    world.clock.advance(base::kDay);
    world.edit_there("[ ] Login form", "[x] Login form", "subagent:dev");
    world.clock.advance(-base::kDay);
  }
  std::string ticked = world.plan();
  ticked.replace(ticked.find("[ ] Login form"), 3, "[x]");
  world.git("merge other: Fast-forward", ticked);
  (void)world.sync();
  CHECK(world.login().completed_by == "external");
}

TEST_CASE("a tick from before somebody reopened the task here is over") {
  TwoTrees world;
  world.edit_there("[ ] Login form", "[x] Login form", "subagent:dev");
  (void)world.merge();
  const std::string ticked = world.plan();
  world.edit("[x] Login form", "[ ] Login form");
  (void)world.sync({"person:kim", true});
  world.git("pull: Fast-forward", ticked);
  (void)world.sync();
  CHECK(world.login().completed_by == "external");
}

TEST_CASE("a tick that is made here is nobody's of another work tree") {
  TwoTrees world;
  world.edit_there("[ ] Login form", "[x] Login form", "subagent:dev");
  world.tick("Login form", "main");
  CHECK(world.login().completed_by == "main");
}
