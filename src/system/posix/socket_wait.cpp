#include "system/posix/socket_wait.hpp"

#include <poll.h>

#include <algorithm>
#include <limits>

namespace plankeep::system {

bool wait_for_socket(int socket, bool for_writing, std::chrono::milliseconds time) {
  struct pollfd wanted {
    socket, static_cast<short>(for_writing ? POLLOUT : POLLIN), 0
  };
  using Count = std::chrono::milliseconds::rep;
  const Count most = std::numeric_limits<int>::max();
  return ::poll(&wanted, 1, static_cast<int>(std::clamp<Count>(time.count(), 0, most))) > 0;
}

}  // namespace plankeep::system
