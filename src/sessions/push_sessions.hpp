#pragma once
// Session checkpoints pushed to a remote (spec 22), only when the user says so.
//
//   TRY_ASSIGN(auto push, SessionPush::open(context, {"origin"}));   // asks the remote what it has
//   if (push.view().needs_consent) ...                                   // say what would go where, and ask
//   TRY_ASSIGN(const SessionPushed done, push.run());
//
// open() puts back first what another program has thrown away here (sessions/lost_records), whether or not
// the user agrees to the push then.
//
// Only refs of session checkpoints go, each by its own name, never forced. The refs are compared with the
// remote's, so a ref that the queue lost is found; a ref that another writer has moved at the remote is
// fetched into refs/plankeep/remote/<remote>/, merged (sessions/merge_remote) and pushed again, kPushRounds
// times.
//
// Changed here: refs of session checkpoints that are merged, the remote-tracking branch (by git, as with
// every push), the push queue, the list of written refs. No index, work tree, HEAD, configuration.
//
// Crash: what was pushed is at the remote, every local ref is what it was or merged; the queue may still name
// refs that were pushed, and fetched refs may be left: the next push takes both out.

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "git/object_writer.hpp"
#include "project/context.hpp"
#include "remotes/remotes.hpp"
#include "session_store/session_store.hpp"
#include "sessions/lost_records.hpp"
#include "sessions/session_remote.hpp"

namespace plankeep::app {

inline constexpr int kPushRounds = 3;

struct SessionPushRequest {
  std::optional<std::string> remote{};
  std::chrono::milliseconds deadline = git::kRemoteDeadline;  // of each call of the remote
};

/// What would be pushed.
struct SessionPushView {
  SessionRemote remote;
  std::size_t refs = 0;         // that the remote has not, or has otherwise
  std::size_t checkpoints = 0;  // in them; of the branch all
  bool needs_consent = false;   // nothing was pushed there yet, and the setting does not name it
};

struct SessionPushed {
  std::string remote;
  std::string url;                         // without credentials
  std::vector<std::string> pushed;         // refs
  std::vector<std::string> merged;         // those of them that were merged with what others pushed
  std::vector<std::string> already_there;  // refs that are here now as the remote has them
  struct Refused {
    std::string ref;
    std::string reason;  // unsafe to print
  };
  std::vector<Refused> refused;
  std::vector<std::string> remote_said;  // why it refused them, in its own words; unsafe to print
  std::size_t conflicts = 0;             // transcripts that are kept beside another one since this push
  std::size_t waiting = 0;               // that are still in the queue
  std::vector<std::string> put_back;     // ids of records that another program had thrown away here
  std::vector<std::string> warnings;
};

class SessionPush {
 public:
  /// Uses the network, once. The context outlives it. Errors: not_found, no repository or remote; ambiguous;
  /// conflict, the remote is another owner's and was not named; busy, io: the remote.
  [[nodiscard]] static base::Result<SessionPush> open(const Context& context,
                                                      const SessionPushRequest& request);

  const SessionPushView& view() const { return view_; }

  /// The user has agreed where that was needed. Errors: those of the remote; what was pushed until then is.
  [[nodiscard]] base::Result<SessionPushed> run();

 private:
  SessionPush(const Context& context, std::unique_ptr<git::Git> git, git::Remotes remotes,
              sessions::SessionRepository repository, git::ObjectWriter objects)
      : context_(&context),
        git_(std::move(git)),
        remotes_(std::move(remotes)),
        repository_(std::move(repository)),
        objects_(std::move(objects)) {}
  [[nodiscard]] base::Result<std::vector<sessions::SessionRef>> local_refs();
  [[nodiscard]] base::Status compare();
  [[nodiscard]] base::Result<std::vector<git::RefPush>> merge(const std::vector<git::RefPush>& behind,
                                                              SessionPushed& done);
  void note_confirmed(const std::vector<git::RefPush>& pushed, SessionPushed& done);
  void drop_dead_lines(SessionPushed& done);
  void drop_fetched(SessionPushed& done);

  const Context* context_;
  std::unique_ptr<git::Git> git_;
  git::Remotes remotes_;
  sessions::SessionRepository repository_;
  git::ObjectWriter objects_;
  SessionPushView view_;
  std::vector<git::RefPush> wanted_;
  LostRepair repair_;
  std::vector<git::WrittenRef> written_before_;  // each of them reached by its ref
  std::vector<git::RefPush> same_;               // that the remote has as they are
};

}  // namespace plankeep::app
