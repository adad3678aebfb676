#pragma once
// Processes by POSIX. identity() reads /proc where there is one (Linux): number and start time.

#include "system/processes.hpp"

namespace plankeep::system {

class PosixProcesses : public Processes {
 public:
  std::optional<std::string> identity(std::int64_t process) override;
  std::vector<std::int64_t> ancestors() override;
  /// The host's name; below Linux with "/" and the number of the process namespace, when it is not the first.
  std::string host() override;
  [[nodiscard]] base::Result<Finished> run(const Run& run) override;
  [[nodiscard]] base::Result<std::unique_ptr<RunningProcess>> start(const Run& run) override;
  [[nodiscard]] base::Status start_detached(const Detached& program) override;
  void collect_ended() override;
  [[nodiscard]] base::Result<Ended> run_command(const Command& command, CommandWatch& watch) override;

 private:
  std::vector<std::int64_t> left_behind_;  // by start_detached, and not collected yet
};

}  // namespace plankeep::system
