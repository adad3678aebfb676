#include "render/export.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "render/samples.hpp"

using namespace plankeep;
using namespace plankeep::render;
using Catch::Matchers::Contains;

namespace {

ExportedPlan sample() {
  return {"auth", "plan.md", sample_plan(), sample_state()};
}

ExportedPlan with_title(const std::string& title) {
  core::Plan plan;
  core::Phase& phase = plan.phases.emplace_back();
  phase.id = core::PhaseId("p");
  phase.title = "P";
  phase.tasks.push_back(task("t", title, core::BoxState::open, 3));
  return {"plan", "plan.md", plan, std::nullopt};
}

// RFC 4180, for the tests: fields of each record.
std::vector<std::vector<std::string>> read_csv(const std::string& text) {
  std::vector<std::vector<std::string>> records(1, std::vector<std::string>(1));
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string& field = records.back().back();
    if (quoted) {
      if (text[i] != '"') {
        field += text[i];
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        field += text[i++];
      } else {
        quoted = false;
      }
    } else if (text[i] == '"') {
      quoted = true;
    } else if (text[i] == ',') {
      records.back().emplace_back();
    } else if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') {
      records.emplace_back(1);
      ++i;
    } else {
      field += text[i];
    }
  }
  records.pop_back();
  return records;
}

}  // namespace

TEST_CASE("the task list is headed by the plan's title, and by its id where it has none") {
  ExportedPlan exported = with_title("t");
  CHECK_THAT(export_tasklist(exported), Catch::Matchers::StartsWith("# plan\n\n## P\n\n- [ ] t\n"));
  exported.plan.title = "The @plan";
  CHECK_THAT(export_tasklist(exported), Catch::Matchers::StartsWith("# The ") && Contains("\n\n## P\n\n"));
  exported.plan.title = "P";
  CHECK(export_tasklist(exported) == "# P\n\n- [ ] t\n");
}

TEST_CASE("JSON holds the plan's tasks with what the state knows of them") {
  const auto json = nlohmann::json::parse(export_json(sample()));
  CHECK(json["version"] == 2);
  CHECK(json["plan"]["id"] == "auth");
  REQUIRE(json["phases"].size() == sample_plan().phases.size());
  std::size_t times = 0;
  for (const auto& phase : json["phases"]) {
    for (const auto& task : phase["tasks"]) {
      CHECK((task["state"] == "done" || !task.contains("completedAt")));
      times += task.contains("completedAt") ? 1 : 0;
    }
  }
  CHECK(times > 0);
  ExportedPlan untracked = sample();
  untracked.state.reset();
  CHECK(export_json(untracked).find("completedAt") == std::string::npos);
}

TEST_CASE("a task that was reopened in the plan has no time of completion") {
  ExportedPlan exported = sample();
  for (core::Phase& phase : exported.plan.phases) {
    for (core::Task& each : phase.tasks) each.state = core::BoxState::open;
  }
  CHECK(export_json(exported).find("completedAt") == std::string::npos);
}

TEST_CASE("CSV has a header and a record for each task and criterion, each with as many fields") {
  const auto records = read_csv(export_csv(sample(), false));
  std::size_t boxes = 0;
  for (const core::Phase& phase : sample_plan().phases) boxes += phase.tasks.size() + phase.acceptance.size();
  REQUIRE(records.size() == boxes + 1);
  for (const auto& record : records) CHECK(record.size() == 12);
  CHECK(records[0][0] == "kind");
  CHECK(records[1][0] == "task");
}

TEST_CASE("a field that a spreadsheet would run gets an apostrophe, unless it is to be raw") {
  for (const char* title : {"=1+1", "+1", "-1", "@SUM(A1)", "\t=1",
                            "\xEF\xBC\x9D"
                            "1"}) {
    CAPTURE(title);
    CHECK(read_csv(export_csv(with_title(title), false))[1][4] == "'" + std::string(title));
    CHECK(read_csv(export_csv(with_title(title), true))[1][4] == title);
  }
  CHECK(read_csv(export_csv(with_title("a=1"), false))[1][4] == "a=1");
}

TEST_CASE("any title survives CSV") {
  CHECK(rc::check("csv", [] {
    const auto title =
        *rc::gen::container<std::string>(rc::gen::element(',', '"', '\r', '\n', ' ', 'a', '=', ';'));
    RC_ASSERT(read_csv(export_csv(with_title(title), true))[1][4] == title);
  }));
}

TEST_CASE("a task list shows titles as they are, mentions nobody and links nothing") {
  const std::string text =
      export_tasklist(with_title("Ask @kim about #12 and `x` *y* <b> [l](u) a@b.c &amp;"));
  CHECK(text ==
        "# plan\n\n## P\n\n- [ ] Ask @<!-- -->kim about #<!-- -->12 and \\`x\\` \\*y\\* \\<b\\> \\[l\\](u) "
        "a@<!-- -->b.c \\&amp;\n");
}

TEST_CASE("a task list says what GitHub's boxes cannot") {
  ExportedPlan exported = with_title("Work");
  exported.plan.phases[0].tasks[0].state = core::BoxState::active;
  exported.plan.phases[0].tasks.push_back(task("o", "Extra", core::BoxState::done, 4));
  exported.plan.phases[0].tasks[1].optional = true;
  CHECK_THAT(export_tasklist(exported), Contains("- [ ] Work _(in progress)_\n- [x] Extra _(optional)_\n"));
}

TEST_CASE("in a task list the steps stand below their task, and nothing below what is not around it") {
  ExportedPlan exported = with_title("Build");
  std::vector<core::Task>& tasks = exported.plan.phases.front().tasks;
  const auto add = [&tasks](const std::string& id, const std::string& parent) {
    tasks.push_back(task(id, id, core::BoxState::open, static_cast<std::int64_t>(tasks.size()) + 4));
    tasks.back().parent = core::TaskId(parent);
  };
  add("a", "t");
  add("a1", "a");
  add("b", "t");
  add("next", "");
  // The second place of a task that stands in two; between them is another.
  add("late", "t");
  CHECK(export_tasklist(exported) ==
        "# plan\n\n## P\n\n- [ ] Build\n  - [ ] a\n    - [ ] a1\n  - [ ] b\n- [ ] next\n- [ ] late\n");
}
