#pragma once
// Session checkpoints fetched from a remote, and what a remote has (spec 23).
//
//   TRY_ASSIGN(const SessionFetched done, fetch_sessions(context, {.ids = {"a1b2"}}));
//   TRY_ASSIGN(const RemoteSessions there, remote_sessions(context, std::nullopt));
//
// The user's repository does not change: what is fetched goes into the side repository
// (session_store/side_repository), where all that is read looks, too. It has the user's configuration of
// remotes, by reference, so URLs and their passwords are written nowhere again.
//
// Refs of checkpoints are fetched whole. Of the branch only commits and trees are, and then, in one more
// call, the files that are missing: without ids the metadata of all its checkpoints, so that a list can show
// them; of checkpoints that are named all files.
//
// Crash: the side repository has what was fetched until then, and the next fetch goes on.

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "project/context.hpp"
#include "remotes/remotes.hpp"

namespace plankeep::app {

struct SessionFetchRequest {
  /// Each an id of a session checkpoint or as much of it as makes it unique; none: all that the remote has.
  /// The last one may be the remote's name.
  std::vector<std::string> words{};
  std::chrono::milliseconds deadline = git::kRemoteDeadline;  // of each call of the remote
};

struct SessionFetched {
  std::string remote;
  std::string url;                   // without credentials
  std::vector<std::string> fetched;  // ids that have a ref of their own: new here, or otherwise than here
  bool branch = false;               // the branch was fetched
  std::size_t files = 0;             // single files that were missing
  std::vector<std::string> warnings;
};

/// Errors: not_found, no repository, no remote, no such checkpoint there; ambiguous, a part of an id that
/// means several; busy, io: the remote; corrupt, something that is no folder stands where the side repository
/// belongs.
[[nodiscard]] base::Result<SessionFetched> fetch_sessions(const Context& context,
                                                          const SessionFetchRequest& request);

struct RemoteSession {
  std::string id;
  std::optional<base::Instant> time;  // that the id says; of ids in hex nothing does
  std::string object;                 // the commit
  bool is_here = false;               // as the remote has it, here or fetched
};
struct RemoteSessions {
  std::string remote;
  std::string url;
  std::vector<RemoteSession> checkpoints;  // newest first, those without a time last; with refs of their own
  bool has_branch = false;                 // what is on it is not told before it is fetched
  bool branch_is_here = false;
};
/// One call of the remote.
[[nodiscard]] base::Result<RemoteSessions> remote_sessions(
    const Context& context, const std::optional<std::string>& remote,
    std::chrono::milliseconds deadline = git::kRemoteDeadline);

}  // namespace plankeep::app
