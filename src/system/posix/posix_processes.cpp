#include "system/posix/posix_processes.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX has no header for it

namespace plankeep::system {
namespace {

using base::ErrorKind;
using Clock = std::chrono::steady_clock;

// How long a process may take to end once it was told to.
constexpr std::chrono::milliseconds kGrace{200};

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return number_; }
  bool open() const { return number_ >= 0; }
  void set(int number) {
    close();
    number_ = number;
  }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

struct Pipe {
  Descriptor reading;
  Descriptor writing;
  bool make() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
    reading.set(ends[0]);
    writing.set(ends[1]);
    return true;
  }
};

base::Error failed(const std::string& what, int number) {
  const ErrorKind kind = number == ENOENT ? ErrorKind::not_found : ErrorKind::io;
  return {kind, what + ": " + std::strerror(number), {}, {}};
}

int milliseconds_until(Clock::time_point deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
}

// Waits for the end of the process until the deadline. False: it still runs.
bool wait_until(pid_t process, Clock::time_point deadline, int& status) {
  for (;;) {
    const pid_t ended = ::waitpid(process, &status, WNOHANG);
    if (ended == process || (ended < 0 && errno != EINTR)) return true;
    if (Clock::now() >= deadline) return false;
    (void)::poll(nullptr, 0, 2);
  }
}

// A group of its own, so that what it starts can be ended with it.
int start(const Run& run, const Pipe& in, const Pipe& out, pid_t& process) {
  std::vector<char*> words;
  words.reserve(run.words.size() + 1);
  // posix_spawn takes char* for the sake of old programs and changes nothing.
  for (const std::string& word : run.words) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.reading.get(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.writing.get(), STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t usual;
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  const int failure = ::posix_spawnp(&process, words.front(), &actions, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failure;
}

// Feeds and drains the process until it, and whoever has its output too, has closed that. False: the time is
// over.
bool talk(const Run& run, Pipe& in, Pipe& out, Clock::time_point deadline, Finished& finished) {
  (void)::fcntl(in.writing.get(), F_SETFL, O_NONBLOCK);
  std::string_view left = run.input;
  if (left.empty()) in.writing.close();
  std::array<char, 16384> buffer{};
  while (out.reading.open()) {
    std::array<struct pollfd, 2> wanted{{{out.reading.get(), POLLIN, 0}, {in.writing.get(), POLLOUT, 0}}};
    const int ready = ::poll(wanted.data(), in.writing.open() ? 2 : 1, milliseconds_until(deadline));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    if (in.writing.open() && wanted[1].revents != 0) {
      const ssize_t written = ::write(in.writing.get(), left.data(), left.size());
      if (written > 0) left.remove_prefix(static_cast<std::size_t>(written));
      // It need not read what it is given.
      if (left.empty() || (written < 0 && errno != EAGAIN && errno != EINTR)) in.writing.close();
    }
    if (wanted[0].revents == 0) continue;
    const ssize_t got = ::read(out.reading.get(), buffer.data(), buffer.size());
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) return true;
    const std::size_t room = run.output_limit - std::min(run.output_limit, finished.output.size());
    finished.output.append(buffer.data(), std::min(room, static_cast<std::size_t>(got)));
  }
  return true;
}

}  // namespace

std::optional<std::string> PosixProcesses::identity(std::int64_t process) {
  if (process <= 0 || process > INT32_MAX) return std::nullopt;
  const std::string number = std::to_string(process);
  const Descriptor file(::open(("/proc/" + number + "/stat").c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.open()) {
    const bool there = ::kill(static_cast<pid_t>(process), 0) == 0 || errno == EPERM;
    return there ? std::optional(std::string()) : std::nullopt;
  }
  std::array<char, 1024> buffer{};
  const ssize_t size = ::read(file.get(), buffer.data(), buffer.size());
  if (size <= 0) return std::nullopt;
  const std::string_view text(buffer.data(), static_cast<std::size_t>(size));
  // proc(5): "pid (name) state ppid ..."; the name may hold anything, the start time is the 22nd field.
  std::size_t at = text.rfind(')');
  if (at == std::string_view::npos) return std::string();
  constexpr int kFieldsBefore = 20;  // from the one behind the name to the start time
  for (int field = 0; field < kFieldsBefore && at != std::string_view::npos; ++field)
    at = text.find(' ', at + 1);
  if (at == std::string_view::npos) return std::string();
  const std::size_t end = text.find(' ', at + 1);
  return number + ":" + std::string(text.substr(at + 1, end - at - 1));
}

base::Result<Finished> PosixProcesses::run(const Run& run) {
  if (run.words.empty()) return base::fail(ErrorKind::invalid_input, "no program to run");
  Pipe in;
  Pipe out;
  if (!in.make() || !out.make()) return base::fail(failed("cannot make a pipe", errno));
  pid_t process = 0;
  const int failure = start(run, in, out, process);
  if (failure != 0) return base::fail(failed("cannot run " + run.words.front(), failure));
  in.reading.close();
  out.writing.close();

  Finished finished;
  const Clock::time_point deadline = Clock::now() + run.patience;
  const bool closed = talk(run, in, out, deadline, finished);
  in.writing.close();
  int status = 0;
  const bool ended = wait_until(process, deadline, status);
  if (!closed || !ended) {
    finished.timed_out = true;
    (void)::kill(-process, SIGTERM);
  }
  if (!ended) {
    if (!wait_until(process, Clock::now() + kGrace, status)) {
      (void)::kill(-process, SIGKILL);
      while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
      }
    }
  }
  finished.status =
      WIFEXITED(status) ? WEXITSTATUS(status) : 128 + (WIFSIGNALED(status) ? WTERMSIG(status) : 0);
  return finished;
}

}  // namespace plankeep::system
