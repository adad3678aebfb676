#include "system/posix/posix_processes.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "system/posix/guarded_command.hpp"
#include "system/posix/pipe.hpp"
#include "system/posix/posix_handle.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX has no header for it

namespace plankeep::system {
namespace {

using base::ErrorKind;
using Steady = std::chrono::steady_clock;

// How long a process may take to end once it was told to.
constexpr std::chrono::milliseconds kGrace{200};
// How long one whose time is over may still say what nobody has listened to so far.
constexpr std::chrono::milliseconds kLastWords{1000};

int milliseconds_until(Steady::time_point deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Steady::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
}

// Waits for the end of the process until the deadline. False: it still runs.
bool wait_until(pid_t process, Steady::time_point deadline, int& status) {
  constexpr long kShortestNap = 50'000;  // ns
  constexpr long kLongestNap = 5'000'000;
  long nap = kShortestNap;
  for (;;) {
    const pid_t ended = ::waitpid(process, &status, WNOHANG);
    if (ended == process || (ended < 0 && errno != EINTR)) return true;
    if (Steady::now() >= deadline) return false;
    // It closed its output, so mostly it ends at once: short naps first.
    const struct timespec time { 0, nap };
    (void)::nanosleep(&time, nullptr);
    nap = std::min(2 * nap, kLongestNap);
  }
}

// posix_spawn takes char* for the sake of old programs and changes nothing.
std::vector<char*> pointers_to(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

std::string_view name_part(std::string_view variable) {
  return variable.substr(0, variable.find('='));
}

// Our variables with those of `run`. Empty: ours as they are.
std::vector<char*> variables_of(const Run& run) {
  if (run.variables.empty() && run.without.empty()) return {};
  std::vector<char*> variables = pointers_to(run.variables);
  variables.pop_back();
  for (char** ours = environ; ours != nullptr && *ours != nullptr; ++ours) {
    const std::string_view name = name_part(*ours);
    const bool dropped = std::find(run.without.begin(), run.without.end(), name) != run.without.end();
    const bool replaced = std::any_of(run.variables.begin(), run.variables.end(),
                                      [&](const std::string& other) { return name_part(other) == name; });
    if (!dropped && !replaced) variables.push_back(*ours);
  }
  variables.push_back(nullptr);
  return variables;
}

int spawn(const Run& run, const Pipe& in, const Pipe& out, const Pipe& errors, pid_t& process) {
  const std::vector<char*> words = pointers_to(run.words);
  const std::vector<char*> variables = variables_of(run);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.reading.get(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.writing.get(), STDOUT_FILENO);
  if (errors.writing.open()) {
    posix_spawn_file_actions_adddup2(&actions, errors.writing.get(), STDERR_FILENO);
  }
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t usual;
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);
  sigaddset(&usual, SIGXFSZ);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setpgroup(&attributes, 0);
  const short group = run.own_group ? POSIX_SPAWN_SETPGROUP : 0;
  posix_spawnattr_setflags(&attributes, static_cast<short>(POSIX_SPAWN_SETSIGDEF | group));
  const int failure = ::posix_spawnp(&process, words.front(), &actions, &attributes, words.data(),
                                     variables.empty() ? environ : variables.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failure;
}

// Takes what a pipe holds, at most as much as there is room for. False: nothing will come any more.
bool drain(Pipe& from, std::string& into, std::size_t limit, bool& cut) {
  std::array<char, 65536> buffer{};
  const ssize_t got = ::read(from.reading.get(), buffer.data(), buffer.size());
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return true;
  if (got <= 0) return false;
  const std::size_t room = limit - std::min(limit, into.size());
  cut = cut || static_cast<std::size_t>(got) > room;
  into.append(buffer.data(), std::min(room, static_cast<std::size_t>(got)));
  return true;
}

// Feeds and drains the process until it, and whoever has its output too, has closed that. False: the time is
// over. `unfed`: why it could not be given all of its input, other than that it did not want it.
bool talk(const Run& run, Pipe& in, Pipe& out, Pipe& errors, Steady::time_point deadline, Finished& finished,
          int& unfed) {
  (void)::fcntl(in.writing.get(), F_SETFL, O_NONBLOCK);
  std::string_view left = run.input;
  if (left.empty()) in.writing.close();
  bool errors_cut = false;
  while (out.reading.open() || errors.reading.open()) {
    // A negative descriptor is passed over.
    std::array<struct pollfd, 3> wanted{
        {{out.reading.get(), POLLIN, 0}, {errors.reading.get(), POLLIN, 0}, {in.writing.get(), POLLOUT, 0}}};
    const int ready = ::poll(wanted.data(), wanted.size(), milliseconds_until(deadline));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    if (in.writing.open() && wanted[2].revents != 0) {
      const ssize_t written = ::write(in.writing.get(), left.data(), left.size());
      const bool failed = written < 0 && errno != EAGAIN && errno != EINTR;
      // It need not read what it is given. But it must not take a part of it for the whole.
      if (failed && errno != EPIPE) unfed = errno;
      if (written > 0) left.remove_prefix(static_cast<std::size_t>(written));
      if (left.empty() || failed) in.writing.close();
    }
    if (wanted[0].revents != 0 && !drain(out, finished.output, run.output_limit, finished.cut))
      out.reading.close();
    if (wanted[1].revents != 0 && !drain(errors, finished.errors, kErrorLimit, errors_cut))
      errors.reading.close();
  }
  return true;
}

// What /proc/<number>/stat says, with the fields counted as in proc(5): 3 is the state, 4 the parent, 22 the
// start time.
class ProcessRecord {
 public:
  explicit ProcessRecord(std::int64_t process) {
    const Descriptor file(
        ::open(("/proc/" + std::to_string(process) + "/stat").c_str(), O_RDONLY | O_CLOEXEC));
    readable_ = file.open();
    if (!readable_) return;
    const ssize_t size = ::read(file.get(), buffer_.data(), buffer_.size());
    text_ = std::string_view(buffer_.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    // "pid (name) state ppid ..."; the name may hold anything.
    const std::size_t name_end = text_.rfind(')');
    text_.remove_prefix(name_end == std::string_view::npos ? text_.size() : name_end);
  }

  /// There is such a file at all.
  bool readable() const { return readable_; }
  /// Empty when the process ended while it was read.
  std::string_view field(int number) const {
    constexpr int kName = 2;
    std::size_t at = 0;
    for (int passed = kName; passed < number && at != std::string_view::npos; ++passed)
      at = text_.find(' ', at + 1);
    if (at == std::string_view::npos || at >= text_.size()) return {};
    return text_.substr(at + 1, text_.find(' ', at + 1) - at - 1);
  }

 private:
  std::array<char, 1024> buffer_{};
  std::string_view text_;
  bool readable_ = false;
};

constexpr int kState = 3;
constexpr int kParent = 4;
constexpr int kStartTime = 22;

// A program that was started, until its end.
class Child : public RunningProcess {
 public:
  explicit Child(Run run) : run_(std::move(run)) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() override {
    if (!running_) return;
    report(SIGTERM);
    int status = 0;
    end(status);
  }

  base::Status start() {
    if (!in_.make() || !out_.make() || (run_.keep_errors && !errors_.make()))
      return base::fail(process_error("cannot make a pipe", errno));
#if defined(F_SETPIPE_SZ)
    constexpr int kPipeSize = 1 << 20;  // pipe(7): what everybody may ask for
    (void)::fcntl(out_.writing.get(), F_SETPIPE_SZ, kPipeSize);
#endif
    const int failure = spawn(run_, in_, out_, errors_, process_);
    if (failure != 0) return base::fail(process_error("cannot run " + run_.words.front(), failure));
    running_ = true;
    deadline_ = Steady::now() + run_.timeout;
    in_.reading.close();
    out_.writing.close();
    errors_.writing.close();
    return {};
  }

  base::Result<Finished> finish() override {
    if (!running_) return base::fail(ErrorKind::internal, run_.words.front() + " was waited for before");
    Finished finished;
    // What it has to say beyond its pipe could not be said before: the time for that is not over yet.
    deadline_ = std::max(deadline_, Steady::now() + std::min(run_.timeout, kLastWords));
    int unfed = 0;
    const bool closed = talk(run_, in_, out_, errors_, deadline_, finished, unfed);
    in_.writing.close();
    int status = 0;
    const bool ended = wait_until(process_, deadline_, status);
    if (!closed || !ended) {
      finished.timed_out = true;
      report(SIGTERM);
    }
    if (!ended) end(status);
    running_ = false;
    finished.status =
        WIFEXITED(status) ? WEXITSTATUS(status) : 128 + (WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    if (unfed != 0) return base::fail(process_error("cannot write to " + run_.words.front(), unfed));
    return finished;
  }

 private:
  void report(int signal) const {
    (void)::kill(run_.own_group ? -process_ : process_, signal);
  }
  // It was told to.
  void end(int& status) const {
    if (wait_until(process_, Steady::now() + kGrace, status)) return;
    report(SIGKILL);
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
  }

  Run run_;
  Pipe in_;
  Pipe out_;
  Pipe errors_;
  pid_t process_ = 0;
  bool running_ = false;
  Steady::time_point deadline_;
};

}  // namespace

std::optional<std::string> PosixProcesses::identity(std::int64_t process) {
  if (process <= 0 || process > INT32_MAX) return std::nullopt;
  const ProcessRecord record(process);
  if (!record.readable()) {
    const bool there = ::kill(static_cast<pid_t>(process), 0) == 0 || errno == EPERM;
    return there ? std::optional(std::string()) : std::nullopt;
  }
  // One that has ended and was not waited for yet does nothing any more.
  const std::string_view state = record.field(kState);
  if (state.empty() || state == "Z" || state == "X") return std::nullopt;
  return std::to_string(process) + ":" + std::string(record.field(kStartTime));
}

std::vector<std::int64_t> PosixProcesses::ancestors() {
  constexpr std::size_t kMost = 64;
  std::vector<std::int64_t> found;
  std::int64_t process = ::getppid();
  while (process > 0 && found.size() < kMost) {
    found.push_back(process);
    const ProcessRecord record(process);
    const std::string_view parent = record.field(kParent);
    process = 0;
    (void)std::from_chars(parent.data(), parent.data() + parent.size(), process);
  }
  return found;
}

std::string PosixProcesses::host() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return {};
  std::string host(name.data());
  // namespaces(7): "pid:[4026531836]" is the first one of every machine (PROC_PID_INIT_INO).
  constexpr std::string_view kFirst = "pid:[4026531836]";
  std::array<char, 64> link{};
  const ssize_t size = ::readlink("/proc/self/ns/pid", link.data(), link.size());
  const std::string_view space(link.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  if (host.empty() || space.empty() || space == kFirst) return host;
  const std::size_t from = space.find('[');
  const std::size_t to = space.find(']');
  if (from == std::string_view::npos || to == std::string_view::npos || to < from) return host;
  return host + "/" + std::string(space.substr(from + 1, to - from - 1));
}

base::Result<std::unique_ptr<RunningProcess>> PosixProcesses::start(const Run& run) {
  if (run.words.empty()) return base::fail(ErrorKind::invalid_input, "no program to run");
  auto child = std::make_unique<Child>(run);
  TRY(child->start());
  return std::unique_ptr<RunningProcess>(std::move(child));
}

base::Result<Finished> PosixProcesses::run(const Run& run) {
  TRY_ASSIGN(const auto running, start(run));
  return running->finish();
}

namespace {

// A file without a name that holds these bytes, at its start; -1 where there can be none. Nobody has to wait
// until a reader has taken them, as with a pipe.
Handle file_in_memory(const std::string& bytes) {
#if defined(MFD_CLOEXEC)
  Handle file(::memfd_create("plankeep", MFD_CLOEXEC));
  if (file.get() < 0) return file;
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t wrote = ::write(file.get(), bytes.data() + at, bytes.size() - at);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return Handle();
    at += static_cast<std::size_t>(wrote);
  }
  if (::lseek(file.get(), 0, SEEK_SET) != 0) return Handle();
  return file;
#else
  (void)bytes;
  return Handle();
#endif
}

}  // namespace

base::Status PosixProcesses::start_detached(const Detached& program) {
  if (program.words.empty()) return base::fail(ErrorKind::invalid_input, "no program to run");
  const Handle input = program.input.empty() ? Handle() : file_in_memory(program.input);
  const std::vector<char*> words = pointers_to(program.words);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (input.get() >= 0) {
    posix_spawn_file_actions_adddup2(&actions, input.get(), STDIN_FILENO);
  } else {
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  }
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  // Ours are closed by the exec; what we were started with need not be, and somebody may wait for its end.
  short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID;
#if defined(__GLIBC__)
  posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
#elif defined(POSIX_SPAWN_CLOEXEC_DEFAULT)
  flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#endif
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t usual;
  sigemptyset(&usual);
  for (const int signal : {SIGPIPE, SIGXFSZ, SIGINT, SIGTERM, SIGHUP}) sigaddset(&usual, signal);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, flags);
  pid_t process = 0;
  const int failure = ::posix_spawn(&process, words.front(), &actions, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) return base::fail(process_error("cannot run " + program.words.front(), failure));
  left_behind_.push_back(process);
  return {};
}

void PosixProcesses::collect_ended() {
  std::erase_if(left_behind_, [](std::int64_t process) {
    return ::waitpid(static_cast<pid_t>(process), nullptr, WNOHANG) != 0;
  });
}

base::Result<Ended> PosixProcesses::run_command(const Command& command, CommandWatch& watch) {
  return run_guarded(command, watch);
}

}  // namespace plankeep::system
