#pragma once
// What stands in the place of a file of ours and is no file: a folder, a FIFO, a link. Nothing can be written
// there. Private to doctor/doctor.cpp.

#include <string>
#include <vector>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "system/file_system.hpp"

namespace plankeep::app {

/// Files whose place has to be free, in the order in which it is made free: the lock first.
std::vector<std::string> needed_files();

/// Renames what stands in such a place (store/quarantine), with everything in it. Gives a line for each.
/// Needs no lock: nobody can have opened it as a file.
[[nodiscard]] base::Result<std::vector<std::string>> set_aside_obstacles(system::Folder& tracking,
                                                                         base::Instant now);

}  // namespace plankeep::app
