#include "rules/lease.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "model/random_leases.hpp"
#include "rules/reconcile.hpp"

using namespace plankeep;
using namespace plankeep::core;
using base::Instant;

namespace {

constexpr std::int64_t kMinute = 60'000;

const PhaseId kPhase("p");
const TaskId kTask("a");

Holder holder(std::string by, std::string session = {}, std::string process = {}) {
  Holder made{std::move(by), std::move(session), {}, std::move(process)};
  if (!made.process.empty()) made.host = "here";
  return made;
}

Wanted wanted(std::int64_t ttl = 30 * kMinute, std::int64_t fence = 0) {
  return {kPhase, kTask, "Task", ttl, fence};
}

ClaimDecision claim(State& state, const Holder& who, std::int64_t now, const Wanted& what = wanted(),
                    bool process_gone = false) {
  const LeaseState* lease = find_lease(state, what.phase, what.task);
  const LeaseStatus status =
      lease == nullptr ? LeaseStatus::held : status_of(*lease, state, Instant{now}, process_gone);
  ClaimDecision decision = decide_claim(state, what, who, Instant{now}, status);
  if (decision.verdict != ClaimVerdict::held && decision.verdict != ClaimVerdict::lost)
    apply_lease_event(state, decision.event);
  return decision;
}

ReleaseDecision release(State& state, const Holder& who, std::int64_t now, std::int64_t fence = 0,
                        Force force = Force::no) {
  const LeaseState* lease = find_lease(state, kPhase, kTask);
  const LeaseStatus status =
      lease == nullptr ? LeaseStatus::held : status_of(*lease, state, Instant{now}, false);
  ReleaseDecision decision = decide_release(state, kPhase, kTask, who, fence, force, Instant{now}, status);
  if (decision.verdict == ReleaseVerdict::released) apply_lease_event(state, decision.event);
  return decision;
}

}  // namespace

TEST_CASE("a length of time is read, within its limits") {
  CHECK(parse_ttl("90s") == 90'000);
  CHECK(parse_ttl("30m") == kDefaultTtl);
  CHECK(parse_ttl("2h") == 120 * kMinute);
  CHECK(parse_ttl("1d") == 24 * 60 * kMinute);
  CHECK(parse_ttl("30d") == kLongestTtl);
  for (const char* no : {"", "0s", "31d", "m", "30", "-5m", "1.5h", "5m ", "99999999999999999999s"}) {
    INFO(no);
    CHECK_FALSE(parse_ttl(no));
  }
}

TEST_CASE("the first to ask has it, the next does not, until the time is over") {
  State state;
  const ClaimDecision first = claim(state, holder("main"), 0);
  CHECK(first.verdict == ClaimVerdict::granted);
  CHECK(first.event.fence == 1);
  CHECK(first.event.until == Instant{30 * kMinute});
  CHECK(first.event.title == "Task");
  const ClaimDecision second = claim(state, holder("kim"), 30 * kMinute - 1);
  CHECK(second.verdict == ClaimVerdict::held);
  REQUIRE(second.previous);
  CHECK(second.previous->by == "main");
  const ClaimDecision third = claim(state, holder("kim"), 30 * kMinute);
  CHECK(third.verdict == ClaimVerdict::taken_over);
  CHECK(third.event.fence == 2);
  CHECK(third.event.from == "main");
  CHECK(third.event.reason == "expired");
  REQUIRE(state.leases.size() == 1);
  CHECK(state.leases[0].by == "kim");
}

TEST_CASE("two of one name are not the same while neither session nor process tells them apart") {
  State state;
  CHECK(claim(state, holder("main"), 0).verdict == ClaimVerdict::granted);
  CHECK(claim(state, holder("main"), 1).verdict == ClaimVerdict::held);
  CHECK(claim(state, holder("main", "s1"), 2).verdict == ClaimVerdict::held);
  // Who knows the fence holds it.
  const ClaimDecision renewed = claim(state, holder("main"), kMinute, wanted(30 * kMinute, 1));
  CHECK(renewed.verdict == ClaimVerdict::renewed);
  CHECK(renewed.event.fence == 1);
  CHECK(state.leases[0].since == Instant{0});
  CHECK(state.leases[0].renewed == Instant{kMinute});
  CHECK(state.leases[0].until == Instant{31 * kMinute});
}

TEST_CASE("who renews by the fence under another name is the holder from then on") {
  State state;
  claim(state, holder("team:ada", "s1", "7:1"), 0);
  const ClaimDecision renewed = claim(state, holder("team:bob", "s2"), kMinute, wanted(30 * kMinute, 1));
  CHECK(renewed.verdict == ClaimVerdict::renewed);
  CHECK(renewed.event.by == "team:bob");
  CHECK(renewed.event.from == "team:ada");
  CHECK(renewed.event.reason == kRenewed);
  REQUIRE(state.leases.size() == 1);
  CHECK(state.leases[0].by == "team:bob");
  CHECK(state.leases[0].session == "s2");
  CHECK(state.leases[0].process.empty());
  CHECK(state.leases[0].fence == 1);
  // Of one name it stays with the session and process that it was claimed by.
  claim(state, holder("team:bob"), 2 * kMinute, wanted(30 * kMinute, 1));
  CHECK(state.leases[0].session == "s2");
}

TEST_CASE("a holder with a session or process renews by claiming again, under its fence") {
  for (const Holder& who : {holder("main", "s1"), holder("main", "", "7:1")}) {
    State state;
    claim(state, who, 0);
    CHECK(claim(state, who, kMinute).verdict == ClaimVerdict::renewed);
    CHECK(state.last_fence == 1);
    CHECK(claim(state, holder("subagent:x", who.session, who.process), 2 * kMinute).verdict ==
          ClaimVerdict::held);
  }
}

TEST_CASE("a fence that is no more renews nothing") {
  State state;
  CHECK(claim(state, holder("main"), 0, wanted(kMinute, 1)).verdict == ClaimVerdict::lost);
  claim(state, holder("main"), 0, wanted(kMinute));
  claim(state, holder("kim"), 2 * kMinute);
  const ClaimDecision late = claim(state, holder("main"), 2 * kMinute, wanted(kMinute, 1));
  CHECK(late.verdict == ClaimVerdict::lost);
  REQUIRE(late.previous);
  CHECK(late.previous->fence == 2);
}

TEST_CASE("one whose process or session has ended is taken over before its time") {
  State state;
  claim(state, holder("main", "", "7:1"), 0);
  CHECK(claim(state, holder("kim"), 1).verdict == ClaimVerdict::held);
  const ClaimDecision dead = claim(state, holder("kim", "s1"), 1, wanted(), true);
  CHECK(dead.verdict == ClaimVerdict::taken_over);
  CHECK(dead.event.reason == "gone");
  SessionState& session = state.sessions.emplace_back();
  session.id = "s1";
  CHECK(claim(state, holder("main"), 2).verdict == ClaimVerdict::held);
  session.ended_at = Instant{3};
  CHECK(claim(state, holder("main"), 3).verdict == ClaimVerdict::taken_over);
}

TEST_CASE("a release is for the holder, for who knows the fence, and by force") {
  State state;
  CHECK(release(state, holder("main"), 0).verdict == ReleaseVerdict::nothing);
  claim(state, holder("main", "s1"), 0);
  CHECK(release(state, holder("kim"), 1).verdict == ReleaseVerdict::refused);
  CHECK(release(state, holder("main", "s2"), 1).verdict == ReleaseVerdict::refused);
  CHECK(release(state, holder("main"), 1, 2).verdict == ReleaseVerdict::refused);
  CHECK(state.leases.size() == 1);
  SECTION("by its actor") {
    const ReleaseDecision own = release(state, holder("main"), 1);
    CHECK(own.verdict == ReleaseVerdict::released);
    CHECK(own.event.from.empty());
  }
  SECTION("by its fence") {
    CHECK(release(state, holder("kim"), 1, 1).verdict == ReleaseVerdict::released);
  }
  SECTION("by force") {
    const ReleaseDecision forced = release(state, holder("kim"), 1, 0, Force::yes);
    CHECK(forced.verdict == ReleaseVerdict::released);
    CHECK(forced.event.from == "main");
    CHECK(forced.event.reason == "forced");
  }
  SECTION("by anybody, once it is over") {
    const ReleaseDecision late = release(state, holder("kim"), 31 * kMinute);
    CHECK(late.verdict == ReleaseVerdict::released);
    CHECK(late.event.reason == "expired");
  }
  CHECK(state.leases.empty());
  CHECK(claim(state, holder("kim"), 40 * kMinute).event.fence == 2);
}

TEST_CASE("a release that comes after a takeover takes nothing away") {
  State state;
  const ClaimDecision first = claim(state, holder("main"), 0, wanted(kMinute));
  Event late = first.event;
  late.kind = EventKind::task_released;
  claim(state, holder("kim"), 2 * kMinute);
  apply_lease_event(state, late);
  REQUIRE(state.leases.size() == 1);
  CHECK(state.leases[0].by == "kim");
}

TEST_CASE("a session's hooks renew at half time, once, as much again") {
  State state;
  claim(state, holder("main", "s1"), 0);
  CHECK(renewals(state, holder("main", "s1"), Instant{15 * kMinute - 1}).empty());
  CHECK(renewals(state, holder("main", "s2"), Instant{15 * kMinute}).empty());
  CHECK(renewals(state, holder("subagent:x", "s1"), Instant{15 * kMinute}).empty());
  const std::vector<Event> due = renewals(state, holder("main", "s1"), Instant{15 * kMinute});
  REQUIRE(due.size() == 1);
  CHECK(due[0].fence == 1);
  CHECK(due[0].until == Instant{45 * kMinute});
  apply_lease_event(state, due[0]);
  CHECK(renewals(state, holder("main", "s1"), Instant{15 * kMinute + 1}).empty());
  // After a long silence it goes on as long as nobody took it.
  const std::vector<Event> late = renewals(state, holder("main", "s1"), Instant{60 * kMinute});
  REQUIRE(late.size() == 1);
  CHECK(late[0].fence == 1);
}

TEST_CASE("ticking a task or taking it out drops its lease, moving it takes it along") {
  Plan plan;
  plan.phases.push_back({PhaseId("p"), "P", 1, {}, {}});
  plan.phases.push_back({PhaseId("q"), "Q", 2, {}, {}});
  plan.phases[0].tasks.emplace_back().id = TaskId("a");
  plan.phases[0].tasks.emplace_back().id = TaskId("b");
  for (Task& task : plan.phases[0].tasks) task.marked = true;
  State state = first_sight(plan, "id", "/plan.md", Instant{0}).state;
  claim(state, holder("main"), 0);
  Plan next = plan;
  SECTION("ticked") {
    next.phases[0].tasks[0].state = BoxState::done;
    const Reconciled result = reconcile(state, next, "main", Instant{1});
    CHECK(result.state.leases.empty());
    CHECK(result.state.last_fence == 1);
    CHECK(result.notices.empty());
  }
  SECTION("ticked by another") {
    next.phases[0].tasks[0].state = BoxState::done;
    const Reconciled result = reconcile(state, next, "kim", Instant{1});
    REQUIRE(result.notices.size() == 1);
    CHECK(result.notices[0].kind == NoticeKind::done_by_another);
    CHECK(result.notices[0].text == "task a was ticked by kim while main holds it (fence 1)");
  }
  SECTION("ticked by another when its time is over") {
    next.phases[0].tasks[0].state = BoxState::done;
    CHECK(reconcile(state, next, "kim", Instant{30 * kMinute}).notices.empty());
  }
  SECTION("taken out") {
    next.phases[0].tasks.erase(next.phases[0].tasks.begin());
    CHECK(reconcile(state, next, "main", Instant{1}).state.leases.empty());
  }
  SECTION("moved") {
    next.phases[1].tasks.push_back(next.phases[0].tasks[0]);
    next.phases[0].tasks.erase(next.phases[0].tasks.begin());
    const Reconciled result = reconcile(state, next, "main", Instant{1});
    REQUIRE(result.state.leases.size() == 1);
    CHECK(result.state.leases[0].phase == PhaseId("q"));
  }
  SECTION("its phase taken out") {
    next.phases.erase(next.phases.begin());
    CHECK(reconcile(state, next, "main", Instant{1}).state.leases.empty());
  }
}

TEST_CASE(
    "a stopped subagent's claim can be taken over, that of one which runs or is yet to be started cannot") {
  State state;
  claim(state, holder("subagent:coder", "s1"), 100);
  const auto status = [&state] { return status_of(state.leases.at(0), state, Instant{1000}, false); };
  const auto agent = [&state](std::string type, std::string session, AgentStatus now, std::int64_t active) {
    AgentState& made = state.agents.emplace_back();
    made.id = "a" + std::to_string(state.agents.size());
    made.type = std::move(type);
    made.session = std::move(session);
    made.status = now;
    made.last_active = Instant{active};
  };
  CHECK(status() == LeaseStatus::held);
  agent("coder", "s1", AgentStatus::stopped, 50);  // before the claim, which is for the next one
  agent("coder", "s2", AgentStatus::stopped, 500);
  agent("tester", "s1", AgentStatus::stopped, 500);
  CHECK(status() == LeaseStatus::held);
  agent("coder", "s1", AgentStatus::lost, 100);
  CHECK(status() == LeaseStatus::gone);
  CHECK(renewals(state, holder("subagent:coder", "s1"), Instant{29 * kMinute}).empty());
  CHECK(claim(state, holder("main", "s1"), 1000).verdict == ClaimVerdict::taken_over);
  claim(state, holder("subagent:coder", "s1"), 32 * kMinute);
  agent("coder", "s1", AgentStatus::running, 33 * kMinute);
  CHECK(status() == LeaseStatus::held);
}

TEST_CASE("a lease is never held twice, and fences only grow") {
  CHECK(rc::check("exclusion", [] {
    // What the answers alone allow each one to believe: it has the task until then, if its process lives.
    struct LoadedState {
      Holder who;
      std::int64_t fence = 0;
      Instant until;
      bool dead = false;
    };
    const std::vector<TaskId> tasks = {TaskId("a"), TaskId("b")};
    std::map<TaskId, std::vector<LoadedState>> beliefs;
    std::set<std::int64_t> fences;
    State state;
    std::int64_t now = 0;
    const int steps = *rc::gen::inRange(1, 60);
    for (int step = 0; step < steps; ++step) {
      now += *rc::gen::inRange<std::int64_t>(0, 4 * kShortestTtl);
      const TaskId task = *rc::gen::elementOf(tasks);
      std::vector<LoadedState>& held = beliefs[task];
      const LeaseState* lease = find_lease(state, kPhase, task);
      const bool dead =
          lease != nullptr && std::any_of(held.begin(), held.end(), [&](const LoadedState& loaded) {
            return loaded.fence == lease->fence && loaded.dead;
          });
      const LeaseStatus status =
          lease == nullptr ? LeaseStatus::held : status_of(*lease, state, Instant{now}, dead);
      const Holder who = random_holder();
      switch (*rc::gen::inRange(0, 7)) {
        case 0:  // a process dies
          if (!held.empty()) held.back().dead = true;
          break;
        case 1: {  // somebody gives a task back
          const ReleaseDecision decision =
              decide_release(state, kPhase, task, who, 0, Force::no, Instant{now}, status);
          if (decision.verdict != ReleaseVerdict::released) break;
          apply_lease_event(state, decision.event);
          std::erase_if(held,
                        [&](const LoadedState& loaded) { return loaded.fence == decision.event.fence; });
          break;
        }
        case 2: {  // the task is ticked: nobody works on it any more
          Event ticked;
          ticked.kind = EventKind::task_completed;
          ticked.phase = kPhase;
          ticked.task = task;
          apply_lease_event(state, ticked);
          held.clear();
          break;
        }
        case 3: {  // hooks renew, of a holder that lives
          for (const Event& event : renewals(state, who, Instant{now})) {
            auto& of_task = beliefs[event.task];
            const auto own = std::find_if(of_task.begin(), of_task.end(), [&](const LoadedState& loaded) {
              return loaded.fence == event.fence;
            });
            if (own == of_task.end() || own->dead) continue;
            apply_lease_event(state, event);
            own->until = *event.until;
          }
          break;
        }
        default: {
          const Wanted what{
              kPhase, task, {}, *rc::gen::inRange<std::int64_t>(kShortestTtl, 9 * kShortestTtl), 0};
          const ClaimDecision decision = decide_claim(state, what, who, Instant{now}, status);
          if (decision.verdict == ClaimVerdict::held || decision.verdict == ClaimVerdict::lost) break;
          apply_lease_event(state, decision.event);
          if (decision.verdict == ClaimVerdict::renewed) {
            for (LoadedState& loaded : held) {
              if (loaded.fence == decision.event.fence) loaded.until = *decision.event.until;
            }
          } else {
            // Greater than every one before.
            if (!fences.empty()) RC_ASSERT(decision.event.fence > *fences.rbegin());
            fences.insert(decision.event.fence);
            held.push_back({who, decision.event.fence, *decision.event.until, false});
          }
        }
      }
      for (const auto& [name, all] : beliefs) {
        const auto active = std::count_if(all.begin(), all.end(), [&](const LoadedState& loaded) {
          return !loaded.dead && loaded.until > Instant{now};
        });
        RC_ASSERT(active <= 1);
        const LeaseState* current = find_lease(state, kPhase, name);
        for (const LoadedState& loaded : all) {
          if (loaded.dead || loaded.until <= Instant{now}) continue;
          RC_ASSERT(current != nullptr);
          RC_ASSERT(current->fence == loaded.fence);
        }
      }
      RC_ASSERT(std::is_sorted(state.leases.begin(), state.leases.end(),
                               [](const LeaseState& a, const LeaseState& b) { return a.fence < b.fence; }));
    }
  }));
}
