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

TEST_CASE("a long prompt takes no longer than it is") {
  std::string prompt;
  while (prompt.size() < 200'000) prompt += "do task endpoints, auth-middleware and T001 to T004 phase 2 - ";
  const auto begun = std::chrono::steady_clock::now();
  CHECK_FALSE(given(prompt).empty());
  CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(5));
}
