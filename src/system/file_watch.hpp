#pragma once
// Waiting until files change, as a port.
//
//   TRY(watch.add("/plans/auth/.checkpoint/history.jsonl"));      // absolute
//   for (;;) {
//     ... look at the files ...
//     if (!watch.wait(std::chrono::seconds(2))) ... nothing changed, or a signal came ...
//   }
//
// A file counts as changed when it was written to, replaced by another one of its name (editors do that),
// deleted, or made, since add() or since a change of it was last told. So nothing is missed that happens
// between looking and waiting, and it is no error when the file, or its folder, is not there yet or goes away
// and comes back. One change may be told twice; a folder is not watched below its own files.
//
// Where the system cannot say when a file changes (no such service, its limit reached, a file system on
// another machine) wait() looks at size, time and inode of the files now and then: a change is seen some 200
// ms later, and one that leaves all three as they were is not seen.

#include <chrono>
#include <string>

#include "base/result.hpp"

namespace plankeep::system {

class FileWatch {
 public:
  virtual ~FileWatch() = default;

  /// From now on this file counts. invalid_input when the path is not absolute or names no file. A file that
  /// was added already is fine.
  [[nodiscard]] virtual base::Status add(const std::string& path) = 0;

  /// It counts no more. A file that was not added is fine.
  virtual void remove(const std::string& path) = 0;

  /// Whether something changed; does not wait. Told once.
  virtual bool changed() = 0;

  /// Waits for a change, at most for `time`; false when that is over, or a signal came.
  virtual bool wait(std::chrono::milliseconds time) = 0;

  /// For those who wait for other things too: a descriptor that poll() finds readable when changed() is to be
  /// asked; -1 while there is none, then changed() is to be asked every kLookAgain.
  virtual int descriptor() = 0;

  static constexpr std::chrono::milliseconds kLookAgain{200};
};

}  // namespace plankeep::system
