#pragma once
// Other processes, as a port: whether one is still there, and running one.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace plankeep::system {

/// What a finished process left.
struct Finished {
  int status = 0;          // its exit status; 128 + the signal's number when a signal ended it
  bool timed_out = false;  // it was ended because its time was over
  std::string output;      // of its standard output, at most as much as was asked for
};

struct Run {
  /// argv; [0] is looked for along PATH when it has no "/". Never a shell string: whoever needs a shell says
  /// {"/bin/sh", "-c", ...}.
  std::vector<std::string> words;
  std::string_view input;  // for its standard input
  std::chrono::milliseconds patience{1000};
  std::size_t output_limit = std::size_t{64} << 10;  // the rest is read and dropped
};

class Processes {
 public:
  virtual ~Processes() = default;

  /// A name for this running process that no later process of the same number has; nullopt when none of this
  /// number runs. Empty where the system does not tell.
  virtual std::optional<std::string> identity(std::int64_t process) = 0;

  /// Runs a program and waits for it, at most `patience`: then it and what it started get SIGTERM, a little
  /// later SIGKILL. Its standard error is ours. The caller ignores SIGPIPE: a program need not read its
  /// input. Errors: not_found when there is no such program, io.
  [[nodiscard]] virtual base::Result<Finished> run(const Run& run) = 0;
};

}  // namespace plankeep::system
