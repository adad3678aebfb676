#pragma once
// The files of a snapshot, written into a folder that has nothing to do with the repository.
//
// Exact bytes, as everywhere in snapshots: no filter runs. Permission bits as the snapshot knows them
// (without set-id and sticky bits: the folder may be anybody's), else as any program would give them; links
// as links, and none is followed on the way. No name of the tree leads out of the folder: corrupt when one
// could.
//
// Killed or failed: some files are there, the caller knows which folder. Nothing is synced: it can be made
// again.

#include <cstddef>
#include <string>

#include "base/result.hpp"
#include "worktree/snapshot.hpp"

namespace plankeep::git {

/// `folder`: absolute, there and empty. `skip`: paths that are not written. Gives how many files and links
/// were. not_found when git has a content no more.
[[nodiscard]] base::Result<std::size_t> write_files(Snapshots& snapshots, system::FileSystem& files,
                                                    const Snapshot& snapshot, const std::string& folder,
                                                    const LeaveOut& skip);

/// Takes away all that is in a folder, links as links; not the folder.
[[nodiscard]] base::Status empty_folder(system::Folder& folder);

}  // namespace plankeep::git
