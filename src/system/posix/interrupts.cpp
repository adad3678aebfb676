#include "system/posix/interrupts.hpp"

#include <signal.h>
#include <unistd.h>

#include <atomic>

#include "system/processes.hpp"

namespace plankeep::system {
namespace {

// Lock-free, so that the handler may look at them.
std::atomic<int> being_changed{0};
std::atomic<int> waiting_signal{0};

extern "C" void end_or_note(int signal) {
  const bool first = waiting_signal.exchange(signal) == 0;
  // A terminal that is closed may send SIGHUP twice, the kernel and the shell: that is no second demand.
  const bool again = !first && signal != SIGHUP;
  if (again || being_changed.load() == 0) ::_exit(kSignalled + signal);
}

}  // namespace

void end_on_interrupts() {
  struct sigaction action {};
  action.sa_handler = end_or_note;
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    // Who started us with it ignored (nohup) means that.
    if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) continue;
    (void)::sigaction(signal, &action, nullptr);
  }
}

Uninterrupted::Uninterrupted() {
  ++being_changed;
}

Uninterrupted::~Uninterrupted() {
  if (--being_changed == 0 && waiting_signal.load() != 0) ::_exit(kSignalled + waiting_signal.load());
}

SignalsHeld::SignalsHeld() {
  sigset_t all;
  (void)::sigfillset(&all);
  (void)::pthread_sigmask(SIG_SETMASK, &all, &before_);
}

SignalsHeld::~SignalsHeld() {
  (void)::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace plankeep::system
