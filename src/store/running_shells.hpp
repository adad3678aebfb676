#pragma once
// Who has a command in the shell at this moment, as the clients' hooks told it when it started.
//
//   TRY(note_shell(shells, {session, agent, ...}));        // before the command runs
//   running_shells(shells, now)                            // who may have changed a plan
//   end_shells(shells, session, agent, false)              // when the agent's tools have ended
//
// One small file for each agent in a folder of the project (project/project_shells), so that noting a command
// waits for no lock, writes no state and reads no plan. The files are only hints and may be lost at any time;
// without them a change is `external`. A command whose end was never reported counts for kLongestShell; then
// its file is deleted.

#include <cstdint>
#include <string>
#include <vector>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "system/file_system.hpp"

namespace plankeep::store {

inline constexpr std::string_view kShells = "shells";
/// Longer than any client lets a command run in the foreground.
inline constexpr std::int64_t kLongestShell = base::kHour;

struct RunningShell {
  std::string session;
  std::string agent;            // its id; empty: the main thread, or not known which
  std::string agent_type;       // empty: the event does not say it
  std::string team;             // likewise
  bool names_subagents = true;  // the client's events say which subagent acts
  base::Instant since;
  // Filled in by running_shells: the modification time and the device of the note's file.
  std::int64_t noted_ns = 0;
  std::uint64_t device = 0;
  bool operator==(const RunningShell&) const = default;
};

/// Those of the last hour, at most 64. Empty if they cannot be read.
std::vector<RunningShell> running_shells(system::Folder& shells, base::Instant now);
/// Replaces the note of the same session and agent.
[[nodiscard]] base::Status note_shell(system::Folder& shells, const RunningShell& shell);
/// Deletes the agent's note; `whole_session`: those of all agents of the session. Errors are ignored.
void end_shells(system::Folder& shells, const std::string& session, const std::string& agent,
                bool whole_session);

}  // namespace plankeep::store
