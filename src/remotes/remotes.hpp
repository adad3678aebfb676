#pragma once
// Asking remotes, pushing to them and fetching from them, on request only.
//
//   Remotes remotes(git, environment, folder);
//   TRY_ASSIGN(const Remote remote, remotes.get("origin"));           // not_found
//   TRY_ASSIGN(const auto refs, remotes.list(remote, {"refs/entire/checkpoints/*"}));
//   PushTold told;
//   TRY(remotes.push(remote, {{commit, ref}}, told));
//   TRY(remotes.fetch(remote, {"+refs/heads/x:refs/plankeep/remote/origin/heads/x"}, {}));
//
// The user's git runs with the user's credentials, proxies and ssh, but it never prompts, neither at the
// terminal nor in a window. No hook runs, no tag follows, no submodule is entered, and nothing is pruned. A
// push is never forced. The transports that start a program named in the URL (ext, fd) are never used,
// whatever is configured.
//
// Each git process gets at most `deadline`; then it and what it started are ended. A push of more than
// kRefsAtOnce refs takes several.
//
// Errors: not_found, no such remote; busy, the deadline has passed; io, with git's message and what the
// remote said, in which no URL has a user name or password.

#include <chrono>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "git/git.hpp"
#include "remotes/push_report.hpp"
#include "system/environment.hpp"

namespace plankeep::git {

struct Remote {
  std::string name;
  std::string url;  // to fetch from, as git resolves it. Do not show it: it may hold a password
  std::vector<std::string> push_urls;  // likewise; at least one
};

struct RefPush {
  std::string commit;
  std::string ref;  // at the remote
};

/// What is known of a push so far.
struct PushTold {
  std::vector<PushedRef> refs;  // with several push URLs, once for each URL
  /// Where a ref was refused: in the remote's own words, without credentials; unsafe to print.
  std::vector<std::string> remote_said{};
};

struct FetchInto {
  std::string git_dir;  // absolute; empty: the user's repository
  /// Filter blob:none. Only for a repository of our own: git keeps the filter in the configuration.
  bool without_blobs = false;
  bool objects = false;  // single objects are fetched, by their ids
};

/// The most refs of one push.
inline constexpr std::size_t kRefsAtOnce = 200;
inline constexpr std::chrono::milliseconds kRemoteDeadline{60'000};

class Remotes {
 public:
  /// All outlive it. `folder`: inside the user's repository, absolute. A remote's URL that is a relative path
  /// starts there, also in a fetch into a repository of our own.
  Remotes(Git& git, const system::Environment& environment, std::string folder,
          std::chrono::milliseconds deadline = kRemoteDeadline);

  [[nodiscard]] base::Result<std::vector<std::string>> names();
  [[nodiscard]] base::Result<Remote> get(const std::string& name);

  /// The refs of the remote that match a pattern, sorted. A star also matches slashes.
  [[nodiscard]] base::Result<std::vector<AdvertisedRef>> list(const Remote& remote,
                                                              const std::vector<std::string>& patterns);

  /// Adds what became of each ref to `told`. An error ends the push; `told` then has what git reported
  /// before.
  [[nodiscard]] base::Status push(const Remote& remote, const std::vector<RefPush>& refs, PushTold& told);

  /// `what`: refspecs, or ids. All or nothing.
  [[nodiscard]] base::Status fetch(const Remote& remote, const std::vector<std::string>& what,
                                   const FetchInto& into);

 private:
  [[nodiscard]] base::Result<system::Finished> ask(const Remote& remote, std::vector<std::string> words,
                                                   std::string_view input = {},
                                                   const std::string& git_dir = {});

  Git& git_;
  std::string folder_;
  std::chrono::milliseconds deadline_;
  std::vector<std::string> variables_;
};

}  // namespace plankeep::git
