#include "system/posix/posix_error.hpp"

#include <cerrno>
#include <system_error>

namespace plankeep::system {

namespace {

base::ErrorKind kind_of(int error_number) {
  switch (error_number) {
    case ENOENT:
      return base::ErrorKind::not_found;
    case ELOOP:
    case ENXIO:
    case EISDIR:
    case ENOTDIR:
      return base::ErrorKind::corrupt;
    default:
      return base::ErrorKind::io;
  }
}

std::string hint_for(int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      return "free some disk space and run the command again; nothing was lost";
    case EACCES:
    case EPERM:
      return "check its owner and permissions (ls -ld)";
    case EROFS:
      return "the file system is mounted read-only";
    case EIO:
      return "the disk reported an error; check the system log";
    case EMFILE:
    case ENFILE:
      return "too many files are open; close some programs and run the command again";
    default:
      return {};
  }
}

}  // namespace

base::Error system_error(std::string_view verb, const std::string& path, int error_number) {
  std::string message = "cannot ";
  message.append(verb).append(" ").append(path).append(": ");
  message.append(std::error_code(error_number, std::generic_category()).message());
  return base::Error{kind_of(error_number), std::move(message), {}, hint_for(error_number)};
}

base::Error wrong_kind(const std::string& path, std::string_view what_it_is, std::string_view wanted) {
  std::string message = path;
  message.append(" is ").append(what_it_is).append(", not ").append(wanted);
  return base::Error{
      base::ErrorKind::corrupt, std::move(message), {}, "move it away and run the command again"};
}

}  // namespace plankeep::system
