#pragma once
// Damaged files out of the way, and never away (spec 6).

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "system/file_system.hpp"

namespace plankeep::store {

/// The way on where something that is no file stands in the place of one of ours.
inline constexpr std::string_view kSetsAside = "plankeep doctor --repair sets it aside";

/// Renames a damaged file out of the way (spec 6): nothing is deleted but set-aside copies beyond the two
/// newest. `time` makes the name ("20261120T154350.123Z"); when it is taken, "-2", "-3" follow. Whatever
/// stands there is renamed, a directory or a FIFO too; a symlink itself, not what it points to. Removing the
/// oldest copies is housekeeping: what cannot be removed stays. A missing file is fine. Gives the new name,
/// empty when none.
[[nodiscard]] base::Result<std::string> quarantine(system::Folder& folder, std::string_view name,
                                                   std::string_view time);

/// Keeps bytes that are about to be cut off as a set-aside copy of `name`, durably. Gives the copy's name.
[[nodiscard]] base::Result<std::string> quarantine_bytes(system::Folder& folder, std::string_view name,
                                                         std::string_view bytes, std::string_view time);

}  // namespace plankeep::store
