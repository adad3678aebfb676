// The law behind everything: state = fold(plan, history).

#include "core/replay.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "core/event_json.hpp"
#include "core/match.hpp"
#include "core/newest_checkpoint.hpp"
#include "core/random_evidence.hpp"
#include "core/random_leases.hpp"
#include "core/random_plan.hpp"
#include "core/random_sessions.hpp"
#include "core/reconcile.hpp"
#include "core/sessions.hpp"
#include "core/state_json.hpp"
#include "support/bookkeeping.hpp"

using namespace plankeep;
using namespace plankeep::core;
using base::Instant;
using test::without_bookkeeping;

namespace {

// Every event goes through its JSON, as it would through the file.
Event through_the_file(const Event& event) {
  const std::string line = encode_event(event);
  auto decoded = decode_event(std::string_view(line).substr(0, line.size() - 1));
  if (!decoded) throw std::runtime_error(decoded.error().message);
  return *decoded;
}

// Titles of marked tasks are not in the history: the plan has them.
void follow(Ledger& ledger, const std::vector<Event>& events) {
  for (const Event& event : events) ledger.apply(through_the_file(event));
  for (const Event& event : events) RC_LOG() << encode_event(event);
}

struct World {
  bool marked = true;
  State state;
  Ledger ledger;
  Plan plan;
  std::int64_t time = 1;

  Plan next_plan() const { return marked ? random_marked_plan() : random_unmarked_plan(); }
};

World begin() {
  World world;
  world.marked = *rc::gen::arbitrary<bool>();
  world.plan = world.next_plan();
  Reconciled seen = first_sight(world.plan, "id", "/plan.md", "main", Instant{world.time});
  world.state = seen.state;
  follow(world.ledger, seen.events);
  return world;
}

// Checkpoints of the work between two looks at the plan.
void follow_checkpoints(World& world) {
  const int count = *rc::gen::inRange(0, 3);
  for (int i = 0; i < count; ++i) {
    Event saved;
    saved.kind = EventKind::checkpoint_saved;
    saved.time = Instant{++world.time};
    saved.checkpoint = *rc::gen::element<std::string>("cp_0a1b2c_001", "cp_0a1b2c_002", "");
    saved.detail = *rc::gen::element<std::string>("turn", "manual");
    saved.phase = PhaseId(*rc::gen::element<std::string>("p1", ""));
    world.state.last_checkpoint = saved.time;
    apply_checkpoint_event(world.state, saved);
    follow(world.ledger, {saved});
    RC_ASSERT(world.ledger.state().newest_checkpoint == world.state.newest_checkpoint);
  }
}

// Commits that are bound to a phase between two looks at the plan.
void follow_commits(World& world) {
  const int count = *rc::gen::inRange(0, 3);
  for (int i = 0; i < count; ++i) {
    Event bound;
    bound.time = Instant{world.time};
    bound.kind = EventKind::checkpoint_complete;
    bound.commit = *rc::gen::element<std::string>("a1", "b2", "");
    bound.count = *rc::gen::inRange<std::int64_t>(0, 3);
    bound.detail = "tier0";
    bound.phase = PhaseId(*rc::gen::element<std::string>("p1", ""));
    bound.passed_by = *rc::gen::arbitrary<bool>();
    if (*rc::gen::arbitrary<bool>()) bound.status = PhaseStatus::completed;
    world.state.last_checkpoint = bound.time;
    apply_checkpoint_event(world.state, bound);
    follow(world.ledger, {bound});
    RC_ASSERT(world.ledger.state().last_commit == world.state.last_commit);
  }
}

// Claims, renewals and releases between two looks at the plan.
void follow_leases(World& world) {
  const int count = *rc::gen::inRange(0, 6);
  for (int i = 0; i < count; ++i) {
    if (*rc::gen::arbitrary<bool>()) world.time += *rc::gen::inRange<std::int64_t>(1, 10 * kShortestTtl);
    const auto event = random_lease_event(world.state, Instant{world.time});
    if (!event) continue;
    Ledger tail(world.state);
    follow(tail, {*event});
    world.state.last_checkpoint = event->time;
    apply_lease_event(world.state, *event);
    RC_ASSERT(tail.state().leases == world.state.leases);
    RC_ASSERT(tail.state().last_fence == world.state.last_fence);
    follow(world.ledger, {*event});
  }
}

// What sessions and subagents record between two looks at the plan.
void follow_sessions(World& world) {
  const int count = *rc::gen::inRange(0, 6);
  for (int i = 0; i < count; ++i) {
    // Within one moment, too.
    if (*rc::gen::arbitrary<bool>()) ++world.time;
    const Event event = random_session_event(Instant{world.time});
    Ledger tail(world.state);
    follow(tail, {event});
    State folded = world.state;
    record(folded, event);
    RC_ASSERT(tail.state().sessions == folded.sessions);
    RC_ASSERT(tail.state().agents == folded.agents);
    RC_ASSERT(tail.state().session_notes == folded.session_notes);
    RC_ASSERT(tail.state().note_is_automatic == folded.note_is_automatic);
    world.state = std::move(folded);
    follow(world.ledger, {event});
  }
  note_down(world.state, Instant{world.time});
}

// What verify records: the evidence, then what follows from the box that it set.
void follow_proof(World& world, Plan& plan) {
  Plan kept = plan;
  keep_ids(world.state, kept);
  const Instant now{++world.time};
  const std::vector<Event> proof = prove_something(world.state, kept, now);
  follow(world.ledger, proof);
  const Reconciled after = reconcile(world.state, kept, "main", now);
  world.state = after.state;
  if (!proof.empty()) world.state.last_checkpoint = now;
  follow(world.ledger, after.events);
  for (std::size_t p = 0; p < plan.phases.size(); ++p) plan.phases[p].acceptance = kept.phases[p].acceptance;
}

}  // namespace

TEST_CASE("fold equals incremental: a state rebuilt from plan and history is the state that was kept") {
  CHECK(rc::check("fold", [] {
    World world = begin();
    const int steps = *rc::gen::inRange(1, 12);
    for (int step = 0; step < steps; ++step) {
      const Plan fresh = world.next_plan();
      const Instant now{++world.time};
      const auto by = *rc::gen::element<std::string>("main", "external", "subagent:x");
      Plan kept = fresh;
      keep_ids(world.state, kept);
      Reconciled incremental = reconcile(world.state, kept, by, now);
      // What the plan does not decide goes through as it was, bookkeeping and all.
      RC_ASSERT(incremental.state.sessions == world.state.sessions);
      RC_ASSERT(incremental.state.agents == world.state.agents);
      RC_ASSERT(incremental.state.claims == world.state.claims);
      RC_ASSERT(incremental.state.session_notes == world.state.session_notes);
      RC_ASSERT(incremental.state.newest_checkpoint == world.state.newest_checkpoint);
      RC_ASSERT(incremental.state.note_is_automatic == world.state.note_is_automatic);

      // State and recovery are lost just before this step: the history alone must lead to the same state and
      // events.
      Plan rebuilt_plan = fresh;
      const State believed = world.ledger.rebuild(rebuilt_plan, "id", "/plan.md");
      const Reconciled rebuilt = reconcile(believed, rebuilt_plan, by, now);
      RC_ASSERT(rebuilt_plan == kept);
      RC_LOG() << "kept: " << encode_state(incremental.state) << "\nrebuilt: " << encode_state(rebuilt.state);
      for (const Event& event : incremental.events) RC_LOG() << "incremental " << encode_event(event);
      for (const Event& event : rebuilt.events) RC_LOG() << "rebuilt " << encode_event(event);
      RC_ASSERT(without_bookkeeping(rebuilt.state) == without_bookkeeping(incremental.state));
      RC_ASSERT(rebuilt.events.size() == incremental.events.size());
      name_agents(incremental.state, incremental.events);

      // A save that died behind its events: on top of the old state they give the new one.
      Ledger tail(world.state);
      follow(tail, incremental.events);
      Plan tail_plan = fresh;
      const State advanced = tail.state();
      keep_ids(advanced, tail_plan);
      const Reconciled finished = reconcile(advanced, tail_plan, "external", Instant{world.time + 1000});
      RC_ASSERT(finished.events.empty());
      // The bookkeeping of the old state is still there as well: the tail knows nothing against it.
      RC_ASSERT(finished.state == incremental.state);

      // Either way of going on is the same from here.
      world.state = incremental.state;
      if (*rc::gen::arbitrary<bool>()) world.state = without_bookkeeping(world.state);
      follow(world.ledger, incremental.events);
      follow_sessions(world);
      follow_leases(world);
      follow_checkpoints(world);
      follow_commits(world);
      Plan same = fresh;
      if (*rc::gen::arbitrary<bool>()) follow_proof(world, same);
      const Reconciled nothing = reconcile(world.ledger.rebuild(same, "id", "/plan.md"), same, "external",
                                           Instant{world.time + 2000});
      RC_ASSERT(nothing.events.empty());
      RC_ASSERT(without_bookkeeping(nothing.state) == without_bookkeeping(world.state));
    }
  }));
}

TEST_CASE("without its first event the history still gives back who finished what and when") {
  World world;
  Plan plan;
  plan.mode = PlanMode::marked;
  plan.phases.push_back({PhaseId("p"), "P", 1, {}, {}});
  plan.phases[0].tasks.emplace_back();
  plan.phases[0].tasks[0].id = TaskId("a");
  plan.phases[0].tasks.push_back(plan.phases[0].tasks[0]);
  plan.phases[0].tasks[1].id = TaskId("b");
  State state = first_sight(plan, "id", "/plan.md", "main", Instant{1}).state;
  plan.phases[0].tasks[0].state = BoxState::done;
  const Reconciled ticked = reconcile(state, plan, "kim", Instant{2});
  Ledger ledger;
  follow(ledger, ticked.events);  // checkpoint_created was lost
  Plan now = plan;
  const State believed = ledger.rebuild(now, "id", "/plan.md");
  const Reconciled result = reconcile(believed, now, "external", Instant{3});
  CHECK(result.events.empty());
  CHECK(result.state.phases.at(0).tasks.at(0).completed_by == "kim");
  CHECK(result.state.phases.at(0).tasks.size() == 2);
}

TEST_CASE("unknown events change nothing but the time of the last one") {
  Ledger ledger;
  Event event;
  event.time = Instant{5};
  event.name = "something_new";
  ledger.apply(event);
  CHECK(ledger.events() == 1);
  CHECK(ledger.state().last_checkpoint == Instant{5});
  CHECK(ledger.state().phases.empty());
}

TEST_CASE("the session note is the last one saved") {
  Ledger ledger;
  Event note;
  note.kind = EventKind::note_saved;
  note.text = "first";
  ledger.apply(note);
  note.text = "second";
  ledger.apply(note);
  CHECK(ledger.state().session_notes == "second");
  CHECK_FALSE(ledger.state().note_is_automatic);
  note.reason = "session_end";
  ledger.apply(note);
  CHECK(ledger.state().note_is_automatic);
  note.text.clear();
  ledger.apply(note);
  CHECK_FALSE(ledger.state().session_notes);
  CHECK_FALSE(ledger.state().note_is_automatic);
}

TEST_CASE("a second beginning of the history leaves nothing of the first") {
  Ledger ledger;
  for (const EventKind kind : {EventKind::session_started, EventKind::subagent_started, EventKind::note_saved,
                               EventKind::decision_recorded, EventKind::blocker_raised}) {
    Event event;
    event.kind = kind;
    event.session = "s1";
    event.agent = "a1";
    event.text = "text";
    event.reason = "why";
    ledger.apply(event);
  }
  CHECK(ledger.state().sessions.size() == 1);
  CHECK(ledger.state().agents.size() == 1);
  Event created;
  created.kind = EventKind::checkpoint_created;
  ledger.apply(created);
  State nothing;
  CHECK(ledger.state() == nothing);
}

TEST_CASE("reconciling keeps what it knows nothing of") {
  State state;
  state.note_is_automatic = true;
  state.session_notes = "note";
  state.sessions.emplace_back().id = "s1";
  state.agents.emplace_back().id = "a1";
  state.claims.emplace_back().agent = "a1";
  state.newest_checkpoint = SavedCheckpoint{"cp_0a1b2c_001", "turn", PhaseId("p"), Instant{3}, {}};
  state.last_commit = SavedCommit{std::string(40, 'a'), 1, PhaseId("p"), "tier0", false, Instant{3}, {}};
  state.lint_errors = {"duplicate-id: task t1"};
  state.unknown = {{"later", "1"}};
  const Reconciled result = reconcile(state, Plan{}, "main", Instant{5});
  CHECK(result.events.empty());
  CHECK(result.state == state);
}
