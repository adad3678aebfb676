#pragma once
// Processes::run_command by POSIX. Private to system/posix.
//
// A command must not outlive us, and nothing tells a process that it is about to get SIGKILL. So there is a
// guard: a copy of this process (fork; we have one thread) that does nothing but wait at a pipe whose other
// end only we hold. When we die, however, the pipe ends, and the guard ends the command's process group. The
// group is the guard's own: the guard is there before the command is, so at no moment can the command be
// alone; and as long as the guard lives nobody else can get the group's number.

#include "base/result.hpp"
#include "system/processes.hpp"

namespace plankeep::system {

[[nodiscard]] base::Result<Ended> run_guarded(const Command& command, CommandWatch& watch);

}  // namespace plankeep::system
