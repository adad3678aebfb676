#pragma once
// What was found so far: which tasks were said to be done, on which line first, and which unknown ids.

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "audit/assertion_clauses.hpp"
#include "audit/audit.hpp"
#include "audit/message_tokens.hpp"
#include "audit/task_names.hpp"

namespace plankeep::core {

/// Tasks with the line that named each first. A set that was marked is not walked again, so that a message
/// that names a phase of 10,000 tasks on every line costs no more than one that does so once.
class TaskMarks {
 public:
  explicit TaskMarks(std::size_t tasks) : lines_(tasks, 0) {}

  void add(const TaskSet& tasks, std::size_t line);
  /// All but those, which are in order. This walks the whole set; a message that makes it do so without end
  /// is not heard any more.
  void add(const TaskSet& tasks, std::size_t line, const std::vector<std::uint32_t>& without);
  void add_one(std::uint32_t task, std::size_t line) {
    any_ = true;
    if (lines_[task] == 0) lines_[task] = line;
  }
  bool any() const { return any_; }
  /// 0: not marked.
  std::size_t line_of(std::size_t task) const { return lines_[task]; }

 private:
  std::vector<std::size_t> lines_;
  std::unordered_map<const std::vector<std::uint32_t>*, std::vector<std::uint32_t>> next_;
  std::size_t walked_ = 0;
  bool any_ = false;
};

class AssertionSet {
 public:
  explicit AssertionSet(std::size_t tasks) : marks_(tasks), wholes_(tasks), open_(tasks) {}

  void add(const std::vector<Token>& tokens, const IdList& list);
  /// "All tasks", whatever that means in this message.
  void claim_everything(std::size_t line) { every_line_ = every_line_ == 0 ? line : every_line_; }
  /// These are said to be open: no claim of a whole phase or of everything means them.
  void leave_open(const std::vector<Token>& tokens, const IdList& list);
  /// What is added from here on stands under a heading that names this phase; empty: under none.
  void under(const TaskSet& phase) { phase_ = phase; }
  void add(const TaskSet& tasks, std::size_t line) { marks_.add(tasks, line); }
  /// An item leads with these; nothing is claimed by it. "Both tasks are done" means the items of the message
  /// before it or behind it, if they are two.
  void list(const std::vector<Token>& tokens, const IdList& list);

  /// In the order of find_claims. What "all tasks" means is decided here, when all else is known.
  std::vector<Assertion> take(std::span<const AuditTask> tasks, const TaskNames& names);
  /// "All tasks" was said and nothing left out of it in the same sentence.
  bool everything() const { return every_line_ > 0 && every_without_.empty(); }

 private:
  /// What the sentence around the list leaves out: "everything but T3".
  static std::vector<std::uint32_t> exceptions(const std::vector<Token>& tokens, const IdList& list);

  TaskMarks marks_;   // claimed by name
  TaskMarks wholes_;  // as part of a phase or of the plan
  TaskMarks open_;
  TaskSet phase_;
  std::vector<std::uint32_t> every_without_;
  std::size_t excepted_ = 0;  // tasks in exceptions so far: beyond a limit the message is not heard any more
  std::vector<Assertion> unknown_;
  std::set<std::string> unknown_seen_;
  std::size_t every_line_ = 0;
  std::size_t number_ = 0;  // of "both tasks"
  std::size_t number_line_ = 0;
  std::set<std::uint32_t> listed_before_, listed_behind_;
};

}  // namespace plankeep::core
