#include "editing/claim.hpp"

#include <catch2/catch.hpp>

#include "editing/complete.hpp"
#include "editing/other_trees.hpp"
#include "hooks/hook_world.hpp"
#include "rules/next.hpp"
#include "tracking/lease_holders.hpp"
#include "tracking/show.hpp"
#include "tracking/start_tracking.hpp"

using namespace plankeep;
using app::ClaimRequest;
using app::ClaimResult;
using core::EventKind;
using test::HookWorld;

namespace {

constexpr std::int64_t kMinute = 60'000;

ClaimRequest by(std::string actor) {
  ClaimRequest request;
  request.actor = std::move(actor);
  return request;
}

app::ClaimAnswer claim(HookWorld& world, const std::string& id, const ClaimRequest& request) {
  auto claimed = app::claim_task(world.context, world.location, id, request);
  if (!claimed) FAIL(claimed.error().message);
  return std::move(*claimed);
}

std::string next(HookWorld& world, const ClaimRequest& request) {
  auto claimed = app::claim_next(world.context, world.location, request);
  if (!claimed) FAIL(claimed.error().message);
  if (!claimed->lease) return {};
  CHECK_FALSE(claimed->why.empty());
  return claimed->lease->task.text;
}

ClaimResult release(HookWorld& world, const std::string& id, const ClaimRequest& request,
                    core::Force force = core::Force::no) {
  auto released = app::release_task(world.context, world.location, id, request, force);
  if (!released) FAIL(released.error().message);
  return released->result;
}

}  // namespace

TEST_CASE("a claim is recorded with one save, and found again by the next who asks") {
  HookWorld world;
  const app::ClaimAnswer first = claim(world, "login", by("main"));
  CHECK(first.result == ClaimResult::claimed);
  CHECK(first.line == 6);
  REQUIRE(first.lease);
  CHECK(first.lease->fence == 1);
  CHECK(first.lease->until.milliseconds == world.clock.now().milliseconds + 30 * kMinute);
  CHECK(first.lease->process.empty());
  REQUIRE(world.state());
  CHECK(world.state()->leases == std::vector<core::LeaseState>{*first.lease});
  CHECK(world.events().back().kind == EventKind::task_claimed);

  const auto before = world.disk().everything();
  const app::ClaimAnswer second = claim(world, "login", by("kim"));
  CHECK(second.result == ClaimResult::held);
  CHECK_FALSE(second.lease);
  REQUIRE(second.previous);
  CHECK(second.previous->by == "main");
  CHECK(world.disk().everything() == before);
}

TEST_CASE("who only renews takes nothing that it does not hold") {
  HookWorld world;
  ClaimRequest request = by("main");
  request.session = "s1";
  request.renew_only = true;
  claim(world, "notes", by("kim"));
  const auto before = world.disk().everything();
  CHECK(claim(world, "login", request).result == ClaimResult::held);
  CHECK(world.disk().everything() == before);
  request.renew_only = false;
  claim(world, "login", request);
  request.renew_only = true;
  CHECK(claim(world, "login", request).result == ClaimResult::renewed);
}

TEST_CASE("what is done, waits, or is no task is not claimed, and nothing is written for it") {
  HookWorld world;
  claim(world, "notes", by("kim"));
  const auto before = world.disk().everything();
  CHECK(claim(world, "schema", by("main")).result == ClaimResult::done);
  const app::ClaimAnswer waiting = claim(world, "logout", by("main"));
  CHECK(waiting.result == ClaimResult::waiting);
  CHECK(waiting.waiting_for == std::vector<core::TaskId>{core::TaskId("login")});
  for (const char* id : {"tests", "nope"}) {
    const auto wrong = app::claim_task(world.context, world.location, id, by("main"));
    REQUIRE_FALSE(wrong);
  }
  ClaimRequest request = by("main");
  request.ttl = core::kShortestTtl - 1;
  CHECK_FALSE(app::claim_task(world.context, world.location, "login", request));
  request = by("main");
  request.holder_pid = 4711;
  CHECK_FALSE(app::claim_task(world.context, world.location, "login", request));
  CHECK(world.disk().everything() == before);
}

TEST_CASE("claiming next takes ready tasks one after the other, until nothing is left") {
  HookWorld world;
  CHECK(next(world, by("a")) == "login");
  CHECK(next(world, by("b")) == "notes");
  CHECK(next(world, by("c")).empty());
  // What waited is there once it need not wait any more.
  REQUIRE(app::set_tasks(world.context, world.location, {"login"}, core::BoxState::done, {"a"}));
  CHECK(next(world, by("a")) == "logout");
  CHECK(next(world, by("a")).empty());
  CHECK(release(world, "notes", by("a")) == ClaimResult::refused);
  CHECK(release(world, "notes", by("b")) == ClaimResult::released);
  CHECK(next(world, by("c")) == "notes");
  CHECK(world.state()->last_fence == 4);
}

TEST_CASE("a claim survives the loss of state and recovery, fence and all") {
  HookWorld world;
  claim(world, "login", by("main"));
  const core::State kept = *world.state();
  world.disk().put("/home/kim/.checkpoint/state.json", "{ broken");
  CHECK(claim(world, "login", by("kim")).result == ClaimResult::held);
  CHECK(world.state()->leases == kept.leases);
  CHECK(world.state()->last_fence == 1);
}

TEST_CASE("a holder whose process has ended is taken over, on its own host only") {
  HookWorld world;
  world.processes.running[77] = "77:1";
  ClaimRequest request = by("main");
  request.holder_pid = 77;
  const app::ClaimAnswer first = claim(world, "login", request);
  REQUIRE(first.lease);
  CHECK(first.lease->process == "77:1");
  CHECK(first.lease->host == "here");
  CHECK(claim(world, "login", by("kim")).result == ClaimResult::held);
  // The same number, another process.
  world.processes.running[77] = "77:2";
  world.processes.name = "elsewhere";
  CHECK(claim(world, "login", by("kim")).result == ClaimResult::held);
  world.processes.name = "here";
  const app::ClaimAnswer over = claim(world, "login", by("kim"));
  CHECK(over.result == ClaimResult::taken_over);
  CHECK(over.status == core::LeaseStatus::gone);
  CHECK(over.lease->fence == 2);
  CHECK(world.events().back().from == "main");
}

TEST_CASE("where the system does not tell processes apart, one that runs is the holder") {
  HookWorld world;
  world.processes.running[77] = "";
  ClaimRequest request = by("main");
  request.holder_pid = 77;
  CHECK(claim(world, "login", request).lease->process == "77");
  CHECK(claim(world, "login", by("kim")).result == ClaimResult::held);
  world.processes.running.clear();
  CHECK(claim(world, "login", by("kim")).result == ClaimResult::taken_over);
}

TEST_CASE("a claim from a client's shell belongs to its session, and ends with it") {
  HookWorld world;
  world.processes.running = {{50, "50:1"}, {60, "60:1"}, {70, "70:1"}};
  core::HookEvent start = world.start();
  start.process = 50;
  world.say(start);
  core::HookEvent inner = world.start("s2");
  inner.process = 60;
  world.say(inner);
  // A shell of the inner one's.
  world.processes.parents = {70, 60, 50, 1};
  const app::ClaimAnswer first = claim(world, "login", by("main"));
  REQUIRE(first.lease);
  CHECK(first.lease->session == "s2");
  CHECK(first.lease->process == "60:1");
  // The same session claims again: it keeps what it has.
  CHECK(claim(world, "login", by("main")).result == ClaimResult::renewed);
  // What it holds is what it is to do; nobody else is shown it.
  const auto shown_next = [&world](const std::string& actor) {
    auto shown = app::load_shown(world.context, world.location, 0);
    if (!shown) FAIL(shown.error().message);
    const auto self = app::holder_of(world.context, *shown->state, by(actor));
    if (!self) FAIL(self.error().message);
    shown->self = *self;
    const core::StatusView view = app::view_of(*shown);
    const core::Next next = core::next_of(view);
    return (next.task == nullptr ? "nothing" : next.task->id.text) + ": " + next.why;
  };
  CHECK(shown_next("main") == "login: you have claimed it");
  CHECK(shown_next("subagent:coder") ==
        "notes: every open task of phase build is claimed or waits for another task");
  world.processes.parents = {50, 1};
  CHECK(shown_next("main") == "notes: every open task of phase build is claimed or waits for another task");
  CHECK(claim(world, "login", by("main")).result == ClaimResult::held);
  world.say(world.end("s2"));
  const app::ClaimAnswer over = claim(world, "login", by("main"));
  CHECK(over.result == ClaimResult::taken_over);
  CHECK(over.lease->session == "s1");
}

TEST_CASE(
    "a process of its own keeps a claim beyond the session it came from, and none is taken that is not seen "
    "here") {
  HookWorld world;
  world.processes.running = {{50, "50:1"}, {70, "70:1"}};
  core::HookEvent start = world.start();
  start.process = 50;
  world.say(start);
  world.processes.parents = {50, 1};
  ClaimRequest request = by("main");
  request.holder_pid = 70;
  const app::ClaimAnswer own = claim(world, "login", request);
  REQUIRE(own.lease);
  CHECK(own.lease->session.empty());
  CHECK(own.lease->process == "70:1");
  world.say(world.end());
  CHECK(claim(world, "login", by("kim")).result == ClaimResult::held);

  world.say(start);
  world.processes.running.erase(50);
  request = by("main");
  request.session = "s1";
  const app::ClaimAnswer unseen = claim(world, "notes", request);
  REQUIRE(unseen.lease);
  CHECK(unseen.lease->session == "s1");
  CHECK(unseen.lease->process.empty());
  CHECK(claim(world, "notes", by("kim")).result == ClaimResult::held);
}

TEST_CASE("whatever write fails, a claim is granted or can be claimed again by who asked") {
  bool failed = true;
  for (std::int64_t operation = 1; failed; ++operation) {
    CAPTURE(operation);
    HookWorld world;
    claim(world, "notes", by("kim"));
    world.disk().restart();
    world.disk().plan_fault({test::Fault::Kind::fail_once, operation, 0});
    const auto tried = app::claim_task(world.context, world.location, "login", by("main"));
    failed = world.disk().operations() >= operation;
    world.disk().restart();
    if (tried) {
      CHECK(tried->result == ClaimResult::claimed);
      CHECK(tried->lease->by == "main");
      // Who shows what was claimed finds it there, whatever was saved.
      const auto& leases = tried->outcome.state.leases;
      CHECK(std::find(leases.begin(), leases.end(), *tried->lease) != leases.end());
      const app::ClaimAnswer other = claim(world, "login", by("ada"));
      CHECK(other.result == ClaimResult::held);
      CHECK(other.previous->fence == tried->lease->fence);
    } else {
      CHECK(claim(world, "login", by("main")).result == ClaimResult::claimed);
    }
  }
}

TEST_CASE("a plan that cannot be read gives no claim") {
  HookWorld world;
  claim(world, "login", by("main"));
  world.put_plan("nothing left\n");
  const auto refused = app::claim_next(world.context, world.location, by("kim"));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == base::ErrorKind::conflict);
}

namespace {

// The plan of a world in two work trees of one repository, each with records of its own.
struct TwoTrees : test::World {
  const app::PlanLocation there{"/home/agent", "plan.md"};

  TwoTrees() {
    disk().put_folder("/home/kim/.git");
    disk().put("/home/kim/.git/worktrees/agent/gitdir", "/home/agent/.git\n");
    disk().put("/home/kim/.git/worktrees/agent/commondir", "../..\n");
    disk().put("/home/agent/.git", "gitdir: /home/kim/.git/worktrees/agent\n");
    put_plan(test::kPlanText);
    disk().put(there.path(), test::kPlanText);
    for (const app::PlanLocation& plan : {location, there}) {
      if (!app::start_tracking(context, plan)) FAIL(plan.path());
    }
  }
  app::ClaimAnswer next(const app::PlanLocation& plan, const std::string& actor) {
    ClaimRequest request;
    request.actor = actor;
    auto answer = app::claim_next(context, plan, request);
    if (!answer) FAIL(answer.error().message);
    return std::move(*answer);
  }
  // What `next` shows: its task and why.
  std::string shown_next(const app::PlanLocation& plan) {
    const auto shown = app::load_shown(context, plan, 0);
    if (!shown) FAIL(shown.error().message);
    core::StatusView view = app::view_of(*shown);
    const auto left_out = app::leave_out(context, *shown, app::OtherTrees::look(context, plan), view);
    if (!left_out) FAIL(left_out.error().message);
    const core::Next next = core::next_of(view);
    return (next.task == nullptr ? "nothing" : next.task->id.text) + ": " + next.why;
  }
  app::ClaimAnswer claim(const app::PlanLocation& plan, const std::string& id, const std::string& actor) {
    ClaimRequest request;
    request.actor = actor;
    auto answer = app::claim_task(context, plan, id, request);
    if (!answer) FAIL(answer.error().message);
    return std::move(*answer);
  }
};

}  // namespace

TEST_CASE("agents in two work trees of a repository get different tasks") {
  TwoTrees world;
  const app::ClaimAnswer first = world.next(world.location, "a");
  const app::ClaimAnswer second = world.next(world.there, "b");
  REQUIRE(first.lease);
  REQUIRE(second.lease);
  CHECK(first.task != second.task);
  CHECK(second.lease->fence > first.lease->fence);
  SECTION("and none that somebody has there, named or not") {
    const app::ClaimAnswer held = world.claim(world.there, first.task.text, "b");
    CHECK(held.result == ClaimResult::held);
    REQUIRE(held.previous);
    CHECK(held.previous->by == "a");
    ClaimRequest again = by("a");
    again.fence = first.lease->fence;
    const auto renewed = app::claim_task(world.context, world.location, first.task.text, again);
    REQUIRE(renewed);
    CHECK(renewed->result == ClaimResult::renewed);
    CHECK(renewed->lease->fence == first.lease->fence);
  }
  SECTION("also where somebody only asks what is next") {
    CHECK(world.shown_next(world.there) ==
          "nothing: every open task of the phase is claimed or done in another "
          "work tree or waits for another task");
    world.clock.advance(core::kDefaultTtl + 1);
    REQUIRE(app::set_tasks(world.context, world.location, {first.task.text}, core::BoxState::done, {"a"}));
    CHECK(world.shown_next(world.there) ==
          "notes: every open task of phase build is claimed or done in another work tree or waits for "
          "another task");
    // What is done there is what the next one here waits for until it is merged.
    CHECK(world.shown_next(world.location) == "logout: the tasks it waited for are done: login");
  }
  SECTION("until that claim is over") {
    world.clock.advance(core::kDefaultTtl + 1);
    CHECK(world.claim(world.there, first.task.text, "b").result == ClaimResult::claimed);
  }
  SECTION("nor one that is done there and not merged yet") {
    REQUIRE(app::set_tasks(world.context, world.location, {first.task.text}, core::BoxState::done, {"a"}));
    CHECK(world.next(world.there, "c").task != first.task);
    const app::ClaimAnswer wanted = world.claim(world.there, first.task.text, "c");
    CHECK(wanted.result == ClaimResult::claimed);
    REQUIRE(wanted.outcome.warnings.size() == 1);
    CHECK(wanted.outcome.warnings.front() ==
          first.task.text + " is done in another work tree, from where it can be merged: /home/kim");
  }
  SECTION("but one that was reopened here since") {
    const std::string id = second.task.text;
    REQUIRE(app::set_tasks(world.context, world.there, {id}, core::BoxState::done, {"b"}));
    REQUIRE(app::set_tasks(world.context, world.location, {id}, core::BoxState::done, {"a"}));
    world.clock.advance(kMinute);
    REQUIRE(app::set_tasks(world.context, world.location, {id}, core::BoxState::open, {"a"}));
    CHECK(world.next(world.location, "c").task == second.task);
    ClaimRequest again = by("d");
    again.fence = world.claim(world.location, id, "d").previous->fence;
    const auto renewed = app::claim_task(world.context, world.location, id, again);
    REQUIRE(renewed);
    CHECK(renewed->outcome.warnings.empty());
  }
  SECTION("a tree that left the repository does not count") {
    world.disk().erase("/home/kim/.git/worktrees/agent/gitdir");
    CHECK(world.claim(world.location, second.task.text, "c").result == ClaimResult::claimed);
  }
}

TEST_CASE("whoever claims waits for a claim in another work tree") {
  TwoTrees world;
  const auto folder = world.files.open_folder("/home/kim/.git");
  REQUIRE(folder);
  const auto ours = (*folder)->make_folder("plankeep");
  REQUIRE(ours);
  const auto lock = (*ours)->lock("claims.lock", std::chrono::milliseconds{0});
  REQUIRE(lock);
  const auto claimed = app::claim_next(world.context, world.there, ClaimRequest{});
  REQUIRE_FALSE(claimed);
  CHECK(claimed.error().kind == base::ErrorKind::busy);
}
