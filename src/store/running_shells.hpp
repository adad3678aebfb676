#pragma once
// Who has a command in the shell at this moment, as the clients' hooks told it when it started.
//
//   TRY(note_shell(shells, {session, agent, ...}));        // before the command runs
//   running_shells(shells, now)                            // whose may a change of a plan be
//   end_shells(shells, session, agent, false)              // its tools came to their end
//
// One small file for each agent in a folder of the project (project/project_shells), so that noting one waits
// for no lock, writes no state and looks at no plan. A hint that may be lost at any time: without it a change
// is `external`. Entries of those that never came to an end are passed over after kLongestShell, and cleared
// away then.

#include <cstdint>
#include <string>
#include <vector>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "system/file_system.hpp"

namespace plankeep::store {

inline constexpr std::string_view kShells = "shells";
/// Longer than any client lets a command run in the foreground.
inline constexpr std::int64_t kLongestShell = std::int64_t{60} * 60 * 1000;

struct RunningShell {
  std::string session;
  std::string agent;            // its id; empty: the main thread, or not known which
  std::string agent_type;       // where the event says it
  std::string team;             // likewise
  bool names_subagents = true;  // the client's events say which subagent acts
  base::Instant since;
  // Of the note's file, from when it was read: what the system's clock was when it was written, and where.
  std::int64_t noted_ns = 0;
  std::uint64_t device = 0;
  bool operator==(const RunningShell&) const = default;
};

/// Those of the last hour, at most 64. Nothing when they cannot be read.
std::vector<RunningShell> running_shells(system::Folder& shells, base::Instant now);
/// One for each session and agent: what stood there is replaced.
[[nodiscard]] base::Status note_shell(system::Folder& shells, const RunningShell& shell);
/// Those of the agent; `whole_session`: of everybody in it. Errors are ignored.
void end_shells(system::Folder& shells, const std::string& session, const std::string& agent,
                bool whole_session);

}  // namespace plankeep::store
