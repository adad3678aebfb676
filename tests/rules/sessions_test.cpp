#include "rules/sessions.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace plankeep;
using namespace plankeep::core;
using base::Instant;

namespace {

using Names = std::vector<std::string>;

Event at(std::int64_t time, EventKind kind) {
  Event event;
  event.time = Instant{time};
  event.kind = kind;
  return event;
}

Event started(std::int64_t time, std::string session) {
  Event event = at(time, EventKind::session_started);
  event.session = std::move(session);
  event.client = "claude-code";
  return event;
}

Event ended(std::int64_t time, std::string session) {
  Event event = at(time, EventKind::session_ended);
  event.session = std::move(session);
  return event;
}

Event crashed(std::int64_t time, std::string session) {
  Event event = ended(time, std::move(session));
  event.kind = EventKind::session_crash;
  return event;
}

Event agent_started(std::int64_t time, std::string agent, std::string session, const Names& tasks = {}) {
  Event event = at(time, EventKind::subagent_started);
  event.agent = std::move(agent);
  event.agent_type = "builder";
  event.session = std::move(session);
  for (const std::string& task : tasks) event.tasks.emplace_back(task);
  return event;
}

Event agent_stopped(std::int64_t time, std::string agent, std::string session, const Names& tasks = {}) {
  Event event = agent_started(time, std::move(agent), std::move(session), tasks);
  event.kind = EventKind::subagent_stopped;
  return event;
}

Event completed(std::int64_t time, std::string task, std::string agent) {
  Event event = at(time, EventKind::task_completed);
  event.task = TaskId(std::move(task));
  event.agent = std::move(agent);
  return event;
}

State after(const std::vector<Event>& events) {
  State state;
  for (const Event& event : events) apply_session_event(state, event);
  return state;
}

std::string list(const std::vector<TaskId>& ids) {
  std::string text;
  for (const TaskId& id : ids) text += (text.empty() ? "" : ",") + id.text;
  return text;
}

// "s1 1-5" for sessions, "a1@s1 running 3 [assigned] [completed]" for subagents.
Names shown(const State& state) {
  Names lines;
  for (const SessionState& session : state.sessions) {
    const std::string end = session.ended_at ? std::to_string(session.ended_at->milliseconds) : "";
    lines.push_back(session.id + " " + std::to_string(session.started_at.milliseconds) + "-" + end);
  }
  for (const AgentState& agent : state.agents) {
    lines.push_back(agent.id + "@" + agent.session + " " + std::string(name_of(agent.status)) + " " +
                    std::to_string(agent.last_active.milliseconds) + " [" + list(agent.assigned_tasks) +
                    "] [" + list(agent.completed_tasks) + "]");
  }
  return lines;
}

}  // namespace

TEST_CASE("sessions and subagents are what the events made of them") {
  struct Row {
    const char* what;
    std::vector<Event> events;
    Names expected;
  };
  const std::vector<Row> rows{
      {"nothing", {}, {}},
      {"a session runs", {started(1, "s1")}, {"s1 1-"}},
      {"a session ends", {started(1, "s1"), ended(2, "s1")}, {"s1 1-2"}},
      {"a session dies", {started(1, "s1"), crashed(2, "s1")}, {"s1 1-2"}},
      {"an end comes twice, the last one holds",
       {started(1, "s1"), ended(2, "s1"), ended(3, "s1")},
       {"s1 1-3"}},
      {"a session goes on under its name: it is the newest and open again",
       {started(1, "s1"), started(2, "s2"), ended(3, "s1"), started(4, "s1")},
       {"s2 2-", "s1 4-"}},
      {"the end of a session that nobody saw begin makes no session", {ended(1, "s1")}, {}},
      {"events without a session's name change nothing", {started(1, ""), ended(2, ""), crashed(3, "")}, {}},
      {"a subagent begins", {agent_started(1, "a1", "s1", {"t1", "t2"})}, {"a1@s1 running 1 [t1,t2] []"}},
      {"a subagent stops: what it stops with holds",
       {agent_started(1, "a1", "s1", {"t1"}), completed(2, "t9", "a1"), agent_stopped(3, "a1", "s1", {"t1"})},
       {"a1@s1 stopped 3 [t1] [t1]"}},
      {"a stop without a start is known as well",
       {agent_stopped(1, "a1", "s1", {"t1"})},
       {"a1@s1 stopped 1 [] [t1]"}},
      {"a continued subagent keeps its tasks, each once, and what it completed",
       {agent_started(1, "a1", "s1", {"t1", "t2"}), agent_stopped(2, "a1", "s1", {"t1"}),
        agent_started(3, "a1", "s2", {"t2", "t3"})},
       {"a1@s2 running 3 [t1,t2,t3] [t1]"}},
      {"tasks named twice at once are assigned once",
       {agent_started(1, "a1", "s1", {"t1", "t1"})},
       {"a1@s1 running 1 [t1] []"}},
      {"the end of a session loses its running subagents, and no others",
       {started(1, "s1"), started(1, "s2"), agent_started(2, "a1", "s1", {"t1"}),
        agent_started(2, "a2", "s2"), agent_started(2, "a3", "s1"), agent_stopped(3, "a3", "s1"),
        ended(4, "s1")},
       {"s1 1-4", "s2 1-", "a1@s1 lost 2 [t1] []", "a2@s2 running 2 [] []", "a3@s1 stopped 3 [] []"}},
      {"the death of a session does the same",
       {started(1, "s1"), agent_started(2, "a1", "s1"), crashed(3, "s1")},
       {"s1 1-3", "a1@s1 lost 2 [] []"}},
      {"also of a session that nobody saw begin",
       {agent_started(1, "a1", "s1"), ended(2, "s1")},
       {"a1@s1 lost 1 [] []"}},
      {"an end without a name loses no subagent without a session",
       {agent_started(1, "a1", ""), ended(2, "")},
       {"a1@ running 1 [] []"}},
      {"a lost subagent that begins again runs",
       {agent_started(1, "a1", "s1"), ended(2, "s1"), agent_started(3, "a1", "s1")},
       {"a1@s1 running 3 [] []"}},
      {"a lost subagent that stops has stopped",
       {agent_started(1, "a1", "s1"), ended(2, "s1"), agent_stopped(3, "a1", "s1", {"t1"})},
       {"a1@s1 stopped 3 [] [t1]"}},
      {"a session that goes on does not find its lost subagents again",
       {started(1, "s1"), agent_started(2, "a1", "s1"), ended(3, "s1"), started(4, "s1")},
       {"s1 4-", "a1@s1 lost 2 [] []"}},
      {"a task that a subagent completed is noted with it",
       {agent_started(1, "a1", "s1"), completed(2, "t1", "a1"), completed(3, "t2", "a1")},
       {"a1@s1 running 3 [] [t1,t2]"}},
      {"what a lost one completes does not make it newer than the end that lost it",
       {agent_started(1, "a1", "s1"), ended(2, "s1"), completed(3, "t1", "a1")},
       {"a1@s1 lost 1 [] [t1]"}},
      {"a task completed by nobody known makes no subagent",
       {completed(1, "t1", "a1"), completed(2, "t1", "")},
       {}},
      {"events without a subagent's name change nothing",
       {agent_started(1, "", "s1", {"t1"}), agent_stopped(2, "", "s1", {"t1"})},
       {}},
      {"other events change nothing",
       {at(1, EventKind::note_saved), at(1, EventKind::session_recovered), at(1, EventKind::task_reopened)},
       {}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    CHECK(shown(after(row.events)) == row.expected);
  }
}

TEST_CASE("a start gives a session its client and clears what was noted down for the one before") {
  State state = after({started(1, "s1")});
  CHECK(state.sessions.at(0).client == "claude-code");
  CHECK(state.sessions.at(0).last_active == Instant{1});
  state.sessions.at(0).prompts = 4;
  state.sessions.at(0).last_message = "so far";
  apply_session_event(state, started(2, "s1"));
  SessionState fresh;
  fresh.id = "s1";
  fresh.client = "claude-code";
  fresh.started_at = Instant{2};
  fresh.last_active = Instant{2};
  CHECK(state.sessions == std::vector<SessionState>{fresh});
}

TEST_CASE("an ended session starts no more subagents, and keeps the rest that was noted down") {
  State state = after({started(1, "s1")});
  state.sessions.at(0).assignments = {{"u1", "builder", {TaskId("t1")}, {}}};
  state.sessions.at(0).last_message = "the end";
  apply_session_event(state, ended(2, "s1"));
  CHECK(state.sessions.at(0).assignments.empty());
  CHECK(state.sessions.at(0).last_message == "the end");
}

TEST_CASE("a subagent that begins anew can be sent back again, one that stops stays as it was") {
  State state = after({agent_started(1, "a1", "s1")});
  state.agents.at(0).sent_back = true;
  apply_session_event(state, agent_stopped(2, "a1", "s1"));
  CHECK(state.agents.at(0).sent_back);
  apply_session_event(state, agent_started(3, "a1", "s1"));
  CHECK_FALSE(state.agents.at(0).sent_back);
}

TEST_CASE("an event about a session or a subagent says so by its name") {
  for (const std::string_view name : event_names()) {
    CAPTURE(name);
    CHECK(is_session_event(event_kind(name)) ==
          (name.starts_with("session_") || name.starts_with("subagent_")));
  }
  CHECK_FALSE(is_session_event(EventKind::unknown));
}

TEST_CASE("the newest sessions are kept, those that ended go first") {
  State state;
  const auto many = static_cast<std::int64_t>(kSessionsKept);
  for (std::int64_t i = 0; i < many; ++i) apply_session_event(state, started(i, "s" + std::to_string(i)));
  CHECK(state.sessions.size() == kSessionsKept);
  apply_session_event(state, ended(100, "s2"));
  apply_session_event(state, ended(101, "s1"));
  CHECK(state.sessions.size() == kSessionsKept);

  apply_session_event(state, started(102, "new"));
  CHECK(state.sessions.size() == kSessionsKept);
  CHECK(find_session(state, "s1") == nullptr);  // the oldest of the ended ones
  CHECK(find_session(state, "s2") != nullptr);
  CHECK(find_session(state, "s0") != nullptr);
  apply_session_event(state, started(103, "newer"));
  CHECK(find_session(state, "s2") == nullptr);
  apply_session_event(state, started(104, "newest"));
  CHECK(find_session(state, "s0") == nullptr);  // none has ended any more
  CHECK(state.sessions.size() == kSessionsKept);
  CHECK(state.sessions.back().id == "newest");
}

TEST_CASE("the newest subagents are kept, those that do not run go first") {
  State state;
  const auto many = static_cast<std::int64_t>(kAgentsKept);
  for (std::int64_t i = 0; i < many; ++i)
    apply_session_event(state, agent_started(i, "a" + std::to_string(i), i == 3 ? "other" : "s1"));
  CHECK(state.agents.size() == kAgentsKept);
  apply_session_event(state, agent_stopped(100, "a5", "s1"));
  apply_session_event(state, ended(101, "other"));
  apply_session_event(state, agent_started(102, "new", "s1"));
  CHECK(state.agents.size() == kAgentsKept);
  CHECK(find_agent(state, "a3") == nullptr);
  apply_session_event(state, agent_stopped(103, "unseen", "s1"));
  CHECK(state.agents.size() == kAgentsKept);
  CHECK(find_agent(state, "a5") == nullptr);
  CHECK(find_agent(state, "unseen") != nullptr);
  CHECK(find_agent(state, "a0") != nullptr);
  apply_session_event(state, agent_started(104, "newer", "s1"));
  CHECK(find_agent(state, "unseen") == nullptr);
  CHECK(find_agent(state, "a0") != nullptr);
  apply_session_event(state, agent_started(105, "newest", "s1"));
  CHECK(find_agent(state, "a0") == nullptr);
  CHECK(state.agents.size() == kAgentsKept);
}

TEST_CASE("what a session wants to be told begins behind the last one") {
  const Event tick = completed(0, "t1", "");
  const Event note = at(0, EventKind::note_saved);
  const Event saved = at(0, EventKind::recovery_saved);
  const Event recovered = at(0, EventKind::session_recovered);
  struct Row {
    const char* what;
    std::vector<Event> events;
    const char* session;
    std::size_t expected;
  };
  const std::vector<Row> rows{
      {"nothing happened", {}, "s2", 0},
      {"no session ever", {tick, note}, "s2", 0},
      {"behind the end of the last one", {started(0, "s1"), tick, ended(0, "s1"), tick, note}, "s2", 3},
      {"its own start does not count", {started(0, "s1"), ended(0, "s1"), tick, started(0, "s2")}, "s2", 2},
      {"the newest end counts",
       {started(0, "s1"), ended(0, "s1"), tick, started(0, "s2"), ended(0, "s2"), tick},
       "s3",
       5},
      {"after a compaction behind its own start",
       {started(0, "s1"), ended(0, "s1"), started(0, "s2"), tick, note},
       "s2",
       3},
      {"after a compaction that was told as a second start",
       {started(0, "s1"), ended(0, "s1"), started(0, "s2"), tick, started(0, "s2")},
       "s2",
       3},
      {"recovery copies are nothing that happened",
       {started(0, "s1"), ended(0, "s1"), tick, started(0, "s2"), saved},
       "s2",
       2},
      {"behind the start of one that died",
       {tick, started(0, "s1"), tick, note, crashed(0, "s1"), recovered, started(0, "s2")},
       "s2",
       2},
      {"all of it when the start of the dead one is not among them",
       {tick, note, crashed(0, "s1"), started(0, "s2")},
       "s2",
       0},
      {"of sessions that died one after the other, the last",
       {started(0, "s1"), tick, crashed(0, "s1"), started(0, "s2"), tick, crashed(0, "s2"), started(0, "s3")},
       "s3",
       4},
      {"without a name: behind the end of the last one",
       {started(0, "s1"), tick, ended(0, "s1"), tick},
       "",
       3},
      {"without a name a running session is no boundary", {started(0, "s1"), tick}, "", 0},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    CHECK(since_last_session(row.events, row.session) == row.expected);
  }
}

TEST_CASE("the last ended session is the one that ended last and is another one") {
  CHECK(last_ended(State{}, "s1") == nullptr);
  const State state = after({started(1, "s1"), started(2, "s2"), started(3, "s3"), started(4, "s4"),
                             ended(6, "s2"), crashed(9, "s1"), ended(7, "s3")});
  REQUIRE(last_ended(state, "s4") != nullptr);
  CHECK(last_ended(state, "s4")->id == "s1");
  CHECK(last_ended(state, "s1")->id == "s3");
  CHECK(last_ended(state, "")->id == "s1");
  CHECK(last_ended(after({started(1, "s1"), ended(2, "s1")}), "s1") == nullptr);
  CHECK(last_ended(after({started(1, "s1")}), "s2") == nullptr);
  // Of two that ended at once, the one that began later.
  CHECK(last_ended(after({started(1, "s1"), started(2, "s2"), ended(3, "s2"), ended(3, "s1")}), "")->id ==
        "s2");
}

TEST_CASE("what the history tells of sessions and subagents is compared, and nothing else") {
  const State state = after({started(1, "s1"), agent_started(2, "a1", "s1", {"t1"}), ended(3, "s1")});
  const auto same_after = [&state](const auto& change) {
    State other = state;
    change(other);
    CHECK(same_by_history(other, state) == same_by_history(state, other));
    return same_by_history(state, other);
  };
  CHECK(same_by_history(state, state));
  CHECK(same_after([](State& s) { s.sessions[0].last_active = Instant{9}; }));
  CHECK(same_after([](State& s) { s.sessions[0].prompts = 9; }));
  CHECK(same_after([](State& s) { s.sessions[0].last_message = "x"; }));
  CHECK(same_after([](State& s) { s.findings.emplace_back(); }));
  CHECK(same_after([](State& s) { s.agents[0].sent_back = true; }));
  CHECK_FALSE(same_after([](State& s) { s.sessions.clear(); }));
  CHECK_FALSE(same_after([](State& s) { s.sessions[0].id = "s2"; }));
  CHECK_FALSE(same_after([](State& s) { s.sessions[0].client = "codex"; }));
  CHECK_FALSE(same_after([](State& s) { s.sessions[0].started_at = Instant{9}; }));
  CHECK_FALSE(same_after([](State& s) { s.sessions[0].ended_at.reset(); }));
  CHECK_FALSE(same_after([](State& s) { s.agents.emplace_back(); }));
  CHECK_FALSE(same_after([](State& s) { s.agents[0].id = "a2"; }));
  CHECK_FALSE(same_after([](State& s) { s.agents[0].type = "x"; }));
  CHECK_FALSE(same_after([](State& s) { s.agents[0].session = "x"; }));
  CHECK_FALSE(same_after([](State& s) { s.agents[0].status = AgentStatus::running; }));
  CHECK_FALSE(same_after([](State& s) { s.agents[0].last_active = Instant{9}; }));
  CHECK_FALSE(same_after([](State& s) { s.agents[0].assigned_tasks.clear(); }));
  CHECK_FALSE(same_after([](State& s) { s.agents[0].completed_tasks.emplace_back("t1"); }));
}
