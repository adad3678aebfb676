#pragma once
// Session checkpoints fetched from a remote, and what a remote has (spec 23).
//
//   TRY_ASSIGN(const SessionFetched done, fetch_sessions(context, {.words = {"a1b2"}}));
//   TRY_ASSIGN(const RemoteSessions there, remote_sessions(context, std::nullopt));
//
// The user's repository does not change: what is fetched goes into the side repository
// (session_store/side_repository), which every reader of sessions reads as well. Its configuration includes
// the user's by reference, so no URL with its password is written a second time.
//
// Refs of checkpoints are fetched whole. Of the branch commits and trees come first, then, in one more call,
// the missing files: all files of the checkpoints that are named; if none is named, the metadata of all, so
// that a list can show them.
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
  /// The last word may be a remote's name; a word that is both means the remote.
  std::vector<std::string> words{};
  std::chrono::milliseconds deadline = git::kRemoteDeadline;  // of each call of the remote
};

struct SessionFetched {
  std::string remote;
  std::string url;                   // without credentials
  std::vector<std::string> fetched;  // ids with a ref of their own that were new here, or different
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
  bool has_branch = false;                 // what is on it is not known before it is fetched
  bool branch_is_here = false;
};
/// One call of the remote.
[[nodiscard]] base::Result<RemoteSessions> remote_sessions(
    const Context& context, const std::optional<std::string>& remote,
    std::chrono::milliseconds deadline = git::kRemoteDeadline);

}  // namespace plankeep::app
