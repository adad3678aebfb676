#pragma once
// By what names the tasks of a plan are known to a text: ids, ids with their phase, phases, titles.

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "audit/audit.hpp"

namespace plankeep::core {

/// Some tasks: [first, end) of a list that TaskNames holds; empty without a list.
struct TaskSet {
  const std::vector<std::uint32_t>* list = nullptr;
  std::uint32_t first = 0;
  std::uint32_t end = 0;
  bool empty() const { return list == nullptr || first >= end; }
  std::size_t size() const { return empty() ? 0 : end - first; }
};

/// How surely a word that reads like the id means the task.
enum class IdKind {
  code,      // T001, US-12: anywhere
  compound,  // auth-login: several words
  word,      // setup
  number,    // 1, 1.2
};

class TaskNames {
 public:
  struct Entry {
    std::vector<std::uint32_t> tasks;  // in the order of the plan
    std::uint32_t best = 0;            // index into tasks: the first ticked one, else the first
    IdKind kind = IdKind::word;
    bool best_done = false;
    TaskSet one() const { return {&tasks, best, best + 1}; }
    /// The one that is also in this phase; empty when none is.
    TaskSet of(const TaskSet& phase) const;
    TaskSet all() const { return {&tasks, 0, static_cast<std::uint32_t>(tasks.size())}; }
  };

  /// `text`: the text that will be searched for these names. Titles with a word that is not in the text are
  /// skipped, so that large plans stay cheap. `tasks` outlives it; `text` is not kept.
  TaskNames(std::span<const AuditTask> tasks, std::string_view text);
  TaskNames(const TaskNames&) = delete;
  TaskNames& operator=(const TaskNames&) = delete;

  /// An id, exactly or else in any letter case; or "phase/id"; or what a title leads with like an id ("T1" of
  /// "T1: Create the schema"). Null when there is none.
  const Entry* find(std::string_view id) const;

  /// The longest id that is written without spaces between words (Chinese, Japanese) and is at the front of
  /// the text; 0 when there is none. In bytes.
  std::size_t unspaced_at(std::string_view text) const;

  /// The same for a word of a title. `from`: a node from which also a shorter one may go on.
  std::size_t title_word_at(std::string_view text, std::uint32_t from) const;

  /// Has the shape of this plan's ids ("T007" where it has T001..T006) but is none of them.
  bool looks_like_id(std::string_view text) const;

  /// "T001" to "T004", also "T001" to "4" or "04". Empty when they do not fit together.
  TaskSet range(std::string_view from, std::string_view to) const;

  /// "3" to "5", of ids as numbered() finds them.
  TaskSet numbered_range(std::string_view from, std::string_view to) const;

  /// "1.1" to "2.1": as the plan has them.
  TaskSet dotted_range(std::string_view from, std::string_view to) const;

  /// "4" where the plan's ids are T1 .. T9 or T001 .. T009, and all of that shape.
  const Entry* numbered(std::string_view digits) const;

  /// The tasks of the phase "1", "p1", "phase-1", "Setup" by its id, number or title.
  TaskSet phase(std::string_view name) const;
  /// The tasks of the phase whose whole title this is, its words in lower case and its number aside.
  TaskSet titled_phase(std::string_view words) const;
  /// Some phase's title begins with this character.
  bool starts_phase(std::string_view word) const;
  /// The title of that phase behind its number ("Setup" of "Phase 1: Setup"), in lower case.
  std::string_view phase_title(std::string_view name) const;

  std::string_view title(std::uint32_t task) const { return asked_[task].title; }
  std::string_view title_of_phase(std::uint32_t task) const { return asked_[task].phase_title; }
  TaskSet assigned() const { return whole(assigned_); }
  /// All that are not optional.
  TaskSet every() const { return whole(every_); }
  /// Of these, the ones that come before this task in the plan; `with`: and the task itself.
  TaskSet before(std::uint32_t task, bool with) const;
  /// The tasks of a phase (of phase(), titled_phase()) that are not optional.
  TaskSet required(const TaskSet& phase) const;
  std::size_t phases() const { return phases_.size(); }

  /// The task and, behind it, all that are nested below it and not optional. Empty: none is, or no word of
  /// the text means such tasks.
  TaskSet family(std::uint32_t task) const;

  /// Titles as chains of words, walked word by word. 0 is the start; npos: no title goes on like this.
  static constexpr std::uint32_t kNoNode = 0xFFFFFFFF;
  static constexpr std::size_t kTitleWords = 16;  // a longer title is told by its first words
  std::uint32_t next_node(std::uint32_t node, std::string_view lower_word) const;
  /// The one task whose title ends at this node; null for none or several.
  const Entry* title_at(std::uint32_t node) const;
  /// The same for titles without their first word ("login form" of "Implement login form").
  const Entry* title_tail_at(std::uint32_t node) const;

 private:
  struct Stem {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> members;  // number and task
    std::vector<std::uint32_t> tasks;                              // by number
    std::vector<std::uint64_t> number;                             // of each
    std::size_t shortest = 99, longest = 0;
    bool padded = false;
  };
  struct Split {
    std::string stem;  // lower case
    std::string_view digits;
  };
  struct PhaseNames {
    std::vector<std::uint32_t> tasks;
    std::string title;
  };

  static TaskSet whole(const std::vector<std::uint32_t>& list) {
    return {&list, 0, static_cast<std::uint32_t>(list.size())};
  }
  static Split split(std::string_view id);
  /// What a title leads with and looks like an id.
  struct Lead {
    std::string name;
    std::size_t end = 0;  // of it in the title
    bool apart = false;   // a mark sets it apart from the rest
  };
  static Lead lead_of(std::string_view title);
  void add_leads(std::span<const AuditTask> tasks);
  static void add_name(std::unordered_map<std::string, Entry>& table, std::string key, std::uint32_t task,
                       IdKind kind, bool done);
  void add_number(std::string_view name, std::uint32_t task);
  void add_title(std::uint32_t task, std::string_view title, std::string_view id);
  /// Whether the text has all words of this title except the first two. `before`: how many further words at
  /// its start to ignore (a written id).
  bool may_have(std::string_view title, std::size_t before) const;
  std::uint32_t add_words(std::span<const std::string> words);
  void add_families(std::span<const AuditTask> tasks, std::string_view lower_text);
  void add_phase(const AuditTask& task, std::uint32_t index);
  void add_phase_title(const std::string& title, const std::string& id);

  std::span<const AuditTask> asked_;
  std::unordered_set<std::string> text_words_;  // in lower case
  std::unordered_map<std::string, Entry> exact_, lower_;
  std::unordered_map<std::string, Stem> stems_;
  std::unordered_map<std::string, PhaseNames> phases_;               // by id in lower case
  std::unordered_map<std::string, std::string> phase_aliases_;       // other names -> that id
  std::unordered_map<std::string, std::set<std::size_t>> unspaced_;  // first character -> lengths of ids
  std::unordered_map<std::string, std::string> phase_titles_;        // of them, those that are titles
  std::unordered_set<std::string> phase_starts_;
  std::vector<std::uint32_t> assigned_, every_;
  std::vector<std::uint32_t> listed_;  // 0, 1, ...: the optional ones, too
  std::unordered_map<const std::vector<std::uint32_t>*, std::vector<std::uint32_t>> required_;  // by phase
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> families_;
  std::unordered_map<std::string, std::uint32_t> words_;
  std::unordered_map<std::uint64_t, std::uint32_t> edges_;
  std::unordered_map<std::uint32_t, Entry> titles_, title_tails_;
  std::uint32_t nodes_ = 1;
};

/// "subtasks", "Unteraufgaben": one word for the tasks below another. "sub" of "sub-tasks" is half of one.
bool says_subtasks(std::string_view lower_word);
bool begins_subtasks(std::string_view lower_word);

/// The words of a text in lower case: runs of letters, marks and digits.
std::vector<std::string> words_of(std::string_view text);

}  // namespace plankeep::core
