#pragma once
// Sessions and subagents made at random: few names, so that they end, die, come back and meet again.

#include <rapidcheck.h>

#include <string>
#include <vector>

#include "model/event.hpp"
#include "model/state.hpp"
#include "rules/sessions.hpp"

namespace plankeep::core {

inline std::string random_session_id() {
  return *rc::gen::element<std::string>("s1", "s2", "s3");
}

inline std::string random_agent_id() {
  return *rc::gen::element<std::string>("a1", "a2", "a3", "a4");
}

/// What a hook may record besides the changes of the plan; a note may be empty.
inline Event random_session_event(base::Instant now) {
  Event event;
  event.time = now;
  event.kind =
      *rc::gen::element(EventKind::session_started, EventKind::session_started, EventKind::session_ended,
                        EventKind::session_crash, EventKind::session_recovered, EventKind::subagent_started,
                        EventKind::subagent_started, EventKind::subagent_stopped, EventKind::note_saved);
  if (event.kind == EventKind::note_saved) {
    event.note = *rc::gen::element<std::string>("", "look here", "and there");
    event.reason = *rc::gen::element<std::string>("", "session_end");
    return event;
  }
  event.session = random_session_id();
  if (event.kind == EventKind::session_started) {
    event.client = *rc::gen::element<std::string>("claude-code", "codex");
    event.source = "startup";
  }
  if (event.kind == EventKind::session_crash) event.last_known_state = "state.json";
  if (event.kind == EventKind::session_recovered) event.from = "state.json";
  if (event.kind == EventKind::subagent_started || event.kind == EventKind::subagent_stopped) {
    event.agent = random_agent_id();
    event.agent_type = *rc::gen::element<std::string>("builder", "tester");
    for (const char* task : {"a", "b", "c"}) {
      if (*rc::gen::arbitrary<bool>()) event.tasks.emplace_back(task);
    }
  }
  return event;
}

/// As whoever records it changes the state that is kept.
inline void record(State& state, const Event& event) {
  state.last_saved = event.time;
  if (event.kind == EventKind::note_saved) {
    state.session_notes = event.note.empty() ? std::nullopt : std::optional(event.note);
    state.note_is_automatic = !event.note.empty() && !event.reason.empty();
  }
  apply_session_event(state, event);
}

/// Some of the completed tasks are the work of a subagent, known or not; as the hooks say it.
inline void name_agents(State& state, std::vector<Event>& events) {
  for (Event& event : events) {
    if (event.kind != EventKind::task_completed || *rc::gen::arbitrary<bool>()) continue;
    event.agent = random_agent_id();
    apply_session_event(state, event);
  }
}

/// What sessions note down for the moment and no history holds.
inline void note_down(State& state, base::Instant now) {
  for (SessionState& session : state.sessions) {
    if (*rc::gen::arbitrary<bool>()) continue;
    session.last_active = now;
    session.process = "7 8";
    session.transcript = "/log/s.jsonl";
    session.prompts += 1;
    session.context_percent = 50;
    session.context_window = 200000;
    session.context_full = true;
    session.resume_due = true;
    session.edited_prompt = *rc::gen::element<std::string>("", "0c5b-1");
    session.last_message = "so far";
    session.last_answer = "prompt_submitted";
    session.last_answered = now;
    session.last_revision = 3;
    session.assignments = {{"u1", "builder", {TaskId("a")}, "/other/plan.md"}};
  }
  for (AgentState& agent : state.agents) {
    agent.sent_back = agent.sent_back || *rc::gen::arbitrary<bool>();
    agent.assignment_known = *rc::gen::arbitrary<bool>();
    if (*rc::gen::arbitrary<bool>()) agent.assigned_plan = "/other/plan.md";
  }
  if (*rc::gen::arbitrary<bool>())
    state.findings.push_back({"a1", "builder", "s1", now, true, {"a"}, "/other/plan.md", {}});
}

}  // namespace plankeep::core
