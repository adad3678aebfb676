#include "system/posix/guarded_command.hpp"

#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "system/posix/interrupts.hpp"
#include "system/posix/pipe.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX has no header for it

namespace plankeep::system {
namespace {

using base::ErrorKind;
using Steady = std::chrono::steady_clock;

constexpr int kLookEvery = 100;          // ms between two questions whether to go on
constexpr long kShortestPause = 50'000;  // ns
constexpr long kLongestPause = 10'000'000;
constexpr int kMostAfterEnd = 256;  // readings of 64 KiB that one who never stops talking gets at the end

template <class Time>
std::chrono::milliseconds as_ms(Time time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time);
}

// Signals are all that may be done between fork and exec or _exit; so is this.
[[noreturn]] void guard(int waits_at, int grace) {
  // It is a member of the group that it ends.
  for (const int ignored : {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGTSTP, SIGTTOU, SIGTTIN, SIGPIPE})
    (void)::signal(ignored, SIG_IGN);
  // Who reads what we write must not wait for the guard.
  const int nothing = ::open("/dev/null", O_RDWR);
  for (const int ours : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) (void)::dup2(nothing, ours);
  char byte = 0;
  ssize_t got = 0;
  do {
    got = ::read(waits_at, &byte, 1);
  } while (got < 0 && errno == EINTR);
  if (got == 1) ::_exit(0);  // all is over and done with
  (void)::kill(-::getpid(), SIGTERM);
  (void)::poll(nullptr, 0, grace);
  (void)::kill(-::getpid(), SIGKILL);
  ::_exit(0);
}

class Group {
 public:
  ~Group() { dismiss(); }
  Group() = default;
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  base::Status make(std::chrono::milliseconds grace) {
    if (!leash_.make()) return base::fail(process_error("cannot make a pipe", errno));
    // The guard is a fork and must never run our signal handlers: one of them writes to a pipe that wakes up
    // this process as if it had received the signal. If a command ends very quickly, its group gets SIGTERM
    // before the guard has set SIGTERM to be ignored.
    const SignalsHeld held;
    guard_ = ::fork();
    if (guard_ < 0) return base::fail(process_error("cannot start a process", errno));
    if (guard_ == 0) {
      (void)::setpgid(0, 0);
      leash_.writing.close();
      guard(leash_.reading.get(), static_cast<int>(grace.count()));
    }
    // Both do it: whoever comes first, the group is there when fork's caller goes on.
    (void)::setpgid(guard_, guard_);
    leash_.reading.close();
    return {};
  }

  pid_t number() const { return guard_; }

  void signal(int which) const { (void)::kill(-guard_, which); }

  // The guard goes to our group, and still keeps watch: now nobody is left when there is nobody to signal.
  void let_guard_step_out() const { (void)::setpgid(guard_, ::getpgrp()); }
  bool anyone_left() const { return ::kill(-guard_, 0) == 0 || errno == EPERM; }

 private:
  // Leaves the rest of the group alone.
  void dismiss() {
    if (guard_ <= 0) return;
    const char byte = 1;
    (void)!::write(leash_.writing.get(), &byte, 1);
    leash_.writing.close();
    int status = 0;
    while (::waitpid(guard_, &status, 0) < 0 && errno == EINTR) {
    }
  }

  Pipe leash_;
  pid_t guard_ = 0;
};

int start(const Command& command, const Pipe& output, pid_t group, pid_t& process) {
  std::array<std::string, 3> words{"/bin/sh", "-c", command.line};
  std::array<char*, 4> pointers{words[0].data(), words[1].data(), words[2].data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output.writing.get(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output.writing.get(), STDERR_FILENO);
  posix_spawn_file_actions_addchdir_np(&actions, command.folder.c_str());
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t usual;
  sigemptyset(&usual);
  for (const int ours : {SIGPIPE, SIGXFSZ, SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&usual, ours);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setpgroup(&attributes, group);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  const int failure = ::posix_spawn(&process, pointers[0], &actions, &attributes, pointers.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failure;
}

// Whether the process has ended; it stays there to be waited for.
bool has_ended(pid_t process) {
  siginfo_t info{};
  const int failure = ::waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT);
  return failure == 0 ? info.si_pid == process : errno != EINTR;
}

// Hands on what the pipe holds. False: nothing will come any more.
bool hand_on(Pipe& output, CommandWatch& watch) {
  std::array<char, 65536> buffer{};
  const ssize_t got = ::read(output.reading.get(), buffer.data(), buffer.size());
  if (got < 0) return errno == EINTR || errno == EAGAIN;
  if (got == 0) return false;
  watch.said(std::string_view(buffer.data(), static_cast<std::size_t>(got)));
  return true;
}

class Running {
 public:
  Running(const Command& command, CommandWatch& watch, const Group& group, Pipe& output, pid_t process)
      : command_(command), watch_(watch), group_(group), output_(output), process_(process) {}

  Ended finish() {
    Ended ended;
    while (!has_ended(process_)) {
      const auto elapsed = as_ms(Steady::now() - began_);
      ended.timed_out = elapsed >= command_.timeout;
      ended.interrupted = !ended.timed_out && !watch_.go_on(elapsed);
      if (ended.timed_out || ended.interrupted) break;
      listen(std::min(std::chrono::milliseconds(kLookEvery), command_.timeout - elapsed));
    }
    ended.duration = as_ms(Steady::now() - began_);
    const int status = end_group();
    ended.status =
        WIFEXITED(status) ? WEXITSTATUS(status) : kSignalled + (WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    return ended;
  }

 private:
  // Until something is said, the time is over, or a signal comes.
  void listen(std::chrono::milliseconds time) {
    struct pollfd wanted {
      output_.reading.get(), POLLIN, 0
    };
    if (!output_.reading.open()) return nap();
    if (::poll(&wanted, 1, static_cast<int>(time.count())) > 0 && !hand_on(output_, watch_))
      output_.reading.close();
  }

  // Nobody waits for more: what holds the output open may be anything.
  void take_what_is_there() {
    if (!output_.reading.open()) return;
    (void)::fcntl(output_.reading.get(), F_SETFL, O_NONBLOCK);
    for (;;) {
      struct pollfd wanted {
        output_.reading.get(), POLLIN, 0
      };
      if (taken_ >= kMostAfterEnd || ::poll(&wanted, 1, 0) <= 0) return;
      ++taken_;
      if (!hand_on(output_, watch_)) {
        output_.reading.close();
        return;
      }
    }
  }

  // Ends the shell, if that is still there, and whatever it left. Gives the shell's status.
  int end_group() {
    take_what_is_there();
    group_.signal(SIGTERM);
    const auto end = Steady::now() + command_.grace;
    while (!has_ended(process_) && Steady::now() < end) pause();
    if (!has_ended(process_)) group_.signal(SIGKILL);  // the guard too, which is not needed any more
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    group_.let_guard_step_out();
    while (group_.anyone_left() && Steady::now() < end) pause();
    if (group_.anyone_left()) group_.signal(SIGKILL);
    take_what_is_there();
    return status;
  }

  void pause() {
    take_what_is_there();
    nap();
  }

  // An end that nothing announces comes at once (a process closes its files, then it has ended) or in its own
  // time: short naps first.
  void nap() {
    const struct timespec time { 0, nap_ };
    (void)::nanosleep(&time, nullptr);
    nap_ = std::min(2 * nap_, kLongestPause);
  }

  const Command& command_;
  CommandWatch& watch_;
  const Group& group_;
  Pipe& output_;
  pid_t process_;
  Steady::time_point began_ = Steady::now();
  int taken_ = 0;
  long nap_ = kShortestPause;
};

}  // namespace

base::Result<Ended> run_guarded(const Command& command, CommandWatch& watch) {
  if (command.line.find('\0') != std::string::npos)
    return base::fail(ErrorKind::invalid_input, "a command line cannot hold a zero byte");
  Group group;
  TRY(group.make(command.grace));
  Pipe output;
  if (!output.make()) return base::fail(process_error("cannot make a pipe", errno));
  pid_t process = 0;
  const int failure = start(command, output, group.number(), process);
  if (failure != 0) {
    return base::fail(process_error("cannot run /bin/sh in " + command.folder, failure));
  }
  output.writing.close();
  return Running(command, watch, group, output, process).finish();
}

}  // namespace plankeep::system
