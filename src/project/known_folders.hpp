#pragma once
// Whether a tracking folder is believed (spec 16).
//
// What stands in .checkpoint says what was done and by whom, so it must have been made by this user's
// plankeep. One that git tracks came with a clone, and one that belongs to somebody else was put there: both
// are set aside (renamed ".checkpoint.set-aside-<time>" beside the plan, never deleted). The command that
// finds it reports that and stops; the next one starts afresh or takes the old one over (init --adopt).
// doctor goes on to name it.
//
// Asking git takes a process, so a folder in a repository that passed is remembered: an empty file in known/
// below the user's settings, named by the digest of its path and inode, which a clone cannot bring along.
// From then on the check is a look at two names. A folder that was moved, copied or restored is asked about
// once more; what git does not track and we own goes on to be used. Where git cannot be asked, or the user is
// not known (no /proc), the folder is believed.

#include <string>

#include "base/result.hpp"
#include "project/context.hpp"
#include "system/file_system.hpp"

namespace plankeep::app {

/// Looks at the tracking folder in `folder`, a plan's, whose absolute path is `path`. conflict, and a hint:
/// it was set aside just now, or it belongs to another user as the folder around it does, and is neither used
/// nor moved. Errors of the file system.
[[nodiscard]] base::Status settle_tracking(const Context& context, const std::string& path,
                                           system::Folder& folder);

/// Whether a file is another user's and stands in a folder that is not ours either: then it may be there so
/// that we read it, as in /tmp. Never for root, nor of root's files; false where the user is not known.
bool is_foreign(const Context& context, const system::FileInfo& file, const std::string& folder);

/// Whether the tracking folder in `folder` is remembered as one of ours, or the user is not known. Asks
/// nobody and moves nothing: for a look into a folder that is not worked in.
bool is_remembered(const Context& context, const std::string& path, system::Folder& folder);

/// Remembers the tracking folder as one of ours; one that was just made needs no look at git.
void remember_tracking(const Context& context, const std::string& path, system::Folder& folder);

inline constexpr std::string_view kRestoreMemory = "restore --memory";
inline constexpr std::string_view kInitAdopt = "init --adopt";
/// Sets the tracking folder aside; gives its new name. conflict when that is taken. `replaced_by`: the
/// command that puts another one in its place, noted in the folder.
[[nodiscard]] base::Result<std::string> quarantine_tracking(const Context& context, system::Folder& folder,
                                                            std::string_view replaced_by = {});

/// The command that set this folder aside; empty: none, it was set aside because it is not ours.
std::string replaced_by(system::Folder& folder, const std::string& name);

/// The newest tracking folder that was set aside; empty when there is none.
[[nodiscard]] base::Result<std::string> set_aside_tracking(system::Folder& folder);

/// What to say of the newest tracking folder in `folder`, a plan's, whose absolute path is `path`, that was
/// set aside because it is not ours: once, then it is remembered as said. Empty: there is none, or it was
/// said.
std::string news_of_set_aside(const Context& context, const std::string& path, system::Folder& folder);

struct Adopted {
  std::string name;    // that it had while it was set aside
  std::string before;  // the new name of the one that was in use; empty: there was none
};
/// Takes the newest tracking folder that was set aside back and remembers it; one that is there now is set
/// aside in its turn. not_found when none was set aside.
[[nodiscard]] base::Result<Adopted> adopt_tracking(const Context& context, const std::string& path);

}  // namespace plankeep::app
