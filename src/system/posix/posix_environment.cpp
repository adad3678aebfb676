#include "system/posix/posix_environment.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#if defined(__APPLE__)
// From <mach-o/dyld.h>, which drags in much more.
extern "C" int _NSGetExecutablePath(char* buffer, std::uint32_t* size);
#endif

namespace plankeep::system {

std::optional<std::string> PosixEnvironment::variable(const std::string& name) const {
  const char* value = std::getenv(name.c_str());
  if (value == nullptr) return std::nullopt;
  return std::string(value);
}

std::string PosixEnvironment::working_directory() const {
  std::string buffer(1024, '\0');
  while (::getcwd(buffer.data(), buffer.size()) == nullptr) {
    if (errno != ERANGE) return "/";
    buffer.resize(buffer.size() * 2);
  }
  buffer.resize(buffer.find('\0'));
  // Linux says "(unreachable)/..." for a folder outside of our root: as good as gone.
  if (buffer.empty() || buffer.front() != '/') return "/";
  return buffer;
}

std::string PosixEnvironment::program() const {
#if defined(__APPLE__)
  std::uint32_t size = 0;
  (void)::_NSGetExecutablePath(nullptr, &size);
  std::string buffer(size, '\0');
  if (::_NSGetExecutablePath(buffer.data(), &size) != 0) return {};
  char* real = ::realpath(buffer.c_str(), nullptr);
  if (real == nullptr) return {};
  std::string path(real);
  std::free(real);
  return path;
#else
  std::string buffer(256, '\0');
  for (;;) {
    const ssize_t length = ::readlink("/proc/self/exe", buffer.data(), buffer.size());
    if (length < 0) return {};
    if (static_cast<std::size_t>(length) < buffer.size()) {
      buffer.resize(static_cast<std::size_t>(length));
      break;
    }
    buffer.resize(buffer.size() * 2);
  }
  // The kernel's way to say that the file was replaced or removed while it runs.
  constexpr std::string_view kGone = " (deleted)";
  if (buffer.size() > kGone.size() && buffer.compare(buffer.size() - kGone.size(), kGone.size(), kGone) == 0)
    buffer.resize(buffer.size() - kGone.size());
  return buffer.front() == '/' ? buffer : std::string();
#endif
}

}  // namespace plankeep::system
