#pragma once
// Walks the units of a message and knows under which heading, label and table header each stands; what is
// claimed goes into a ClaimSet. For audit.cpp alone.

#include <array>
#include <cstddef>
#include <vector>

#include "audit/assertion_clauses.hpp"
#include "audit/assertion_set.hpp"
#include "audit/json_report.hpp"
#include "audit/message_lines.hpp"
#include "audit/message_tokens.hpp"

namespace plankeep::core {

class AssertionReader {
 public:
  AssertionReader(const TaskNames& names, AssertionSet& assertions)
      : names_(names), assertions_(assertions) {}

  /// `unit` stays where it is until finish().
  void read(const MessageUnit& unit);
  /// Behind the last unit.
  void finish() {
    MessageUnit end;
    end.kind = Kind::rule;
    settle_entry(end);
    claim_held();
    for (const MessageUnit& unit : json_) read_json_report(unit.text, unit.line, names_, assertions_);
  }

 private:
  using Kind = MessageUnit::Kind;

  Section section() const;
  void end_labels();
  /// The phase whose title or number is all that these tokens are.
  TaskSet phase_of(const std::vector<Token>& tokens) const;
  void read_heading(const MessageUnit& unit);
  void read_text(const MessageUnit& unit);

  /// "100 % complete": as the first words of a message, nothing else can be meant than all of the work.
  static bool says_all_done(const std::vector<Token>& tokens);

  /// "This task is complete": of the one that was named last, by a heading or an item.
  static bool says_task_done(const std::vector<Token>& tokens);

  /// "✅ Task complete", above a line that names it.
  static bool heads_task(const std::vector<Token>& tokens);

  /// An item under "Completed", or a line that leads with an id.
  bool listed(const MessageUnit& unit, const std::vector<Token>& tokens, const IdList& lead);
  void read_ticked(const MessageUnit& unit, const UnitTokens& said);
  void judge(const std::vector<Token>& tokens, const MessageUnit& unit, Section under);

  /// A line that heads a list. False when it says something of its own.
  bool read_label(const MessageUnit& unit, const std::vector<Token>& tokens);

  // "Task: T1" and "Status: done" on lines of their own, in either order.
  struct Current {
    std::vector<Token> tokens;
    IdList ids;
    std::size_t unit = 0;
    std::size_t indent = 0;
    bool item = false;
    bool label = false;
  };
  void remember(const std::vector<Token>& tokens, const IdList& ids, const MessageUnit& unit, bool item);
  bool read_status_label(const MessageUnit& unit, const std::vector<Token>& tokens);

  static bool starts_done(const std::vector<Token>& value);

  // "Tasks Completed" may claim the one task that was assigned, or only head a list of others: that is known
  // when the list has come, or something else.
  struct Held {
    std::vector<Token> tokens;
    IdList ids;
    int level = 0;  // of the heading; kLabelLevel: a label
  };
  static bool heads(const MessageUnit& unit, const std::vector<Token>& tokens);
  void hold(const std::vector<Token>& tokens, const IdList& ids, const MessageUnit& unit);
  void claim_held();
  void forget_held() { held_ = {}; }
  /// "### T1: Create the schema" under "Completed" is an entry if what follows says what was made, or is the
  /// next one.
  void settle_entry(const MessageUnit& unit);
  /// This line begins the list that the held words head.
  void begin_list(const std::vector<Token>& tokens, const IdList& lead);

  // A JSON value is the agent's own word at the front of the message, under a heading that says so, and as
  // its last word behind prose that introduces nothing.
  bool reports_json() const;
  void read_json(const MessageUnit& unit);

  enum class Column { plain, named, status, done_list, open_list };
  void read_row(const MessageUnit& unit);

  /// A row of a table under "Completed": the task, and beside it nothing, its title or what was made of it.
  bool listed_row(const std::vector<UnitTokens>& cells, const UnitTokens& named) const;

  static Column column_of(const std::vector<Token>& tokens);

  const TaskNames& names_;
  AssertionSet& assertions_;
  std::array<Section, 6> headings_{};
  std::array<TaskSet, 6> phases_{};  // that the headings name
  Section label_ = Section::neutral;
  bool label_list_seen_ = false;
  bool planned_ = false;  // the label or heading above names goals
  Section item_label_ = Section::neutral;
  std::size_t item_label_indent_ = 0;
  Section fence_label_ = Section::neutral;
  bool was_fenced_ = false;
  std::vector<Column> columns_;
  std::vector<bool> described_;          // of each column: heads_description
  const MessageUnit* before_ = nullptr;  // the last unit that was no JSON
  std::vector<MessageUnit> json_;        // the last word so far
  Current current_;
  Held held_;
  Held entry_;
  std::size_t units_ = 0;
  std::size_t status_unit_ = 0;
};

}  // namespace plankeep::core
