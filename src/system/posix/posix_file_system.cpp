#include "system/posix/posix_file_system.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cstdlib>

#include "system/posix/posix_error.hpp"
#include "system/posix/posix_folder.hpp"

namespace plankeep::system {

namespace {

/// A NUL would silently end the path for the system.
base::Status check_path(const std::string& path) {
  if (!path.empty() && path.find('\0') == std::string::npos) return {};
  return base::fail(base::ErrorKind::invalid_input, "\"" + path + "\" is not a valid path");
}

}  // namespace

base::Result<std::unique_ptr<Folder>> PosixFileSystem::open_folder(const std::string& path) {
  TRY(check_path(path));
  Handle handle(uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
  if (!handle) {
    base::Error error = system_error("open", path, errno);
    if (error.kind == base::ErrorKind::corrupt) error.kind = base::ErrorKind::invalid_input;
    return base::fail(std::move(error));
  }
  std::string shown = path;
  while (shown.size() > 1 && shown.back() == '/') shown.pop_back();
  return std::make_unique<PosixFolder>(std::move(handle), std::move(shown));
}

base::Result<FileInfo> PosixFileSystem::info(const std::string& path) {
  TRY(check_path(path));
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    // "a/b" where "a" is a file: there is no such thing either.
    if (errno == ENOENT || errno == ENOTDIR) return FileInfo{};
    return base::fail(system_error("examine", path, errno));
  }
  return to_file_info(status);
}

base::Result<std::string> PosixFileSystem::real_path(const std::string& path) {
  TRY(check_path(path));
  const std::unique_ptr<char, void (*)(void*)> resolved(::realpath(path.c_str(), nullptr), &std::free);
  if (!resolved) return base::fail(system_error("resolve", path, errno));
  return std::string(resolved.get());
}

}  // namespace plankeep::system
