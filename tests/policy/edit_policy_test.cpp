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

TEST_CASE("what was removed and what only has another id are told apart behind the back of an agent") {
  const auto item = [](EventKind kind, std::string id, std::string title, std::int64_t time) {
    Event event;
    event.kind = kind;
    event.time = base::Instant{time};
    event.phase = PhaseId("p");
    const bool criterion = kind == EventKind::acceptance_added || kind == EventKind::acceptance_removed;
    (criterion ? event.criterion.text : event.task.text) = std::move(id);
    event.title = std::move(title);
    return event;
  };
  const auto task = [](std::string id, std::string title) {
    TaskState made;
    made.id = TaskId(std::move(id));
    made.title = std::move(title);
    return made;
  };
  const auto told = [](const std::vector<Event>& events, std::vector<TaskState> tasks) {
    State now;
    now.phases.emplace_back().id = PhaseId("p");
    now.phases.front().tasks = std::move(tasks);
    std::vector<std::string> texts;
    for (const Notice& notice : unsaid_news(events, now, true).notices) texts.push_back(notice.text);
    return texts;
  };
  using Texts = std::vector<std::string>;
  constexpr auto kRemoved = EventKind::task_removed;
  constexpr auto kAdded = EventKind::task_added;
  Event renumbered = item(kAdded, "1", "1. Docs", 5);
  renumbered.from = "2";
  const std::vector<Event> first_gone{item(kRemoved, "1", "1. Code", 5), item(kRemoved, "2", "2. Docs", 5),
                                      renumbered};
  CHECK(told(first_gone, {task("1", "1. Docs")}) == Texts{"task 1 (Code) is no longer in the plan"});
  // It came back in a later save, under another number.
  CHECK(told(first_gone, {task("1", "1. Docs"), task("2", "2. Code")}).empty());
  // The same id twice, in two saves: only the first was a change of id.
  std::vector<Event> twice = first_gone;
  twice.push_back(item(kRemoved, "2", "2. Ship", 9));
  CHECK(told(twice, {task("1", "1. Docs")}) == Texts{"tasks 1 (Code), 2 (Ship) are no longer in the plan"});
  const Event lost = item(EventKind::acceptance_removed, "fast", "Fast", 5);
  CHECK(told({lost}, {}) == Texts{"criterion fast is no longer in the plan"});
  CHECK(told({item(EventKind::acceptance_added, "quick", "Quick", 5), lost}, {}).empty());
  CHECK(told({item(EventKind::acceptance_added, "quick", "Quick", 4), lost}, {}).size() == 1);
}
