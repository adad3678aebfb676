#include "system/posix/posix_folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>

#include "system/posix/posix_error.hpp"
#include "system/posix/posix_memory.hpp"
#include "system/posix/posix_writable_file.hpp"

namespace plankeep::system {

namespace {

constexpr mode_t kOwnFile = 0600;
constexpr mode_t kOwnFolder = 0700;
constexpr mode_t kGroupFolder = 0750;
constexpr std::uint32_t kPermissionBits = 07777;
constexpr std::uint32_t kSetIdBits = 06000;
// A name that is made anew over and over by somebody else while we want to create it.
constexpr int kCreateAttempts = 100;

std::string_view describe(mode_t mode) {
  if (S_ISLNK(mode)) return "a symbolic link";
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISFIFO(mode)) return "a FIFO";
  if (S_ISSOCK(mode)) return "a socket";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  return "something else";
}

std::int64_t modified_ns(const struct stat& status) {
#ifdef __APPLE__
  const timespec& moment = status.st_mtimespec;
#else
  const timespec& moment = status.st_mtim;
#endif
  return static_cast<std::int64_t>(moment.tv_sec) * 1'000'000'000 + static_cast<std::int64_t>(moment.tv_nsec);
}

std::int64_t changed_ns(const struct stat& status) {
#ifdef __APPLE__
  const timespec& moment = status.st_ctimespec;
#else
  const timespec& moment = status.st_ctim;
#endif
  return static_cast<std::int64_t>(moment.tv_sec) * 1'000'000'000 + static_cast<std::int64_t>(moment.tv_nsec);
}

base::Error taken_or(std::string_view verb, const std::string& path, int error_number) {
  base::Error error = system_error(verb, path, error_number);
  if (error_number == EEXIST) error.kind = base::ErrorKind::conflict;
  return error;
}

base::Error moved_or(const std::string& from, const std::string& to, int error_number) {
  base::Error error = error_number == EEXIST ? taken_or("create", to, error_number)
                                             : system_error("move", from, error_number);
  if (error_number == EXDEV) error.kind = base::ErrorKind::invalid_input;
  return error;
}

// What root creates in another user's folder is given to that user: otherwise they could not read it, and
// their next command would fail.
void give_to_owner_of_folder(int folder, int descriptor) {
  if (::geteuid() != 0) return;
  struct stat above {};
  struct stat made {};
  if (::fstat(folder, &above) != 0 || above.st_uid == 0) return;
  // A hard link may lead to a file that its owner must not get.
  if (::fstat(descriptor, &made) != 0 || made.st_uid != 0) return;
  if (!S_ISDIR(made.st_mode) && made.st_nlink != 1) return;
  if (::fchown(descriptor, above.st_uid, above.st_gid) != 0) {
    // It stays root's, as it was before.
  }
}

base::Result<std::string> read_bytes(int descriptor, const std::string& path, std::uint64_t offset,
                                     std::uint64_t count) {
  constexpr std::uint64_t kLargeFile = 256ULL << 10;  // what is made of it takes some megabytes
  if (count >= kLargeFile) grow_heap_in_large_pages(static_cast<std::size_t>(count));
  std::string bytes(static_cast<std::size_t>(count), '\0');
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const auto at = static_cast<off_t>(offset + filled);
    const ssize_t got =
        uninterrupted([&] { return ::pread(descriptor, bytes.data() + filled, bytes.size() - filled, at); });
    if (got < 0) return base::fail(system_error("read", path, errno));
    if (got == 0) break;  // cut shorter meanwhile
    filled += static_cast<std::size_t>(got);
  }
  bytes.resize(filled);
  return bytes;
}

}  // namespace

base::Status check_component(const std::string& folder, std::string_view name) {
  const bool acceptable = !name.empty() && name != "." && name != ".." &&
                          name.find('/') == std::string_view::npos &&
                          name.find('\0') == std::string_view::npos;
  if (acceptable) return {};
  std::string message = "\"";
  message.append(name).append("\" cannot be the name of a file in ").append(folder);
  return base::fail(base::ErrorKind::invalid_input, std::move(message));
}

FileKind kind_of_entry(unsigned char type) {
  switch (type) {
    case DT_REG:
      return FileKind::regular;
    case DT_DIR:
      return FileKind::directory;
    case DT_LNK:
      return FileKind::symlink;
    case DT_UNKNOWN:
      return FileKind::missing;
    default:
      return FileKind::other;
  }
}

FileInfo to_file_info(const struct stat& status) {
  FileInfo info;
  if (S_ISREG(status.st_mode)) {
    info.kind = FileKind::regular;
  } else if (S_ISDIR(status.st_mode)) {
    info.kind = FileKind::directory;
  } else if (S_ISLNK(status.st_mode)) {
    info.kind = FileKind::symlink;
  } else {
    info.kind = FileKind::other;
  }
  info.size = static_cast<std::uint64_t>(status.st_size);
  info.mtime_ns = modified_ns(status);
  info.inode = static_cast<std::uint64_t>(status.st_ino);
  info.device = static_cast<std::uint64_t>(status.st_dev);
  info.mode = static_cast<std::uint32_t>(status.st_mode) & kPermissionBits;
  info.owner = static_cast<std::uint32_t>(status.st_uid);
  info.group = static_cast<std::uint32_t>(status.st_gid);
  info.ctime_ns = changed_ns(status);
  return info;
}

std::string PosixFolder::lasting_path() const {
#ifdef __linux__
  std::string by_descriptor = "/proc/self/fd/" + std::to_string(directory_.get());
  // Some containers have no /proc.
  if (::access(by_descriptor.c_str(), F_OK) == 0) return by_descriptor;
#endif
  return path_;
}

base::Result<FileInfo> PosixFolder::info(std::string_view name) {
  TRY(check_component(path_, name));
  struct stat status {};
  if (::fstatat(directory_.get(), std::string(name).c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno == ENOENT) return FileInfo{};
    return base::fail(system_error("examine", path_of(name), errno));
  }
  return to_file_info(status);
}

base::Result<PosixFolder::Opened> PosixFolder::open_regular(std::string_view name, int flags,
                                                            std::string_view verb) const {
  TRY(check_component(path_, name));
  const std::string file_name(name);
  constexpr int kAlways = O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  const int descriptor =
      uninterrupted([&] { return ::openat(directory_.get(), file_name.c_str(), flags | kAlways, kOwnFile); });
  struct stat status {};
  if (descriptor < 0) {
    const int error_number = errno;
    // A link, a FIFO nobody reads, a socket: say what it is rather than what the system calls it.
    if (::fstatat(directory_.get(), file_name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
        !S_ISREG(status.st_mode)) {
      return base::fail(wrong_kind(path_of(name), describe(status.st_mode), "a regular file"));
    }
    return base::fail(system_error(verb, path_of(name), error_number));
  }
  Opened opened{Handle(descriptor), {}};
  if (::fstat(descriptor, &opened.status) != 0)
    return base::fail(system_error("examine", path_of(name), errno));
  if (!S_ISREG(opened.status.st_mode)) {
    return base::fail(wrong_kind(path_of(name), describe(opened.status.st_mode), "a regular file"));
  }
  if ((flags & O_CREAT) != 0) give_to_owner_of_folder(directory_.get(), descriptor);
  return opened;
}

base::Result<std::string> PosixFolder::read(std::string_view name, std::uint64_t limit) {
  TRY_ASSIGN(FileContent content, read_with_info(name, limit));
  return std::move(content.bytes);
}

base::Result<FileContent> PosixFolder::read_with_info(std::string_view name, std::uint64_t limit) {
  TRY_ASSIGN(Opened file, open_regular(name, O_RDONLY, "read"));
  if (file.size() > limit) {
    std::string message = path_of(name);
    message.append(" is too large: ").append(std::to_string(file.size())).append(" bytes, the limit is ");
    message.append(std::to_string(limit));
    return base::fail(base::ErrorKind::invalid_input, std::move(message));
  }
  FileContent content;
  content.info = to_file_info(file.status);
  TRY_ASSIGN(content.bytes, read_bytes(file.handle.get(), path_of(name), 0, file.size()));
  return content;
}

base::Result<std::string> PosixFolder::read_range(std::string_view name, std::uint64_t offset,
                                                  std::uint64_t count) {
  TRY_ASSIGN(Opened file, open_regular(name, O_RDONLY, "read"));
  if (offset >= file.size()) return std::string();
  return read_bytes(file.handle.get(), path_of(name), offset, std::min(count, file.size() - offset));
}

base::Result<Handle> PosixFolder::create_new(std::string_view name) const {
  TRY(check_component(path_, name));
  const std::string file_name(name);
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  for (int attempt = 0; attempt < kCreateAttempts; ++attempt) {
    const int descriptor =
        uninterrupted([&] { return ::openat(directory_.get(), file_name.c_str(), kFlags, kOwnFile); });
    if (descriptor >= 0) {
      give_to_owner_of_folder(directory_.get(), descriptor);
      return Handle(descriptor);
    }
    if (errno != EEXIST) return base::fail(system_error("create", path_of(name), errno));
    if (::unlinkat(directory_.get(), file_name.c_str(), 0) != 0 && errno != ENOENT) {
      const int error_number = errno;
      struct stat status {};
      if (::fstatat(directory_.get(), file_name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
          S_ISDIR(status.st_mode)) {
        return base::fail(wrong_kind(path_of(name), describe(status.st_mode), "a regular file"));
      }
      return base::fail(system_error("replace", path_of(name), error_number));
    }
  }
  return base::fail(system_error("create", path_of(name), EEXIST));
}

base::Result<std::unique_ptr<WritableFile>> PosixFolder::create(std::string_view name) {
  TRY_ASSIGN(Handle handle, create_new(name));
  return writable_file(std::move(handle), path_of(name));
}

base::Result<std::unique_ptr<WritableFile>> PosixFolder::create_like(std::string_view name,
                                                                     const FileInfo& like) {
  TRY_ASSIGN(Handle handle, create_new(name));
  struct stat status {};
  if (::fstat(handle.get(), &status) != 0) return base::fail(system_error("examine", path_of(name), errno));
  // Owner before mode, since a change of owner clears the set-id bits. Only root may give a file away;
  // anybody may give it to one of their groups.
  bool same_owner = status.st_uid == like.owner && status.st_gid == like.group;
  if (!same_owner) {
    same_owner = ::fchown(handle.get(), like.owner, like.group) == 0;
    if (!same_owner && ::fchown(handle.get(), static_cast<uid_t>(-1), like.group) != 0) {
      // Neither: the file stays ours, which its reader can see.
    }
  }
  const std::uint32_t mode = like.mode & (same_owner ? kPermissionBits : kPermissionBits & ~kSetIdBits);
  if (::fchmod(handle.get(), static_cast<mode_t>(mode)) != 0) {
    return base::fail(system_error("set the mode of", path_of(name), errno));
  }
  return writable_file(std::move(handle), path_of(name));
}

base::Result<std::unique_ptr<WritableFile>> PosixFolder::open_append(std::string_view name) {
  TRY_ASSIGN(Opened file, open_regular(name, O_WRONLY | O_APPEND | O_CREAT, "write"));
  return writable_file(std::move(file.handle), path_of(name));
}

base::Status PosixFolder::rename(std::string_view from, std::string_view to) {
  TRY(check_component(path_, from));
  TRY(check_component(path_, to));
  if (::renameat(directory_.get(), std::string(from).c_str(), directory_.get(), std::string(to).c_str()) !=
      0) {
    const int error_number = errno;
    if (error_number == ENOENT) return base::fail(system_error("rename", path_of(from), error_number));
    return base::fail(system_error("replace", path_of(to), error_number));
  }
  return {};
}

base::Status PosixFolder::rename_cache(std::string_view from, std::string_view to) {
#ifdef RENAME_EXCHANGE
  TRY(check_component(path_, from));
  TRY(check_component(path_, to));
  const std::string source(from);
  const std::string target(to);
  const int directory = directory_.get();
  struct stat there {};
  // Only a plain file changes places; a missing one, a link or a directory is rename's business.
  const bool plain =
      ::fstatat(directory, target.c_str(), &there, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(there.st_mode);
  // Some file systems cannot: then a plain rename does it.
  if (plain && ::renameat2(directory, source.c_str(), directory, target.c_str(), RENAME_EXCHANGE) == 0) {
    if (::unlinkat(directory, source.c_str(), 0) == 0) return {};
    const int error_number = errno;
    return base::fail(system_error("remove", path_of(from), error_number));
  }
#endif
  return rename(from, to);
}

base::Status PosixFolder::remove(std::string_view name) {
  TRY(check_component(path_, name));
  if (::unlinkat(directory_.get(), std::string(name).c_str(), 0) != 0) {
    return base::fail(system_error("remove", path_of(name), errno));
  }
  return {};
}

base::Status PosixFolder::remove_folder(std::string_view name) {
  TRY(check_component(path_, name));
  if (::unlinkat(directory_.get(), std::string(name).c_str(), AT_REMOVEDIR) == 0) return {};
  if (errno == ENOTEMPTY || errno == EEXIST)
    return base::fail(base::ErrorKind::conflict, path_of(name) + " is not empty");
  return base::fail(system_error("remove", path_of(name), errno));
}

base::Status PosixFolder::sync() {
  // Some network and user-space file systems have no such call for directories: then there is nothing to be
  // had.
  if (uninterrupted([&] { return ::fsync(directory_.get()); }) != 0 && errno != EINVAL && errno != ENOTSUP) {
    return base::fail(system_error("sync", path_, errno));
  }
  return {};
}

base::Result<std::vector<std::string>> PosixFolder::list() {
  TRY_ASSIGN(std::vector<FolderEntry> found, read_entries());
  std::vector<std::string> names;
  names.reserve(found.size());
  for (FolderEntry& entry : found) names.push_back(std::move(entry.name));
  return names;
}

base::Result<std::vector<FolderEntry>> PosixFolder::entries() {
  TRY_ASSIGN(std::vector<FolderEntry> found, read_entries());
  for (FolderEntry& entry : found) {
    if (entry.kind != FileKind::missing) continue;
    TRY_ASSIGN(const FileInfo there, info(entry.name));
    entry.kind = there.kind;
  }
  return found;
}

// Sorted by name; the kind is `missing` where the file system does not tell it with the name.
base::Result<std::vector<FolderEntry>> PosixFolder::read_entries() {
  // Opened anew, since a duplicate would share its reading position with the next call.
  const int descriptor =
      uninterrupted([&] { return ::openat(directory_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
  DIR* opened = descriptor < 0 ? nullptr : ::fdopendir(descriptor);
  if (opened == nullptr) {
    const int error_number = errno;
    if (descriptor >= 0) ::close(descriptor);
    return base::fail(system_error("list", path_, error_number));
  }
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(opened, &::closedir);
  std::vector<FolderEntry> found;
  for (;;) {
    errno = 0;
    const dirent* entry = ::readdir(directory.get());
    if (entry == nullptr) {
      if (errno != 0) return base::fail(system_error("list", path_, errno));
      break;
    }
    const std::string_view name(entry->d_name);
    if (name != "." && name != "..") found.push_back({std::string(name), kind_of_entry(entry->d_type)});
  }
  std::sort(found.begin(), found.end(),
            [](const FolderEntry& a, const FolderEntry& b) { return a.name < b.name; });
  return found;
}

base::Result<std::unique_ptr<Folder>> PosixFolder::open_folder(std::string_view name) {
  TRY_ASSIGN(Handle handle, open_directory(name));
  return std::make_unique<PosixFolder>(std::move(handle), path_of(name));
}

base::Result<Handle> PosixFolder::open_directory(std::string_view name) const {
  TRY(check_component(path_, name));
  const std::string file_name(name);
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  Handle handle(uninterrupted([&] { return ::openat(directory_.get(), file_name.c_str(), kFlags); }));
  if (!handle) {
    const int error_number = errno;
    struct stat status {};
    if (::fstatat(directory_.get(), file_name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
        !S_ISDIR(status.st_mode)) {
      return base::fail(wrong_kind(
          path_of(name), S_ISREG(status.st_mode) ? "a file" : describe(status.st_mode), "a directory"));
    }
    return base::fail(system_error("open", path_of(name), error_number));
  }
  return handle;
}

base::Result<std::unique_ptr<Folder>> PosixFolder::make_folder(std::string_view name) {
  return make_folder_of(name, kOwnFolder);
}

base::Result<std::unique_ptr<Folder>> PosixFolder::make_group_folder(std::string_view name) {
  return make_folder_of(name, kGroupFolder);
}

base::Result<std::unique_ptr<Folder>> PosixFolder::make_folder_of(std::string_view name, unsigned mode) {
  TRY(check_component(path_, name));
  const bool made = ::mkdirat(directory_.get(), std::string(name).c_str(), static_cast<mode_t>(mode)) == 0;
  if (!made && errno != EEXIST) return base::fail(system_error("create", path_of(name), errno));
  TRY_ASSIGN(Handle handle, open_directory(name));
  if (made) give_to_owner_of_folder(directory_.get(), handle.get());
  return std::make_unique<PosixFolder>(std::move(handle), path_of(name));
}

base::Result<std::string> PosixFolder::read_link(std::string_view name) {
  TRY(check_component(path_, name));
  std::string target(256, '\0');
  for (;;) {
    const ssize_t length =
        ::readlinkat(directory_.get(), std::string(name).c_str(), target.data(), target.size());
    if (length < 0) {
      if (errno == EINVAL) {
        return base::fail(base::ErrorKind::invalid_input, path_of(name) + " is not a symbolic link");
      }
      return base::fail(system_error("read the link", path_of(name), errno));
    }
    if (static_cast<std::size_t>(length) < target.size()) {
      target.resize(static_cast<std::size_t>(length));
      return target;
    }
    target.resize(target.size() * 2);
  }
}

base::Result<std::unique_ptr<WritableFile>> PosixFolder::create_shared(std::string_view name,
                                                                       bool executable) {
  TRY(check_component(path_, name));
  const std::string file_name(name);
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  const mode_t mode = executable ? 0777 : 0666;
  Handle handle(uninterrupted([&] { return ::openat(directory_.get(), file_name.c_str(), kFlags, mode); }));
  if (!handle) return base::fail(taken_or("create", path_of(name), errno));
  return writable_file(std::move(handle), path_of(name));
}

base::Status PosixFolder::create_shared_folder(std::string_view name) {
  TRY(check_component(path_, name));
  if (::mkdirat(directory_.get(), std::string(name).c_str(), 0777) == 0) return {};
  return base::fail(taken_or("create", path_of(name), errno));
}

base::Status PosixFolder::create_link(std::string_view name, const std::string& target) {
  TRY(check_component(path_, name));
  if (::symlinkat(target.c_str(), directory_.get(), std::string(name).c_str()) == 0) return {};
  return base::fail(taken_or("create", path_of(name), errno));
}

base::Status PosixFolder::move(std::string_view name, Folder& to, std::string_view new_name) {
  TRY(check_component(path_, name));
  TRY(check_component(to.path(), new_name));
  const auto* other = dynamic_cast<PosixFolder*>(&to);
  if (other == nullptr) return base::fail(base::ErrorKind::internal, "cannot move to another kind of folder");
  const std::string from(name);
  const std::string target(new_name);
#ifdef RENAME_NOREPLACE
  if (::renameat2(directory_.get(), from.c_str(), other->directory_.get(), target.c_str(),
                  RENAME_NOREPLACE) == 0)
    return {};
  // EINVAL: a file system that cannot.
  if (errno != EINVAL && errno != ENOSYS)
    return base::fail(moved_or(path_of(name), to.path_of(target), errno));
#endif
  struct stat there {};
  if (::fstatat(other->directory_.get(), target.c_str(), &there, AT_SYMLINK_NOFOLLOW) == 0)
    return base::fail(moved_or(path_of(name), to.path_of(target), EEXIST));
  if (::renameat(directory_.get(), from.c_str(), other->directory_.get(), target.c_str()) == 0) return {};
  return base::fail(moved_or(path_of(name), to.path_of(target), errno));
}

base::Status PosixFolder::set_modified(std::string_view name, std::int64_t mtime_ns) {
  TRY(check_component(path_, name));
  constexpr std::int64_t kSecond = 1'000'000'000;
  std::array<timespec, 2> times{};
  times[0].tv_nsec = UTIME_OMIT;
  times[1].tv_sec = static_cast<std::time_t>(mtime_ns / kSecond);
  times[1].tv_nsec = static_cast<long>(mtime_ns % kSecond);
  if (::utimensat(directory_.get(), std::string(name).c_str(), times.data(), AT_SYMLINK_NOFOLLOW) == 0)
    return {};
  return base::fail(system_error("set the time of", path_of(name), errno));
}

}  // namespace plankeep::system
