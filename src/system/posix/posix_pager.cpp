#include "system/posix/posix_pager.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <vector>

#include "system/posix/posix_handle.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX has no header for it

namespace plankeep::system {
namespace {

// What a shell says of a command that it cannot run.
constexpr int kCannotRun = 126;
constexpr int kNotFound = 127;

// Ignores the keyboard's signals while somebody else handles them.
class IgnoredSignals {
 public:
  IgnoredSignals() {
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    for (std::size_t i = 0; i < kSignals.size(); ++i) (void)::sigaction(kSignals[i], &ignore, &before_[i]);
  }
  ~IgnoredSignals() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) (void)::sigaction(kSignals[i], &before_[i], nullptr);
  }
  IgnoredSignals(const IgnoredSignals&) = delete;
  IgnoredSignals& operator=(const IgnoredSignals&) = delete;

 private:
  static constexpr std::array kSignals{SIGINT, SIGQUIT};
  std::array<struct sigaction, kSignals.size()> before_{};
};

std::vector<std::string> words_of(const std::string& pager) {
  // The characters with which git asks the shell.
  if (pager.find_first_of("|&;<>()$`\\\"' \t\n*?[#~=%") == std::string::npos) return {pager};
  return {"/bin/sh", "-c", pager};
}

std::vector<std::string> variables_for(const Environment& environment) {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) variables.emplace_back(*variable);
  if (!environment.variable("LESS")) variables.emplace_back("LESS=FRX");
  if (!environment.variable("LV")) variables.emplace_back("LV=-c");
  return variables;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> all;
  all.reserve(words.size() + 1);
  for (std::string& word : words) all.push_back(word.data());
  all.push_back(nullptr);
  return all;
}

bool start(const std::string& pager, const Environment& environment, int input, pid_t& process) {
  std::vector<std::string> words = words_of(pager);
  std::vector<std::string> variables = variables_for(environment);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t usual;
  sigemptyset(&usual);
  for (const int signal : {SIGINT, SIGQUIT, SIGPIPE, SIGXFSZ}) sigaddset(&usual, signal);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  const int failure = ::posix_spawnp(&process, words.front().c_str(), &actions, &attributes,
                                     pointers(words).data(), pointers(variables).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failure == 0;
}

// A reader that has seen enough is no failure.
void feed(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = uninterrupted([&] { return ::write(descriptor, text.data(), text.size()); });
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

bool show_in_pager(std::string_view text, const Environment& environment) {
  const std::string pager = environment.variable("PAGER").value_or("less");
  if (pager.empty() || pager == "cat") return false;
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
  Handle reading(ends[0]);
  Handle writing(ends[1]);
  const IgnoredSignals ignored;
  pid_t process = 0;
  if (!start(pager, environment, reading.get(), process)) return false;
  reading = Handle();
  feed(writing.get(), text);
  writing = Handle();
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return !(WIFEXITED(status) && (WEXITSTATUS(status) == kCannotRun || WEXITSTATUS(status) == kNotFound));
}

}  // namespace plankeep::system
