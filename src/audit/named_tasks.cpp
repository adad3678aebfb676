// What a prompt assigns: the ids it names (audit.hpp has the contract).

#include <set>
#include <vector>

#include "audit/assertion_clauses.hpp"
#include "audit/assertion_set.hpp"
#include "audit/audit.hpp"
#include "audit/message_lines.hpp"
#include "audit/message_tokens.hpp"
#include "audit/task_names.hpp"
#include "audit/words/order_words.hpp"
#include "audit/words/retraction_words.hpp"
#include "base/text.hpp"

namespace plankeep::core {
namespace {

using base::one_of;
using Kind = Token::Kind;

class Names {
 public:
  Names(std::span<const AuditTask> tasks, const TaskNames& names) : names_(names), named_(tasks.size()) {}

  void read(const MessageUnit& unit) {
    if (unit.box == MessageUnit::Box::ticked) return;
    if (unit.kind == MessageUnit::Kind::row) {
      for (const std::string& cell : unit.cells) read(tokens_of(cell, unit.line, names_));
    } else {
      read(tokens_of(unit.text, unit.line, names_));
    }
  }

  bool any() const { return named_.any(); }

  std::vector<TaskId> take(std::span<const AuditTask> tasks) const {
    std::vector<TaskId> ids;
    std::set<TaskId> seen;
    for (std::size_t i = 0; i < tasks.size(); ++i)
      if (named_.line_of(i) > 0 && seen.insert(tasks[i].id).second) ids.push_back(tasks[i].id);
    return ids;
  }

 private:
  void read(const UnitTokens& said) {
    for (const TaskSet& marker : said.markers) add(marker);
    const std::vector<Token>& tokens = said.tokens;
    std::size_t clause = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const Token& token = tokens[i];
      if (token.kind == Kind::stop || token.kind == Kind::semicolon || token.kind == Kind::question ||
          token.is(word::kBut))
        clause = i + 1;
      if (token.kind == Kind::command) add(token.tasks);
      if (token.kind != Kind::id || token.unknown) continue;
      const IdList list = ids_from(tokens, i, tokens.size(), names_);
      const std::size_t end = list.empty() ? i + 1 : list.end;
      if (!ruled_out(tokens, clause, i, end)) {
        for (std::size_t k = i; k < end; ++k)
          if (tokens[k].kind == Kind::id && !tokens[k].phase && !tokens[k].every) add(all_of(tokens[k]));
        for (const TaskSet& range : list.ranges) add(range);
      }
      i = end - 1;
    }
  }

  /// A bare id that stands in two phases names both.
  static TaskSet all_of(const Token& token) {
    const bool one = token.entry != nullptr && token.tasks.size() == 1;
    return one && !token.title ? token.entry->all() : token.tasks;
  }

  static bool ruled_out(const std::vector<Token>& tokens, std::size_t clause, std::size_t first,
                        std::size_t end) {
    // "do not touch T3", "leave T3 alone", "except T3", "not T3", "after T3"
    const std::size_t from = first > clause + kHead ? first - kHead : clause;
    for (std::size_t i = from; i < first; ++i) {
      const Token& token = tokens[i];
      if (token.kind == Kind::id) continue;
      if (token.text == "after" && i > 0 && tokens[i - 1].text == "look") continue;
      for (const std::string_view no :
           {"not", "don't", "never", "except", "without", "skip", "ignore", "leave", "excluding", "depends",
            "after", "nicht", "pas", "no", "besides"})
        if (token.text == no) return true;
      if (token.text == "than" && i > 0 && tokens[i - 1].text == "other") return true;
    }
    if (only_looked_at(tokens, clause, first, end)) return true;
    // "T3 is already done", "T3 (done)"
    for (std::size_t i = end; i < tokens.size() && i < end + 4; ++i) {
      const Token& token = tokens[i];
      if (token.kind == Kind::id || token.kind == Kind::stop || token.kind == Kind::comma) break;
      if (token.is(word::kPlainDone) && i > end && (tokens[i - 1].is(word::kIs | word::kOther))) return true;
    }
    return false;
  }

  /// "Review T3", with nothing to be made in what follows; "the files that T3 touches".
  static bool only_looked_at(const std::vector<Token>& tokens, std::size_t clause, std::size_t first,
                             std::size_t end) {
    const bool relative =
        first > clause && one_of(tokens[first - 1].text, {"that", "which", "where", "what"});
    if (relative && is(tokens, end, Kind::word) && !tokens[end].is(word::kJoin)) return true;
    const auto order = [&](std::size_t i) {
      return i == clause || tokens[i - 1].kind != Kind::word || tokens[i - 1].is(word::kJoin) ||
             one_of(tokens[i - 1].text,
                    {"please", "then", "to", "just", "only", "first", "bitte", "can", "could", "you"});
    };
    bool looked = false;
    for (std::size_t i = first > clause + kOrder ? first - kOrder : clause; i < first; ++i) {
      if (tokens[i].kind != Kind::word) continue;
      if (orders_work(tokens[i].text) || tokens[i].is(word::kDoneBefore)) looked = false;
      const std::string_view next = is(tokens, i + 1, Kind::word) ? tokens[i + 1].text : std::string_view();
      if (orders_look(tokens[i].text, next) && order(i)) looked = true;
    }
    for (std::size_t i = end; looked && i < std::min(tokens.size(), end + kOrder); ++i) {
      const bool denied = is(tokens, i + 1, Kind::word) && is_negation(tokens[i + 1].text);
      const bool forbidden =
          i > 0 && one_of(tokens[i - 1].text, {"not", "don't", "never", "nicht", "pas", "no"});
      if (tokens[i].kind == Kind::word && orders_work(tokens[i].text) && !denied && !forbidden)
        looked = false;
    }
    return looked;
  }

  static constexpr std::size_t kOrder = 40;  // tokens from an order to an id, and behind it
  static constexpr std::size_t kHead = 6;    // tokens before an id that can rule it out

  void add(const TaskSet& tasks) { named_.add(tasks, 1); }

  const TaskNames& names_;
  TaskMarks named_;
};

}  // namespace

std::vector<TaskId> named_tasks(std::string_view text, std::span<const AuditTask> tasks) {
  if (text.size() > kAuditedBytes) text = text.substr(0, kAuditedBytes);
  const TaskNames names(tasks, text);
  for (const Quotations quotations : {Quotations::leave_out, Quotations::only}) {
    Names named(tasks, names);
    for (const MessageUnit& unit : split_message(text, quotations)) named.read(unit);
    if (named.any() || quotations == Quotations::only) return named.take(tasks);
  }
  return {};
}

}  // namespace plankeep::core
