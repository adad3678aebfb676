#include "tracking/edit_author.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "editing/record.hpp"
#include "project/project_shells.hpp"
#include "support/world.hpp"
#include "tracking/start_tracking.hpp"
#include "tracking/track.hpp"

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

TEST_CASE("whose an edit is that comes from a conversation which nothing ties to a subagent") {
  SessionState parent;
  parent.id = "s1";
  parent.client = "cursor";
  State state;
  state.sessions = {parent};
  HookEvent edit = edit_by("", "");
  edit.client = "cursor";
  edit.session_id = "child";
  CHECK_FALSE(author_in_own_conversation(edit, state));
  state.agents = {running("a1", "coder")};
  CHECK(author_in_own_conversation(edit, state) == Author{"subagent:coder", "a1"});
  state.agents.push_back(running("a2", "coder"));
  CHECK(author_in_own_conversation(edit, state) == Author{"subagent:coder", ""});
  state.agents.push_back(running("a3", "scout"));
  CHECK(author_in_own_conversation(edit, state) == Author{"external", ""});
  edit.session_id = "s1";
  CHECK_FALSE(author_in_own_conversation(edit, state));
  edit.session_id = "";
  CHECK_FALSE(author_in_own_conversation(edit, state));
  edit.session_id = "child";
  state.sessions[0].client = "codex";
  CHECK_FALSE(author_in_own_conversation(edit, state));
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

TEST_CASE("agents without a name of their own are those in the foreground of this session") {
  State state;
  state.agents = {running("a1", "coder"), running("a2", "coder"), running("a3", "coder", "s2")};
  state.agents[1].status = AgentStatus::stopped;
  HookEvent event;
  event.session_id = "s1";
  CHECK(unnamed_agents(state, event, true).empty());
  REQUIRE(unnamed_agents(state, event, false).size() == 1);
  CHECK(unnamed_agents(state, event, false)[0]->id == "a1");
  event.agent_id = "a1";
  CHECK(unnamed_agents(state, event, false).empty());
}

TEST_CASE("an edit that nobody announced is that of the agent whose command runs, whoever finds it") {
  test::World world;
  world.put_plan("- [ ] Login\n- [ ] Logout\n");
  REQUIRE(app::start_tracking(world.context, world.location));
  world.clock.advance(1000);
  const bool runs = GENERATE(true, false);
  if (runs) {
    const auto shells = app::open_shells(world.context, world.location.folder, true);
    REQUIRE(shells);
    REQUIRE(store::note_shell(**shells, {"s1", "a1", "coder", "", true, world.clock.now()}));
  }
  world.clock.advance(1000);
  world.put_plan("- [x] Login\n- [ ] Logout\n");
  const bool by_note = GENERATE(true, false);
  const auto outcome = by_note ? app::save_note(world.context, world.location, "hi", "main")
                               : app::track(world.context, world.location, app::Edit{});
  REQUIRE(outcome);
  const auto find = [&outcome](EventKind kind) {
    return std::find_if(outcome->events.begin(), outcome->events.end(),
                        [kind](const Event& event) { return event.kind == kind; });
  };
  const auto done = find(EventKind::task_completed);
  REQUIRE(done != outcome->events.end());
  CHECK(done->by == (runs ? "subagent:coder" : "external"));
  CHECK(done->agent == (runs ? "a1" : ""));
  CHECK(done->via == (runs ? "shell" : ""));
  CHECK((find(EventKind::checksum_mismatch) == outcome->events.end()) == runs);
}
