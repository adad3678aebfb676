#include "render/progress/status_line.hpp"

#include <catch2/catch.hpp>

#include "base/utf8.hpp"
#include "render/samples.hpp"

namespace plankeep::render {
namespace {

using Catch::Contains;

core::TaskState a_task(std::string id, std::string title) {
  core::TaskState task;
  task.id.text = std::move(id);
  task.title = std::move(title);
  return task;
}

core::State a_state(std::int64_t completed, std::int64_t total, std::int64_t tenths) {
  core::State state;
  core::PhaseState phase;
  phase.id.text = "build";
  phase.title = "Build";
  phase.tasks = {a_task("login", "Login form"), a_task("T006", "T006 Logout")};
  state.phases = {phase};
  state.progress.completed = completed;
  state.progress.total = total;
  state.progress.percent_tenths = tenths;
  state.current_phase = phase.id;
  state.current_task = phase.tasks.front().id;
  return state;
}

std::string line(const core::State& state, std::size_t columns = 80, std::string_view id = "auth") {
  return status_line(id, state, Style{false, columns});
}

}  // namespace

TEST_CASE("the status line is the plan, its progress, its task and its blockers") {
  core::State state = a_state(3, 12, 250);
  CHECK(line(state) == "auth 3/12 " + bar(250, 8) + " 25% · login Login form\n");
  state.blockers = {"no key"};
  CHECK(line(state) == "auth 3/12 " + bar(250, 8) + " 25% · login Login form · 1 blocker\n");
  state.blockers = {"no key", "no lock"};
  CHECK_THAT(line(state), Contains(" · 2 blockers\n"));
}

TEST_CASE("an id that the title begins with is said once, an empty title not at all") {
  core::State state = a_state(3, 12, 250);
  state.current_task = state.phases[0].tasks[1].id;
  CHECK_THAT(line(state), Contains(" · T006 Logout\n"));
  state.phases[0].tasks[1].title.clear();
  CHECK_THAT(line(state), Contains(" · T006\n"));
}

TEST_CASE("a phase without a task to do is named itself, by its title or else its id") {
  core::State state = a_state(3, 12, 250);
  state.current_task.reset();
  CHECK_THAT(line(state), Contains(" · Build\n"));
  state.phases[0].title.clear();
  CHECK_THAT(line(state), Contains(" · build\n"));
}

TEST_CASE("a plan that is done says so, an empty one does not") {
  core::State state = a_state(12, 12, 1000);
  state.current_phase.reset();
  state.current_task.reset();
  CHECK(line(state) == "auth 12/12 " + bar(1000, 8) + " 100% · all done\n");
  state = core::State{};
  CHECK(line(state) == "auth 0/0 " + bar(0, 8) + " 0%\n");
}

TEST_CASE("beside all done stands what does not count, and a task that vanished stands instead of it") {
  core::State state = a_state(12, 12, 1000);
  state.current_phase.reset();
  state.current_task.reset();
  state.progress.optional = 3;
  state.progress.optional_open = 2;
  state.skipped = 1;
  BesideState beside;
  const auto said = [&] { return status_line("auth", state, Style{false, 120}, beside); };
  CHECK_THAT(said(), Contains(" 100% · all done; 2 optional tasks are open, 1 box is skipped\n"));
  beside.vanished = {{core::PhaseId("build"), core::TaskId("gone"), "Gone", false, true, false}};
  CHECK_THAT(said(), Contains(" 100% · 1 task vanished: plankeep restore --lost\n"));
  state = a_state(3, 12, 250);
  CHECK_THAT(said(), Contains(" · login Login form · 1 task vanished: plankeep restore --lost\n"));
}

TEST_CASE("tasks that are all done beside an open criterion are not all done") {
  core::State state = a_state(12, 12, 1000);
  state.current_task.reset();
  CHECK_THAT(line(state), Contains(" 100% · Build\n"));
}

TEST_CASE("a plan whose file is gone, is no file or has changed is never said to be all done") {
  struct Row {
    PlanFileNow file;
    const char* words;
  };
  const Row row = GENERATE(Row{PlanFileNow::missing, "the file is missing"},
                           Row{PlanFileNow::unreadable, "the file cannot be read"},
                           Row{PlanFileNow::changed, "changes not recorded yet"});
  core::State state = a_state(12, 12, 1000);
  const auto said = [&state, &row] { return status_line("auth", state, Style{false, 120}, {row.file}); };
  CHECK_THAT(said(), Contains(std::string(" 100% · login Login form · ") + row.words));
  state.current_phase.reset();
  state.current_task.reset();
  CHECK_THAT(said(), Contains(std::string(" 100% · ") + row.words + "\n") && !Contains("all done"));
}

TEST_CASE("a current phase or task that the state does not hold is passed over") {
  core::State state = a_state(3, 12, 250);
  state.current_task->text = "elsewhere";
  CHECK_THAT(line(state), Contains(" · Build\n"));
  state.current_phase->text = "elsewhere";
  CHECK_NOTHROW(line(state));
}

TEST_CASE("the status line is one line and never wider than the terminal") {
  core::State state = a_state(3, 12, 250);
  const std::string title =
      GENERATE(as<std::string>(), "Login form", "", std::string(300, 'x'),
               "登录表单和注销功能的实现以及所有测试和文档的编写", "👩‍💻 tests 🇩🇪 e\xcc\x81",
               "two\nlines\x1b[31m\t\r\xe2\x80\xae", "\xff\xfe");
  state.phases[0].tasks[0].title = title;
  state.blockers = {"a", "b", "c"};
  for (std::size_t columns = 40; columns <= 200; ++columns) {
    CAPTURE(columns, title);
    for (const std::string& id :
         {std::string("auth"), std::string("计划计划计划计划计划计划计划计划"), std::string(200, 'p')}) {
      const std::string text = line(state, columns, id);
      REQUIRE(text.back() == '\n');
      const std::string_view content(text.data(), text.size() - 1);
      CHECK(base::display_width(content) <= columns);
      CHECK(content.find_first_of("\n\r\t\x1b") == std::string_view::npos);
      CHECK(base::find_invalid_utf8(content) == std::string_view::npos);
      CHECK_THAT(text, Contains("3/12"));
    }
  }
}

TEST_CASE("a terminal narrower than forty columns gets what forty would") {
  const core::State state = a_state(3, 12, 250);
  CHECK(line(state, 10) == line(state, 40));
  CHECK(line(state, 0) == line(state, 40));
}

TEST_CASE("a Chinese plan keeps its words in the status line") {
  core::State state = a_state(3, 12, 250);
  state.phases[0].tasks[0] = a_task("登录", "登录表单");
  state.current_task = state.phases[0].tasks[0].id;
  CHECK(line(state, 80, "认证") == "认证 3/12 " + bar(250, 8) + " 25% · 登录表单\n");
}

}  // namespace plankeep::render
