#pragma once
// Other processes, as a port: whether one is still there, and running one.

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace plankeep::system {

/// What a finished process left.
struct Finished {
  int status = 0;          // its exit status; 128 + the signal's number when a signal ended it
  bool timed_out = false;  // it was ended because its time was over
  bool cut = false;        // it said more than was asked for
  std::string output;      // of its standard output, at most as much as was asked for
  std::string errors;      // of its standard error, where that was asked for; at most kErrorLimit bytes
};

inline constexpr std::size_t kErrorLimit = std::size_t{16} << 10;

/// What is added to a signal's number to make an exit status of it, as shells do.
inline constexpr int kSignalled = 128;

struct Run {
  /// argv; [0] is looked for along PATH when it has no "/". Never a shell string: whoever needs a shell says
  /// {"/bin/sh", "-c", ...}.
  std::vector<std::string> words;
  std::string_view input;  // for its standard input
  std::chrono::milliseconds timeout{1000};
  std::size_t output_limit = std::size_t{64} << 10;  // the rest is read and dropped
  std::vector<std::string> variables{};              // "NAME=value": beside ours, or instead of them
  std::vector<std::string> without{};                // names of our variables that it does not get
  bool keep_errors = false;                          // its standard error goes into Finished::errors
  /// A group of its own, so that all it starts ends with it. Without one an interrupt at the keyboard reaches
  /// it as it reaches us, and it may ask at the terminal: for what a user started by hand.
  bool own_group = true;
};

/// A program that runs while we do something else. Dropped unfinished, it gets SIGTERM, a little later
/// SIGKILL, and so does what it started.
class RunningProcess {
 public:
  virtual ~RunningProcess() = default;
  /// What Processes::run gives. Once. Only now its input is fed and its output taken: what it says beyond the
  /// pipe's size (1 MiB where the system allows it) it says then.
  [[nodiscard]] virtual base::Result<Finished> finish() = 0;
};

/// A command line of a person's, run by /bin/sh with /dev/null as its standard input. What it starts is a
/// process group of its own, which no keyboard interrupts.
struct Command {
  std::string line;
  std::string folder;                     // where it runs; absolute
  std::chrono::milliseconds timeout{};    // it may take that long
  std::chrono::milliseconds grace{2000};  // from SIGTERM to SIGKILL
};

/// Who looks on while a command runs.
class CommandWatch {
 public:
  virtual ~CommandWatch() = default;
  /// What it says on standard output and standard error, in the order in which it came.
  virtual void said(std::string_view bytes) = 0;
  /// Asked ten times a second, and after every signal that we get. False: end it now.
  virtual bool go_on(std::chrono::milliseconds elapsed) = 0;
};

/// How a command ended.
struct Ended {
  int status = 0;            // as Finished::status
  bool timed_out = false;    // its time was over
  bool interrupted = false;  // the watch said so
  std::chrono::milliseconds duration{};
};

/// A program that goes on when we have ended.
struct Detached {
  std::vector<std::string> words;  // argv; [0] is a path
  std::string input{};             // its standard input; empty: /dev/null
};

class Processes {
 public:
  virtual ~Processes() = default;

  /// A name for this running process that no later process of the same number has; nullopt when none of this
  /// number runs. Empty where the system does not tell.
  virtual std::optional<std::string> identity(std::int64_t process) = 0;

  /// The numbers of this process's parent, of that one's parent and so on, the nearest first; those that the
  /// system tells, at most 64.
  virtual std::vector<std::int64_t> ancestors() = 0;

  /// Names the processes that identity() tells of: this machine, and where it keeps processes apart
  /// (containers, sandboxes) which part of it. A number or a name from identity() means something only under
  /// the same host. Empty where the system does not tell.
  virtual std::string host() = 0;

  /// Runs a program and waits for it, at most `timeout`: then it and what it started get SIGTERM, a little
  /// later SIGKILL. Its standard error is ours unless it is asked for. The caller ignores SIGPIPE: a program
  /// need not read its input. Errors: not_found when there is no such program, io.
  [[nodiscard]] virtual base::Result<Finished> run(const Run& run) = 0;

  /// The same in two halves, so that several run side by side; `timeout` counts from here, and up to a
  /// second more is given to one that waited for its reader. `run.input` has to live until the end. One that
  /// knows no better runs it to its end at once.
  [[nodiscard]] virtual base::Result<std::unique_ptr<RunningProcess>> start(const Run& run) {
    class Ready : public RunningProcess {
     public:
      explicit Ready(Finished finished) : finished_(std::move(finished)) {}
      base::Result<Finished> finish() override { return std::move(finished_); }

     private:
      Finished finished_;
    };
    TRY_ASSIGN(Finished finished, this->run(run));
    return std::unique_ptr<RunningProcess>(std::make_unique<Ready>(std::move(finished)));
  }

  /// Starts a program and does not wait for it: a session of its own, its input (a file in memory,
  /// or /dev/null) for its standard input, /dev/null for output and error, no other descriptor of ours, so
  /// that nobody who reads what we say waits for it. Where the system has no files in memory it gets no
  /// input. Errors: not_found, io.
  [[nodiscard]] virtual base::Status start_detached(const Detached& program) {
    return base::fail(base::ErrorKind::not_found, "cannot run " + program.words.front());
  }

  /// For programs that run long: what start_detached started and has ended is a zombie until this is called.
  /// Never waits.
  virtual void collect_ended() {}

  /// Runs a command line and waits for it. It ends with its shell: what is left of its group then, or when
  /// its time is over or the watch says so, gets SIGTERM and, `grace` later, SIGKILL; so it does when we are
  /// killed, however that happens. Only what made itself a group or session of its own (setsid) can outlive
  /// that. Errors: not_found (no such folder, no shell), io.
  [[nodiscard]] virtual base::Result<Ended> run_command(const Command& command, CommandWatch& watch) {
    (void)watch;
    return base::fail(base::ErrorKind::not_found, "cannot run " + command.line);
  }
};

}  // namespace plankeep::system
