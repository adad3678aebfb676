#pragma once
// The law state = fold(plan, history) exempts what is noted down of sessions and subagents for the moment
// (model/state): nothing else may be left out of a comparison.

#include "model/state.hpp"

namespace plankeep::test {

/// The state with only that of its sessions and subagents which the history tells.
inline core::State without_bookkeeping(core::State state) {
  for (core::SessionState& session : state.sessions) {
    core::SessionState told;
    told.id = session.id;
    told.client = session.client;
    told.started_at = session.started_at;
    told.ended_at = session.ended_at;
    session = told;
  }
  for (core::AgentState& agent : state.agents) {
    agent.sent_back = false;
    agent.assignment_known = false;
    agent.assigned_plan.clear();
  }
  static_cast<core::Bookkeeping&>(state) = {};
  state.history_chain.clear();  // it is of the lines, not of what they tell
  return state;
}

}  // namespace plankeep::test
