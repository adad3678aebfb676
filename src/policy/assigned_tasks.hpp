#pragma once
// Which tasks a prompt gives to a subagent.
//
// What audit/named_tasks finds (ids that cannot be anything else, titles in quotes), and what only its place
// makes a task: "do task auth-middleware and endpoints", "Do Phase 2", "implement the login form",
// "T001–T004 except T003", "1.1 to 1.4", "tasks 3 to 5", "do steps 1 to 3".
//
// An assignment that is wrong accuses somebody of what was never asked of him, so doubt is no assignment:
// - An id of several words, a title and a phase need a word that assigns before them, in the same clause.
// - An id that is a common word or a number counts beside "task", and as a further item of a list that began
//   so.
// - "T003 of phase 2" is no phase; "everything in phase 2" is. A phase gives what is open in it.
// - What it only asks to look at ("review task 2", "look at task 2") is not given.
// - What the clause rules out ("don't", "after", "already done") is not given, and neither is what it
// excepts.
//
// Pure, any bytes, in time linear in the prompt and the tasks.

#include <span>
#include <string_view>
#include <vector>

#include "audit/audit.hpp"

namespace plankeep::core {

/// In the order of `tasks`, each id once.
std::vector<TaskId> assigned_tasks(std::string_view prompt, std::span<const AuditTask> tasks);

}  // namespace plankeep::core
