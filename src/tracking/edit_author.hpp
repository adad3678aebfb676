#pragma once
// Who made an edit of a plan. All but the last are pure.
//
// A hook knows its own event's author. An edit that nobody announced was made by a person, or by a command in
// an agent's shell, which does not say what it writes (spec 9.6): PlanWork asks for its author whenever it
// finds one.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/hook_event.hpp"
#include "model/state.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "store/running_shells.hpp"

namespace plankeep::core {

/// The session's running subagents in the foreground, where no event names them when they act.
std::vector<const AgentState*> unnamed_agents(const State& state, const HookEvent& event,
                                              bool names_subagents);

/// Whose an announced edit is, where the state knows more than the event: some clients give a subagent's id
/// alone, or do not say at all that one acts.
struct Author {
  std::string actor;
  std::string agent{};  // the subagent's id; empty: none, or not known which
  bool operator==(const Author&) const = default;
};
Author author_of(const HookEvent& event, const State& state, bool names_subagents);

/// The same for a client whose subagents act in conversations of their own that nothing ties to them
/// (Client::own_conversations): the subagents that run for other conversations, if the plan knows none that
/// the event could be of. nullopt: it does, or none runs.
std::optional<Author> author_in_own_conversation(const HookEvent& event, const State& state);

/// Who runs this shell command, according to the agents of its session in the plan's state.
Author author_of(const store::RunningShell& shell, const State& state);

/// A plan's file after a change that no hook announced.
struct ChangedFile {
  std::int64_t changed_ns = 0;  // the later of its times of modification and of change; 0: not known
  std::uint64_t device = 0;
};

/// Who made that change: the only agent whose shell command began before it. Commands whose notes are on
/// another file system count as earlier, since the times cannot be compared. nullopt: there is no such agent,
/// or several.
std::optional<Author> author_in_shell(const std::vector<store::RunningShell>& running, const State& state,
                                      const ChangedFile& file);

}  // namespace plankeep::core

namespace plankeep::app {

/// Who made the change that is in the plan's file now, if nobody announced it: author_in_shell with the
/// commands that run in the project. Reads a small file for each.
std::optional<core::Author> author_of_change(const Context& context, const PlanLocation& plan,
                                             const core::State& state);

}  // namespace plankeep::app
