// Running commands and recording what they showed, in a world whose git finds no file in a folder without a
// repository, and else is missing (tests/git and tests/cases have a real one).

#include "verify/verify.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>

#include "base/sha256.hpp"
#include "editing/complete.hpp"
#include "support/world.hpp"
#include "tracking/start_tracking.hpp"
#include "tracking/track.hpp"

using namespace plankeep;
using namespace plankeep::app;
using base::ErrorKind;
using core::Proof;
using Which = Verification::Which;

namespace {

constexpr std::string_view kPlan =
    "## Ship\n"
    "<!-- CHECKPOINT: ship -->\n"
    "- [x] Notes <!-- TASK: notes -->\n"
    "- [ ] Tests pass <!-- ACCEPT: tests | verify: make test -->\n"
    "- [x] Clean <!-- ACCEPT: clean | verify: make lint -->\n"
    "- [ ] Reviewed <!-- ACCEPT: reviewed -->\n";

/// Says what a test wants said, ends as it wants, and does something meanwhile.
class ScriptedProcesses : public system::Processes {
 public:
  std::string says;
  system::Ended ends;
  std::function<void()> meanwhile;
  std::vector<system::Command> ran;

  std::optional<std::string> identity(std::int64_t) override { return std::nullopt; }
  std::vector<std::int64_t> ancestors() override { return {}; }
  std::string host() override { return "here"; }
  base::Result<system::Finished> run(const system::Run& run) override {
    const bool listing = std::any_of(run.variables.begin(), run.variables.end(),
                                     [](const std::string& one) { return one.starts_with("GIT_DIR="); });
    if (listing) return system::Finished{};
    return base::fail(ErrorKind::not_found, "no git here");
  }
  base::Result<system::Ended> run_command(const system::Command& command,
                                          system::CommandWatch& watch) override {
    ran.push_back(command);
    if (meanwhile) meanwhile();
    for (std::size_t at = 0; at < says.size(); at += 1000)
      watch.said(std::string_view(says).substr(at, 1000));
    if (!watch.go_on(std::chrono::milliseconds(1))) ends.interrupted = true;
    return ends;
  }
};

class Silent : public system::CommandWatch {
 public:
  std::string heard;
  bool interrupted = false;
  void said(std::string_view bytes) override { heard.append(bytes); }
  bool go_on(std::chrono::milliseconds) override { return !interrupted; }
};

class VerifyWorld : public test::World {
 public:
  VerifyWorld() {
    context.processes = &processes;
    disk().put_folder("/home/ada");  // where the state home is made
    put_plan(kPlan);
    REQUIRE(start_tracking(context, location));
  }

  Verification begin(const std::vector<std::string>& ids = {}, Which which = Which::all) {
    auto verification = Verification::begin(context, location, ids, which);
    if (!verification) FAIL(verification.error().message);
    return std::move(*verification);
  }

  Verified verify(const std::string& id) {
    Verification verification = begin({id});
    REQUIRE(verification.commands().size() == 1);
    auto verified = verification.run(verification.commands()[0], std::chrono::seconds(9), watch, "kim");
    if (!verified) FAIL(verified.error().message);
    return std::move(*verified);
  }

  const core::CriterionState& criterion(const std::string& id) {
    kept = state().value();
    for (const core::CriterionState& entry : kept.phases[0].acceptance) {
      if (entry.id.text == id) return entry;
    }
    throw std::logic_error("no criterion " + id);
  }

  ScriptedProcesses processes;
  Silent watch;
  core::State kept;
};

}  // namespace

TEST_CASE("the commands of a plan are found in its order, by id, and by what is not proven") {
  VerifyWorld world;
  const auto ids = [](const Verification& verification) {
    std::vector<std::string> found;
    for (const VerifyCommand& command : verification.commands()) found.push_back(command.id.text);
    return found;
  };
  using Ids = std::vector<std::string>;
  CHECK(ids(world.begin()) == Ids{"tests", "clean"});
  CHECK(ids(world.begin({"clean", "ship/tests"})) == Ids{"tests", "clean"});
  CHECK(ids(world.begin({"clean", "clean"})) == Ids{"clean"});
  (void)world.verify("tests");
  CHECK(ids(world.begin({}, Which::not_fresh)) == Ids{"clean"});
  CHECK(world.begin().root() == "/home/kim");
}

TEST_CASE("what has no command cannot be verified") {
  VerifyWorld world;
  const auto kind = [&](const std::string& id) {
    return Verification::begin(world.context, world.location, {id}, Which::all).error().kind;
  };
  CHECK(kind("nobody") == ErrorKind::not_found);
  CHECK(kind("notes") == ErrorKind::invalid_input);
  CHECK(kind("reviewed") == ErrorKind::invalid_input);
  CHECK(world.processes.ran.empty());
}

TEST_CASE("a pass ticks the box, byte for byte, and is kept with what it showed") {
  VerifyWorld world;
  world.processes.says = "compiling\nall 12 tests passed\n";
  world.processes.ends.duration = std::chrono::milliseconds(1234);
  const Verified verified = world.verify("tests");
  CHECK(verified.result == Verified::Result::passed);
  CHECK(verified.ticked);
  CHECK(world.watch.heard == world.processes.says);
  REQUIRE(world.processes.ran.size() == 1);
  CHECK(world.processes.ran[0].line == "make test");
  CHECK(world.processes.ran[0].folder == "/home/kim");
  CHECK(world.processes.ran[0].timeout == std::chrono::seconds(9));

  std::string wanted(kPlan);
  wanted.replace(wanted.find("[ ] Tests"), 3, "[x]");
  CHECK(world.plan() == wanted);
  const core::CriterionState& kept = world.criterion("tests");
  CHECK(kept.met);
  REQUIRE(kept.evidence);
  CHECK(kept.evidence->command == "make test");
  CHECK(kept.evidence->duration_ms == 1234);
  CHECK(kept.evidence->output_sha256 == base::sha256_hex(world.processes.says));
  CHECK(kept.evidence->last_lines == "compiling\nall 12 tests passed");
  CHECK_FALSE(kept.evidence->tree.empty());
  const auto events = world.events();
  CHECK(test::World::line_of(events.back()) == "acceptance_met tests kim");
  CHECK(events.back().evidence == kept.evidence);
}

TEST_CASE("a failure unticks, and one more failure is one more event") {
  VerifyWorld world;
  world.processes.ends.status = 2;
  CHECK(world.verify("clean").unticked);
  CHECK(world.plan().find("- [ ] Clean") != std::string::npos);
  CHECK_FALSE(world.verify("clean").unticked);
  std::size_t unmet = 0;
  for (const std::string& line : world.told()) unmet += line == "acceptance_unmet clean kim" ? 1 : 0;
  CHECK(unmet == 2);
  CHECK(world.criterion("clean").evidence->status == 2);
  CHECK(world.begin({"clean"}).commands()[0].proof == Proof::failed);
}

TEST_CASE("a pass of what is met already is told with its evidence, and the plan is not touched") {
  VerifyWorld world;
  world.disk().forget_log();
  const Verified verified = world.verify("clean");
  CHECK_FALSE(verified.ticked);
  CHECK(world.plan() == kPlan);
  CHECK(world.told().back() == "acceptance_met clean kim");
  CHECK(world.criterion("clean").verified_at.has_value());
}

TEST_CASE("a timeout has failed whatever the status says") {
  VerifyWorld world;
  world.processes.ends.timed_out = true;
  CHECK(world.verify("clean").result == Verified::Result::timed_out);
  CHECK_FALSE(world.criterion("clean").met);
  CHECK(world.criterion("clean").evidence->timed_out);
}

TEST_CASE("an interrupt records nothing") {
  VerifyWorld world;
  world.watch.interrupted = true;
  const auto before = world.told();
  CHECK(world.verify("tests").result == Verified::Result::interrupted);
  CHECK(world.told() == before);
  CHECK(world.plan() == kPlan);
}

TEST_CASE("a criterion that is gone, or has another command when this one ended, gets no evidence") {
  VerifyWorld world;
  SECTION("another command") {
    world.processes.meanwhile = [&] { world.edit("make test", "make check"); };
  }
  SECTION("taken out") {
    world.processes.meanwhile = [&] {
      world.edit("- [ ] Tests pass <!-- ACCEPT: tests | verify: make test -->\n", "");
    };
  }
  SECTION("another phase") {
    world.processes.meanwhile = [&] { world.edit("CHECKPOINT: ship", "CHECKPOINT: sail"); };
  }
  SECTION("no plan any more") {
    world.processes.meanwhile = [&] { world.put_plan(std::string_view("\0\1", 2)); };
  }
  const Verified verified = world.verify("tests");
  CHECK(verified.result == Verified::Result::not_kept);
  for (const core::Event& event : world.events()) CHECK_FALSE(event.evidence);
}

TEST_CASE("an edit of something else while the command runs is kept, and recorded as somebody else's") {
  VerifyWorld world;
  world.processes.meanwhile = [&] { world.edit("[x] Notes", "[ ] Notes"); };
  CHECK(world.verify("tests").result == Verified::Result::passed);
  CHECK(world.plan().find("[ ] Notes") != std::string::npos);
  CHECK(world.plan().find("[x] Tests") != std::string::npos);
  const auto told = world.told();
  CHECK(std::find(told.begin(), told.end(), "task_reopened notes external") != told.end());
}

TEST_CASE("the lock is free while the command runs") {
  VerifyWorld world;
  bool done = false;
  world.processes.meanwhile = [&] {
    done = set_tasks(world.context, world.location, {"reviewed"}, core::BoxState::done, {"main"}).has_value();
  };
  CHECK(world.verify("tests").result == Verified::Result::passed);
  CHECK(done);
  CHECK(world.criterion("reviewed").met);
}

TEST_CASE("the last pass completes the phase, in one go") {
  VerifyWorld world;
  REQUIRE(set_tasks(world.context, world.location, {"reviewed"}, core::BoxState::done, {"main"}));
  const Verified verified = world.verify("tests");
  const auto told = world.told();
  REQUIRE(told.size() >= 2);
  CHECK(std::find(told.begin(), told.end(), "phase_completed") != told.end());
  CHECK(verified.outcome.state.phases[0].status == core::PhaseStatus::completed);
}

TEST_CASE("state and history agree after every kind of verify: a lost state comes back") {
  VerifyWorld world;
  (void)world.verify("tests");
  world.processes.ends.status = 1;
  (void)world.verify("clean");
  REQUIRE(set_tasks(world.context, world.location, {"clean"}, core::BoxState::done, {"main"}));
  world.processes.ends.status = 0;
  (void)world.verify("tests");
  const core::State before = world.state().value();
  for (const char* name : {"state.json", "recovery.json"}) {
    auto folder = world.files.open_folder("/home/kim/.checkpoint");
    REQUIRE(folder);
    if ((*folder)->read(name, 1 << 20)) REQUIRE((*folder)->remove(name));
  }
  REQUIRE(track(world.context, world.location, Edit{}));
  const core::State after = world.state().value();
  CHECK(after.phases == before.phases);
}

TEST_CASE("an output without end takes no more memory than its end") {
  VerifyWorld world;
  for (int i = 0; i < 20000; ++i) world.processes.says += "line " + std::to_string(i) + "\n";
  const Verified verified = world.verify("tests");
  CHECK(verified.evidence.output_sha256 == base::sha256_hex(world.processes.says));
  CHECK(verified.evidence.last_lines.ends_with("line 19999"));
  CHECK(verified.evidence.last_lines.size() <= core::kLastBytes);
}

TEST_CASE("a command that cannot be shown is not run") {
  VerifyWorld world;
  world.edit("make test", "make \xe2\x80\xae test");
  Verification verification = world.begin({"tests"});
  CHECK(verification.check_shown().error().kind == ErrorKind::invalid_input);
  CHECK(verification.run(verification.commands()[0], std::chrono::seconds(1), world.watch, "kim")
            .error()
            .kind == ErrorKind::invalid_input);
  CHECK(world.processes.ran.empty());
}

TEST_CASE("commands run at the top of the repository, else beside plans/, else beside the plan") {
  test::World world;
  world.disk().put_folder("/home/kim/a/plans/auth");
  world.disk().put_folder("/home/kim/b/docs/plans/deep/auth");
  world.disk().put_folder("/home/kim/c/notes");
  world.disk().put_folder("/home/kim/d/.git");
  world.disk().put_folder("/home/kim/d/plans/auth");
  const auto root = [&](const char* folder) {
    return command_root(world.context, PlanLocation{std::string("/home/kim/") + folder, "plan.md"});
  };
  CHECK(root("a/plans/auth") == "/home/kim/a");
  CHECK(root("b/docs/plans/deep/auth") == "/home/kim/b");
  CHECK(root("c/notes") == "/home/kim/c/notes");
  CHECK(root("d/plans/auth") == "/home/kim/d");
}

TEST_CASE("showing a plan starts git only where evidence depends on it") {
  VerifyWorld world;
  world.disk().put_folder("/home/kim/.git");
  class Counting : public ScriptedProcesses {
   public:
    int asked = 0;
    base::Result<system::Finished> run(const system::Run& run) override {
      ++asked;
      return ScriptedProcesses::run(run);
    }
  } counting;
  world.context.processes = &counting;
  const auto asked = [&] {
    counting.asked = 0;
    auto shown = load_shown(world.context, world.location, 0);
    REQUIRE(shown);
    inspect_tree(world.context, *shown);
    return counting.asked;
  };
  CHECK(asked() == 0);
  (void)world.verify("tests");
  CHECK(asked() == 1);
  world.edit("make test", "make check");
  CHECK(asked() == 0);
}
