#include "system/posix/posix_environment.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>

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

}  // namespace plankeep::system
