#pragma once
// Files, as few verbs as the callers need. Everything plankeep writes goes through a Folder.
//
// A Folder is one opened directory. Names given to it are single path components ("state.json"): a name with
// "/", "", "." or ".." is refused as invalid_input, and no verb follows a symbolic link in the last
// component. So nothing that stands in a plan's folder can make us read or write elsewhere (spec 16),
// whatever it is replaced with meanwhile. Regular files only: a FIFO, device, socket, directory or symlink
// where a file is wanted is an error of kind `corrupt` that names it, and opening never blocks.
//
// Durability is explicit: `sync_data` for a file's content, `Folder::sync` for names. Nothing else is on disk
// after a power loss; the model in tests/support drops all of it.
//
// Errors: not_found, busy (locks), io for the rest, each with path and system message.

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.hpp"
#include "base/result.hpp"

namespace plankeep::system {

enum class FileKind { missing, regular, directory, symlink, other };

struct FileInfo {
  FileKind kind = FileKind::missing;
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
  std::uint64_t inode = 0;
  std::uint64_t device = 0;
  std::uint32_t mode = 0;  // permission bits
  std::uint32_t owner = 0;
  std::uint32_t group = 0;
  std::int64_t ctime_ns =
      0;  // of the last change of content or of any of these; nobody can set it. 0: not known

  /// Of the content, to the millisecond.
  base::Instant modified() const { return {mtime_ns / 1'000'000}; }
};

/// A file's bytes and what the file was that they came from.
struct FileContent {
  std::string bytes;
  FileInfo info;
};

/// A name in a folder and what stands under it.
struct FolderEntry {
  std::string name;
  FileKind kind = FileKind::missing;
};

/// A file opened for writing. Closed by its destructor.
class WritableFile {
 public:
  virtual ~WritableFile() = default;
  /// All of `bytes` or an error; after an error some of them may have been written.
  [[nodiscard]] virtual base::Status write(std::string_view bytes) = 0;
  [[nodiscard]] virtual base::Status truncate(std::uint64_t size) = 0;
  [[nodiscard]] virtual base::Status sync_data() = 0;
  [[nodiscard]] virtual base::Result<std::uint64_t> size() = 0;
};

/// Held until destroyed; dies with the process.
class Lock {
 public:
  virtual ~Lock() = default;
};

class Folder {
 public:
  virtual ~Folder() = default;

  /// For messages: the path it was opened by.
  virtual std::string path() const = 0;
  std::string path_of(std::string_view name) const { return path() + "/" + std::string(name); }
  /// For a library that opens files by path itself (SQLite): a path that leads to this very folder while this
  /// object lives, even if the folder is moved and something else put in its place. path() where the system
  /// has no such thing.
  virtual std::string lasting_path() const { return path(); }

  /// `missing` is no error.
  [[nodiscard]] virtual base::Result<FileInfo> info(std::string_view name) = 0;
  /// The whole file; invalid_input when it is larger than `limit` bytes.
  [[nodiscard]] virtual base::Result<std::string> read(std::string_view name, std::uint64_t limit) = 0;
  /// The same with the file's info, which is no younger than the bytes. Costs no more than read alone where
  /// the system can tell it of an opened file.
  [[nodiscard]] virtual base::Result<FileContent> read_with_info(std::string_view name, std::uint64_t limit) {
    FileContent content;
    TRY_ASSIGN(content.info, info(name));
    TRY_ASSIGN(content.bytes, read(name, limit));
    return content;
  }
  /// At most `count` bytes from `offset`; less at the end of the file, empty behind it.
  [[nodiscard]] virtual base::Result<std::string> read_range(std::string_view name, std::uint64_t offset,
                                                             std::uint64_t count) = 0;
  /// A new empty file under this name, mode 0600 under umask; one that is there is unlinked first (never
  /// opened).
  [[nodiscard]] virtual base::Result<std::unique_ptr<WritableFile>> create(std::string_view name) = 0;
  /// Like create, with mode and, where permitted, owner and group of `like`.
  [[nodiscard]] virtual base::Result<std::unique_ptr<WritableFile>> create_like(std::string_view name,
                                                                                const FileInfo& like) = 0;
  /// For appending, created (0600) when missing.
  [[nodiscard]] virtual base::Result<std::unique_ptr<WritableFile>> open_append(std::string_view name) = 0;
  /// Replaces `to` atomically if it is a file or a symlink (the link itself); a directory there is an error.
  [[nodiscard]] virtual base::Status rename(std::string_view from, std::string_view to) = 0;
  /// The same for files that may be lost with the power: readers see the old file or the new one, but a file
  /// system that writes out a file before it lets it take another's place (ext4: about the cost of a sync) is
  /// not made to. `from` may be left behind as the old file when the process dies in between.
  [[nodiscard]] virtual base::Status rename_cache(std::string_view from, std::string_view to) = 0;
  [[nodiscard]] virtual base::Status remove(std::string_view name) = 0;
  /// An empty folder; conflict when something is in it.
  [[nodiscard]] virtual base::Status remove_folder(std::string_view name) = 0;
  /// Makes names durable.
  [[nodiscard]] virtual base::Status sync() = 0;
  /// Names in it, sorted, without "." and "..".
  [[nodiscard]] virtual base::Result<std::vector<std::string>> list() = 0;

  /// The same with what they are, links not followed; without asking for each where the system tells at once.
  [[nodiscard]] virtual base::Result<std::vector<FolderEntry>> entries() {
    TRY_ASSIGN(const std::vector<std::string> names, list());
    std::vector<FolderEntry> all;
    all.reserve(names.size());
    for (const std::string& name : names) {
      TRY_ASSIGN(const FileInfo there, info(name));
      all.push_back({name, there.kind});
    }
    return all;
  }

  /// A folder inside this one; corrupt when the name is there and is no directory (a symlink is none).
  [[nodiscard]] virtual base::Result<std::unique_ptr<Folder>> open_folder(std::string_view name) = 0;
  /// The same, made (0700) when missing.
  [[nodiscard]] virtual base::Result<std::unique_ptr<Folder>> make_folder(std::string_view name) = 0;
  /// The same, made with 0750 under umask: for what other programs keep so, too.
  [[nodiscard]] virtual base::Result<std::unique_ptr<Folder>> make_group_folder(std::string_view name) {
    return make_folder(name);
  }
  /// The text of a symbolic link.
  [[nodiscard]] virtual base::Result<std::string> read_link(std::string_view name) = 0;

  // For what belongs to the user and is only put back by us (worktree/restore_tree): modes as any program
  // would give them, names that are never taken from somebody. conflict: the name is taken.

  /// A new empty file, 0666 or 0777 under umask.
  [[nodiscard]] virtual base::Result<std::unique_ptr<WritableFile>> create_shared(std::string_view name,
                                                                                  bool executable) {
    (void)executable;
    return base::fail(base::ErrorKind::io, "cannot create " + path_of(name));
  }
  /// A new folder, 0777 under umask.
  [[nodiscard]] virtual base::Status create_shared_folder(std::string_view name) {
    return base::fail(base::ErrorKind::io, "cannot create " + path_of(name));
  }
  /// A new symbolic link with this text.
  [[nodiscard]] virtual base::Status create_link(std::string_view name, const std::string& target) {
    (void)target;
    return base::fail(base::ErrorKind::io, "cannot create " + path_of(name));
  }
  /// Moves a file or link into another folder. invalid_input: that one is on another file system.
  [[nodiscard]] virtual base::Status move(std::string_view name, Folder& to, std::string_view new_name) {
    (void)to, (void)new_name;
    return base::fail(base::ErrorKind::io, "cannot move " + path_of(name));
  }
  /// Sets the time of modification, of a symbolic link its own. not_found when there is nothing. Only for
  /// copies of git's index: git takes a file for unchanged by its second and size where the index is younger,
  /// so a copy that looks younger than what it was copied from hides changes.
  [[nodiscard]] virtual base::Status set_modified(std::string_view name, std::int64_t mtime_ns) {
    (void)mtime_ns;
    return base::fail(base::ErrorKind::io, "cannot set the time of " + path_of(name));
  }

  /// Exclusive advisory lock on the file `name` (created when missing); `busy` after `timeout`.
  [[nodiscard]] virtual base::Result<std::unique_ptr<Lock>> lock(std::string_view name,
                                                                 std::chrono::milliseconds timeout) = 0;
};

class FileSystem {
 public:
  virtual ~FileSystem() = default;
  /// Opens a directory by path; symbolic links in the path are followed (the user named it).
  [[nodiscard]] virtual base::Result<std::unique_ptr<Folder>> open_folder(const std::string& path) = 0;
  /// What a path is, symbolic links followed.
  [[nodiscard]] virtual base::Result<FileInfo> info(const std::string& path) = 0;
  /// The path made absolute and free of symbolic links, "." and "..".
  [[nodiscard]] virtual base::Result<std::string> real_path(const std::string& path) = 0;
};

}  // namespace plankeep::system
