#pragma once
// The terminal that a whole-screen command has to itself, as a port: its modes, its signals, and waiting for
// keys and files at once.
//
//   TRY(session.open());                        // modes are kept, signals are caught from here on
//   session.set_farewell("\x1b[?1049l");         // what a screen needs to be left as it was
//   while (!session.ending()) {
//     switch (session.wait(nullopt, watch)) { ... }
//   }
//   session.close();                            // the destructor does it too
//
// However the process ends, the terminal is as it was before open(): close() puts its modes back; a crash
// (SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT) writes the farewell and puts the modes back before the process
// dies of its signal. Only SIGKILL cannot be caught.
//
// SIGINT, SIGTERM, SIGHUP and SIGQUIT do not end the process: wait() tells, so what is being written to disk
// is finished. A second one ends it at once, after the farewell and with the modes put back; but SIGHUP never
// does, since a terminal that is closed may send it twice. A hung-up terminal counts as SIGHUP.

#include <chrono>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "system/file_watch.hpp"
#include "system/terminal.hpp"

namespace plankeep::system {

class TerminalSession {
 public:
  enum class Woken {
    keys,     // something can be read
    files,    // the watch has seen a change
    resized,  // ask size()
    stop,     // Ctrl-Z: put the screen away, call stop(), draw it again
    resumed,  // somebody else stopped us: the modes are the shell's, set them and draw again
    end,      // ending() is true
    time,     // nothing happened for so long
  };

  virtual ~TerminalSession() = default;

  /// not_found when standard input or output is no terminal.
  [[nodiscard]] virtual base::Status open() = 0;
  /// Writes no farewell: whoever drew on the screen takes that back first. Not open: does nothing.
  virtual void close() = 0;

  virtual void set_farewell(const std::string& bytes) = 0;
  /// Keys come one by one and are not echoed. For those who have no screen library, which does it itself.
  virtual void read_single_keys() = 0;
  /// What was typed; empty: nothing just now.
  virtual std::string read_keys() = 0;

  /// Sleeps until one of these. `time` absent: for as long as it takes. `watch` may be null.
  virtual Woken wait(std::optional<std::chrono::milliseconds> time, FileWatch* watch) = 0;
  /// Whether a signal asked us to end, without waiting.
  virtual bool ending() const = 0;
  /// Its number; 0: none did.
  virtual int ending_signal() const = 0;

  /// Stops this process as Ctrl-Z does, and comes back when it goes on. The modes are those of before open()
  /// meanwhile, and again those that were in force here when it comes back.
  virtual void stop() = 0;

  virtual Terminal size() const = 0;
};

}  // namespace plankeep::system
