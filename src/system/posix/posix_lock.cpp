// PosixFolder::lock: flock, asked for again and again until the timeout.
//
// flock and not fcntl locks: it belongs to the open file, so it dies with the process and closing another
// descriptor of the same file does not drop it. Asking without blocking and sleeping, and not an alarm:
// signals are the program's.

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "system/posix/interrupts.hpp"
#include "system/posix/posix_error.hpp"
#include "system/posix/posix_folder.hpp"

namespace plankeep::system {

namespace {

using Nanoseconds = std::chrono::nanoseconds;

constexpr Nanoseconds kFirstSleep = std::chrono::microseconds(200);
constexpr Nanoseconds kLongestSleep = std::chrono::milliseconds(5);
constexpr Nanoseconds kShortestSleep = std::chrono::microseconds(500);
constexpr Nanoseconds kLongWait = std::chrono::milliseconds(100);

class PosixLock : public Lock {
 public:
  explicit PosixLock(Handle handle) : handle_(std::move(handle)) {}

 private:
  // Goes last: what waited for the end of the change comes when the lock is free.
  Uninterrupted uninterrupted_;
  Handle handle_;  // closing it unlocks
};

void sleep_for(Nanoseconds length) {
  timespec wanted{};
  wanted.tv_sec = static_cast<time_t>(length.count() / 1'000'000'000);
  wanted.tv_nsec = static_cast<long>(length.count() % 1'000'000'000);
  ::nanosleep(&wanted, nullptr);  // waking early only means asking early
}

/// 50 to 150 % of `length`, so that many who wait do not all ask at the same moment.
Nanoseconds with_jitter(Nanoseconds length, std::uint64_t& seed) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  const auto half = length.count() / 2;
  return Nanoseconds(half + static_cast<std::int64_t>(seed % static_cast<std::uint64_t>(length.count())));
}

/// Up to the longest sleep at first, so that few who wait cost little. Who has waited long asks the more
/// often the longer it was: with the same sleep for all, those who come later and begin with short ones would
/// win.
Nanoseconds next_sleep(Nanoseconds sleep, Nanoseconds waited) {
  if (waited < kLongWait) return std::min(sleep * 2, kLongestSleep);
  return std::max(Nanoseconds(kLongestSleep.count() * kLongWait.count() / waited.count()), kShortestSleep);
}

}  // namespace

base::Result<std::unique_ptr<Lock>> PosixFolder::lock(std::string_view name,
                                                      std::chrono::milliseconds timeout) {
  const auto began = std::chrono::steady_clock::now();
  const auto give_up = began + timeout;
  const auto ticks = began.time_since_epoch().count();
  std::uint64_t seed =
      static_cast<std::uint64_t>(ticks) ^ (static_cast<std::uint64_t>(::getpid()) << 32) ^ 1U;
  Nanoseconds sleep = kFirstSleep;
  for (;;) {
    TRY_ASSIGN(Opened file, open_regular(name, O_RDWR | O_CREAT, "lock"));
    for (;;) {
      if (uninterrupted([&] { return ::flock(file.handle.get(), LOCK_EX | LOCK_NB); }) == 0) break;
      if (errno != EWOULDBLOCK) return base::fail(system_error("lock", path_of(name), errno));
      const auto now = std::chrono::steady_clock::now();
      const auto left = give_up - now;
      if (left <= Nanoseconds::zero()) {
        return base::fail(base::ErrorKind::busy, path_of(name) + " is held by another process",
                          "it is released when that process ends; run the command again in a moment");
      }
      sleep_for(std::min<Nanoseconds>(with_jitter(sleep, seed), left));
      sleep = next_sleep(sleep, now - began);
    }
    // If somebody removed the lock file while we waited, we hold a lock that nobody else will ever see.
    struct stat named {};
    if (::fstatat(directory_.get(), std::string(name).c_str(), &named, AT_SYMLINK_NOFOLLOW) == 0 &&
        file.status.st_ino == named.st_ino && file.status.st_dev == named.st_dev) {
      return std::make_unique<PosixLock>(std::move(file.handle));
    }
  }
}

}  // namespace plankeep::system
