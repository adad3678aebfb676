#include "rules/listing/task_list.hpp"

#include <catch2/catch.hpp>

using namespace plankeep;
using core::BoxState;

namespace {

constexpr std::int64_t kDay = 24LL * 60 * 60 * 1000;

core::TaskRow task(const char* id, BoxState state, const char* title, const char* by = "") {
  core::TaskRow row;
  row.id = core::TaskId(id);
  row.state = state;
  row.title = title;
  row.completed_by = by;
  return row;
}

core::StatusView view() {
  core::StatusView view;
  view.now = {100 * kDay};
  core::PhaseRow one;
  one.id = core::PhaseId("one");
  one.title = "First Phase";
  one.tasks = {task("a", BoxState::done, "Alpha", "subagent:coder"), task("b", BoxState::active, "Beta"),
               task("c", BoxState::open, "Gamma")};
  core::PhaseRow two;
  two.id = core::PhaseId("two");
  two.title = "Second";
  two.tasks = {task("d", BoxState::open, "Alphabet"), task("e", BoxState::done, "Delta", "main")};
  two.tasks[0].optional = true;
  view.phases = {one, two};
  return view;
}

std::string ids(const core::TaskFilter& filter, const std::vector<core::Event>& events = {}) {
  const core::TaskTable table = core::make_table(view(), std::nullopt);
  const auto list = core::TaskList::make(table, filter, events);
  if (!list) return list.error().message;
  std::string text;
  list->each([&](const core::ListedTask& row) {
    CHECK(table.phases[row.phase].tasks.at(row.place).id == row.task.id);
    text += row.task.id;
  });
  CHECK(list->of() == 5);
  return text;
}

}  // namespace

TEST_CASE("a list holds what every condition lets through, in document order") {
  core::TaskFilter filter;
  CHECK(ids(filter) == "abcde");
  filter.unfinished = true;
  CHECK(ids(filter) == "bcd");
  filter.phase = "one";
  CHECK(ids(filter) == "bc");
  filter = {};
  filter.state = BoxState::done;
  CHECK(ids(filter) == "ae");
  filter.by = "subagent";
  CHECK(ids(filter) == "a");
  filter.by = "sub";
  CHECK(ids(filter).empty());
  filter = {};
  filter.text = "ALPHA";
  CHECK(ids(filter) == "ad");
  filter.optional = true;
  CHECK(ids(filter) == "d");
}

TEST_CASE("a phase is named by id, title or number") {
  core::TaskFilter filter;
  for (const char* name : {"two", "second", "Second", "2"}) {
    filter.phase = name;
    CHECK(ids(filter) == "de");
  }
  filter.phase = "3";
  CHECK(ids(filter) == "no phase 3 in this plan");
}

TEST_CASE("a task is stale when nothing happened to it since") {
  core::Event began;
  began.time = {10 * kDay};
  core::Event started;
  started.time = {95 * kDay};
  started.kind = core::EventKind::task_started;
  started.task = core::TaskId("b");
  started.phase = core::PhaseId("one");
  core::TaskFilter filter;
  filter.idle_since = base::Instant{90 * kDay};
  CHECK(ids(filter, {began, started}) == "cd");
  filter.idle_since = base::Instant{96 * kDay};
  CHECK(ids(filter, {began, started}) == "bcd");
}

TEST_CASE("steps stand one deeper than the task that the list shows above them") {
  core::StatusView rows = view();
  rows.phases[0].tasks[1].parent = core::TaskId("a");
  rows.phases[0].tasks[2].parent = core::TaskId("b");
  rows.phases[1].tasks[1].parent = core::TaskId("a");  // of another phase
  const core::TaskTable table = core::make_table(std::move(rows), std::nullopt);
  const auto depths = [&table](const core::TaskFilter& filter) {
    std::vector<std::size_t> found;
    core::TaskList::make(table, filter, {})->each([&found](const core::ListedTask& row) {
      found.push_back(row.depth);
    });
    return found;
  };
  CHECK(depths({}) == std::vector<std::size_t>{0, 1, 2, 0, 0});
  core::TaskFilter open;
  open.unfinished = true;
  CHECK(depths(open) == std::vector<std::size_t>{0, 1, 0});
}
