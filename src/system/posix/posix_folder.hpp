#pragma once
// A Folder over an open directory. Private to system/posix.

#include <sys/stat.h>

#include "system/file_system.hpp"
#include "system/posix/posix_handle.hpp"

namespace plankeep::system {

class PosixFolder : public Folder {
 public:
  PosixFolder(Handle directory, std::string path)
      : directory_(std::move(directory)), path_(std::move(path)) {}

  std::string path() const override { return path_; }
  std::string lasting_path() const override;
  [[nodiscard]] base::Result<FileInfo> info(std::string_view name) override;
  [[nodiscard]] base::Result<std::string> read(std::string_view name, std::uint64_t limit) override;
  [[nodiscard]] base::Result<FileContent> read_with_info(std::string_view name, std::uint64_t limit) override;
  [[nodiscard]] base::Result<std::string> read_range(std::string_view name, std::uint64_t offset,
                                                     std::uint64_t count) override;
  [[nodiscard]] base::Result<std::unique_ptr<WritableFile>> create(std::string_view name) override;
  [[nodiscard]] base::Result<std::unique_ptr<WritableFile>> create_like(std::string_view name,
                                                                        const FileInfo& like) override;
  [[nodiscard]] base::Result<std::unique_ptr<WritableFile>> open_append(std::string_view name) override;
  [[nodiscard]] base::Status rename(std::string_view from, std::string_view to) override;
  [[nodiscard]] base::Status rename_cache(std::string_view from, std::string_view to) override;
  [[nodiscard]] base::Status remove(std::string_view name) override;
  [[nodiscard]] base::Status remove_folder(std::string_view name) override;
  [[nodiscard]] base::Status sync() override;
  [[nodiscard]] base::Result<std::vector<std::string>> list() override;
  [[nodiscard]] base::Result<std::vector<FolderEntry>> entries() override;
  [[nodiscard]] base::Result<std::unique_ptr<Folder>> open_folder(std::string_view name) override;
  [[nodiscard]] base::Result<std::unique_ptr<Folder>> make_folder(std::string_view name) override;
  [[nodiscard]] base::Result<std::unique_ptr<Folder>> make_group_folder(std::string_view name) override;
  [[nodiscard]] base::Result<std::string> read_link(std::string_view name) override;
  [[nodiscard]] base::Result<std::unique_ptr<WritableFile>> create_shared(std::string_view name,
                                                                          bool executable) override;
  [[nodiscard]] base::Status create_shared_folder(std::string_view name) override;
  [[nodiscard]] base::Status create_link(std::string_view name, const std::string& target) override;
  [[nodiscard]] base::Status move(std::string_view name, Folder& to, std::string_view new_name) override;
  [[nodiscard]] base::Status set_modified(std::string_view name, std::int64_t mtime_ns) override;
  [[nodiscard]] base::Result<std::unique_ptr<Lock>> lock(std::string_view name,
                                                         std::chrono::milliseconds timeout) override;

 private:
  [[nodiscard]] base::Result<std::vector<FolderEntry>> read_entries();
  struct Opened {
    Handle handle;
    struct stat status {};

    std::uint64_t size() const { return static_cast<std::uint64_t>(status.st_size); }
  };
  /// Opens a regular file and nothing else, without blocking and without following a link.
  [[nodiscard]] base::Result<Opened> open_regular(std::string_view name, int flags,
                                                  std::string_view verb) const;
  [[nodiscard]] base::Result<Handle> create_new(std::string_view name) const;
  [[nodiscard]] base::Result<Handle> open_directory(std::string_view name) const;
  [[nodiscard]] base::Result<std::unique_ptr<Folder>> make_folder_of(std::string_view name, unsigned mode);

  Handle directory_;
  std::string path_;
};

/// invalid_input unless `name` is a single path component that can be a file's name.
[[nodiscard]] base::Status check_component(const std::string& folder, std::string_view name);

FileInfo to_file_info(const struct stat& status);

}  // namespace plankeep::system
