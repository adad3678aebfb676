// plankeep, the program: makes the real world (files, clock, environment, terminal), looks at argv[1] and
// runs that command. Nothing else is built up first: start-up is most of what a hook costs.

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "cli/program.hpp"
#include "cli/progress_line.hpp"
#include "cli/terminal_style.hpp"
#include "markdown/huge_page_hint.hpp"
#include "system/posix/interrupts.hpp"
#include "system/posix/posix_clock.hpp"
#include "system/posix/posix_environment.hpp"
#include "system/posix/posix_file_system.hpp"
#include "system/posix/posix_file_watch.hpp"
#include "system/posix/posix_memory.hpp"
#include "system/posix/posix_pager.hpp"
#include "system/posix/posix_processes.hpp"
#include "system/posix/posix_terminal.hpp"
#include "system/posix/posix_terminal_session.hpp"

namespace {

using plankeep::cli::ExitCode;

volatile std::sig_atomic_t was_interrupted = 0;
// Written to by the handler, so that a poll that is about to begin ends too; -1 until somebody wants that.
volatile std::sig_atomic_t wake_up = -1;

extern "C" void interrupt(int /*signal*/) {
  const int saved_errno = errno;
  was_interrupted = 1;
  // Full: then it is readable already.
  if (wake_up >= 0 && ::write(wake_up, "", 1) < 0) errno = 0;
  errno = saved_errno;
}

// Nothing else may be called here: the signal comes in the middle of anything.
extern "C" void end_late_hook(int /*signal*/) {
  constexpr std::string_view complaint =
      "plankeep: hook: gave up: the client's time limit for hooks is nearly reached; the next call continues "
      "from here\n";
  const ssize_t written = ::write(STDERR_FILENO, complaint.data(), complaint.size());
  (void)written;  // nobody reads it: then nobody needs to be told
  _exit(0);
}

class PosixConsole : public plankeep::cli::Console {
 public:
  explicit PosixConsole(const plankeep::system::Environment& environment) : environment_(environment) {}

  bool write(std::string_view text) override {
    if (!output_works_) return false;
    progress_.clear();
    const int failure = write_all(STDOUT_FILENO, text);
    if (failure == 0) return true;
    output_works_ = false;
    // A reader that has seen enough (head) is no failure; a full disk is.
    failed_ = failure != EPIPE;
    if (failed_) {
      write_error("plankeep: error: cannot write to standard output: " + std::string(std::strerror(failure)) +
                  "\n");
    }
    return false;
  }

  bool page(std::string_view text) override {
    return plankeep::system::show_in_pager(text, environment_) || write(text);
  }

  void write_error(std::string_view text) override {
    progress_.clear();
    (void)write_all(STDERR_FILENO, text);
  }

  plankeep::system::Progress& progress() { return progress_; }

  std::string read(std::size_t count, std::chrono::milliseconds timeout, bool& gave_up) override {
    if (::isatty(STDIN_FILENO) == 1) return {};
    std::string bytes(count, '\0');
    for (;;) {
      struct pollfd input {
        STDIN_FILENO, POLLIN, 0
      };
      const int ready = ::poll(&input, 1, static_cast<int>(timeout.count()));
      if (ready < 0 && errno == EINTR) continue;
      gave_up = ready == 0;
      const ssize_t got = ready > 0 ? ::read(STDIN_FILENO, bytes.data(), bytes.size()) : 0;
      if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
      return bytes;
    }
  }

  std::string await(std::size_t count) override {
    serving_ = true;
    catch_interrupts();
    if (wake_up < 0 && !open_wake_up()) return {};
    std::string bytes(count, '\0');
    for (;;) {
      if (was_interrupted != 0 || !output_works_) return {};
      // No events of the output are asked for: poll still tells when the reader of a pipe is gone.
      std::array<struct pollfd, 3> all{
          {{STDIN_FILENO, POLLIN, 0}, {wakened_, POLLIN, 0}, {STDOUT_FILENO, 0, 0}}};
      if (::poll(all.data(), all.size(), -1) < 0) {
        if (errno == EINTR) continue;
        return {};
      }
      // What was said before the reader left is done all the same.
      const bool nobody_reads = all[2].revents != 0;
      if (all[1].revents != 0 || (all[0].revents == 0 && nobody_reads)) return {};
      if (all[0].revents == 0) continue;
      const ssize_t got = ::read(STDIN_FILENO, bytes.data(), bytes.size());
      if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
      return bytes;
    }
  }

  bool wait(std::chrono::milliseconds time, plankeep::system::FileWatch* watch) override {
    // The handlers catch once only, so they are set here, by the one command that waits.
    catch_interrupts();
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + time;
    for (;;) {
      if (was_interrupted != 0 || !output_works_) return false;
      if (watch != nullptr && watch->changed()) return true;
      auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
      if (left <= std::chrono::milliseconds::zero()) return true;
      // No events of the output are asked for: poll still tells when the reader of a pipe is gone. A negative
      // descriptor is passed over.
      const int notices = watch != nullptr ? watch->descriptor() : -1;
      if (watch != nullptr && notices < 0) left = std::min(left, plankeep::system::FileWatch::kLookAgain);
      std::array<struct pollfd, 2> both{{{STDOUT_FILENO, 0, 0}, {notices, POLLIN, 0}}};
      const int seen = ::poll(both.data(), both.size(), static_cast<int>(left.count()));
      if (seen > 0 && (both[0].revents & (POLLERR | POLLHUP | POLLNVAL)) != 0) return false;
    }
  }

  bool can_ask() const override { return ::isatty(STDIN_FILENO) == 1 && ::isatty(STDERR_FILENO) == 1; }

  std::string ask(std::string_view question) override {
    if (!can_ask() || interrupted()) return {};
    write_error(question);
    std::string line;
    constexpr std::size_t kLongest = 1000;
    while (line.size() < kLongest) {
      char next = 0;
      const ssize_t got = ::read(STDIN_FILENO, &next, 1);
      if (got < 0 && errno == EINTR && !interrupted()) continue;
      if (got <= 0) {
        write_error("\n");
        return {};
      }
      if (next == '\n') return line;
      line.push_back(next);
    }
    return {};
  }

  bool interrupted() override {
    catch_interrupts();
    return was_interrupted != 0;
  }

  bool failed() const { return failed_; }

 private:
  // Signals are for the thread that does the work.
  static void start_without_signals(std::function<void()> work) {
    const plankeep::system::SignalsHeld held;
    std::thread(std::move(work)).detach();
  }

  static void draw(std::string_view text) { (void)!::write(STDERR_FILENO, text.data(), text.size()); }

  int write_all(int descriptor, std::string_view text) const {
    while (!text.empty()) {
      const ssize_t written = ::write(descriptor, text.data(), text.size());
      // A client that neither reads nor goes away is left when somebody asks us to end.
      if (written < 0 && errno == EINTR && serving_ && was_interrupted != 0) return EPIPE;
      if (written < 0 && errno == EINTR) continue;
      if (written < 0 && errno == EAGAIN) {
        struct pollfd output {
          descriptor, POLLOUT, 0
        };
        (void)::poll(&output, 1, -1);
        continue;
      }
      if (written < 0) return errno;
      text.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
  }

  void catch_interrupts() {
    if (caught_) return;
    caught_ = true;
    struct sigaction action {};
    action.sa_handler = interrupt;
    (void)::sigaction(SIGINT, &action, nullptr);
    (void)::sigaction(SIGTERM, &action, nullptr);
    (void)::sigaction(SIGHUP, &action, nullptr);
  }

  // A pipe from the handler to poll. Neither end is left to programs that we start.
  bool open_wake_up() {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) return false;
    for (const int end : ends) {
      (void)::fcntl(end, F_SETFD, FD_CLOEXEC);
      (void)::fcntl(end, F_SETFL, O_NONBLOCK);
    }
    wakened_ = ends[0];
    wake_up = ends[1];
    return true;
  }

  const plankeep::system::Environment& environment_;
  bool output_works_ = true;
  bool serving_ = false;
  int wakened_ = -1;
  bool failed_ = false;
  bool caught_ = false;
  plankeep::cli::ProgressLine progress_{draw, plankeep::system::columns_of_standard_error,
                                        plankeep::cli::ProgressLine::kSilence, start_without_signals};
};

// "plankeep list or plankeep status": those of the commands that exist.
std::string called(std::string_view word) {
  for (const std::string_view name : plankeep::cli::commands_called(word)) {
    if (plankeep::cli::find_command(name) != nullptr) return "plankeep " + std::string(name);
  }
  return {};
}

ExitCode unknown_command(plankeep::cli::Program& program, const std::string& name) {
  std::string meant = called(name);
  if (meant.empty()) {
    std::vector<std::string_view> names;
    for (const plankeep::cli::Command& command : plankeep::cli::commands()) names.push_back(command.name);
    const std::string_view near = plankeep::cli::nearest(name, names);
    if (!near.empty()) meant = "did you mean plankeep " + std::string(near) + "?";
  } else {
    meant = "use " + meant + ";";
  }
  return program.fail({plankeep::base::ErrorKind::invalid_input,
                       "unknown command " + name,
                       {},
                       (meant.empty() ? "" : meant + " ") + "plankeep --help lists the commands"},
                      plankeep::cli::About::request);
}

// What serves a client or git: an interrupt is theirs to handle, or its own.
bool serves(std::string_view command) {
  return command == "hook" || command == "statusline" || command == "mcp" || command == "lsp" ||
         command == "git-hook";
}

// A hook and a status line never fail. If the command line has a mistake, the first word in it that is a
// command says what was called.
void spare_host(plankeep::cli::Program& program, const plankeep::cli::CommandLine& line) {
  const auto called = std::find_if(line.words.begin(), line.words.end(), [](const std::string& word) {
    return plankeep::cli::find_command(word) != nullptr;
  });
  const std::string_view command = !line.command.empty()        ? std::string_view(line.command)
                                   : called != line.words.end() ? std::string_view(*called)
                                                                : std::string_view();
  for (const std::string_view one : {"hook", "statusline"}) {
    if (command != one) continue;
    program.never_fails = true;
    program.never_failing = one;
  }
}

ExitCode run(plankeep::cli::Program& program, std::vector<std::string> arguments) {
  program.typed = arguments;
  plankeep::cli::CommandLine line = plankeep::cli::read_command_line(std::move(arguments));
  spare_host(program, line);
  program.globals = std::move(line.globals);
  program.restyle(program);
  if (line.mistake) return program.fail(*line.mistake, plankeep::cli::About::request);
  for (const std::string& folder : program.globals.folders) {
    const auto changed = program.change_folder(folder);
    if (!changed) return program.fail(changed.error(), plankeep::cli::About::file);
  }
  if (line.command.empty()) {
    program.console.write_error(plankeep::cli::overview());
    return ExitCode::usage;
  }
  const plankeep::cli::Command* command = plankeep::cli::find_command(line.command);
  if (command == nullptr) return unknown_command(program, line.command);
  if (serves(command->name)) {
    program.show_progress = nullptr;
  } else {
    plankeep::system::end_on_interrupts();
  }
  program.pages = command->pages;
  return command->run(program, line.words);
}

plankeep::base::Status become(const std::vector<std::string>& words,
                              const std::vector<std::string>& variables) {
  std::vector<std::string> held(words);
  std::vector<char*> arguments;
  arguments.reserve(held.size() + 1);
  for (std::string& word : held) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  // The environment keeps pointing to them.
  static std::vector<std::string> kept;
  kept = variables;
  for (std::string& variable : kept) (void)::putenv(variable.data());
  (void)::execv(arguments.front(), arguments.data());
  return plankeep::base::fail(plankeep::base::ErrorKind::io,
                              "cannot run " + words.front() + ": " + std::strerror(errno));
}

plankeep::base::Status change_folder(const std::string& folder) {
  if (::chdir(folder.c_str()) == 0) return {};
  return plankeep::base::fail(plankeep::base::ErrorKind::not_found,
                              "-C: cannot change to \"" + folder + "\": " + std::strerror(errno),
                              "give a folder");
}

}  // namespace

int main(int argc, char** argv) {
  // A closed pipe is an error of write(), not a death.
  (void)std::signal(SIGPIPE, SIG_IGN);
  // A file that may not grow (ulimit -f) is an error of the write.
  (void)std::signal(SIGXFSZ, SIG_IGN);
  plankeep::markdown::set_huge_page_hint(plankeep::system::advise_large_pages);
  const plankeep::system::PosixEnvironment environment;
  PosixConsole console(environment);
  try {
    plankeep::system::PosixFileSystem files;
    plankeep::system::PosixClock clock(environment);
    plankeep::system::PosixFileWatch watch;
    plankeep::system::PosixTerminalSession session(environment);
    plankeep::system::PosixProcesses processes;
    plankeep::app::Context context{files, clock, environment, &processes};
    const plankeep::system::Terminal terminal = plankeep::system::standard_output(environment);
    plankeep::cli::Program program{context, console, {}, {}, nullptr, terminal.is_terminal};
    program.restyle = [&environment, &terminal](plankeep::cli::Program& restyled) {
      const plankeep::cli::Colour asked = restyled.globals.colour;
      const bool error_terminal = ::isatty(STDERR_FILENO) == 1;
      restyled.style = plankeep::cli::style_for(asked, environment, terminal.is_terminal, terminal.columns);
      restyled.error_style = plankeep::cli::style_for(asked, environment, error_terminal, terminal.columns);
    };
    program.change_folder = change_folder;
    program.become = become;
    program.rows = terminal.rows;
    program.text_columns = terminal.columns;
    program.watch = &watch;
    program.terminal = &session;
    program.end_at_deadline = [](std::chrono::seconds time) {
      (void)std::signal(SIGALRM, end_late_hook);
      (void)::alarm(static_cast<unsigned>(time.count()));
    };
    program.show_progress = [&context, &console, &environment] {
      const bool error_terminal = ::isatty(STDERR_FILENO) == 1;
      if (plankeep::cli::is_smart_terminal(environment, error_terminal))
        context.progress = &console.progress();
    };
    const auto status = [&console, &program](ExitCode code) {
      if (program.never_fails) return static_cast<int>(ExitCode::fine);
      const bool lost = console.failed() && code == ExitCode::fine;
      return static_cast<int>(lost ? ExitCode::cannot_access : code);
    };
    // Nothing is left to do at exit: output is written as it comes, and no stream is used.
    program.end_process = [&status](ExitCode code) { std::_Exit(status(code)); };
    return status(run(program, std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc)));
  } catch (const std::exception& unexpected) {
    console.write_error("plankeep: error: internal: " + std::string(unexpected.what()) + "\n");
    return static_cast<int>(ExitCode::cannot_access);
  }
}
