#pragma once
// Asking remotes, pushing to them and fetching from them, on request only.
//
//   Remotes remotes(git, environment, folder);
//   TRY_ASSIGN(const Remote remote, remotes.get("origin"));           // not_found
//   TRY_ASSIGN(const auto refs, remotes.list(remote, {"refs/entire/checkpoints/*"}));
//   TRY_ASSIGN(const auto told, remotes.push(remote, {{commit, ref}}));
//   TRY(remotes.fetch(remote, {"+refs/heads/x:refs/plankeep/remote/origin/heads/x"}, {}));
//
// The user's git does it with the user's credentials, proxies and ssh, but nobody is asked for anything: not
// at the terminal, not by a window. No hook runs, no tag follows, no submodule is looked into, and nothing is
// pruned. A push is never forced. The transports that start any program a URL names (ext, fd) are never used,
// whatever is configured.
//
// Each call takes at most `deadline`; then git and what it started are ended.
//
// Errors: not_found, no such remote; busy, the deadline; io, with git's words, in which no URL holds a user
// name or password.

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
  std::string url;                     // that is fetched from, as git resolves it; never to be shown
  std::vector<std::string> push_urls;  // likewise; at least one
};

struct RefPush {
  std::string commit;
  std::string ref;  // at the remote
};

struct FetchInto {
  std::string git_dir;  // absolute; empty: the user's repository
  bool without_blobs =
      false;  // filter blob:none. Only for a repository of our own: it is kept in the configuration
  bool objects = false;  // what is fetched are ids of single objects
};

/// The most refs of one push.
inline constexpr std::size_t kRefsAtOnce = 200;
inline constexpr std::chrono::milliseconds kRemoteDeadline{60'000};

class Remotes {
 public:
  /// All outlive it. `folder`: inside the user's repository, absolute. A fetch into a repository of our own
  /// reads URLs that are relative paths from there, as git does from the top of the work tree.
  Remotes(Git& git, const system::Environment& environment, std::string folder,
          std::chrono::milliseconds deadline = kRemoteDeadline);

  [[nodiscard]] base::Result<std::vector<std::string>> names();
  [[nodiscard]] base::Result<Remote> get(const std::string& name);

  /// Of the refs at the remote those that match, sorted. A star matches slashes, too.
  [[nodiscard]] base::Result<std::vector<AdvertisedRef>> list(const Remote& remote,
                                                              const std::vector<std::string>& patterns);

  /// What became of each, kRefsAtOnce at a time; an error ends it, and `told` has what was done until then.
  [[nodiscard]] base::Status push(const Remote& remote, const std::vector<RefPush>& refs,
                                  std::vector<PushedRef>& told);

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
