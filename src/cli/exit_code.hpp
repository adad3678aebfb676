#pragma once
// Exit statuses (spec 9), and which error has which.

#include "base/error.hpp"

namespace plankeep::cli {

enum class ExitCode : int {
  fine = 0,
  no = 1,             // the answer is "no": lint errors, markers missing
  usage = 2,          // the command line, an id or a text that cannot be
  no_plan = 3,        // no plan, or several
  cannot_access = 4,  // something cannot be read or written
  busy = 5,           // the lock was not had in time
  all_done = 10,      // of next --exit-code only
  interrupted = 130,  // by SIGINT
  merge_failed =
      129,  // of merge-driver only: git takes less for conflicts, from 129 on for "not merged at all"
};

/// What the error is about decides what "not found" means: no plan (3), also where its file was named; an id
/// that is not in it (2); another file or folder that was named (4).
enum class About { plan, request, file };

ExitCode exit_code(const base::Error& error, About about);

}  // namespace plankeep::cli
