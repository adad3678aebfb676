#pragma once
// Session checkpoints written into git (spec 21): one session's record put into its checkpoint, in either
// layout, beside whatever others write at the same time.
//
//   TRY_ASSIGN(auto writer, SessionWriter::open(git, files, tree));
//   TRY_ASSIGN(const SessionWritten done, writer.write({layout, id, author}, record));
//
// What is written: session_rules/written_checkpoint. Only objects and one ref change; no index, work tree,
// HEAD, configuration or reflog. A record that is there as it is already changes nothing.
//
// Cost: three git processes (two for a ref that is new), two more where the checkpoint has more than
// kSlotsReadAhead sessions, and three more for a branch that is not there yet.
//
// Crash: the checkpoint is what it was or whole. Killed behind the ref's update: the ref is missing from the
// push queue, which comparing refs with the remote mends, and from the list of written refs, so that nobody
// would miss it (sessions/lost_records).

#include <functional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "git/object_writer.hpp"
#include "git/ref_writer.hpp"
#include "git_objects/commit_object.hpp"
#include "session_rules/written_checkpoint.hpp"
#include "system/file_system.hpp"

namespace plankeep::app {

/// Sessions of a checkpoint that are read together with it.
inline constexpr std::size_t kSlotsReadAhead = 8;

struct SessionTarget {
  core::SessionLayout layout = core::SessionLayout::refs;
  std::string id;
  git::Signature author;  // and committer
  /// The id was made just now: nothing is read, unless the ref is there all the same. Layout refs only.
  bool is_new = false;
};

struct SessionWritten {
  std::string ref;
  std::string commit;  // empty: everything was there already
  std::size_t slot = 0;
  int tries = 1;
  core::Strings
      warnings;  // unsafe to print: what could not be read and was kept; lists that were not written
};

/// The user as Entire names them: user.name and user.email as git is configured, each by itself, else
/// "Unknown" and "unknown@local". Variables of the environment do not count.
[[nodiscard]] base::Result<git::Signature> session_author(git::Git& git, const std::string& folder,
                                                          base::Instant now);

/// The id of the checkpoint that is made afterwards for a commit which names none: always the same one, so a
/// second export finds the first. `time` is the commit's.
std::string session_id_for_commit(core::SessionLayout layout, std::string_view commit, base::Instant time);

/// Where a checkpoint of this id is written: ids in hex go to the branch, ULIDs get refs of their own.
core::SessionLayout layout_of_id(std::string_view id);

/// Whether plankeep wrote a session's record. Others' are left alone.
bool written_by_plankeep(const core::SessionMetadata& metadata);

class SessionWriter {
 public:
  /// Both outlive it. `elected`: the remote whose branch a new one here begins at, before origin's; empty:
  /// origin's. Errors as git::ObjectWriter::open.
  [[nodiscard]] static base::Result<SessionWriter> open(git::Git& git, system::FileSystem& files,
                                                        git::WorkTree tree, std::string elected = {});

  /// Errors: those of core::put_session; corrupt, a tree on the way is damaged; busy, others wrote the ref
  /// each time; io. Nothing was written then, save objects that git's gc removes.
  [[nodiscard]] base::Result<SessionWritten> write(const SessionTarget& target,
                                                   const core::SessionRecord& record);

  /// The session's whole transcript (core::finalise_session). One that is stored so already writes nothing.
  /// `first_line`: where the stored slice begins in it; nullopt: it is no slice.
  [[nodiscard]] base::Result<SessionWritten> finalise(const SessionTarget& target,
                                                      const std::string& session_id,
                                                      const secrets::Redacted& transcript,
                                                      const std::vector<secrets::Redacted>& prompts,
                                                      std::optional<std::int64_t> first_line = {});

 private:
  using MakeFiles = std::function<base::Result<core::CheckpointFiles>(const core::CheckpointNow& now)>;

  SessionWriter(git::ObjectWriter objects, system::FileSystem& files, std::string elected)
      : objects_(std::move(objects)), files_(files), elected_(std::move(elected)) {}
  [[nodiscard]] base::Result<SessionWritten> turn(const SessionTarget& target, const MakeFiles& make);
  [[nodiscard]] base::Status adopt(const std::string& ref);

  git::ObjectWriter objects_;
  system::FileSystem& files_;
  std::string elected_;
};

}  // namespace plankeep::app
