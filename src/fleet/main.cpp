// plankeep-fleet, the program: what `plankeep fleet` runs. The only one that opens the network.

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "cli/terminal_style.hpp"
#include "cli/version.hpp"
#include "fleet/commands.hpp"
#include "system/posix/posix_clock.hpp"
#include "system/posix/posix_environment.hpp"
#include "system/posix/posix_file_system.hpp"
#include "system/posix/posix_file_watch.hpp"
#include "system/posix/posix_processes.hpp"
#include "system/posix/posix_terminal.hpp"
#include "system/posix/socket_wait.hpp"

namespace {

using plankeep::cli::ExitCode;

volatile std::sig_atomic_t was_interrupted = 0;

extern "C" void interrupt(int /*signal*/) {
  was_interrupted = 1;
}

// Output goes out at once: a reader of `log --follow` waits for it.
class PlainConsole : public plankeep::cli::Console {
 public:
  bool write(std::string_view text) override {
    if (!output_works_) return false;
    output_works_ =
        std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    return output_works_;
  }
  void write_error(std::string_view text) override {
    (void)std::fwrite(text.data(), 1, text.size(), stderr);
    (void)std::fflush(stderr);
  }
  std::string read(std::size_t /*count*/, std::chrono::milliseconds /*timeout*/, bool& gave_up) override {
    gave_up = true;
    return {};
  }
  bool wait(std::chrono::milliseconds time, plankeep::system::FileWatch* watch) override {
    catch_interrupts();
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + time;
    while (was_interrupted == 0 && output_works_) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
      if (left.count() <= 0) return true;
      // In pieces: the signal may come just before the wait begins.
      constexpr std::chrono::milliseconds kPiece{250};
      const auto piece = std::min(left, kPiece);
      if (watch == nullptr) {
        (void)plankeep::system::wait_for_socket(-1, false, piece);
      } else if (watch->wait(piece)) {
        return true;
      }
    }
    return false;
  }
  bool interrupted() override {
    catch_interrupts();
    return was_interrupted != 0;
  }
  bool failed() const { return !output_works_; }

 private:
  void catch_interrupts() {
    if (caught_) return;
    caught_ = true;
    (void)std::signal(SIGINT, interrupt);
    (void)std::signal(SIGTERM, interrupt);
  }

  bool output_works_ = true;
  bool caught_ = false;
};

// Every user can see our arguments in the list of processes; an address may contain a password.
void hide_addresses(int argc, char** argv) {
  constexpr std::string_view kOption = "--fleet";
  for (int i = 1; i < argc; ++i) {
    const std::string_view word(argv[i]);
    if (word == kOption && i + 1 < argc) {
      std::memset(argv[i + 1], 'x', std::strlen(argv[i + 1]));
    } else if (word.starts_with(kOption) && word.size() > kOption.size() + 1) {
      std::memset(argv[i] + kOption.size() + 1, 'x', word.size() - kOption.size() - 1);
    }
  }
}

ExitCode run(plankeep::cli::Program& program, std::vector<std::string> words) {
  if (!words.empty() && (words.front() == "--version" || words.front() == "version")) {
    return program.print("plankeep-fleet " + std::string(plankeep::cli::kVersion) + "\n");
  }
  return plankeep::fleet::run_fleet_command(
      {program,
       [](int socket, plankeep::fleet::Direction direction, std::chrono::milliseconds time) {
         return plankeep::system::wait_for_socket(socket, direction == plankeep::fleet::Direction::write,
                                                  time);
       }},
      words);
}

}  // namespace

int main(int argc, char** argv) {
  (void)std::signal(SIGPIPE, SIG_IGN);
  std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  hide_addresses(argc, argv);
  const plankeep::system::PosixEnvironment environment;
  PlainConsole console;
  try {
    plankeep::system::PosixFileSystem files;
    plankeep::system::PosixClock clock(environment);
    plankeep::system::PosixFileWatch watch;
    plankeep::system::PosixProcesses processes;
    plankeep::app::Context context{files, clock, environment, &processes};
    const plankeep::system::Terminal terminal = plankeep::system::standard_output(environment);
    plankeep::cli::Program program{context, console, {}, {}, nullptr, terminal.is_terminal};
    program.restyle = [&environment, &terminal](plankeep::cli::Program& restyled) {
      const plankeep::cli::Colour asked = restyled.globals.colour;
      restyled.style = plankeep::cli::style_for(asked, environment, terminal.is_terminal, terminal.columns);
      restyled.error_style = restyled.style;
    };
    program.restyle(program);
    program.globals.json = std::find(words.begin(), words.end(), "--json") != words.end();
    program.rows = terminal.rows;
    program.text_columns = terminal.columns;
    program.watch = &watch;
    const ExitCode code = run(program, std::move(words));
    const bool lost = console.failed() && code == ExitCode::fine;
    return static_cast<int>(lost ? ExitCode::cannot_access : code);
  } catch (const std::exception& unexpected) {
    console.write_error("plankeep: error: internal: " + std::string(unexpected.what()) + "\n");
    return static_cast<int>(ExitCode::cannot_access);
  }
}
