#include "system/posix/posix_writable_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "system/posix/posix_error.hpp"

namespace plankeep::system {
namespace {

int flush_data(int descriptor) {
#ifdef __APPLE__
  // fsync there leaves the data in the drive's own cache.
  return ::fcntl(descriptor, F_FULLFSYNC);
#else
  return ::fdatasync(descriptor);
#endif
}

class PosixWritableFile : public WritableFile {
 public:
  PosixWritableFile(Handle handle, std::string path) : handle_(std::move(handle)), path_(std::move(path)) {}

  [[nodiscard]] base::Status write(std::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t written =
          uninterrupted([&] { return ::write(handle_.get(), bytes.data(), bytes.size()); });
      if (written < 0) return base::fail(system_error("write", path_, errno));
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
  }

  [[nodiscard]] base::Status truncate(std::uint64_t size) override {
    if (uninterrupted([&] { return ::ftruncate(handle_.get(), static_cast<off_t>(size)); }) != 0) {
      return base::fail(system_error("shorten", path_, errno));
    }
    return {};
  }

  [[nodiscard]] base::Status sync_data() override {
    if (uninterrupted([&] { return flush_data(handle_.get()); }) != 0) {
      return base::fail(system_error("sync", path_, errno));
    }
    return {};
  }

  [[nodiscard]] base::Result<std::uint64_t> size() override {
    struct stat status {};
    if (::fstat(handle_.get(), &status) != 0) return base::fail(system_error("examine", path_, errno));
    return static_cast<std::uint64_t>(status.st_size);
  }

 private:
  Handle handle_;
  std::string path_;
};

}  // namespace

std::unique_ptr<WritableFile> writable_file(Handle handle, std::string path) {
  return std::make_unique<PosixWritableFile>(std::move(handle), std::move(path));
}

}  // namespace plankeep::system
