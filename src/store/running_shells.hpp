#pragma once
// Who has a command in the shell at this moment, as the clients' hooks told it when it started.
//
//   TRY(note_shell(tracking, {session, agent, "subagent:coder", now}));   // before the command runs
//   running_shells(tracking, now)                                         // whose may a change of the plan
//   be end_shells(tracking, session, agent)                                  // its tools came to their end
//
// One small file for each agent in the folder "shells" of the tracking folder, so that noting one waits for
// no lock and writes no state. A hint that may be lost at any time: without it a change is nobody's. Entries
// of those that never came to an end are passed over after kLongestShell, and cleared away then.

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
  std::string agent;  // its id; empty: the main thread, or not known which
  std::string by;     // the actor
  base::Instant since;
  bool operator==(const RunningShell&) const = default;
};

/// Those of the last hour, at most 64. Nothing when they cannot be read.
std::vector<RunningShell> running_shells(system::Folder& tracking, base::Instant now);
/// One for each session and agent: what stood there is replaced.
[[nodiscard]] base::Status note_shell(system::Folder& tracking, const RunningShell& shell);
/// Those of the agent; `whole_session`: of everybody in it. Failing is nobody's business.
void end_shells(system::Folder& tracking, const std::string& session, const std::string& agent,
                bool whole_session);

}  // namespace plankeep::store
