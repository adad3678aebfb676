#include "rules/listing/task_table.hpp"

#include <catch2/catch.hpp>

using namespace plankeep;

namespace {

core::Task task(const char* id, const char* title, std::int64_t line) {
  core::Task task;
  task.id = core::TaskId(id);
  task.title = title;
  task.line = line;
  task.id_in_text = task.title.starts_with(id);
  return task;
}

// A task with a step that is done, one that waits for it, a criterion, a decision and a blocker.
core::Plan billing() {
  core::Plan plan;
  plan.title = "Billing";
  core::Phase& phase = plan.phases.emplace_back();
  phase.id = core::PhaseId("invoices");
  phase.title = "Phase 1: Invoices";
  phase.tasks = {task("T001", "T001 Tables", 7), task("T002", "T002 Migrations", 8),
                 task("totals", "Totals", 9)};
  phase.tasks[1].state = core::BoxState::done;
  phase.tasks[1].parent = core::TaskId("T001");
  phase.tasks[1].section = {"Setup"};
  phase.tasks[2].after = {core::TaskId("T001")};
  core::Criterion& criterion = phase.acceptance.emplace_back();
  criterion.id = core::CriterionId("proven");
  criterion.line = 10;
  plan.decisions.push_back({"cents", "as whole numbers", 12});
  plan.blockers.push_back({"no account yet", 13});
  return plan;
}

core::State claimed(const core::Plan& plan, const char* task) {
  core::State state;
  core::LeaseState lease;
  lease.task = core::TaskId(task);
  lease.phase = plan.phases.at(0).id;
  lease.by = "kim";
  lease.fence = 3;
  state.leases.push_back(lease);
  return state;
}

core::TaskTable table_of(const core::Plan& plan, const core::State* state = nullptr) {
  core::ViewInput input;
  input.plan = &plan;
  input.state = state;
  input.plan_id = "billing";
  input.path = "/home/kim/plan.md";
  input.file = "plan.md";
  input.now = base::Instant{5000};
  if (state != nullptr) input.statuses.assign(state->leases.size(), core::LeaseStatus::held);
  return core::make_table(core::make_view(input), plan);
}

}  // namespace

TEST_CASE("a table has what plan and view have of each box") {
  const core::Plan plan = billing();
  const core::TaskTable table = table_of(plan);
  CHECK(table.plan_id == "billing");
  CHECK(table.path == "/home/kim/plan.md");
  CHECK(table.file == "plan.md");
  CHECK(table.now == base::Instant{5000});
  CHECK(table.progress.completed == 1);
  REQUIRE(table.phases.size() == plan.phases.size());
  const core::TablePhase& phase = table.phases[0];
  CHECK(phase.title == plan.phases[0].title);
  CHECK(phase.done == 1);
  REQUIRE(phase.tasks.size() >= 3);
  const core::TableTask step = phase.tasks.at(1);
  CHECK(step.id == "T002");
  CHECK(step.state == core::BoxState::done);
  CHECK(step.id_in_text);
  CHECK(step.line == 8);
  CHECK(step.parent == "T001");
  CHECK(step.parent_place == 1);
  CHECK(step.section == std::vector<std::string_view>{"Setup"});
  const core::TableTask totals = phase.tasks.at(2);
  CHECK(totals.parent_place == 0);
  CHECK(totals.after == std::vector<std::string_view>{"T001"});
  CHECK(totals.waiting_for == std::vector<std::string_view>{"T001"});
  CHECK_FALSE(totals.id_in_text);
  REQUIRE(phase.acceptance.size() == 1);
  CHECK(phase.acceptance.at(0).id == "proven");
  CHECK(phase.acceptance.at(0).line == 10);
  REQUIRE(table.decisions.size() == 1);
  CHECK(table.decisions[0].text == "cents");
  CHECK(table.decisions[0].reason == "as whole numbers");
  REQUIRE(table.blockers.size() == 1);
  CHECK(table.blockers[0].text == "no account yet");
}

TEST_CASE("a table outlives what it was made of, and so do its copies") {
  core::TaskTable copy;
  {
    const core::TaskTable table = table_of(billing());
    copy = table;
  }
  CHECK(copy.phases[0].tasks.at(0).title == "T001 Tables");
  CHECK(copy.decisions[0].text == "cents");
}

TEST_CASE("a row in full is that of the view") {
  const core::Plan plan = billing();
  const core::State state = claimed(plan, "T001");
  core::ViewInput input;
  input.plan = &plan;
  input.state = &state;
  input.statuses = {core::LeaseStatus::held};
  const core::StatusView view = core::make_view(input);
  const core::TaskTable table = core::make_table(view, plan);
  for (std::size_t t = 0; t < view.phases[0].tasks.size(); ++t) {
    const core::TaskRow& expected = view.phases[0].tasks[t];
    const core::TaskRow row = core::task_row(table, 0, t);
    CAPTURE(expected.id.text);
    CHECK(row.id == expected.id);
    CHECK(row.title == expected.title);
    CHECK(row.state == expected.state);
    CHECK(row.optional == expected.optional);
    CHECK(row.line == expected.line);
    CHECK(row.after == expected.after);
    CHECK(row.waiting_for == expected.waiting_for);
    CHECK(row.parent == expected.parent);
    CHECK(row.completed_at == expected.completed_at);
    CHECK(row.completed_by == expected.completed_by);
    CHECK(row.lease == expected.lease);
  }
  const core::PhaseRow phase = core::phase_row(table.phases[0]);
  CHECK(phase.id == view.phases[0].id);
  CHECK(phase.title == view.phases[0].title);
  CHECK(phase.total == view.phases[0].total);
  CHECK(phase.done == view.phases[0].done);
}

TEST_CASE("claims are put on open tasks as a view puts them") {
  const core::Plan plan = billing();
  const auto by = [&plan](const char* task) {
    const core::State state = claimed(plan, task);
    const core::TaskTable viewed = table_of(plan, &state);
    core::TaskTable put = table_of(plan);
    core::put_leases(put, state, {core::LeaseStatus::held});
    REQUIRE(put.leases.size() == viewed.leases.size());
    std::string text;
    for (std::size_t i = 0; i < put.leases.size(); ++i) {
      CHECK(put.leases[i].phase == viewed.leases[i].phase);
      CHECK(put.leases[i].task == viewed.leases[i].task);
      CHECK(put.leases[i].lease->fence == viewed.leases[i].lease->fence);
      text += std::string(put.phases[put.leases[i].phase].tasks.at(put.leases[i].task).id) + " " +
              put.lease_of(put.leases[i].phase, put.leases[i].task)->by;
    }
    return text;
  };
  CHECK(by("T001") == "T001 kim");
  CHECK(by("T002").empty());  // it is done
  CHECK(by("T009").empty());
}

TEST_CASE("without the plan a table has what the state knows") {
  core::State state;
  core::PhaseState& phase = state.phases.emplace_back();
  phase.id = core::PhaseId("p");
  phase.title = "Phase";
  core::TaskState& task = phase.tasks.emplace_back();
  task.id = core::TaskId("a");
  task.title = "Alpha";
  task.done = true;
  phase.tasks.emplace_back().id = core::TaskId("b");
  phase.tasks[1].parent = core::TaskId("a");
  core::ViewInput input;
  input.state = &state;
  const core::TaskTable table = core::make_table(core::make_view(input), std::nullopt);
  REQUIRE(table.phases.size() == 1);
  REQUIRE(table.phases[0].tasks.size() == 2);
  CHECK(table.phases[0].tasks.at(0).state == core::BoxState::done);
  CHECK(table.phases[0].tasks.at(0).line == 0);
  CHECK(table.phases[0].tasks.at(1).parent_place == 1);
  CHECK(table.decisions.empty());
}

TEST_CASE("rows are read to their end, or to the first that is damaged") {
  const std::vector<core::TableTask> tasks(3);
  const std::string bytes = core::pack_rows(tasks);
  const auto count = [](const core::PackedRows<core::TableTask>& rows) {
    std::size_t read = 0;
    for (const core::TableTask& task : rows) {
      (void)task;
      ++read;
    }
    return read;
  };
  CHECK(count({3, bytes}) == 3);
  CHECK(count({2, bytes}) == 2);
  CHECK(count({3, std::string_view(bytes).substr(0, bytes.size() - 1)}) == 2);
  CHECK(count({9, bytes}) == 3);
  CHECK(count({}) == 0);
  std::vector<core::TableTask> orphan(2);
  orphan[1].parent_place = 3;  // there are two
  const std::string damaged = core::pack_rows(orphan);
  CHECK(count({2, damaged}) == 1);
}
