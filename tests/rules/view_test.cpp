#include "rules/view.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "render/samples.hpp"

namespace plankeep::render {

TEST_CASE("the view takes what is done from the plan and when and by whom from the state") {
  const StatusView view = sample_view();
  REQUIRE(view.phases.size() == 3);
  const PhaseRow& api = view.phases[1];
  CHECK(api.total == 4);  // the optional task does not count
  CHECK(api.done == 1);
  CHECK(api.acceptance_total == 2);
  CHECK(api.acceptance_met == 1);
  CHECK(api.tasks[0].completed_by == "subagent:coder");
  REQUIRE(api.tasks[0].completed_at.has_value());
  CHECK(view.phases[0].tasks[0].completed_by.empty());
  CHECK(view.phase() == &api);
  CHECK(view.task() == &api.tasks[1]);
  CHECK(view.decisions[1].time == at("2026-11-19T09:00:00Z"));
  CHECK(view.revision == 12);
}

TEST_CASE("the last decision is the one that was made last, wherever it stands in the plan") {
  core::Plan plan;
  plan.decisions = {
      {"newest", "", 1}, {"not recorded yet", "", 2}, {"oldest", "", 3}, {"same moment", "", 4}};
  core::State state;
  state.decisions = {{base::Instant{30}, "newest", "", {}},
                     {base::Instant{10}, "oldest", "", {}},
                     {base::Instant{10}, "same moment", "", {}}};
  const auto order = [](const StatusView& view) {
    std::vector<std::string> texts;
    for (const DecisionRow& row : view.decisions) texts.push_back(row.decision);
    return texts;
  };
  ViewInput input;
  input.state = &state;
  CHECK(order(make_view(input)) == std::vector<std::string>{"oldest", "same moment", "newest"});
  input.plan = &plan;
  CHECK(order(make_view(input)) ==
        std::vector<std::string>{"oldest", "same moment", "newest", "not recorded yet"});
}

TEST_CASE("a task that is open again does not keep the time of its completion") {
  core::Plan plan = sample_plan();
  plan.phases[1].tasks[0].state = core::BoxState::open;
  const core::State state = sample_state();
  const StatusView view = view_of(plan, &state);
  CHECK_FALSE(view.phases[1].tasks[0].completed_at.has_value());
  CHECK(view.phases[1].tasks[0].completed_by.empty());
}

TEST_CASE("who only counts gets phases without the rows of their tasks, and else the same") {
  const core::Plan plan = sample_plan();
  const core::State state = sample_state();
  ViewInput input;
  input.plan = &plan;
  input.state = &state;
  const StatusView whole = make_view(input);
  input.tasks = false;
  const StatusView counts = make_view(input);
  CHECK(counts.progress == whole.progress);
  CHECK(counts.current_phase == whole.current_phase);
  CHECK(counts.task() == nullptr);
  CHECK(counts.warnings == whole.warnings);
  REQUIRE(counts.phases.size() == whole.phases.size());
  for (std::size_t p = 0; p < whole.phases.size(); ++p) {
    CHECK(counts.phases[p].tasks.empty());
    CHECK(counts.phases[p].total == whole.phases[p].total);
    CHECK(counts.phases[p].done == whole.phases[p].done);
    CHECK(counts.phases[p].acceptance_total == whole.phases[p].acceptance_total);
    CHECK(counts.phases[p].acceptance_met == whole.phases[p].acceptance_met);
  }
}

TEST_CASE("the times are those of the same task where the state has them in another order") {
  const core::Plan plan = sample_plan();
  core::State state = sample_state();
  const StatusView before = view_of(plan, &state);
  for (core::PhaseState& phase : state.phases) std::reverse(phase.tasks.begin(), phase.tasks.end());
  const StatusView after = view_of(plan, &state);
  for (std::size_t p = 0; p < before.phases.size(); ++p) {
    for (std::size_t t = 0; t < before.phases[p].tasks.size(); ++t) {
      CHECK(after.phases[p].tasks[t].completed_at == before.phases[p].tasks[t].completed_at);
      CHECK(after.phases[p].tasks[t].completed_by == before.phases[p].tasks[t].completed_by);
    }
  }
}

TEST_CASE("waiting tasks know what they wait for") {
  const StatusView view = sample_view();
  CHECK(view.phases[1].tasks[1].waiting_for.empty());
  CHECK(view.phases[1].tasks[2].waiting_for == std::vector<core::TaskId>{core::TaskId("queries")});
}

TEST_CASE("an id that stands in two phases is waited for until both are done") {
  core::Plan plan = sample_plan();
  plan.phases[2].tasks[0].id = core::TaskId("schema");  // open there, done in api
  const StatusView view = view_of(plan);
  CHECK(view.phases[1].tasks[1].waiting_for == std::vector<core::TaskId>{core::TaskId("schema")});
}

TEST_CASE("without a plan the rows come from the state and have no lines") {
  const core::State state = sample_state();
  const StatusView view = make_view({.plan = nullptr,
                                     .state = &state,
                                     .plan_id = "auth",
                                     .path = "/p",
                                     .file = "plan.md",
                                     .source = Source::state,
                                     .warnings = {"unreadable"},
                                     .recent = {},
                                     .now = {}});
  CHECK(view.progress == state.progress);
  REQUIRE(view.task() != nullptr);
  CHECK(view.task()->id == core::TaskId("queries"));
  CHECK(view.task()->line == 0);
  CHECK(view.phases[1].total == 4);
  CHECK(view.blockers == state.blockers);
  CHECK(view.decisions.size() == 2);
}

TEST_CASE("with neither plan nor state the view is empty and still sound") {
  const StatusView view = make_view({});
  CHECK(view.phases.empty());
  CHECK(view.phase() == nullptr);
  CHECK(view.task() == nullptr);
  CHECK(next_of(view).kind == NextKind::empty);
}

TEST_CASE("a diagnostics summary counts errors and warnings and leaves infos out") {
  using core::DiagnosticCode;
  CHECK(summarise({}).empty());
  CHECK(summarise({{1, 1, DiagnosticCode::checkbox_in_code, "m", ""}}).empty());
  CHECK(summarise({{1, 1, DiagnosticCode::unmarked_checkbox, "m", ""}}).empty());
  CHECK(summarise(sample_plan().diagnostics) ==
        std::vector<std::string>{"1 error in the plan; for details: plankeep lint"});
}

TEST_CASE("next gives the reason for its choice") {
  core::Plan plan = sample_plan();
  core::Phase& api = plan.phases[1];
  CHECK(next_of(sample_view()).why == "it is marked as in progress");
  api.tasks[1].state = core::BoxState::open;
  {
    const StatusView view = view_of(plan);
    CHECK(next_of(view).kind == NextKind::task);
    CHECK(next_of(view).why == "the tasks it waited for are done: schema");
  }
  api.tasks[1].after = {core::TaskId("tag")};
  {
    const StatusView view = view_of(plan);
    const Next next = next_of(view);
    REQUIRE(next.task != nullptr);
    CHECK(next.task->id == core::TaskId("handbook"));
    CHECK(next.why == "it is the first open task of the phase that does not wait for another");
    CHECK(next.waiting.size() == 2);
  }
  api.tasks[1].after.clear();
  {
    const StatusView view = view_of(plan);
    CHECK(next_of(view).why == "it is the first open task of the phase");
  }
}

TEST_CASE("nothing of an archived plan is offered, and one that is done stays done") {
  const core::Plan plan = sample_plan();
  StatusView view = view_of(plan);
  view.archived_at = base::Instant{1};
  CHECK_FALSE(choose(view));
  CHECK(next_of(view).kind == NextKind::archived);
  CHECK(next_of(view).task == nullptr);
  CHECK(next_of(view).waiting.empty());
  view.current_phase.reset();
  view.current_task.reset();
  for (PhaseRow& phase : view.phases) phase.status = core::PhaseStatus::completed;
  view.progress.completed = view.progress.total;
  CHECK(next_of(view).kind == NextKind::done);
}

TEST_CASE("next says blocked when every open task waits, and criteria when only they are left") {
  core::Plan plan = sample_plan();
  core::Phase& api = plan.phases[1];
  api.tasks[1].state = core::BoxState::done;
  api.tasks[2].after = {core::TaskId("tag")};
  api.tasks[3].after = {core::TaskId("tag")};
  {
    // What they wait for is in a later phase.
    const StatusView view = view_of(plan);
    const Next next = next_of(view);
    CHECK(next.kind == NextKind::task);
    REQUIRE(next.task != nullptr);
    CHECK(next.task->id == core::TaskId("tag"));
    CHECK(next.why == "every open task of phase api waits for another task");
    CHECK(next.waiting.size() == 2);
  }
  plan.phases[2].tasks[0].after = {core::TaskId("handbook")};
  {
    const StatusView view = view_of(plan);
    const Next next = next_of(view);
    CHECK(next.kind == NextKind::blocked);
    REQUIRE(next.task != nullptr);
    CHECK(next.task->id == core::TaskId("interface"));
  }
  api.tasks[2].state = core::BoxState::done;
  api.tasks[3].state = core::BoxState::done;
  for (core::Task& later : plan.phases[2].tasks) later.state = core::BoxState::done;
  {
    const StatusView view = view_of(plan);
    const Next next = next_of(view);
    CHECK(next.kind == NextKind::criteria);
    CHECK(next.task == nullptr);
    REQUIRE(next.criteria.size() == 1);
    CHECK(next.criteria[0]->id == core::CriterionId("tests"));
  }
  plan.phases[2].tasks[0].state = core::BoxState::open;
  {
    // As `next --claim` has it: the criteria do not stand in the way.
    const StatusView view = view_of(plan);
    const Next next = next_of(view);
    CHECK(next.kind == NextKind::task);
    REQUIRE(next.task != nullptr);
    CHECK(next.task->id == core::TaskId("tag"));
    CHECK(next.why == "the tasks of phase api are done, though its criteria are not met");
    CHECK(next.criteria.size() == 1);
  }
}

namespace {

core::State state_with(std::vector<core::LeaseState> leases) {
  core::State state = sample_state();
  state.leases = std::move(leases);
  return state;
}

core::LeaseState lease_of(std::string task, std::string by, std::string_view until) {
  core::LeaseState lease;
  lease.task = core::TaskId(std::move(task));
  lease.phase = core::PhaseId("api");
  lease.by = std::move(by);
  lease.fence = 7;
  lease.since = at("2026-11-20T15:00:00Z");
  lease.renewed = lease.since;
  lease.until = at(until);
  return lease;
}

}  // namespace

TEST_CASE("next passes over what somebody holds, and not over what nobody holds any more") {
  const core::Plan plan = sample_plan();
  const auto view_with = [&plan](const core::State& state, std::vector<core::LeaseStatus> statuses = {}) {
    return make_view({.plan = &plan,
                      .state = &state,
                      .plan_id = "auth",
                      .path = "/p/plan.md",
                      .file = "plan.md",
                      .source = Source::state,
                      .warnings = {},
                      .recent = {},
                      .statuses = std::move(statuses),
                      .now = at("2026-11-20T15:10:00Z")});
  };
  const core::State held = state_with({lease_of("queries", "kim", "2026-11-20T15:30:00Z")});
  {
    const StatusView view = view_with(held);
    const Next next = next_of(view);
    REQUIRE(next.task != nullptr);
    CHECK(next.task->id == core::TaskId("handbook"));
    CHECK(next.why == "the open tasks before it are claimed or wait for others");
    REQUIRE(next.held.size() == 1);
    CHECK(next.held[0]->lease->by == "kim");
    // The current task is the plan's, whoever holds it (spec 7.9).
    CHECK(view.task()->id == core::TaskId("queries"));
  }
  {
    // Its time is over, or its holder is known to be gone.
    const core::State over = state_with({lease_of("queries", "kim", "2026-11-20T15:10:00Z")});
    CHECK(next_of(view_with(over)).kind == NextKind::task);
    const StatusView gone = view_with(held, {core::LeaseStatus::gone});
    REQUIRE(next_of(gone).task != nullptr);
    CHECK(next_of(gone).task->id == core::TaskId("queries"));
  }
  {
    const core::State all = state_with({lease_of("queries", "kim", "2026-11-20T15:30:00Z"),
                                        lease_of("handbook", "ada", "2026-11-20T15:30:00Z")});
    const StatusView view = view_with(all);
    REQUIRE(choose(view));
    CHECK(*choose(view) == Choice{2, 0});
    CHECK(why_chosen(view, {2, 0}) == "every open task of phase api is claimed or waits for another task");
    core::Plan nothing_else = plan;
    nothing_else.phases.pop_back();
    const StatusView busy = make_view({.plan = &nothing_else,
                                       .state = &all,
                                       .plan_id = "auth",
                                       .path = "/p/plan.md",
                                       .file = "plan.md",
                                       .source = Source::state,
                                       .warnings = {},
                                       .recent = {},
                                       .now = at("2026-11-20T15:10:00Z")});
    CHECK(next_of(busy).kind == NextKind::claimed);
    CHECK(next_of(busy).task == nullptr);
    CHECK_FALSE(choose(busy));
  }
}

TEST_CASE("a task is named for a command so that it is not asked back") {
  core::Plan plan;
  const auto task = [](const char* id) {
    core::Task made;
    made.id = core::TaskId(id);
    made.title = id;
    return made;
  };
  plan.phases.resize(2);
  plan.phases[0].id = core::PhaseId("one");
  plan.phases[0].tasks = {task("1"), task("1-2"), task("login"), task("only")};
  plan.phases[1].id = core::PhaseId("two");
  plan.phases[1].tasks = {task("login"), task("only-now")};
  core::ViewInput input;
  input.plan = &plan;
  const core::StatusView view = core::make_view(input);
  const auto name = [&view](std::size_t phase, std::size_t index) {
    return core::name_for_command(view, view.phases[phase], view.phases[phase].tasks[index]);
  };
  CHECK(name(0, 0) == "one/1");
  CHECK(name(0, 1) == "1-2");
  CHECK(name(0, 2) == "one/login");
  CHECK(name(1, 0) == "two/login");
  CHECK(name(0, 3) == "only");
}

}  // namespace plankeep::render
