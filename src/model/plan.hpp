#pragma once
// A plan as read from its file (spec 7): the truth about what is to be done and what is done.
//
// Made by markdown/parse_plan. Values only: no file, no time, no actor. Lines and columns count from 1,
// offsets are bytes from the start of the file, byte order mark included.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/diagnostics.hpp"
#include "model/ids.hpp"

namespace plankeep::core {

enum class BoxState { open, active, done };

enum class PhaseStatus { pending, in_progress, completed };

/// The character between the brackets of a checkbox, where an edit replaces it.
struct Box {
  std::size_t offset = 0;  // of the byte behind "["
  std::size_t length = 1;  // bytes of the character
  bool operator==(const Box&) const = default;
};

struct Task {
  TaskId id;
  std::string title;  // plain text, valid UTF-8, may be empty
  BoxState state = BoxState::open;
  bool optional = false;  // listed, but outside every total
  std::int64_t line = 1;  // of its (first) box
  std::vector<TaskId> after;
  TaskId parent;                     // the nearest task around it in the same phase; empty: none
  std::vector<std::string> section;  // the headings between the phase's and it, outermost first
  bool marked = false;               // its id comes from a TASK marker
  std::vector<Box> boxes;            // more than one when the id came twice in the phase
  bool id_in_text = false;           // without a marker: the id was read from the title ("T001 ...")

  bool done() const { return state == BoxState::done; }
  bool operator==(const Task&) const = default;
};

struct Criterion {
  CriterionId id;
  std::string title;
  bool met = false;
  std::int64_t line = 1;
  std::string verify;  // the command line, empty when there is none
  std::vector<Box> boxes;
  bool optional = false;               // below an optional item: outside of completion
  TaskId parent{};                     // the nearest task around it in the same phase; empty: none
  std::vector<std::string> section{};  // as of a task
  bool active = false;                 // its box is marked as being worked on
  bool operator==(const Criterion&) const = default;
};

struct Phase {
  PhaseId id;
  std::string title;
  std::int64_t line = 1;
  std::vector<Task> tasks;
  std::vector<Criterion> acceptance;
  bool operator==(const Phase&) const = default;
};

struct Decision {
  std::string text;
  std::string reason;  // empty when there is none
  std::int64_t line = 1;
  bool operator==(const Decision&) const = default;
};

struct Blocker {
  std::string text;
  std::int64_t line = 1;
  bool operator==(const Blocker&) const = default;
};

/// A box whose written number was another one before, or belonged to another task (rules/match). A plan's
/// list of them is about the state that it was compared with, in which each task `before` is as it says here:
/// not about the one that came of it.
struct Renumbered {
  PhaseId phase;
  TaskId id;
  PhaseId before_phase;
  TaskId before;
  std::string title;      // of `before`
  bool done = false;      // likewise
  bool continues = true;  // the box is that task; false: that task had its id, and is another
  bool operator==(const Renumbered&) const = default;
};

/// So many are listed: who leaves out more has a template, not tasks.
inline constexpr std::size_t kSkippedBoxesListed = 10'000;

/// A box that a SKIP marker leaves out: enough to tell which task or criterion it was before.
struct SkippedBox {
  std::string title;
  TaskId task;            // of its TASK marker; empty: none
  CriterionId criterion;  // of its ACCEPT marker; empty: none
  bool operator==(const SkippedBox&) const = default;
};

struct Plan {
  std::string title;                      // the plan's (spec 7.5); empty: none
  std::int64_t skipped = 0;               // boxes that SKIP markers leave out
  std::vector<SkippedBox> skipped_boxes;  // these, in document order, the first kSkippedBoxesListed
  bool has_markers = false;               // a CHECKPOINT, TASK or ACCEPT: a file a hook may track (spec 2)
  std::vector<Phase> phases;
  std::vector<Decision> decisions;
  std::vector<Blocker> blockers;
  std::vector<Diagnostic> diagnostics;
  std::vector<Renumbered> renumbered;  // set by keep_ids(); document order
  bool operator==(const Plan&) const = default;
};

}  // namespace plankeep::core
