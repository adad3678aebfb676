#pragma once
// Standard input and output as a TerminalSession. One at a time is open: signals know one only.

#include <array>

#include "system/environment.hpp"
#include "system/posix/posix_handle.hpp"
#include "system/terminal_session.hpp"

namespace plankeep::system {

class PosixTerminalSession : public TerminalSession {
 public:
  /// Costs nothing before open().
  explicit PosixTerminalSession(const Environment& environment) : environment_(environment) {}
  ~PosixTerminalSession() override;
  PosixTerminalSession(const PosixTerminalSession&) = delete;
  PosixTerminalSession& operator=(const PosixTerminalSession&) = delete;

  [[nodiscard]] base::Status open() override;
  void close() override;
  void set_farewell(const std::string& bytes) override;
  void read_single_keys() override;
  std::string read_keys() override;
  Woken wait(std::optional<std::chrono::milliseconds> time, FileWatch* watch) override;
  bool ending() const override;
  int ending_signal() const override;
  void stop() override;
  Terminal size() const override;

 private:
  std::optional<Woken> signalled();
  std::optional<Woken> keyboard(int events);

  const Environment& environment_;
  bool open_ = false;
  Handle woken_;  // the pipe that the signal handlers write to
  Handle waking_;
};

}  // namespace plankeep::system
