#pragma once
// The only whole-file writer: temporary file beside the target, write, close, rename.
//
// `Durability::cache` leaves out every sync: after a power loss the target may be the old file, the new one,
// or torn, and its reader must tell (state.json). `Durability::durable` syncs the content before the rename
// and the folder behind it: after success the new content survives. A failure at any step leaves the target
// as it was and removes the temporary file; a process killed in between leaves the temporary file, which the
// next write replaces. Callers hold the folder's lock.

#include <functional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "system/file_system.hpp"

namespace plankeep::store {

enum class Durability { cache, durable };

[[nodiscard]] base::Status write_file(system::Folder& folder, std::string_view name, std::string_view content,
                                      Durability durability);

/// The same with mode and owner of a file that is being replaced (edits of a plan). `last_look`, if given, is
/// called when everything is ready for the rename; its error leaves the target as it is and is passed on.
[[nodiscard]] base::Status write_file_like(system::Folder& folder, std::string_view name,
                                           std::string_view content, const system::FileInfo& like,
                                           Durability durability,
                                           const std::function<base::Status()>& last_look = {});

/// Renames a damaged file out of the way (spec 6): nothing is deleted but set-aside copies beyond the two
/// newest. `time` makes the name ("20261120T154350.123Z"); when it is taken, "-2", "-3" follow. Whatever
/// stands there is renamed, a directory or a FIFO too; a symlink itself, not what it points to. Removing the
/// oldest copies is housekeeping: what cannot be removed stays. A missing file is fine. Gives the new name,
/// empty when none.
[[nodiscard]] base::Result<std::string> set_aside(system::Folder& folder, std::string_view name,
                                                  std::string_view time);

/// Keeps bytes that are about to be cut off as a set-aside copy of `name`, durably. Gives the copy's name.
[[nodiscard]] base::Result<std::string> keep_aside(system::Folder& folder, std::string_view name,
                                                   std::string_view bytes, std::string_view time);

}  // namespace plankeep::store
