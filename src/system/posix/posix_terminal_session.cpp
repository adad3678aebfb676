#include "system/posix/posix_terminal_session.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "system/posix/posix_terminal.hpp"
#include "system/processes.hpp"

namespace plankeep::system {
namespace {

constexpr std::size_t kLongestFarewell = 1024;
constexpr std::array kEnding{SIGINT, SIGTERM, SIGHUP, SIGQUIT};
constexpr std::array kNoticed{SIGWINCH, SIGTSTP, SIGCONT};
constexpr std::array kCrashes{SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
constexpr std::size_t kSignals = kEnding.size() + kNoticed.size() + kCrashes.size();

// What the handlers read and write: lock-free, or written before they are installed.
std::atomic<int> end_signal{0};
std::atomic<bool> was_resized{false};
std::atomic<bool> wants_stop{false};
std::atomic<bool> was_resumed{false};
std::atomic<int> wake_up{-1};
std::atomic<bool> has_modes{false};
termios modes_before{};
std::array<char, kLongestFarewell> farewell{};
std::atomic<std::size_t> farewell_size{0};

// A stack that overflowed has no room for its own handler.
std::array<char, 65536> crash_stack{};

struct Before {
  int signal = 0;
  struct sigaction action {};
};
std::array<Before, kSignals> actions_before{};
std::size_t former_actions = 0;

// Calls nothing that a signal handler may not.
void put_right() {
  std::size_t done = 0;
  const std::size_t size = farewell_size.load();
  while (done < size) {
    const ssize_t written = ::write(STDOUT_FILENO, farewell.data() + done, size - done);
    if (written <= 0) break;
    done += static_cast<std::size_t>(written);
  }
  if (has_modes.load()) (void)::tcsetattr(STDIN_FILENO, TCSANOW, &modes_before);
}

void wake() {
  // Full: then it is readable already.
  if (const int pipe = wake_up.load(); pipe >= 0 && ::write(pipe, "", 1) < 0) errno = 0;
}

extern "C" void note_end(int signal) {
  const int saved_errno = errno;
  int none = 0;
  // A terminal that is closed may send SIGHUP twice, the kernel and the shell: that is no second demand.
  if (!end_signal.compare_exchange_strong(none, signal) && signal != SIGHUP) {
    put_right();
    ::_exit(kSignalled + signal);
  }
  wake();
  errno = saved_errno;
}

extern "C" void note(int signal) {
  const int saved_errno = errno;
  if (signal == SIGWINCH) was_resized = true;
  if (signal == SIGTSTP) wants_stop = true;
  if (signal == SIGCONT) was_resumed = true;
  wake();
  errno = saved_errno;
}

extern "C" void crash(int signal) {
  put_right();
  (void)::signal(signal, SIG_DFL);
  (void)::raise(signal);
}

void install(int signal, void (*handler)(int), int flags) {
  struct sigaction before {};
  if (::sigaction(signal, nullptr, &before) != 0) return;
  // Who started us with it ignored (nohup) means that.
  if (before.sa_handler == SIG_IGN) return;
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  if (::sigaction(signal, &action, nullptr) == 0) actions_before[former_actions++] = {signal, before};
}

void install_all() {
  stack_t stack{};
  stack.ss_sp = crash_stack.data();
  stack.ss_size = crash_stack.size();
  (void)::sigaltstack(&stack, nullptr);
  for (const int signal : kEnding) install(signal, note_end, SA_RESTART);
  for (const int signal : kNoticed) install(signal, note, SA_RESTART);
  for (const int signal : kCrashes) install(signal, crash, static_cast<int>(SA_ONSTACK | SA_NODEFER));
}

void uninstall_all() {
  while (former_actions > 0) {
    const Before& before = actions_before[--former_actions];
    (void)::sigaction(before.signal, &before.action, nullptr);
  }
}

}  // namespace

PosixTerminalSession::~PosixTerminalSession() {
  close();
}

base::Status PosixTerminalSession::open() {
  if (open_) return {};
  if (::isatty(STDIN_FILENO) != 1 || ::isatty(STDOUT_FILENO) != 1 ||
      ::tcgetattr(STDIN_FILENO, &modes_before) != 0) {
    return base::fail(base::ErrorKind::not_found, "standard input and output are not a terminal");
  }
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
    return base::fail(base::ErrorKind::io, std::string("cannot make a pipe: ") + std::strerror(errno));
  }
  woken_ = Handle(ends[0]);
  waking_ = Handle(ends[1]);
  end_signal = 0;
  was_resized = false;
  wants_stop = false;
  was_resumed = false;
  farewell_size = 0;
  wake_up = waking_.get();
  has_modes = true;
  install_all();
  open_ = true;
  return {};
}

void PosixTerminalSession::close() {
  if (!open_) return;
  open_ = false;
  farewell_size = 0;
  (void)::tcsetattr(STDIN_FILENO, TCSADRAIN, &modes_before);
  has_modes = false;
  uninstall_all();
  wake_up = -1;
  woken_ = Handle();
  waking_ = Handle();
}

void PosixTerminalSession::set_farewell(const std::string& bytes) {
  farewell_size = 0;
  if (bytes.size() > farewell.size()) return;
  std::copy(bytes.begin(), bytes.end(), farewell.begin());
  farewell_size = bytes.size();
}

void PosixTerminalSession::read_single_keys() {
  termios modes = modes_before;
  modes.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  modes.c_cc[VMIN] = 1;
  modes.c_cc[VTIME] = 0;
  (void)::tcsetattr(STDIN_FILENO, TCSANOW, &modes);
}

std::string PosixTerminalSession::read_keys() {
  std::array<char, 256> buffer{};
  struct pollfd input {
    STDIN_FILENO, POLLIN, 0
  };
  if (::poll(&input, 1, 0) <= 0 || (input.revents & POLLIN) == 0) return {};
  const ssize_t got = ::read(STDIN_FILENO, buffer.data(), buffer.size());
  return got > 0 ? std::string(buffer.data(), static_cast<std::size_t>(got)) : std::string();
}

std::optional<TerminalSession::Woken> PosixTerminalSession::signalled() {
  if (end_signal != 0) return Woken::end;
  if (wants_stop.exchange(false)) return Woken::stop;
  if (was_resized.exchange(false)) return Woken::resized;
  if (was_resumed.exchange(false)) return Woken::resumed;
  return std::nullopt;
}

// A terminal that went away is readable for ever and gives nothing.
std::optional<TerminalSession::Woken> PosixTerminalSession::keyboard(int events) {
  if (events == 0) return std::nullopt;
  int waiting = 0;
  const bool readable =
      (events & POLLIN) != 0 && ::ioctl(STDIN_FILENO, FIONREAD, &waiting) == 0 && waiting > 0;
  if (readable) return Woken::keys;
  int none = 0;
  end_signal.compare_exchange_strong(none, SIGHUP);
  return Woken::end;
}

TerminalSession::Woken PosixTerminalSession::wait(std::optional<std::chrono::milliseconds> time,
                                                  FileWatch* watch) {
  using SteadyClock = std::chrono::steady_clock;
  using std::chrono::milliseconds;
  const auto end = SteadyClock::now() + time.value_or(milliseconds::zero());
  for (;;) {
    if (const auto woken = signalled()) return *woken;
    if (watch != nullptr && watch->changed()) return Woken::files;
    const int notices = watch != nullptr ? watch->descriptor() : -1;
    std::optional<milliseconds> left;
    if (time) {
      left = std::chrono::ceil<milliseconds>(end - SteadyClock::now());
      if (*left <= milliseconds::zero()) return Woken::time;
    }
    if (watch != nullptr && notices < 0)
      left = std::min(left.value_or(FileWatch::kLookAgain), FileWatch::kLookAgain);
    std::array<struct pollfd, 3> all{
        {{STDIN_FILENO, POLLIN, 0}, {woken_.get(), POLLIN, 0}, {notices, POLLIN, 0}}};
    const int seen = ::poll(all.data(), all.size(), left ? static_cast<int>(left->count()) : -1);
    if (seen <= 0) continue;
    if (all[1].revents != 0) {
      std::array<char, 64> bytes{};
      while (::read(woken_.get(), bytes.data(), bytes.size()) > 0) {
      }
      continue;
    }
    if (const auto woken = keyboard(all[0].revents)) return *woken;
  }
}

bool PosixTerminalSession::ending() const {
  return end_signal != 0;
}

int PosixTerminalSession::ending_signal() const {
  return end_signal;
}

void PosixTerminalSession::stop() {
  termios modes{};
  const bool known = ::tcgetattr(STDIN_FILENO, &modes) == 0;
  (void)::tcsetattr(STDIN_FILENO, TCSADRAIN, &modes_before);
  struct sigaction usual {};
  usual.sa_handler = SIG_DFL;
  struct sigaction ours {};
  (void)::sigaction(SIGTSTP, &usual, &ours);
  (void)::raise(SIGTSTP);
  // Here it goes on.
  (void)::sigaction(SIGTSTP, &ours, nullptr);
  was_resumed = false;  // the caller knows
  if (known) (void)::tcsetattr(STDIN_FILENO, TCSADRAIN, &modes);
}

Terminal PosixTerminalSession::size() const {
  Terminal terminal = standard_output(environment_);
  // The window goes before COLUMNS and LINES: they do not follow it.
  take_window_size(terminal);
  return terminal;
}

}  // namespace plankeep::system
