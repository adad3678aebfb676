#pragma once
// Folders that somebody else's things stand in, remembered by path so that what we put into them can be taken
// out with the folder, or without it.
//
//   TRY(list_folder(*own, kMadeFolders, path));             // when it is made
//   if (unlist_folder(*own, kMadeFolders, path)) ...        // when it may go
//
// `own` is a folder of ours (<git-dir>/plankeep, the state home). The paths are absolute, each ended by NUL.
// A list that cannot be read or written is none: then a folder of the user's may go that was empty, or one of
// ours stay. Written by rename, not synced; without a lock, as people install one thing at a time.

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "system/file_system.hpp"

namespace plankeep::store {

/// Folders that we made.
inline constexpr std::string_view kMadeFolders = "made-folders";
/// Folders that were there and empty before we came.
inline constexpr std::string_view kKeptFolders = "kept-folders";

[[nodiscard]] base::Status list_folder(system::Folder& own, std::string_view list, std::string_view path);
/// Whether it was listed; the list goes with its last path.
bool unlist_folder(system::Folder& own, std::string_view list, std::string_view path);

}  // namespace plankeep::store
