#include "editing/find_boxes.hpp"

#include <catch2/catch.hpp>

#include "markdown/parse_plan.hpp"

using namespace plankeep;

namespace {

core::Plan parsed(std::string_view text) {
  auto plan = markdown::parse_plan(text);
  if (!plan) FAIL(plan.error().message);
  return std::move(*plan);
}

constexpr std::string_view kText =
    "## One\n<!-- CHECKPOINT: one -->\n"
    "- [ ] a <!-- TASK: build -->\n- [ ] b <!-- TASK: login -->\n- [ ] c <!-- ACCEPT: login -->\n"
    "## Two\n<!-- CHECKPOINT: two -->\n- [ ] d <!-- TASK: build -->\n- [ ] e <!-- ACCEPT: tests -->\n";

}  // namespace

TEST_CASE("a task or criterion is found by its id alone where it is the only one") {
  const core::Plan plan = parsed(kText);
  const auto found = app::find_boxes(plan, plan, "tests");
  REQUIRE(found);
  CHECK(found->criterion);
  CHECK(found->phase == "two");
  CHECK(found->boxes == plan.phases[1].acceptance[0].boxes);
}

TEST_CASE("an id in two phases is ambiguous and names both forms, which then work") {
  const core::Plan plan = parsed(kText);
  const auto found = app::find_boxes(plan, plan, "build");
  REQUIRE_FALSE(found);
  CHECK(found.error().kind == base::ErrorKind::ambiguous);
  CHECK(found.error().message.find("one/build") != std::string::npos);
  CHECK(found.error().message.find("two/build") != std::string::npos);
  const auto second = app::find_boxes(plan, plan, "two/build");
  REQUIRE(second);
  CHECK(second->boxes == plan.phases[1].tasks[0].boxes);
}

TEST_CASE("a task and a criterion of one name are told apart") {
  const core::Plan plan = parsed(kText);
  const auto found = app::find_boxes(plan, plan, "login");
  REQUIRE_FALSE(found);
  CHECK(found.error().message.find("criterion:one/login") != std::string::npos);
  const auto criterion = app::find_boxes(plan, plan, "criterion:one/login");
  REQUIRE(criterion);
  CHECK(criterion->criterion);
  const auto task = app::find_boxes(plan, plan, "task:login");
  REQUIRE(task);
  CHECK_FALSE(task->criterion);
}

TEST_CASE("the phase before the slash may be its title, its number or a beginning of them") {
  const core::Plan plan =
      parsed("## Sprint 3: Login\n- [ ] plan\n## Sprint 4: Mail\n- [ ] plan\n- [ ] a/b\n");
  for (const char* asked : {"Sprint 3/plan", "sprint-3-login/plan", "3/plan", "sprint 3: login/plan"}) {
    INFO(asked);
    const auto found = app::find_boxes(plan, plan, asked);
    REQUIRE(found);
    CHECK(found->phase_index == 0);
  }
  CHECK(app::find_boxes(plan, plan, "Sprint 4/plan")->id == "plan-2");
  CHECK(app::find_boxes(plan, plan, "a/b")->index == 1);
}

TEST_CASE("an unknown id comes with the nearest ones") {
  const core::Plan plan = parsed(kText);
  const auto found = app::find_boxes(plan, plan, "logn");
  REQUIRE_FALSE(found);
  CHECK(found.error().kind == base::ErrorKind::not_found);
  CHECK(found.error().hint.find("login") != std::string::npos);
  CHECK(app::nearest_ids(plan, "zzz").empty());
  CHECK(app::nearest_ids(plan, "BUILD") == std::vector<std::string>{"build"});
}

TEST_CASE("in an unmarked plan a box is also found by the id its text gives") {
  const core::Plan written = parsed("# P\n- [ ] Write the lexer\n");
  core::Plan kept = written;
  kept.phases[0].tasks[0].id = core::TaskId("write-the-parser");
  const auto by_text = app::find_boxes(kept, written, "write-the-lexer");
  REQUIRE(by_text);
  CHECK(by_text->id == "write-the-parser");
  CHECK(app::find_boxes(kept, written, "write-the-parser"));
}

TEST_CASE("a line as printed names the box on it") {
  const core::Plan plan = parsed(kText);
  for (const char* text :
       {":4", "plan.md:4", "plans/auth/plan.md:4", "./plan.md:4", "/w/plans/auth/plan.md:4"}) {
    const auto found = app::find_boxes(plan, plan, text, "/w/plans/auth/plan.md");
    INFO(text);
    REQUIRE(found);
    CHECK(found->id == "login");
    CHECK_FALSE(found->criterion);
  }
  for (const char* text : {":1", ":99", "other.md:4", "an.md:4", ":0", ":4x"})
    CHECK_FALSE(app::find_boxes(plan, plan, text, "/w/plans/auth/plan.md"));
}

TEST_CASE("a title names its box, whole or by a beginning that no other has") {
  const core::Plan plan = parsed("## One\n- [ ] Write the docs\n- [ ] Write the tests\n- [ ] Ship/test it\n");
  CHECK(app::find_boxes(plan, plan, "write the DOCS")->id == "write-the-docs");
  CHECK(app::find_boxes(plan, plan, "Ship/test it")->id == "ship-test-it");
  CHECK(app::find_boxes(plan, plan, "ship")->id == "ship-test-it");
  CHECK(app::find_boxes(plan, plan, "Write the t")->id == "write-the-tests");
  const auto two = app::find_boxes(plan, plan, "write");
  REQUIRE_FALSE(two);
  CHECK(two.error().kind == base::ErrorKind::ambiguous);
  CHECK(two.error().message.find("one/write-the-docs") != std::string::npos);
  CHECK_FALSE(app::find_boxes(plan, plan, ""));
}

TEST_CASE("a title is found as lists show it, without the number in front") {
  const core::Plan plan = parsed(
      "## S\n- [ ] T001 Create project\n- [ ] 1.1 Write parser\n- [ ] T002 Create database\n"
      "- [ ] Create project\n## T\n- [ ] 1.1 Log in\n");
  const auto id = [&plan](std::string_view text) {
    const auto found = app::find_boxes(plan, plan, text);
    return found ? found->id : found.error().hint;
  };
  CHECK(id("write parser") == "1.1");
  CHECK(id("Create data") == "T002");
  CHECK(id("log") == "1.1-2");
  CHECK(id("T001 Create") == "T001");
  // A whole title goes before one that needs its number taken off.
  CHECK(id("Create project") == "create-project");
  CHECK(id("writing the parser").find("did you mean 1.1") != std::string::npos);
}

TEST_CASE("a whole id goes before the beginning of another") {
  const core::Plan plan = parsed("- [ ] a <!-- TASK: ship -->\n- [ ] b <!-- TASK: shipping -->\n");
  CHECK(app::find_boxes(plan, plan, "ship")->id == "ship");
  CHECK(app::find_boxes(plan, plan, "shippi")->id == "shipping");
}

TEST_CASE("a number that several boxes begin with means the one in the current phase") {
  const char* text =
      "## Phase 1: A\n- [x] 1.1 Login\n- [x] 1.2 Logout\n## Phase 2: B\n- [ ] 1.1 Pages\n- [ ] 1.2 Forms\n";
  const core::Plan plan = parsed(text);
  const auto found = app::find_boxes(plan, plan, "1.1");
  REQUIRE(found);
  CHECK(found->phase_index == 1);
  CHECK(app::find_boxes(plan, plan, plan.phases[0].id.text + "/1.1")->phase_index == 0);
  CHECK(app::find_boxes(plan, plan, plan.phases[1].id.text + "/1.1")->phase_index == 1);
  std::string done(text);
  for (std::size_t at = done.find("[ ]"); at != std::string::npos; at = done.find("[ ]")) done[at + 1] = 'x';
  const core::Plan all = parsed(done);
  const auto asked = app::find_boxes(all, all, "1.1");
  REQUIRE_FALSE(asked);
  CHECK(asked.error().kind == base::ErrorKind::ambiguous);
}

TEST_CASE("an id with its phase is meant as it stands there, also where others of the phase begin with it") {
  const core::Plan plan = parsed(
      "## Phase 1: Base\n### Backend\n- [ ] 1. Schema\n- [ ] 2. Routes\n### Frontend\n- [ ] 1. Pages\n## "
      "Phase 2: More\n- [ ] x\n");
  const auto asked = app::find_boxes(plan, plan, "1");
  REQUIRE_FALSE(asked);
  CHECK(asked.error().kind == base::ErrorKind::ambiguous);
  CHECK(asked.error().message == "1 is ambiguous:\nphase-1-base/1\nphase-1-base/1-2");
  // What it says to give is taken.
  CHECK(app::find_boxes(plan, plan, "phase-1-base/1")->index == 0);
  CHECK(app::find_boxes(plan, plan, "phase-1-base/1-2")->index == 2);
  CHECK(app::find_boxes(plan, plan, "task:phase-1-base/1")->index == 0);
  CHECK(app::find_boxes(plan, plan, "1-2")->index == 2);
}

TEST_CASE("a box that is a task and a criterion is one box") {
  const core::Plan plan = parsed("- [ ] Ship <!-- TASK: ship --> <!-- ACCEPT: shipped -->\n- [ ] Ship it\n");
  for (const char* asked : {":1", "task::1", "Ship"}) {
    INFO(asked);
    const auto found = app::find_boxes(plan, plan, asked);
    REQUIRE(found);
    CHECK(found->id == "ship");
    CHECK_FALSE(found->criterion);
  }
  CHECK(app::find_boxes(plan, plan, "criterion::1")->id == "shipped");
  CHECK(app::find_boxes(plan, plan, "shipped")->criterion);
}

TEST_CASE(
    "a title or id whose marks are characters of their own is found as it is typed, and the other way "
    "round") {
  const std::string apart = "Cafe\u0301 o\u0308ffnen";
  const std::string one = "Caf\u00E9 \u00F6ffnen";
  const core::Plan plan = parsed("## Bu\u0308ro\n- [ ] " + apart + "\n- [ ] Cafe\u0301 o\u0308ffnen bald\n");
  const std::string id = plan.phases[0].tasks[0].id.text;
  REQUIRE(id == "cafe\u0301-o\u0308ffnen");  // what is stored keeps its characters
  for (const std::string& typed :
       {apart, one, std::string("CAF\u00C9 \u00D6FFNEN"), id, std::string("caf\u00E9-\u00F6ffnen"),
        std::string("b\u00FCro/caf\u00E9-\u00F6ffnen")}) {
    CAPTURE(typed);
    const auto found = app::find_boxes(plan, plan, typed);
    REQUIRE(found);
    CHECK(found->id == id);
  }
  const core::Plan typed_plan = parsed("## P\n- [ ] " + one + "\n");
  const auto found = app::find_boxes(typed_plan, typed_plan, apart);
  REQUIRE(found);
  CHECK(found->id == typed_plan.phases[0].tasks[0].id.text);
}
