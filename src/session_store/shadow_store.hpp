#pragma once
// What stands on shadow branches: Entire's local snapshots of running sessions (spec A.3).
//
//   TRY_ASSIGN(const auto history, read_shadow_history(objects, shadow.tip, 20));   // newest first
//   TRY_ASSIGN(const auto snapshot, find_snapshot(objects, "entire/c720494-e3b0c4"));
//   TRY_ASSIGN(const auto files, read_shadow_files(objects, snapshot.tree));
//
// A commit is a snapshot when its final trailer block names a session (Entire-Session) and a folder below
// .entire/metadata/ (Entire-Metadata, Entire-Metadata-Task); a branch that only has the name of a shadow
// branch has none. Only reads. A stranger may have written the branch: names are checked, links and
// submodules are told apart from files, and a name that could lead elsewhere is refused and not read.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "session_store/session_store.hpp"

namespace plankeep::sessions {

struct ShadowSnapshot {
  std::string commit;
  std::string tree;
  std::optional<base::Instant> time;  // of the author
  std::string session_id;             // the client's
  std::string subject;
  std::string task;  // of a subagent's: the id of the tool use that started it; empty: the session's own
};

struct ShadowHistory {
  std::vector<ShadowSnapshot> snapshots;  // newest first
  std::size_t others = 0;                 // commits that are no snapshots
  bool whole = true;                      // the branch has no more commits than were read
  bool from_root = false;                 // whole, its first commit has no parent, and none is a merge
};

/// The commits that lead to `tip`, at most `most`. One process.
[[nodiscard]] base::Result<ShadowHistory> read_shadow_history(SessionObjects& objects, const std::string& tip,
                                                              std::size_t most);

/// The snapshot that a person names: a shadow branch ("entire/c720494-e3b0c4": its tip), a commit (any
/// revision of git's; no branch needs to lead to it), or a client's session (its newest snapshot).
/// not_found: there is none; invalid_input: the commit is no snapshot.
[[nodiscard]] base::Result<ShadowSnapshot> find_snapshot(SessionObjects& objects, const std::string& named);

/// A snapshot from the output of `git log` in the format of this room. Pure; nullopt: it is none.
std::optional<ShadowSnapshot> read_snapshot_record(std::string_view record);

inline constexpr std::size_t kMostShadowFiles = 1'000'000;

struct ShadowFile {
  std::string path;
  std::string mode;  // "100644", "100755", "120000"
  std::string id;
};
struct ShadowFiles {
  std::vector<ShadowFile> files;  // sorted by path
  std::vector<std::string> submodules;
  struct Refused {
    std::string path;
    std::string why;  // "could lead elsewhere"
  };
  std::vector<Refused> refused;
};

/// All files of a snapshot except those below .entire/. not_found: a tree is missing; corrupt: one is
/// damaged; invalid_input: more than kMostShadowFiles files, submodules and folders, paths of more than 256
/// MiB in all, folders deeper than 200, or more than 100 refused entries.
[[nodiscard]] base::Result<ShadowFiles> read_shadow_files(SessionObjects& objects, const std::string& tree);

}  // namespace plankeep::sessions
