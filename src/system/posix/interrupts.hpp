#pragma once
// Ending at an interrupt without leaving a thing half done.

#include <csignal>

namespace plankeep::system {

/// From now on SIGINT, SIGTERM and SIGHUP end the process with 128 and the signal's number: at once, or,
/// while something is being changed, when that is done. The second one ends it at once, but for SIGHUP, which
/// a terminal that is closed may send twice.
void end_on_interrupts();

/// While one lives something is being changed: an interrupt waits. Every Lock holds one.
class Uninterrupted {
 public:
  Uninterrupted();
  ~Uninterrupted();
  Uninterrupted(const Uninterrupted&) = delete;
  Uninterrupted& operator=(const Uninterrupted&) = delete;
};

/// While one lives this thread takes no signals, and neither do threads that it starts, ever.
class SignalsHeld {
 public:
  SignalsHeld();
  ~SignalsHeld();
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace plankeep::system
