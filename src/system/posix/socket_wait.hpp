#pragma once
// Waiting for a socket that a library has opened.

#include <chrono>

namespace plankeep::system {

/// Whether it can be read from (or written to) now; waits for that at most for `time`. Also true when the
/// other end is gone: the next read says so. False when the time is over, or a signal came.
bool wait_for_socket(int socket, bool for_writing, std::chrono::milliseconds time);

}  // namespace plankeep::system
