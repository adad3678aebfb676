// What is said of an edit, and whose commands in the shell an event ends, without a disk.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "policy/hook_policy.hpp"

using namespace plankeep;
using namespace plankeep::core;

TEST_CASE("whose commands in the shell are over with an event") {
  const auto over = [](HookKind kind) {
    HookEvent event;
    event.kind = kind;
    return shells_over(event);
  };
  for (const HookKind kind : {HookKind::shell_ran, HookKind::tools_settled, HookKind::turn_ended,
                              HookKind::subagent_stopped, HookKind::prompt_submitted})
    CHECK(over(kind) == ShellsOver::agents);
  for (const HookKind kind : {HookKind::session_start, HookKind::session_ended})
    CHECK(over(kind) == ShellsOver::sessions);
  for (const HookKind kind : {HookKind::shell_started, HookKind::file_written, HookKind::before_compact,
                              HookKind::subagent_assigned, HookKind::subagent_started, HookKind::nothing})
    CHECK(over(kind) == ShellsOver::none);
}

TEST_CASE("a notification of a subagent's end ends its commands in the shell") {
  HookEvent event;
  event.kind = HookKind::prompt_submitted;
  event.agent_id = "caller";
  CHECK(agents_over(event).empty());
  event.notified = {{"a1", "killed"}, {"", "failed"}, {"a2", "completed"}};
  CHECK(agents_over(event) == std::vector<std::string>{"a1", "a2"});
}

TEST_CASE("what is said of an edit, and to whom") {
  struct Row {
    const char* what;
    EditFacts facts;
    const char* text;  // nullptr: nothing is said
  };
  const Notice removed{NoticeKind::task_removed, "t1 was removed"};
  const Notice done{NoticeKind::phase_completed, "Phase 1 is complete"};
  const std::vector<Row> rows = {
      {"nothing new", {}, nullptr},
      {"an event alone", {.recorded = true}, nullptr},
      {"a warning of a plan that can be read", {.recorded = true, .warning = "odd"}, nullptr},
      {"a plan that became unreadable",
       {.readable = false, .recorded = true, .warning = "no tasks any more"},
       "[plankeep] plan.md: no tasks any more"},
      {"... and stays so", {.readable = false, .warning = "no tasks any more"}, nullptr},
      {"a phase", {.notices = {done}, .recorded = true}, "[plankeep] plan.md: Phase 1 is complete"},
      {"a removed task, also where no event came of it",
       {.notices = {removed}},
       "[plankeep] plan.md: t1 was removed\nTo see and restore earlier versions: plankeep restore"},
      {"a new error",
       {.new_errors = {"line 3: duplicate id"}},
       "[plankeep] plan.md: new error in the plan: line 3: duplicate id\nFor details: plankeep lint"},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    CHECK(worth_reporting(row.facts) == (row.text != nullptr));
    if (row.text == nullptr) continue;
    CHECK(report_edit(row.facts, "plan.md", true) ==
          HookAnswer{.context = row.text, .block = "", .notice = ""});
    CHECK(report_edit(row.facts, "plan.md", false) ==
          HookAnswer{.context = "", .block = "", .notice = row.text});
  }
}
