#include <fcntl.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <ctime>
#include <string>

#include "system/file_times.hpp"
#include "system/posix/posix_error.hpp"

namespace plankeep::system {

base::Status set_modified(const Folder& folder, std::string_view name, std::int64_t mtime_ns) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  std::array<timespec, 2> times{};
  times[0].tv_nsec = UTIME_OMIT;
  times[1].tv_sec = static_cast<std::time_t>(mtime_ns / kSecond);
  times[1].tv_nsec = static_cast<long>(mtime_ns % kSecond);
  const std::string path = folder.path_of(name);
  if (::utimensat(AT_FDCWD, path.c_str(), times.data(), AT_SYMLINK_NOFOLLOW) == 0) return {};
  return base::fail(system_error("set the time of", path, errno));
}

}  // namespace plankeep::system
