#pragma once
// Linux: inotify on the folders of the files, since a file that is replaced is another file. Elsewhere, and
// where inotify or one of its watches cannot be had, the files are looked at.

#include <cstdint>
#include <string>
#include <vector>

#include "system/file_watch.hpp"
#include "system/posix/posix_handle.hpp"

namespace plankeep::system {

class PosixFileWatch : public FileWatch {
 public:
  enum class Means { notices, looks };

  /// Costs nothing before the first add(). `looks`: as where there is no inotify.
  explicit PosixFileWatch(Means means = Means::notices) : means_(means) {}

  [[nodiscard]] base::Status add(const std::string& path) override;
  void remove(const std::string& path) override;
  bool changed() override;
  bool wait(std::chrono::milliseconds time) override;
  int descriptor() override;

 private:
  // What a look at a file tells; all zero when it is not there.
  struct Stamp {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::uint64_t size = 0;
    std::int64_t mtime_ns = 0;
    bool operator==(const Stamp&) const = default;
  };
  struct File {
    std::string name;
    Stamp last;
  };
  struct WatchedFolder {
    std::string path;
    int notice = -1;  // inotify's number; -1 while it gives none
    std::vector<File> files;
  };

  static Stamp inspect(const std::string& folder, const std::string& name);
  void ask_for_notices(WatchedFolder& folder);
  void end_notices(int notice);
  bool read_notices();
  bool take(int notice, std::uint32_t what, const std::string& name);
  bool all_noticed() const;

  Means means_;
  Handle notices_;
  bool asked_ = false;  // whether inotify was asked for
  std::vector<WatchedFolder> folders_;
};

}  // namespace plankeep::system
