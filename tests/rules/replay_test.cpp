// The law behind everything: state = fold(plan, history).

#include "rules/replay.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "model/json/event_json.hpp"
#include "model/json/state_json.hpp"
#include "model/random_evidence.hpp"
#include "model/random_leases.hpp"
#include "model/random_plan.hpp"
#include "model/random_sessions.hpp"
#include "rules/latest_checkpoint.hpp"
#include "rules/match.hpp"
#include "rules/reconcile.hpp"
#include "rules/sessions.hpp"
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
  int kind = 0;  // of its plans: with markers, without, with numbers, some
  State state;
  Ledger ledger;
  Plan plan;
  std::int64_t time = 1;

  Plan next_plan() const {
    if (kind == 0) return random_marked_plan();
    if (kind == 1) return random_unmarked_plan();
    return kind == 2 ? random_numbered_plan() : random_mixed_plan();
  }
};

World begin() {
  World world;
  world.kind = *rc::gen::inRange(0, 4);
  world.plan = world.next_plan();
  Reconciled seen = first_sight(world.plan, "id", "/plan.md", Instant{world.time});
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
    saved.checkpoint_type = *rc::gen::element<std::string>("turn", "manual");
    saved.phase = PhaseId(*rc::gen::element<std::string>("p1", ""));
    world.state.last_saved = saved.time;
    apply_checkpoint_event(world.state, saved);
    follow(world.ledger, {saved});
    RC_ASSERT(world.ledger.state().latest_checkpoint == world.state.latest_checkpoint);
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
    bound.milestone = *rc::gen::inRange<std::int64_t>(0, 3);
    bound.tier = "tier0";
    bound.phase = PhaseId(*rc::gen::element<std::string>("p1", ""));
    bound.last = *rc::gen::arbitrary<bool>();
    bound.phase_complete = *rc::gen::arbitrary<bool>();
    world.state.last_saved = bound.time;
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
    world.state.last_saved = event->time;
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
  if (!proof.empty()) world.state.last_saved = now;
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
      // Ids that they were given follow tasks to other ones.
      const bool other_ids = std::any_of(
          incremental.events.begin(), incremental.events.end(),
          [](const Event& event) { return event.kind == EventKind::task_added && !event.from.empty(); });
      const auto agents_of = [other_ids](const State& state) {
        std::vector<AgentState> agents = state.agents;
        for (AgentState& agent : agents) {
          if (other_ids) agent.assigned_tasks.clear();
        }
        return agents;
      };
      RC_ASSERT(agents_of(incremental.state) == agents_of(world.state));
      RC_ASSERT(incremental.state.findings == world.state.findings);
      RC_ASSERT(incremental.state.session_notes == world.state.session_notes);
      RC_ASSERT(incremental.state.latest_checkpoint == world.state.latest_checkpoint);
      RC_ASSERT(incremental.state.note_is_automatic == world.state.note_is_automatic);

      // State and recovery are lost just before this step: the history alone must lead to the same state and
      // events.
      Plan rebuilt_plan = fresh;
      const State effective_state = world.ledger.rebuild(rebuilt_plan, "id", "/plan.md");
      const Reconciled rebuilt = reconcile(effective_state, rebuilt_plan, by, now);
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

TEST_CASE("told twice is told once: a prefix again, or a whole history onto its state, changes nothing") {
  CHECK(rc::check("twice", [] {
    World world = begin();
    std::vector<Event> history = first_sight(world.plan, "id", "/plan.md", Instant{1}).events;
    Plan plan = world.plan;
    const int steps = *rc::gen::inRange(0, 8);
    for (int step = 0; step < steps; ++step) {
      const Instant now{++world.time};
      const auto keep = [&](const Event& event) {
        history.push_back(event);
        world.state.last_saved = event.time;
      };
      for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
        const Event event = random_session_event(now);
        record(world.state, event);
        keep(event);
      }
      for (int i = *rc::gen::inRange(0, 3); i > 0; --i) {
        const auto event = random_lease_event(world.state, now);
        if (!event) continue;
        apply_lease_event(world.state, *event);
        keep(*event);
      }
      plan = world.next_plan();
      keep_ids(world.state, plan);
      Reconciled next = reconcile(world.state, plan, "kim", now);
      name_agents(next.state, next.events);
      world.state = std::move(next.state);
      for (const Event& event : next.events) keep(event);
      for (const Event& event : prove_something(world.state, plan, now)) keep(event);
      // What a proof ticked, the next step sees; here the plan is to say what the state says.
      Reconciled after = reconcile(world.state, plan, "kim", now);
      world.state = std::move(after.state);
      for (const Event& event : after.events) keep(event);
      note_down(world.state, now);
    }
    // What only the state knows must come through as well.
    world.state.unknown = {{"later", "1"}};
    for (PhaseState& phase : world.state.phases) {
      phase.unknown = {{"more", "2"}};
      for (TaskState& task : phase.tasks) task.unknown = {{"even", "3"}};
    }

    const std::size_t size = *rc::gen::inRange<std::size_t>(1, history.size() + 1);
    const std::vector<Event> prefix(history.begin(), history.begin() + static_cast<std::ptrdiff_t>(size));
    Ledger once;
    follow(once, prefix);
    Ledger twice;
    follow(twice, prefix);
    follow(twice, prefix);
    RC_ASSERT(once.state() == twice.state());

    Ledger onto(world.state);
    follow(onto, history);
    Plan same = plan;
    keep_ids(onto.state(), same);
    const Reconciled nothing = reconcile(onto.state(), same, "external", Instant{world.time + 1000});
    RC_LOG() << "was: " << encode_state(world.state) << "\nis: " << encode_state(nothing.state);
    for (const Event& event : nothing.events) RC_LOG() << "event " << encode_event(event);
    RC_ASSERT(nothing.events.empty());
    RC_ASSERT(nothing.state == world.state);
  }));
}

TEST_CASE("a done task that leaves the plan and comes back has who and when again, in every telling") {
  Plan full;
  full.phases.push_back({PhaseId("p"), "P", 1, {}, {}});
  for (const char* id : {"a", "b"}) {
    Task task;
    task.id = TaskId(id);
    task.marked = true;
    task.title = std::string("Do ") + id;
    full.phases[0].tasks.push_back(task);
  }
  Reconciled seen = first_sight(full, "id", "/plan.md", Instant{1});
  Ledger ledger;
  follow(ledger, seen.events);
  State state = seen.state;
  const auto step = [&](const Plan& plan, const char* by, std::int64_t time) {
    const Reconciled next = reconcile(state, plan, by, Instant{time});
    state = next.state;
    follow(ledger, next.events);
  };
  full.phases[0].tasks[1].state = BoxState::done;
  step(full, "subagent:bob", 2);
  Plan half = full;
  const bool with_its_phase = GENERATE(false, true);
  const bool under_another_id = GENERATE(false, true);
  if (with_its_phase) {
    half.phases.clear();
  } else {
    half.phases[0].tasks.pop_back();
  }
  step(half, "external", 3);
  CHECK(state.removed.size() == 1);
  Plan again = full;
  if (under_another_id) again.phases[0].tasks[1].id = TaskId("c");
  step(again, "external", 4);
  CHECK(state.phases.at(0).tasks.at(1).completed_at == Instant{2});
  CHECK(state.phases.at(0).tasks.at(1).completed_by == "subagent:bob");
  CHECK(state.removed.empty());
  const Reconciled rebuilt =
      reconcile(ledger.rebuild(again, "id", "/plan.md"), again, "external", Instant{5});
  CHECK(rebuilt.events.empty());
  CHECK(rebuilt.state == state);
}

TEST_CASE("lines that say no more than spec 4 asks for give who and when, and no false events") {
  Plan plan;
  plan.phases.push_back({PhaseId("p"), "P", 1, {}, {}});
  plan.phases.push_back({PhaseId("q"), "Q", 4, {}, {}});
  for (const char* id : {"a", "b"}) {
    Task task;
    task.id = TaskId(id);
    task.marked = true;
    task.title = id;
    task.state = BoxState::done;
    plan.phases[id[0] == 'a' ? 0 : 1].tasks.push_back(task);
  }
  plan.phases[1].acceptance.push_back({CriterionId("x"), "X", true, 7, "", {}});
  Ledger ledger;
  for (const std::string_view line : {
           R"({"ts":"2026-01-01T00:00:00Z","event":"checkpoint_created","planId":"id"})",
           R"({"ts":"2026-01-01T00:00:01Z","event":"task_completed","taskId":"a","by":"kim"})",
           R"({"ts":"2026-01-01T00:00:02Z","event":"note_saved","note":"look here"})",
           R"({"ts":"2026-01-01T00:00:03Z","event":"checkpoint_created","planId":"id","tasks":2})",
           R"({"ts":"2026-01-01T00:00:04Z","event":"task_completed","taskId":"b","by":"lee"})",
           R"({"ts":"2026-01-01T00:00:05Z","event":"acceptance_met","criteriaId":"x","by":"lee"})",
       }) {
    ledger.apply(decode_event(line).value());
  }
  Plan same = plan;
  const Reconciled result = reconcile(ledger.rebuild(same, "id", "/plan.md"), same, "external", Instant{9});
  CHECK(result.events.empty());
  REQUIRE(result.state.phases.size() == 2);
  CHECK(result.state.phases[0].tasks.at(0).completed_by == "kim");
  CHECK(result.state.phases[1].tasks.at(0).completed_by == "lee");
  CHECK(result.state.phases[1].acceptance.at(0).verified_at.has_value());
  CHECK(result.state.session_notes == "look here");

  // The same lines behind a state that knows the tasks.
  Ledger tail(first_sight(plan, "id", "/plan.md", Instant{1}).state);
  tail.apply(decode_event(R"({"ts":"2026-01-01T00:00:01Z","event":"task_completed","taskId":"b","by":"kim"})")
                 .value());
  CHECK(tail.state().phases.size() == 2);
  CHECK(tail.state().phases[1].tasks.at(0).completed_by == "kim");
}

TEST_CASE("the tasks that a history still knows are counted without a plan") {
  Ledger ledger;
  ledger.apply(
      decode_event(R"({"ts":"2026-01-01T00:00:01Z","event":"task_completed","taskId":"b","by":"kim"})")
          .value());
  Plan nothing;
  const State state = ledger.rebuild(nothing, "id", "/plan.md");
  CHECK(state.progress.total == 1);
  CHECK(state.progress.completed == 1);
  CHECK(emptied(state, nothing));
}

TEST_CASE("without its first event the history still gives back who finished what and when") {
  World world;
  Plan plan;
  plan.phases.push_back({PhaseId("p"), "P", 1, {}, {}});
  plan.phases[0].tasks.emplace_back();
  plan.phases[0].tasks[0].id = TaskId("a");
  plan.phases[0].tasks[0].marked = true;
  plan.phases[0].tasks.push_back(plan.phases[0].tasks[0]);
  plan.phases[0].tasks[1].id = TaskId("b");
  State state = first_sight(plan, "id", "/plan.md", Instant{1}).state;
  plan.phases[0].tasks[0].state = BoxState::done;
  const Reconciled ticked = reconcile(state, plan, "kim", Instant{2});
  Ledger ledger;
  follow(ledger, ticked.events);  // checkpoint_created was lost
  Plan now = plan;
  const State effective_state = ledger.rebuild(now, "id", "/plan.md");
  const Reconciled result = reconcile(effective_state, now, "external", Instant{3});
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
  CHECK(ledger.state().last_saved == Instant{5});
  CHECK(ledger.state().phases.empty());
}

TEST_CASE("the session note is the last one saved") {
  Ledger ledger;
  Event note;
  note.kind = EventKind::note_saved;
  note.note = "first";
  ledger.apply(note);
  note.note = "second";
  ledger.apply(note);
  CHECK(ledger.state().session_notes == "second");
  CHECK_FALSE(ledger.state().note_is_automatic);
  note.reason = "session_end";
  ledger.apply(note);
  CHECK(ledger.state().note_is_automatic);
  note.note.clear();
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
    event.decision = event.blocker = event.note = "text";
    event.reason = "why";
    ledger.apply(event);
  }
  CHECK(ledger.state().sessions.size() == 1);
  CHECK(ledger.state().agents.size() == 1);
  Event created;
  created.kind = EventKind::checkpoint_created;
  created.total_tasks = 0;
  ledger.apply(created);
  State nothing;
  nothing.every_box = false;  // nothing says so
  CHECK(ledger.state() == nothing);
}

TEST_CASE("reconciling keeps what it knows nothing of") {
  State state;
  state.note_is_automatic = true;
  state.session_notes = "note";
  state.sessions.emplace_back().id = "s1";
  state.agents.emplace_back().id = "a1";
  state.findings.emplace_back().agent = "a1";
  state.latest_checkpoint = SavedCheckpoint{"cp_0a1b2c_001", "turn", PhaseId("p"), Instant{3}, {}};
  state.last_commit = SavedCommit{std::string(40, 'a'), 1, PhaseId("p"), "tier0", false, Instant{3}, {}};
  state.lint_errors = {"duplicate-id: task t1"};
  state.unknown = {{"later", "1"}};
  const Reconciled result = reconcile(state, Plan{}, "main", Instant{5});
  CHECK(result.events.empty());
  CHECK(result.state == state);
}
