// Whose an announced edit is and what is said of it, without a disk.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "policy/hook_policy.hpp"

using namespace plankeep;
using namespace plankeep::core;

namespace {

AgentState running(const std::string& id, const std::string& type, const std::string& session = "s1") {
  AgentState agent;
  agent.id = id;
  agent.type = type;
  agent.session = session;
  return agent;
}

HookEvent edit_by(const std::string& id, const std::string& type, const std::string& team = {}) {
  HookEvent event;
  event.kind = HookKind::file_written;
  event.session_id = "s1";
  event.agent_id = id;
  event.agent_type = type;
  event.team = team;
  return event;
}

}  // namespace

TEST_CASE("whose an edit is") {
  struct Row {
    const char* what;
    HookEvent event;
    std::vector<AgentState> agents;
    bool names_subagents;
    Author author;
  };
  const std::vector<AgentState> one = {running("a1", "coder")};
  const std::vector<AgentState> same = {running("a1", "coder"), running("a2", "coder")};
  const std::vector<AgentState> mixed = {running("a1", "coder"), running("a2", "scout")};
  const std::vector<AgentState> foreign = {running("a1", "coder", "s2")};
  HookEvent watched = edit_by("a1", "coder");
  watched.outside = true;
  const std::vector<Row> rows = {
      {"the main thread", edit_by("", ""), {}, true, {"main", ""}},
      {"... beside a subagent that would be named", edit_by("", ""), one, true, {"main", ""}},
      {"a subagent", edit_by("a1", "coder"), {}, true, {"subagent:coder", "a1"}},
      {"its type wins over the known one", edit_by("a1", "scout"), one, true, {"subagent:scout", "a1"}},
      {"its id alone", edit_by("a1", ""), one, true, {"subagent:coder", "a1"}},
      {"an id that nobody knows", edit_by("a9", ""), one, true, {"subagent:unknown", "a9"}},
      {"a teammate", edit_by("a1", "", "blue"), one, true, {"team:blue", "a1"}},
      {"a file watcher", watched, one, true, {"external", ""}},
      {"a client that names none, with none", edit_by("", ""), {}, false, {"main", ""}},
      {"... with one", edit_by("", ""), one, false, {"subagent:coder", "a1"}},
      {"... with one of another session", edit_by("", ""), foreign, false, {"main", ""}},
      {"... with two of a type", edit_by("", ""), same, false, {"subagent:coder", ""}},
      {"... with two types", edit_by("", ""), mixed, false, {"external", ""}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    State state;
    state.agents = row.agents;
    CHECK(author_of(row.event, state, row.names_subagents) == row.author);
  }
}

TEST_CASE("whose a change is that a command in the shell made") {
  const store::RunningShell main{"s1", "", "", "", true, {}};
  const store::RunningShell agent{"s1", "a1", "coder", "", true, {}};
  const store::RunningShell same{"s1", "a2", "coder", "", true, {}};
  const store::RunningShell mate{"s1", "", "", "blue", true, {}};
  CHECK_FALSE(author_in_shell({}, {}, {}));
  CHECK(author_in_shell({main}, {}, {}) == Author{"main", ""});
  CHECK(author_in_shell({agent}, {}, {}) == Author{"subagent:coder", "a1"});
  CHECK(author_in_shell({mate}, {}, {}) == Author{"team:blue", ""});
  CHECK_FALSE(author_in_shell({main, agent}, {}, {}));
  CHECK_FALSE(author_in_shell({agent, same}, {}, {}));
}

TEST_CASE("a command in the shell of an agent that the client does not name is that of the one who runs") {
  const store::RunningShell unnamed{"s1", "", "", "", false, {}};
  State state;
  CHECK(author_in_shell({unnamed}, state, {}) == Author{"main", ""});
  state.agents = {running("a1", "coder")};
  CHECK(author_in_shell({unnamed}, state, {}) == Author{"subagent:coder", "a1"});
}

TEST_CASE("a file that changed before a command in the shell began was not changed by it") {
  store::RunningShell first{"s1", "", "", "", true, {}};
  store::RunningShell second{"s1", "a1", "coder", "", true, {}};
  first.noted_ns = 1000;
  second.noted_ns = 2000;
  CHECK_FALSE(author_in_shell({first}, {}, {999, 0}));
  CHECK(author_in_shell({first}, {}, {1000, 0}));
  CHECK(author_in_shell({first, second}, {}, {1500, 0}) == Author{"main", ""});
  CHECK_FALSE(author_in_shell({first, second}, {}, {2000, 0}));
  // The clocks of two file systems, and a file that is gone, tell nothing.
  CHECK(author_in_shell({first}, {}, {999, 7}));
  CHECK(author_in_shell({first}, {}, {0, 0}));
}

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
