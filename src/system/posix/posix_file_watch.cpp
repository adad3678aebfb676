#include "system/posix/posix_file_watch.hpp"

#include <poll.h>
#include <sys/stat.h>

#ifdef __linux__
#include <sys/inotify.h>
#endif

#include <algorithm>
#include <cstring>

#include "system/posix/posix_folder.hpp"

namespace plankeep::system {

namespace {

std::string joined(const std::string& folder, const std::string& name) {
  return folder == "/" ? "/" + name : folder + "/" + name;
}

}  // namespace

PosixFileWatch::Stamp PosixFileWatch::inspect(const std::string& folder, const std::string& name) {
  struct stat status {};
  if (::stat(joined(folder, name).c_str(), &status) != 0) return {};
  const FileInfo info = to_file_info(status);
  return {static_cast<std::uint64_t>(status.st_dev), info.inode, info.size, info.mtime_ns};
}

base::Status PosixFileWatch::add(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (path.empty() || path.front() != '/' || path.find('\0') != std::string::npos)
    return base::fail(base::ErrorKind::invalid_input, "\"" + path + "\" is not an absolute path");
  const std::string folder = slash == 0 ? "/" : path.substr(0, slash);
  const std::string name = path.substr(slash + 1);
  TRY(check_component(folder, name));

  auto place = std::find_if(folders_.begin(), folders_.end(),
                            [&folder](const WatchedFolder& watched) { return watched.path == folder; });
  if (place == folders_.end()) {
    folders_.push_back({folder, -1, {}});
    place = folders_.end() - 1;
    ask_for_notices(*place);
  }
  const bool known = std::any_of(place->files.begin(), place->files.end(),
                                 [&name](const File& file) { return file.name == name; });
  // After asking for notices: what happens from here on is seen by one of the two.
  if (!known) place->files.push_back({name, inspect(folder, name)});
  return {};
}

void PosixFileWatch::remove(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return;
  const std::string folder = slash == 0 ? "/" : path.substr(0, slash);
  const auto place = std::find_if(folders_.begin(), folders_.end(),
                                  [&folder](const WatchedFolder& watched) { return watched.path == folder; });
  if (place == folders_.end()) return;
  const std::string name = path.substr(slash + 1);
  place->files.erase(std::remove_if(place->files.begin(), place->files.end(),
                                    [&name](const File& file) { return file.name == name; }),
                     place->files.end());
  if (!place->files.empty()) return;
  const int notice = place->notice;
  folders_.erase(place);
  if (notice >= 0) end_notices(notice);
}

bool PosixFileWatch::all_noticed() const {
  return std::all_of(folders_.begin(), folders_.end(),
                     [](const WatchedFolder& folder) { return folder.notice >= 0; });
}

bool PosixFileWatch::changed() {
  bool changed = read_notices();
  for (WatchedFolder& folder : folders_) {
    if (folder.notice < 0) ask_for_notices(folder);
    for (File& file : folder.files) {
      const Stamp now = inspect(folder.path, file.name);
      if (now == file.last) continue;
      file.last = now;
      changed = true;
    }
  }
  return changed;
}

int PosixFileWatch::descriptor() {
  return all_noticed() ? notices_.get() : -1;
}

bool PosixFileWatch::wait(std::chrono::milliseconds time) {
  using SteadyClock = std::chrono::steady_clock;
  const auto end = SteadyClock::now() + time;
  for (;;) {
    if (changed()) return true;
    auto left = std::chrono::ceil<std::chrono::milliseconds>(end - SteadyClock::now());
    if (left <= std::chrono::milliseconds::zero()) return false;
    struct pollfd notices {
      descriptor(), POLLIN, 0
    };
    if (notices.fd < 0) left = std::min(left, kLookAgain);
    // A negative descriptor is passed over: then this only sleeps.
    if (::poll(&notices, 1,
               static_cast<int>(std::min<std::chrono::milliseconds::rep>(left.count(), 3'600'000))) < 0) {
      return changed();
    }
  }
}

#ifdef __linux__

void PosixFileWatch::ask_for_notices(WatchedFolder& folder) {
  if (means_ == Means::looks) return;
  if (!asked_) {
    asked_ = true;
    notices_ = Handle(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  }
  if (!notices_) return;
  constexpr std::uint32_t kWanted = IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE |
                                    IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;
  folder.notice = ::inotify_add_watch(notices_.get(), folder.path.c_str(), kWanted);
}

// Two paths to one folder share a number: it is given back with the last of them.
void PosixFileWatch::end_notices(int notice) {
  const bool shared = std::any_of(folders_.begin(), folders_.end(),
                                  [notice](const WatchedFolder& folder) { return folder.notice == notice; });
  if (!shared) (void)::inotify_rm_watch(notices_.get(), notice);
}

// Whether one of the notices that have come is about a file that counts.
bool PosixFileWatch::read_notices() {
  bool changed = false;
  alignas(inotify_event) char buffer[4096];
  while (notices_) {
    const ssize_t got = uninterrupted([&] { return ::read(notices_.get(), buffer, sizeof buffer); });
    if (got <= 0) break;
    for (std::size_t at = 0; at + sizeof(inotify_event) <= static_cast<std::size_t>(got);) {
      inotify_event event{};
      std::memcpy(&event, buffer + at, sizeof event);
      const char* name = buffer + at + sizeof event;
      if (take(event.wd, event.mask, std::string(name, ::strnlen(name, event.len)))) changed = true;
      at += sizeof event + event.len;
    }
  }
  return changed;
}

bool PosixFileWatch::take(int notice, std::uint32_t what, const std::string& name) {
  if ((what & IN_Q_OVERFLOW) != 0) return true;
  bool changed = false;
  // Two paths to one folder share a number.
  for (WatchedFolder& folder : folders_) {
    if (folder.notice != notice) continue;
    if ((what & (IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT)) != 0) {
      // The path leads elsewhere or nowhere now. It is asked for anew by changed(), and the files looked at.
      if ((what & IN_MOVE_SELF) != 0) (void)::inotify_rm_watch(notices_.get(), notice);
      folder.notice = -1;
      changed = true;
      continue;
    }
    if (std::any_of(folder.files.begin(), folder.files.end(),
                    [&name](const File& file) { return file.name == name; })) {
      changed = true;
    }
  }
  return changed;
}

#else

void PosixFileWatch::ask_for_notices(WatchedFolder&) {}

void PosixFileWatch::end_notices(int) {}

bool PosixFileWatch::read_notices() {
  return false;
}

bool PosixFileWatch::take(int, std::uint32_t, const std::string&) {
  return false;
}

#endif

}  // namespace plankeep::system
