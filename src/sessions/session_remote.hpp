#pragma once
// Which remote session checkpoints go to and come from, and whether the user agreed to it (spec 22.1); the
// repository on this side.
//
//   TRY_ASSIGN(RepositoryHere here, open_repository_here(context));
//   TRY_ASSIGN(const SessionRemote chosen, choose_session_remote(remotes, named, settings.sessions_push));
//   if (!chosen.is_named && !chosen.other_owner.empty()) ...      // refuse
//
// The remote is the one that was named; else that of the setting "sessionsPush"; else origin; else the only
// one.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "project/context.hpp"
#include "remotes/remotes.hpp"
#include "session_store/session_store.hpp"
#include "system/file_system.hpp"

namespace plankeep::app {

/// The ref of the layout "branch", here and at a remote.
inline constexpr std::string_view kSessionBranchRef = "refs/heads/entire/checkpoints/v1";

/// git, and the repository around the working directory, which may be a bare one.
struct RepositoryHere {
  std::unique_ptr<git::Git> git;
  sessions::SessionRepository repository;
};
/// not_found: no repository, or no git.
[[nodiscard]] base::Result<RepositoryHere> open_repository_here(const Context& context);
/// For git::ObjectWriter: a bare repository will do, since no work tree is looked at.
git::WorkTree writing_place(const sessions::SessionRepository& repository);

struct SessionRemote {
  git::Remote remote;
  std::string shown_url;    // without user name and password; unsafe to print
  bool is_named = false;    // by the user, for this call
  bool is_setting = false;  // it is the one of the setting
  /// Whose repository it is, where that is somebody else than origin's: "acme on github.com". Empty: the
  /// same, or there is no origin.
  std::string other_owner;
};

/// Errors: not_found, no such remote, or none at all; ambiguous, several and none is origin.
[[nodiscard]] base::Result<SessionRemote> choose_session_remote(git::Remotes& remotes,
                                                                const std::optional<std::string>& named,
                                                                const std::optional<std::string>& setting);

/// The remotes that the user has agreed to push to, a line "<name> <SHA-256 of its push URLs>" each in
/// <git-common-dir>/plankeep/sessions-pushed. A remote whose URL changed is another remote. A file that
/// cannot be read means no consent.
class PushConsent {
 public:
  PushConsent(system::FileSystem& files, std::string common_dir)
      : files_(files), common_dir_(std::move(common_dir)) {}

  bool given(const git::Remote& remote);
  [[nodiscard]] base::Status remember(const git::Remote& remote);

 private:
  system::FileSystem& files_;
  std::string common_dir_;
};

}  // namespace plankeep::app
