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

namespace plankeep::system {

/// Every temporary file of ours ends so.
inline constexpr std::string_view kTemporaryEnd = ".plankeep-tmp";

/// ".state.json.plankeep-tmp": the name a file is written under before it takes its place. One per target,
/// since the lock is held while writing: what a killed process leaves is replaced by the next write. A name
/// that would become too long for a file system (255 bytes) is cut.
std::string temporary_name(std::string_view name);

enum class Durability { cache, durable };

[[nodiscard]] base::Status write_file(Folder& folder, std::string_view name, std::string_view content,
                                      Durability durability);

/// The same with mode and owner of a file that is being replaced (edits of a plan). `last_look`, if given, is
/// called when everything is ready for the rename; its error leaves the target as it is and is passed on.
[[nodiscard]] base::Status write_file_like(Folder& folder, std::string_view name, std::string_view content,
                                           const FileInfo& like, Durability durability,
                                           const std::function<base::Status()>& last_look = {});

}  // namespace plankeep::system
