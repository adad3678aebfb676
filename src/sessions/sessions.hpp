#pragma once
// Session checkpoints (spec 18, 19): which there are, what one holds, whether all are sound. Only reads.
//
//   TRY_ASSIGN(Sessions sessions, Sessions::open(context));   // around the working directory
//   TRY_ASSIGN(const auto listed, sessions.list(request));
//   TRY_ASSIGN(const auto one, sessions.show("a1b2"));
//   TRY(sessions.transcript(*one.session("sess-1"), [&](std::string_view part) { ... }));
//
// Starts git processes: nothing here belongs on a hook's path. Never uses the network. All texts are
// untrusted: whoever prints them makes them safe.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "checkpoint_db/session_cache.hpp"
#include "git/git.hpp"
#include "model/session_row.hpp"
#include "project/context.hpp"
#include "session_store/session_index.hpp"
#include "session_store/shadow_store.hpp"
#include "sessions/recorded_links.hpp"
#include "sessions/seen_sessions.hpp"

namespace plankeep::secrets {
class Redactor;
}

namespace plankeep::app {

struct SessionListRequest {
  std::size_t count = 20;
  std::optional<std::string> branch{};
  std::optional<std::string> client{};  // "claude-code", "Claude Code"
  std::optional<base::Instant> since{};
  std::optional<std::string> plan{};  // its id; then every checkpoint is looked at, not only `count`
};

struct SessionListItem {
  core::SessionRow row;                  // without a plan link of its own: what sidecars of the commits say
  std::vector<core::SessionLink> links;  // the commits that name it
};
struct SessionList {
  std::vector<SessionListItem> items;  // newest first
  std::vector<std::string> warnings;
};

struct SessionView {
  sessions::StoredCheckpoint checkpoint;  // without a plan link of its own: what is recorded here
  std::vector<core::SessionLink> links;
  sessions::SessionAuthor author;
  std::optional<sessions::CommitSignature> signature{};  // nullopt: nobody asked for it

  /// The session of the client's id, or of the last slot where none is named; null: there is none.
  const sessions::StoredSession* session(const std::optional<std::string>& id = {}) const;
  /// Of the checkpoint and of its sessions.
  std::vector<std::string> problems() const;
};

/// A shadow branch and the newest snapshots on it.
struct PendingBranch {
  sessions::ShadowSession tip;
  sessions::ShadowHistory history;  // of the first kMostPendingBranches, at most kMostPendingSnapshots
};
inline constexpr std::size_t kMostPendingBranches = 100;
inline constexpr std::size_t kMostPendingSnapshots = 20;
struct PendingSessions {
  std::vector<PendingBranch> branches;  // newest first
  std::vector<SeenSession> running;     // that the hooks have seen here; those active last first
};

struct SessionFinding {
  std::string id;    // the checkpoint; empty: of refs and folders
  std::string text;  // never a secret
};
struct SessionCheckRequest {
  bool deep = false;     // read the transcripts, and hold them against their hashes
  bool secrets = false;  // look for secrets in prompts and transcripts
};
struct SessionCheck {
  std::size_t checkpoints = 0;
  std::size_t sessions = 0;
  std::size_t transcripts = 0;  // that were read
  std::uint64_t transcript_bytes = 0;
  std::vector<SessionFinding> findings;  // at most kMostSessionFindings
  std::size_t all_findings = 0;
};
inline constexpr std::size_t kMostSessionFindings = 10'000;

class Sessions {
 public:
  /// not_found: no repository, or no git. The context has to outlive it.
  [[nodiscard]] static base::Result<Sessions> open(const Context& context);

  [[nodiscard]] base::Result<SessionList> list(const SessionListRequest& request);
  /// What running sessions have left on shadow branches, and which sessions run. A process for each branch.
  [[nodiscard]] base::Result<PendingSessions> pending();
  /// An id or a part of it, a commit, a client's session. Of a commit whose message names none, the one that
  /// is recorded for it: git rewrote it (amend -m). not_found; ambiguous, with all that are meant.
  [[nodiscard]] base::Result<SessionView> show(const std::string& which);
  /// What git says of the signature of the commit that recorded it (sessions::signature_of).
  [[nodiscard]] base::Result<sessions::CommitSignature> signature(const SessionView& view) {
    return sessions::signature_of(index_->objects(), view.author.commit);
  }
  /// Its bytes, piece by piece. Errors as sessions::read_transcript.
  [[nodiscard]] base::Status transcript(const sessions::StoredSession& session,
                                        const std::function<base::Status(std::string_view)>& take);
  [[nodiscard]] base::Result<SessionCheck> check(const SessionCheckRequest& request);
  /// All ids, newest first, at most `most`: for completions.
  [[nodiscard]] base::Result<std::vector<std::string>> ids(std::size_t most);

  // For the use cases of this room.
  sessions::SessionIndex& index() { return *index_; }
  git::Git& git() { return *git_; }

 private:
  Sessions(const Context& context, std::unique_ptr<git::Git> git,
           std::unique_ptr<sessions::SessionIndex> index)
      : context_(&context), git_(std::move(git)), index_(std::move(index)) {}
  [[nodiscard]] base::Result<std::string> resolve(const std::string& which);
  // `told`: what is said of the checkpoint already.
  [[nodiscard]] base::Status check_deep(const sessions::FoundSession& one,
                                        const std::vector<std::string>& told,
                                        const SessionCheckRequest& request, const secrets::Redactor* redactor,
                                        SessionCheck& check);

  const Context* context_;
  std::unique_ptr<git::Git> git_;
  std::unique_ptr<sessions::SessionIndex> index_;
};

}  // namespace plankeep::app
