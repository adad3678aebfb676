#pragma once
// What a final message claims to be done, held against the plan (spec 10.4).
//
//   for (const AuditTask& task : ...)           // every task of the plan, in its order
//   const Audit audit = audit_message(message, tasks);
//   if (!audit.clean()) ...                     // audit.unverified was said to be done and is not ticked
//
// A claim is a known task id, or a title quoted word for word, beside a word of completion ("T001 is done",
// "Finished T001 and T002", "T001-T004: done"), a ticked box line, a row of a table whose status is done, or
// an item of a list under a heading such as "Tasks Completed". An id that is only mentioned, planned
// ("next: T5", "will do"), negated ("could not finish auth"), asked about, done by somebody else or before,
// or inside a quotation (a block quote, a string in quotes that says so, a fenced block, a line of a log) is
// no claim.
//
// Decided, because a message can be meant either way:
// - A fenced block is a quotation, but for lines of a report in a block without plan lines and without a
//   programming language: "DONE: T1", or a list below "Completed:".
// - JSON claims where it is the agent's own word: as the front of the message, under a heading or label that
//   says "status" or "report", or as its last word behind a sentence that introduces nothing ("returns",
//   "for example"). An object claims the task that it names if its status says done, or "done" is true, and
//   nothing in it is left; a list under "completed" claims its tasks. "Success" is no completion.
// - "All subtasks of T1" claims what is nested below T1 and not T1 itself; "T1 and all its subtasks" both.
// - A share or a count behind "done" that is not the whole takes it back: "T1 (done: 2 of 5 files)",
//   "done: 3, left: 2", "completed: list; missing: cancel". "Tasks done: 0" heads nothing that is done.
// - "To have T1 done" is a wish, "I thought T1 was done" a belief. Under "Definition of done" nothing is
//   claimed, and neither is what "$ plankeep status" printed.
// - "Marked auth as complete", "set T1 to [x]", "checked T1 off" claim, as reports of the agent.
// - "Phase 1 is complete" claims every task of that phase, and so does "everything in phase 1"; "except T3"
//   leaves out T3. The title of a phase is its name too, where it has a capital letter and stands for the
//   phase ("all of Groundwork", "Groundwork is done"); so is "section 1", where the title is "1. Basics".
// - "All tasks are done" claims the tasks that were assigned, where some are; else those that the message
//   claims by name, where it does; else every task of the plan. "All tasks of the plan" means what it says,
//   and so do "all boxes of the plan are ticked", "everything in plan.md is done", "everything is done
//   except T3", and "10/10 tasks complete" where it has ten. "The plan is complete" may mean that it is
//   written; "fully complete" and "100 % complete" do not. "Both tasks are done" means the two that the
//   message lists, if there are two. In a plan with several phases "everything in the phase" means the
//   assigned tasks; without any it claims nothing.
// - A claim of everything or of a phase means no optional task, unless it was assigned, and none that the
//   message says is open: "All tasks are done. T3 is not." "Everything is done" is a claim only if the next
//   sentence says which tasks remain, and nothing else: "All done! Only T3 is missing." "T3 is next" does not
//   say that. "All tasks up to T4", "all but those after T4": in the order of the plan.
// - Under a heading or label that says "done" only plain entries claim: a list item, a line or a row that is
//   the id alone, the id and its title or most of it, or says what was made. A description behind a mark
//   counts in a list ("T2: form with validation"), a remark does not ("T2: question", "T2: same as before",
//   "T2 is on hold"). A heading below it that names a task is an entry if what follows says what was made.
// - "Tasks Completed" above a list of tasks claims what is listed; where no list comes it claims the task
//   that was assigned, if that is one. Under "Task completed" only an item that is nothing but an id or a
//   title counts.
// - The names of a task are its id and what its title leads with in the shape of an id ("T1" of "T1: Create
//   the schema"). "Task 4" means T4 or T004 where all ids are of that shape.
// - Words beat marks: "✅ T1: not done" and "- [x] T1: still open" are no claims.
// - "T3: implementation done, tests missing" is no claim: it says that a part is missing.
// - A share that is not the whole ("40 %", "2 of 3") is no completion, and neither is what was reverted
//   later.
// - An id of letters and digits ("T001", "US-12") counts anywhere as a whole word, in any letter case. An id
//   that is a word ("setup") counts in backticks, beside "task", as a whole list item, and as the subject of
//   "setup is done" where nothing follows but the end of the sentence or a remark; one of several words
//   ("auth-login") also in prose without an article. A number ("1", "1.2") counts after "task", "point" or
//   "#", in backticks, and at the start of a list item whose text is that task's title ("1.2": any list
//   item).
// - The same id in two phases: its phase is told by "p1/T001", "T001 of the backend phase", "T001 (Backend)",
//   "Backend: T001", or by a heading above it that is the phase's title. Named without, it means one that is
//   ticked if there is any.
// - A cause is a fact, a condition is none: "Since T2 is done, T3 can start" claims T2, "once T2 is done"
//   nothing. So does "With T2 done, ...", where no "would" or "could" follows.
// - A condition after a claim takes it back, with or without a comma: "T3 is done, as soon as the database
//   runs". "After" and "before" do not: "done, after I fixed T2".
// - "Completed (3/4):" heads the three that are listed; a list of another length behind it on its line is no
//   claim. "Completed 2/2 tasks" and "everything you asked for is done" mean the tasks that were assigned.
// - "User Story 1" is the phase that is called so ("Phase 2: User Story 1 - Sign in"), "the Backend section
// (is
//   complete)" the phase of that title. What is struck out is taken back, but not "~~T3~~ ✅".
// - What the speaker disowns is no claim: "I wrote that T3 is done. That was wrong.", "Calling T3 done would
// be
//   premature". "The wrong import is fixed" disowns nothing.
// - Behind "ETA:", "Target:", "Plan for tomorrow:" nothing is claimed, and under such a label or heading
// nothing
//   that names a day. "Thanks for finishing T3!" claims nothing, and neither does "Reading T3: done".
// - "✅ T3: requirements clear", "✅ T3: assigned to me" tick what comes before the work. "Phase 1 (analysis)
// is
//   complete" is no phase of a plan that calls its first one otherwise.
// - Hearsay is no claim: "I was told T3 is done". An order is no hearsay ("I was told to do T3"), and neither
//   is what the speaker said: "I told the lead that T3 is done".
// - "T3: Complete the tests" is a command, and "T3 is a complete mess" is a description; neither is a claim.
// - A label in capitals is read as its words: "TASK_COMPLETE: T3".
// - "The login form task" is the task "Implement login form", where no other title ends so; and so is "Added
//   config loader" the task "Add config loader", as the head of an item that is said to be done.
// - A title counts where it is the subject of a sentence that says "done" ("The login page is finished", "Das
//   Mahnwesen ist fertig"), or the object of its verb ("I finished the checkout page"); a title of one word
//   only with an article, in a list of titles, or with its status behind it ("Search: complete"). Words that
//   go on from there take it back ("finished loading", "the checkout page tests").
// - Titles name exceptions too: "all tasks except the end-to-end tests". An exception that is no task of the
//   plan takes back the whole claim. "Of phase 2 only T7 remains" claims the rest of phase 2.
// - "1.1 to 2.1" is what the plan has from the one to the other.
//
// The judgement is by words of a dozen languages and leans to silence: a claim that is missed costs less than
// an agent accused of what it did not say. What it finds in a table of messages, and what it misses, stands
// in tests/cases/audit/README.md.
//
// Pure, any bytes, in time linear in the message and the tasks. Of a long message only the beginning and the
// end are read, where reports say what was done: its first kAuditedHead and its last kAuditedTail bytes.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/ids.hpp"

namespace plankeep::core {

inline constexpr std::size_t kAuditedHead = std::size_t{32} << 10;
inline constexpr std::size_t kAuditedTail = std::size_t{96} << 10;
/// Of a prompt, and of a message that may take back what was claimed.
inline constexpr std::size_t kAuditedBytes = std::size_t{256} << 10;

/// A task as the audit needs it.
struct AuditTask {
  TaskId id;
  std::string title;
  bool done = false;
  bool done_by_this_agent = false;  // ticked since it began, by it
  bool assigned = false;            // named in the prompt that started it (named_tasks)
  bool optional = false;            // claimed by its name only: "all tasks" and "phase 1" do not mean it
  TaskId parent{};  // the task around it in the same phase, which stands before it; empty: none
  PhaseId phase;    // empty: claims of whole phases are not seen
  std::string phase_title;
};

struct Assertion {
  std::string id;                   // of the task as the plan has it; of an unknown one as the message has it
  std::optional<std::size_t> task;  // index into the tasks; none: it looks like an id of this plan, is none
  std::size_t line = 0;             // of the message, from 1: where it was said first
  bool operator==(const Assertion&) const = default;
};

struct Audit {
  std::vector<TaskId> confirmed;     // claimed and ticked
  std::vector<TaskId> unverified;    // claimed, not ticked
  std::vector<TaskId> unasserted;    // ticked by it, not claimed
  std::vector<std::string> unknown;  // said to be done, looks like an id of this plan, is none
  /// "All tasks are done", and these words, with no name beside them, are taken to mean the plan.
  bool everything = false;
  /// Nothing is said to be done that the plan has open. Unknown ids may be those of another plan.
  bool clean() const { return unverified.empty(); }
  bool operator==(const Audit&) const = default;
};

/// What the message says is done, each task once in the order of `tasks`, then the unknown ids in the order
/// of the message. Unknown are those of the same shape only ("T007" where the plan has T001..T006).
std::vector<Assertion> find_assertions(std::string_view message, std::span<const AuditTask> tasks);

/// The same held against the boxes, in the order of `tasks`.
Audit audit_message(std::string_view message, std::span<const AuditTask> tasks);

/// Of what an earlier message claimed: what is still open and what this later one does not take back, in the
/// order of `tasks`. Taken back is what is said not to be done, or to be missing, or to follow ("could not
/// finish it", "pay-api: tests missing"), and all of it by words that name no task ("I was wrong"). "No" and
/// "I will look at it" take back only where nothing in the message says that it is done. Who only insists, or
/// speaks of something else, takes back nothing.
std::vector<TaskId> still_claimed(std::string_view message, std::span<const AuditTask> tasks,
                                  const std::vector<TaskId>& claimed);

/// The ids of this plan that a text names at all, as whole words, in the order of `tasks`, each once: what a
/// prompt assigns to a subagent. "T001-T004" names four; a whole phase or plan is not named by its name. Ids
/// that are words or numbers count only when they are marked as ids (see above, and in a TASK marker). Not
/// counted: what it only asks to look at ("Review T3", "look at T3" with nothing to be made in what follows,
/// "the files that T3 touches"), what it says not to do ("do not touch T3", "except T4", "T1 is already
/// done"), ticked box lines, and, where something is named outside of them, block quotes and fenced blocks (a
/// plan pasted in).
std::vector<TaskId> named_tasks(std::string_view text, std::span<const AuditTask> tasks);

}  // namespace plankeep::core
