#pragma once
// One event of a session while its decision is made. Private to policy/session_policy.cpp and
// policy/subagent_policy.cpp; policy/hook_policy.hpp is the door (decide).
//
//   SessionCall call(event, std::move(state), facts);
//   HookDecision made = call.turn_ended();   // one of the events, once

#include <map>
#include <optional>
#include <string>

#include "policy/hook_policy.hpp"

namespace plankeep::core {

class SessionCall {
 public:
  /// `event` and `facts` must outlive it.
  SessionCall(const HookEvent& event, State state, const HookFacts& facts) : event_(event), facts_(facts) {
    made_.state = std::move(state);
  }

  // session_policy.cpp
  HookDecision session_start();
  HookDecision prompt();
  HookDecision turn_ended();
  HookDecision before_compact();
  HookDecision session_ended();
  HookDecision crashes();

  // subagent_policy.cpp
  HookDecision subagent_assigned();
  HookDecision subagent_started();
  HookDecision subagent_stopped();

 private:
  // session_policy.cpp
  HookDecision take();
  Event event(EventKind kind) const;
  void record(Event made);
  void ask_for(WantedCheckpoint checkpoint);
  SessionState& begin();
  /// This answer was given at the same moment, and nothing was saved since.
  bool answered_before(const std::string& what) const;
  void note_answer(SessionState& session, const std::string& what);
  static void forget_context(SessionState& session);
  void see_context(SessionState& session);
  void note_message(const std::string& why);
  ProcessFate fate_of(const std::string& session) const;
  void record_crashed_sessions();
  void ask_for_turn(base::Instant session_began);
  void gate(SessionState& session);

  // subagent_policy.cpp
  static std::string with_doubts(std::string reason, const AuditFacts& claims);
  bool recorded(const AuditFacts& claims) const;
  bool finding_waits() const;
  void add_finding(const AuditFacts& claims);
  std::optional<AuditFinding> drop_finding(const std::string& agent);
  void record_stop(const AgentState* agent, const AuditFacts& claims);
  void record_stops(std::map<std::string, Event>&& stops);
  void tell_parent(const std::string& what);
  std::optional<Assignment> assignment_at_start(const AgentState* known);
  void assign_late(const AgentState& agent);
  void close(const AgentState& agent);
  void close_notified();
  void close_unnamed();
  void close_sent_back();
  void end_beside(const Event& end);

  const HookEvent& event_;
  const HookFacts& facts_;
  HookDecision made_;
  bool noted_ = false;
};

}  // namespace plankeep::core
