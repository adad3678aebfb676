#pragma once
// Sessions and subagents in the state, as the events of the history make them. Pure.
//
// Both the ledger (rules/replay) and whoever records a new event go through apply_session_event, so what is
// believed now is what a rebuild would believe.
//
// Bounded: the newest kSessionsKept sessions and kAgentsKept subagents, those that are over go first.

#include <cstddef>
#include <span>
#include <string_view>

#include "model/event.hpp"
#include "model/state.hpp"

namespace plankeep::core {

inline constexpr std::size_t kSessionsKept = 20;
inline constexpr std::size_t kAgentsKept = 50;

/// session_..., subagent_..., task_completed and task_attributed by a known subagent. Other events change
/// nothing here.
void apply_session_event(State& state, const Event& event);

/// Whether both hold the same sessions and subagents as far as the history records them; bookkeeping
/// (model/state) does not count.
bool same_by_history(const State& a, const State& b);

/// session_... and subagent_...: they say nothing of the plan itself.
bool is_session_event(EventKind kind);

/// Where in `events` (the newest of the history, oldest first) begins what a session wants to be told: behind
/// the end of the last session before it, behind the start of one that died, or, when it goes on after a
/// compaction, behind its own start. 0 when none of these is among them.
std::size_t since_last_session(std::span<const Event> events, std::string_view session);

/// The session that ended or died last before this one; nullptr when none did.
const SessionState* last_ended(const State& state, std::string_view session);

/// nullptr when it is not known.
SessionState* find_session(State& state, std::string_view id);
const SessionState* find_session(const State& state, std::string_view id);
AgentState* find_agent(State& state, std::string_view id);
const AgentState* find_agent(const State& state, std::string_view id);

}  // namespace plankeep::core
