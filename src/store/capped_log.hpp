#pragma once
// A text file that is appended to and never grows for ever: errors.log, hooks.log (spec 2).
//
// One line a call. A file of more than kLogLimit bytes is renamed to "<name>.1" (replacing the one there)
// before the next line begins a new file. No lock: a line is one write to a file opened for appending, so
// lines of processes at once stay whole, and two that rotate at once lose old lines at worst. No sync: it is
// no record, only help for people.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "system/file_system.hpp"

namespace plankeep::store {

inline constexpr std::uint64_t kLogLimit = std::uint64_t{64} << 10;

/// `line` without line feed; control characters in it become spaces, and it is cut at 1,000 bytes. Errors:
/// io, corrupt when something else than a regular file stands there.
[[nodiscard]] base::Status append_line(system::Folder& folder, std::string_view name, std::string_view line);

/// The lines of "<name>.1" and then of the file itself, oldest first. Missing files have none.
[[nodiscard]] base::Result<std::vector<std::string>> read_lines(system::Folder& folder,
                                                                std::string_view name);

}  // namespace plankeep::store
