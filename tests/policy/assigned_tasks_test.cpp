// Which tasks a prompt gives, by cases: what counts, and what must not.
#include "policy/assigned_tasks.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <string>
#include <vector>

using namespace plankeep;
using namespace plankeep::core;
using Ids = std::vector<std::string>;

namespace {

AuditTask task(const char* id, const char* title, const char* phase, const char* phase_title,
               bool done = false) {
  AuditTask made;
  made.id = TaskId{id};
  made.title = title;
  made.done = done;
  made.phase = PhaseId{phase};
  made.phase_title = phase_title;
  return made;
}

const std::vector<AuditTask> kPlan = {
    task("T001", "Create the schema", "p1", "Phase 1: Groundwork", true),
    task("T002", "Write the migration", "p1", "Phase 1: Groundwork"),
    task("T003", "Load the fixtures", "p1", "Phase 1: Groundwork"),
    task("T004", "Measure the queries", "p1", "Phase 1: Groundwork"),
    task("auth-middleware", "Auth middleware", "p2", "Phase 2: Web"),
    task("endpoints", "REST endpoints", "p2", "Phase 2: Web"),
    task("setup", "Implement login form", "p2", "Phase 2: Web"),
    task("test", "Test everything", "p3", "Phase 3: Release"),
    task("docs", "Docs", "p3", "Phase 3: Release"),
    task("1.1", "Draft", "p4", "Phase 4: Paper"),
    task("1.2", "Review", "p4", "Phase 4: Paper"),
    task("1.3", "Print", "p4", "Phase 4: Paper"),
    task("1.4", "Send", "p4", "Phase 4: Paper"),
};

Ids given(const std::string& prompt) {
  Ids ids;
  for (const TaskId& id : assigned_tasks(prompt, kPlan)) ids.push_back(id.text);
  return ids;
}

}  // namespace

TEST_CASE("what a prompt gives") {
  const std::vector<std::pair<const char*, Ids>> rows = {
      // words
      {"do task auth-middleware and endpoints", {"auth-middleware", "endpoints"}},
      {"Do task auth-middleware and endpoints.", {"auth-middleware", "endpoints"}},
      {"Your tasks: setup, docs and endpoints", {"endpoints", "setup", "docs"}},
      {"Implement auth-middleware.", {"auth-middleware"}},
      {"Please work on the docs task.", {"docs"}},
      {"Do task `endpoints`.", {"endpoints"}},
      // phases
      {"Do Phase 2", {"auth-middleware", "endpoints", "setup"}},
      {"Implement phase 3 of plan.md.", {"test", "docs"}},
      {"Finish everything in phase 1.", {"T002", "T003", "T004"}},
      {"Complete the Groundwork phase.", {"T002", "T003", "T004"}},
      {"Do phases 2 and 3.", {"auth-middleware", "endpoints", "setup", "test", "docs"}},
      {"Do phase 1 except T003.", {"T002", "T004"}},
      {"Complete phase 1, but not T004.", {"T002", "T003"}},
      {"Work on phase 2, then stop.", {"auth-middleware", "endpoints", "setup"}},
      // titles
      {"Implement login form.", {"setup"}},
      {"Please do the login form task.", {"setup"}},
      {"Your job: write the migration, nothing else.", {"T002"}},
      {"Do REST endpoints and auth middleware.", {"auth-middleware", "endpoints"}},
      // ranges
      {"Do T001\u2013T004.", {"T001", "T002", "T003", "T004"}},
      {"Do T001-T004.", {"T001", "T002", "T003", "T004"}},
      {"Do T002 through T004.", {"T002", "T003", "T004"}},
      {"T002 to T004 please", {"T002", "T003", "T004"}},
      {"Do 1.1 to 1.4.", {"1.1", "1.2", "1.3", "1.4"}},
      {"Do tasks 1.1\u20131.3", {"1.1", "1.2", "1.3"}},
      {"Do 1.1 and 1.3.", {"1.1", "1.3"}},
      {"Do T001\u2013T004 except T003.", {"T001", "T002", "T004"}},
      {"Do T002, T003 and auth-middleware.", {"T002", "T003", "auth-middleware"}},
  };
  for (const auto& [prompt, ids] : rows) {
    CAPTURE(prompt);
    CHECK(given(prompt) == ids);
  }
}

TEST_CASE("what a prompt only speaks of") {
  const std::vector<std::pair<const char*, Ids>> rows = {
      {"Look into the endpoints and write docs.", {}},
      {"Run the setup and test it.", {}},
      {"Do task auth-middleware and test it.", {"auth-middleware"}},
      {"The endpoints need a test.", {}},
      {"Do T002 of phase 1.", {"T002"}},
      {"Fix the bug that was found in phase 2.", {}},
      {"Add tests for phase 2.", {}},
      {"See phase 2 for the background.", {}},
      {"Don't do phase 2.", {}},
      {"After phase 1 do the docs.", {}},
      {"Phase 1 is done.", {}},
      {"We finished phase 1 already.", {}},
      {"Do phase 2 tests for the CI.", {}},
      {"Start when phase 2 is complete.", {}},
      {"Do not implement auth-middleware.", {}},
      {"The auth-middleware is broken, why?", {}},
      {"The login form looks odd.", {}},
      {"Implement login form styles.", {}},
      {"Version 1.2 to 1.4 of the library broke it.", {}},
      {"Upgrade from 1.1 to 1.4.", {}},
      {"- [x] do task endpoints", {}},
      {"> Do Phase 2", {}},
      {"```\nDo Phase 2\n```\nExplain the above.", {}},
      {"", {}},
      {"\xFF\xFE task \x80 phase", {}},
  };
  for (const auto& [prompt, ids] : rows) {
    CAPTURE(prompt);
    CHECK(given(prompt) == ids);
  }
}

TEST_CASE("tasks are given by number, from one to another") {
  const std::vector<AuditTask> plan = {
      task("T001", "Create the schema", "p1", "Phase 1: Groundwork"),
      task("T002", "Write the migration", "p1", "Phase 1: Groundwork"),
      task("T003", "Load the fixtures", "p2", "Phase 2: Web"),
      task("T004", "Measure the queries", "p2", "Phase 2: Web"),
      task("T005", "Write it up", "p3", "Phase 3: Release"),
  };
  const Ids three{"T003", "T004", "T005"};
  const Ids first{"T001", "T002", "T003"};
  const std::vector<std::pair<const char*, Ids>> rows = {
      {"Implement tasks 3 to 5", three},
      {"Implement tasks 3-5.", three},
      {"Do tasks 3\u20135.", three},
      {"Do tasks #3 through #5.", three},
      {"Do tasks from 3 to 5.", three},
      {"Implement T003 through T005.", three},
      {"Implement task T003 to 5.", three},
      {"Do steps 1 to 3.", first},
      {"Do steps 1-3 and 5.", {"T001", "T002", "T003", "T005"}},
      {"Do step 2.", {"T002"}},
      {"Bearbeite die Aufgaben 3 bis 5.", three},
      {"Fais les tâches 3 à 5.", three},
      {"Completa las tareas 3 a 5.", three},
      {"Completa as tarefas 3 até 5.", three},
      {"Выполни задачи 3 по 5.", three},
      {"Do tasks 3 to 5 except task 4.", {"T003", "T005"}},
      {"Do phases 1 to 2.", {"T001", "T002", "T003", "T004"}},
      {"Follow steps 1 to 3 of the README.", {}},
      {"Don't do tasks 3 to 5.", {}},
      {"It took 3 to 5 minutes to do.", {}},
      {"Do tasks 5 to 3.", {"T005"}},
  };
  for (const auto& [prompt, ids] : rows) {
    CAPTURE(prompt);
    Ids found;
    for (const TaskId& id : assigned_tasks(prompt, plan)) found.push_back(id.text);
    CHECK(found == ids);
  }
}

TEST_CASE("what a prompt only asks to look at is not given") {
  const std::vector<AuditTask> numbered = {
      task("1", "Create the schema", "p1", "Phase 1: Groundwork"),
      task("2", "Write the migration", "p1", "Phase 1: Groundwork"),
      task("3", "Load the fixtures", "p2", "Phase 2: Web"),
  };
  const std::vector<AuditTask> coded = {
      task("T001", "Create the schema", "p1", "Phase 1: Groundwork"),
      task("T002", "Write the migration", "p1", "Phase 1: Groundwork"),
      task("T003", "Load the fixtures", "p2", "Phase 2: Web"),
  };
  struct Row {
    const char* prompt;
    std::vector<std::size_t> given;
  };
  const std::vector<Row> rows = {
      {"Review task 2", {}},
      {"Please check task 2.", {}},
      {"Look at task 2 and tell me what you think.", {}},
      {"Look into tasks 1 to 3.", {}},
      {"Do task 1 and review task 2.", {0}},
      {"Prüfe Aufgabe 2.", {}},
      {"Your task is to review phase 1.", {}},
      {"Review task 2 and fix it.", {1}},
      {"Check off task 2.", {1}},
      {"Do task 2, then review it.", {1}},
      {"Complete tasks 1 and 2, and check your work.", {0, 1}},
      {"Address the review of task 2.", {1}},
  };
  for (const Row& row : rows) {
    for (const auto& plan : {numbered, coded}) {
      CAPTURE(row.prompt, plan.front().id.text);
      Ids ids;
      for (const std::size_t i : row.given) ids.push_back(plan[i].id.text);
      Ids found;
      for (const TaskId& id : assigned_tasks(row.prompt, plan)) found.push_back(id.text);
      CHECK(found == ids);
    }
  }
}

TEST_CASE("a long prompt takes no longer than it is") {
  std::string prompt;
  while (prompt.size() < 200'000) prompt += "do task endpoints, auth-middleware and T001 to T004 phase 2 - ";
  const auto begun = std::chrono::steady_clock::now();
  CHECK_FALSE(given(prompt).empty());
  CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(5));
}
