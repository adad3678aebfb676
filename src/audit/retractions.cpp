// What a later message takes back of what an earlier one claimed (audit.hpp has the contract).

#include <algorithm>
#include <unordered_set>

#include "audit/assertion_clauses.hpp"
#include "audit/audit.hpp"
#include "audit/message_lines.hpp"
#include "audit/message_tokens.hpp"
#include "audit/task_names.hpp"
#include "audit/words/retraction_words.hpp"
#include "base/text.hpp"

namespace plankeep::core {
namespace {

using base::one_of;
using Kind = Token::Kind;

constexpr std::size_t kDeniedReach = 5;  // words from "not" to the verb that it denies
constexpr std::size_t kOpenReach = 3;    // words from "no" to the "remaining" that it denies

bool negates(const Token& token) {
  return is_negation(token.text);
}

bool admits(const Token& token) {
  return token.is(word::kRetract) || is_admission(token.text);
}

bool looks_ahead(const Token& token) {
  return token.is(word::kOnly) || is_outlook(token.text);
}

bool conditions(const Token& token) {
  return token.is(word::kIf) && !token.is(word::kIs) &&
         !one_of(token.text, {"once", "before", "after", "since", "because", "given", "provided"});
}

/// What a clause says of what it is about.
enum class Says {
  nothing,
  done,
  doubt,  // takes back, where nothing says "done" beside it: "no", "I will look at it"
  back,   // "not done", "I was wrong"
};

class Retractions {
 public:
  Retractions(const TaskNames& names, const std::vector<bool>& asked)
      : names_(names), asked_(asked), back_(asked.size()), doubted_(asked.size()) {}

  void read(const MessageUnit& unit) {
    if (unit.fenced || unit.kind == MessageUnit::Kind::rule) return;
    if (unit.kind == MessageUnit::Kind::row) return read_row(unit);
    const std::vector<Token> tokens = tokens_of(unit.text, unit.line, names_).tokens;
    if (unit.kind == MessageUnit::Kind::heading || unit.label) open_ = section_of(tokens) == Section::open;
    if (open_ || unit.box == MessageUnit::Box::open) mark(tokens, 0, tokens.size(), back_);
    for (std::size_t begin = 0; begin < tokens.size();) {
      std::size_t end = begin;
      while (end < tokens.size() && tokens[end].kind != Kind::stop && tokens[end].kind != Kind::question)
        ++end;
      sentence(tokens, begin, end);
      begin = end + 1;
    }
  }

  bool takes_back(std::size_t task) const {
    return all_back_ || back_[task] || (!insists_ && (all_doubted_ || doubted_[task]));
  }

 private:
  void read_row(const MessageUnit& unit) {
    bool open = false;
    std::vector<std::vector<Token>> cells;
    for (const std::string& cell : unit.cells) {
      cells.push_back(tokens_of(cell, unit.line, names_).tokens);
      open = open || says_open(cells.back());
    }
    for (const auto& cell : cells) {
      if (open) mark(cell, 0, cell.size(), back_);
    }
  }

  void sentence(const std::vector<Token>& tokens, std::size_t begin, std::size_t end) {
    // What is said of other tasks says nothing of these, but for "My mistake, I meant T2".
    const bool others = names_tasks(tokens, begin, end) && !mark(tokens, begin, end, doubted_, false);
    const bool question = end < tokens.size() && tokens[end].kind == Kind::question;
    for (std::size_t first = begin; first < end;) {
      std::size_t last = first;
      while (last < end && !ends_clause(tokens[last])) ++last;
      const auto from = tokens.begin() + static_cast<std::ptrdiff_t>(first);
      const auto to = tokens.begin() + static_cast<std::ptrdiff_t>(last);
      if (!others || std::any_of(from, to, admits)) clause(tokens, first, last, question);
      first = last + 1;
    }
  }

  void clause(const std::vector<Token>& tokens, std::size_t begin, std::size_t end, bool question) {
    Says says = judged(tokens, begin, end);
    if (question && says != Says::back) says = Says::doubt;
    if (says == Says::done) insists_ = true;
    if (says == Says::nothing || says == Says::done) return;
    std::vector<bool>& marks = says == Says::back ? back_ : doubted_;
    if (mark(tokens, begin, end, marks) || names_tasks(tokens, begin, end)) return;
    (says == Says::back ? all_back_ : all_doubted_) = true;
  }

  static Says judged(const std::vector<Token>& tokens, std::size_t begin, std::size_t end) {
    bool done = false, doubt = false, you = false, forgot = false, tick = false;
    for (std::size_t i = begin; i < end; ++i) {
      const Token& token = tokens[i];
      if (token.kind == Kind::bad || token.kind == Kind::exception || admits(token)) return Says::back;
      if (token.kind != Kind::word) continue;
      if (negates(token)) {
        if (denies_verb(tokens, i, end)) return Says::back;
        doubt = doubt || i + 1 >= end ||
                !one_of(tokens[i + 1].text, {"doubt", "question", "problem", "problems", "issue", "issues",
                                             "error", "errors", "further", "more"});
      }
      if (token.is(word::kOpen)) {
        if (!denied_open(tokens, begin, i, end)) return Says::back;
        // "Nothing is missing", "no open issues"
        return is_negation(tokens[begin].text) || token.is(word::kRemains) ? Says::done : Says::nothing;
      }
      done = done || token.is(word::kPlainDone) || works(tokens, i);
      const bool has_to = one_of(token.text, {"have", "has"}) && i + 1 < end && tokens[i + 1].text == "to";
      doubt = doubt || has_to || looks_ahead(token) || conditions(token);
      doubt = doubt || (you && one_of(token.text, {"right", "correct"}));
      you = you || one_of(token.text, {"you", "you're", "you\u2019re"});
      forgot = forgot || one_of(token.text, {"forgot", "forgotten"});
      tick = tick || token.is(word::kTicked | word::kBox) || one_of(token.text, {"tick", "check", "mark"});
    }
    // Not to tick a box, or not to care for it, says nothing of the task.
    if (tick && doubt && !you) return Says::nothing;
    if (doubt || (forgot && !tick)) return Says::doubt;
    return done ? Says::done : Says::nothing;
  }

  /// "not finished", "could not complete", "not pay-api"; not "not ticked", "no doubt that it is done".
  static bool denies_verb(const std::vector<Token>& tokens, std::size_t no, std::size_t end) {
    if (is(tokens, no + 1, Kind::id) && no + 1 < end) return true;
    for (std::size_t i = no + 1; i < end && i <= no + kDeniedReach; ++i) {
      const Token& token = tokens[i];
      if (token.is(word::kPronoun) || token.is(word::kTicked)) return false;
      if (token.is(word::kDoneAfter | word::kDoneBefore | word::kDid | word::kPlainDone) ||
          one_of(token.text, {"finish", "complete", "implement", "do", "write", "exist", "work", "works",
                              "pass", "there", "yet", "ready"}))
        return true;
    }
    return false;
  }

  /// "pay-api works", "it works now": said of the task, or of what was made for it.
  static bool works(const std::vector<Token>& tokens, std::size_t i) {
    if (i == 0 ||
        !one_of(tokens[i].text, {"work", "works", "funktioniert", "funktionieren", "fonctionne", "funciona"}))
      return false;
    return named(tokens[i - 1]) || tokens[i - 1].is(word::kPronoun | word::kAll | word::kBoth);
  }

  /// "nothing remains", "no open issues", "is still done".
  static bool denied_open(const std::vector<Token>& tokens, std::size_t begin, std::size_t at,
                          std::size_t end) {
    const std::string& text = tokens[at].text;
    if (text == "still") {
      for (std::size_t i = at + 1; i < end && i <= at + 2; ++i)
        if (tokens[i].is(word::kPlainDone)) return true;
    }
    if (one_of(text, {"yet", "still", "start", "started", "starting", "begin", "begun"})) return false;
    for (std::size_t i = at; i > begin && at - i < kOpenReach; --i)
      if (negates(tokens[i - 1])) return true;
    return false;
  }

  static bool ends_clause(const Token& token) {
    return token.kind == Kind::comma || token.kind == Kind::semicolon || token.kind == Kind::colon ||
           token.kind == Kind::dash || token.is(word::kBut);
  }

  static bool named(const Token& token) {
    // An id that is a word needs no sign here: what was claimed is known.
    const bool word =
        token.kind == Kind::word && token.entry != nullptr && token.entry->kind != IdKind::number;
    return word ||
           ((token.kind == Kind::id || token.kind == Kind::exception) && !token.unknown && !token.every);
  }

  static bool names_tasks(const std::vector<Token>& tokens, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      if (named(tokens[i])) return true;
    return false;
  }

  /// Whether the tokens name one that was asked for; `set`: these are marked.
  bool mark(const std::vector<Token>& tokens, std::size_t begin, std::size_t end, std::vector<bool>& marks,
            bool set = true) const {
    bool found = false;
    for (std::size_t i = begin; i < end; ++i) {
      if (!named(tokens[i])) continue;
      const Token& token = tokens[i];
      // The same id in two phases: either may be meant.
      const bool several = token.entry != nullptr && token.tasks.size() <= 1 && !token.title;
      const TaskSet tasks = several ? token.entry->all() : token.tasks;
      for (std::uint32_t at = tasks.first; at < tasks.end; ++at) {
        const std::uint32_t task = (*tasks.list)[at];
        if (!asked_[task]) continue;
        found = true;
        if (set) marks[task] = true;
      }
    }
    return found;
  }

  const TaskNames& names_;
  const std::vector<bool>& asked_;
  std::vector<bool> back_, doubted_;
  bool all_back_ = false, all_doubted_ = false;
  bool insists_ = false;
  bool open_ = false;  // the heading above says "Remaining"
};

}  // namespace

std::vector<TaskId> still_claimed(std::string_view message, std::span<const AuditTask> tasks,
                                  const std::vector<TaskId>& claimed) {
  if (message.size() > kAuditedBytes) message = message.substr(message.size() - kAuditedBytes);
  const std::unordered_set<TaskId> ids(claimed.begin(), claimed.end());
  std::vector<bool> asked(tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) asked[i] = !tasks[i].done && ids.contains(tasks[i].id);
  const TaskNames names(tasks, message);
  Retractions said(names, asked);
  for (const MessageUnit& unit : split_message(message, Quotations::leave_out)) said.read(unit);
  std::vector<TaskId> still;
  for (std::size_t i = 0; i < tasks.size(); ++i)
    if (asked[i] && !said.takes_back(i)) still.push_back(tasks[i].id);
  return still;
}

}  // namespace plankeep::core
