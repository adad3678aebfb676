// Which words of a unit are ids: single words, pairs, lists. The steps and their order.

#include <algorithm>

#include "audit/token_namer.hpp"
#include "base/text.hpp"

namespace plankeep::core {
namespace {

using base::one_of;

}  // namespace

void TokenNamer::run() {
  drop_erased();
  join_tokens(tokens_);
  for (std::size_t i = 1; i < tokens_.size(); ++i) read_pair(i);
  for (std::size_t i = 0; i < tokens_.size(); ++i) resolve(i);
  drop_erased();
  for (std::size_t i = 0; i < tokens_.size(); ++i) name_children(i);
  drop_erased();
  for (std::size_t i = 0; i < tokens_.size(); ++i) open_clause(i);
  for (std::size_t i = 0; i < tokens_.size(); ++i) choose_phase(i);
  drop_erased();
  for (std::size_t i = 0; i < tokens_.size(); ++i) name_phase(i);
  drop_erased();
  for (std::size_t i = 0; i < tokens_.size(); ++i) join_apposition(i);
  drop_erased();
  for (std::size_t i = 0; i < tokens_.size(); ++i) name_bound(i);
  drop_erased();
  name_exceptions(tokens_, names_);
  name_rest(tokens_, names_);
  take_exceptions(tokens_, names_);
  for (std::size_t i = 0; i < tokens_.size(); ++i) name_all(i);
  for (std::size_t i = 0; i < tokens_.size(); ++i)
    if (!tokens_[i].erased) i += name_title(i);
  drop_erased();
}

bool TokenNamer::leads(std::size_t i) const {
  for (std::size_t k = i, steps = 0; k > 0; --k) {
    const Kind kind = tokens_[k - 1].kind;
    if (kind != Kind::good && kind != Kind::bad && kind != Kind::quote && kind != Kind::open &&
        kind != Kind::exception) {
      return false;
    }
    if (++steps > 4) return false;
  }
  return true;
}

bool TokenNamer::ends(std::size_t i) const {
  while (is(i, Kind::close) || is(i, Kind::quote) || is(i, Kind::stop)) ++i;
  return i >= tokens_.size();
}

void TokenNamer::read_pair(std::size_t i) {
  Token& before = tokens_[i - 1];
  Token& token = tokens_[i];
  // "After that I finished T1": no condition.
  const bool alone = !is(i + 1, Kind::word) || is(i + 1, word::kFirst);
  if ((token.text == "that" || token.text == "which" || (token.text == "this" && alone)) &&
      (before.text == "after" || before.text == "before")) {
    before.classes = token.classes = 0;
  }
  // "I did T1 and T2."
  const auto named = [&](std::size_t k) {
    return is(k, Kind::id) || (k < tokens_.size() && tokens_[k].entry != nullptr);
  };
  if (token.text == "did" && before.is(word::kFirst) &&
      (named(i + 1) || (is(i + 1, word::kTask) && named(i + 2)))) {
    std::size_t end = i + 2;
    while (is(end, Kind::comma) || is(end, word::kJoin | word::kTask) || named(end)) ++end;
    if (!is(end, Kind::word) || (is(end, word::kLeft) && !is(end, word::kArticle)))
      token.classes = word::kDoneBefore | word::kPlainDone;
  }
}

void TokenNamer::resolve(std::size_t i) {
  Token& token = tokens_[i];
  if (token.kind == Kind::id) return;
  if (token.unknown) {
    token.kind = Kind::id;
    token.classes = 0;
    return;
  }
  // "Task 4" of a plan that has T001 .. T009
  if (token.entry == nullptr && is_number(token.text) && i > 0 && is(i - 1, word::kTask) && !story(i) &&
      !is(i + 1, word::kTask | word::kAmount))
    token.entry = names_.numbered(token.text);
  // "tasks 7 and 8"
  if (token.entry == nullptr && is_number(token.text) && i > 1 &&
      (is(i - 1, Kind::comma) || is(i - 1, word::kJoin)) && is(i - 2, Kind::id) &&
      is_number(tokens_[i - 2].text) && !is(i + 1, word::kTask | word::kAmount))
    token.entry = names_.numbered(token.text);
  if (token.entry == nullptr || token.kind != Kind::word || !meant(i)) return;
  token.loose = token.entry->kind == IdKind::word && subject(i) && !token.strong;
  token.kind = Kind::id;
  token.classes = 0;
  if (token.tasks.empty()) token.tasks = token.entry->one();
  if (i > 0 && (tokens_[i - 1].text == "#" || tokens_[i - 1].text == "\u7b2c")) {
    tokens_[i - 1].erased = true;
  }
  if (is(i + 1, word::kCounter) && is_number(token.text)) tokens_[i + 1].erased = true;
}

bool TokenNamer::story(std::size_t i) const {
  return i > 0 && one_of(tokens_[i - 1].text, {"user_story", "story"}) &&
         !names_.phase("user story " + tokens_[i].text).empty();
}

bool TokenNamer::meant(std::size_t i) const {
  const Token& token = tokens_[i];
  const bool behind_task =
      counted(i) ||
      (i > 0 && !is(i + 1, word::kAmount) &&
       (is(i - 1, word::kTask | word::kPoint) ||
        (i > 1 && (is(i - 1, Kind::colon) || is(i - 1, Kind::quote)) && is(i - 2, word::kTask))));
  const bool before_task = is(behind_list(i), word::kTask) && !is(behind_list(i), word::kAll);
  const bool whole =
      (leads(i) && (ends(i + 1) || is(i + 1, Kind::dash) || is(i + 1, Kind::colon))) || token.strong ||
      listed(i) || status_follows(i) ||
      ((leads(i) || is(i - 1, Kind::comma)) && (is(i + 1, Kind::good) || is(i + 1, Kind::bad)));
  // "tasks setup, docs and 1.2"
  std::size_t before = i > 1 ? i - 2 : 0;
  if (before > 0 && tokens_[before].erased) --before;
  const bool dash = is(i - 1, Kind::dash) && token.entry->kind == IdKind::number;
  const bool joined = i > 1 && (is(i - 1, Kind::comma) || is(i - 1, word::kJoin | word::kRange) || dash) &&
                      is(before, Kind::id) && tokens_[before].entry != nullptr &&
                      tokens_[before].entry->kind == token.entry->kind && !tokens_[before].code;
  // "task is", "the next task": words that make sentences.
  const bool function_word =
      (token.classes & ~(word::kPart | word::kDid | word::kBox | word::kWork | word::kPlan)) != 0;
  switch (token.entry->kind) {
    case IdKind::code:
      return true;
    case IdKind::number: {
      if (joined || behind_task || whole) return true;
      if (i > 0 && tokens_[i - 1].text == "#")
        return i < 2 || !one_of(tokens_[i - 2].text, {"issue", "issues", "pr", "prs", "pull", "request",
                                                      "bug", "ticket", "mr", "discussion"});
      if (token.text.find('.') == std::string::npos) return false;
      // "Done with 1.1 and 1.2", not "Finished 1.2 support"
      if (i > 0 && !is(i + 1, Kind::word) &&
          (is(i - 1, word::kDoneBefore) || (i > 1 && is(i - 1, word::kOf) && is(i - 2, word::kPlainDone))))
        return true;
      if (i > 0 && is(i - 1, word::kExcept)) return true;
      if (i > 0 && one_of(tokens_[i - 1].text,
                          {"step", "schritt", "étape", "etapa", "paso", "passo", "stap", "krok", "шаг",
                           "subtask", "subtasks", "steps", "schritte", "étapes", "pasos", "passos"})) {
        return true;
      }
      if (behind_own_title(i) || opens_number_list(i)) return true;
      // "everything from 1.1 to 3.2", not "upgrade from 1.1 to 3.2"
      if (i > 1 && is(i - 1, word::kFrom) && is(i - 2, word::kAll | word::kTask) && is(i + 1, word::kRange) &&
          i + 2 < tokens_.size() && tokens_[i + 2].entry != nullptr) {
        return true;
      }
      // "All tasks but 3.2"
      if (i > 1 && tokens_[i - 1].text == "but" && is(i - 2, word::kAll | word::kTask)) return true;
      // "La 2.1 è finita"
      if (i == 1 && is(0, word::kArticle | word::kRight) && is(2, word::kIs)) return true;
      // "Readme written, 1.10 done"
      if (i > 0 && (is(i - 1, Kind::comma) || is(i - 1, Kind::stop) || is(i - 1, Kind::colon)) &&
          is(i + 1, word::kPlainDone)) {
        return true;
      }
      // "Finished 1.1 and 1.2 today", not "Finished 1.1 and 1.2 support"
      if (i > 0 && behind_list(i) > i + 1 &&
          (is(i - 1, word::kDoneBefore) || (i > 1 && is(i - 1, word::kOf) && is(i - 2, word::kPlainDone))) &&
          (!is(behind_list(i), Kind::word) || is(behind_list(i), kBehindAll))) {
        return true;
      }
      // "1.1 is done; 1.2 has a failing test"
      if (i > 0 && (is(i - 1, Kind::semicolon) || is(i - 1, Kind::stop)) && is(0, Kind::id) &&
          is(i + 1, Kind::word) && !is(i + 1, word::kOf)) {
        return true;
      }
      return (leads(i) && !is(i + 1, word::kOf)) || is(i + 1, Kind::good) || is(i + 1, Kind::bad) ||
             (i > 0 && (is(i - 1, Kind::good) || is(i - 1, Kind::bad)));
    }
    case IdKind::compound:
      if (i > 0 && is(i - 1, word::kArticle)) return before_task;
      return true;
    case IdKind::word:
      if (token.text.size() >= kTitleAlone && static_cast<unsigned char>(token.text[0]) >= 0xE3) {
        return true;
      }
      if ((subject(i) || beside_id(i) || object(i) || status_set(i, behind_list(i))) &&
          !token.is(word::kDoneAfter | word::kOpen | word::kNot)) {
        return true;
      }
      if (function_word) return whole && !token.is(word::kDoneAfter | word::kOpen | word::kNot);
      return behind_task || whole || joined ||
             (before_task && (i > 0 || is(i + 2, Kind::colon) || is(i + 2, word::kIs | word::kDoneAfter)));
  }
  return false;
}

bool TokenNamer::counted(std::size_t i) const {
  if (!is(i + 1, word::kCounter)) return false;
  if (i > 0 && tokens_[i - 1].text == "\u7b2c") return true;
  if (is(i + 1, word::kAmount)) return false;
  if (i > 0 && is(i - 1, word::kTask)) return true;
  std::size_t k = i + 2;
  while (k < i + kListWords && (is(k, word::kJoin) || is(k, Kind::comma) || is(k, word::kCounter) ||
                                (k < tokens_.size() && tokens_[k].entry != nullptr))) {
    ++k;
  }
  return is(k, word::kTask);
}

std::size_t TokenNamer::behind_list(std::size_t i) const {
  std::size_t k = i + 1;
  while (k < i + kListWords && (is(k, Kind::comma) || is(k, word::kJoin))) {
    while (is(k, Kind::comma) || is(k, word::kJoin)) ++k;
    if (k >= tokens_.size() || (tokens_[k].entry == nullptr && !is(k, Kind::id))) return i + 1;
    ++k;
  }
  return k;
}

bool TokenNamer::subject(std::size_t i) const {
  std::size_t end = behind_list(i);
  // "auth-login and docs: both done"
  const bool listed = end > i + 1 || (i > 0 && is(i - 1, word::kJoin));
  if (listed && (is(end, Kind::colon) || is(end, Kind::dash)) &&
      (is(end + 1, word::kPlainDone) || (is(end + 1, word::kLeft) && is(end + 2, word::kPlainDone)))) {
    end += is(end + 1, word::kPlainDone) ? 1 : 2;
  }
  if (!is(end, word::kIs) && !(is(end, word::kPlainDone) && is(end, word::kDoneAfter))) return false;
  // "Setup is done" only where the task is called so.
  if (tokens_[i].capital && longest_title(i).end != i + 1) return false;
  std::size_t first = i;
  for (std::size_t k = i; k > 0 && i - k < kListWords; --k) {
    if (is(k - 1, Kind::comma) || is(k - 1, word::kJoin)) continue;
    if (k == i || (tokens_[k - 1].entry == nullptr && !is(k - 1, Kind::id))) break;
    first = k - 1;
  }
  // "Ich habe setup und docs abgeschlossen"
  const bool verb_last = is(end, word::kPlainDone);
  while (verb_last && first > 0 && is(first - 1, word::kFirst | word::kLeft) && !is(first - 1, word::kJoin)) {
    --first;
  }
  return leads(first) || is(first - 1, Kind::stop) || is(first - 1, Kind::line_break) ||
         (is(first - 1, Kind::colon) && (first < i || end > i + 1));
}

bool TokenNamer::object(std::size_t i) const {
  if (i == 0 || tokens_[i].capital || !is(i - 1, word::kDoneBefore)) return false;
  const std::size_t end = behind_list(i);
  // "Completed endpoints: added the check"
  if (is(end, Kind::colon) && end + 1 < tokens_.size()) return leads(i - 1) && is(i - 1, word::kPlainDone);
  return end >= tokens_.size() || is(end, Kind::stop) || is(end, Kind::comma) || is(end, Kind::semicolon) ||
         is(end, Kind::open) || is(end, Kind::line_break);
}

bool TokenNamer::beside_id(std::size_t i) const {
  const std::size_t head = i > 1 && is(i - 1, word::kArticle) ? i - 1 : i;
  if (head > 0 && is(head - 1, word::kExcept) && tokens_[head - 1].text != "but")
    return !is(i + 1, Kind::word) || is(i + 1, word::kIs);
  // "Everything but search is done"
  if (i > 1 && tokens_[i - 1].text == "but" && is(i - 2, word::kAll | word::kTask)) {
    return !is(i + 1, Kind::word) || is(i + 1, word::kIs);
  }
  if (i < 2 || !(is(i - 1, Kind::comma) || is(i - 1, word::kJoin))) return false;
  std::size_t before = i - 2;
  if (is(before, Kind::comma) && before > 0) --before;
  if (!is(before, Kind::id) || tokens_[before].entry == nullptr ||
      (tokens_[before].entry->kind != IdKind::compound && tokens_[before].entry->kind != IdKind::word)) {
    return false;
  }
  return is(i + 1, Kind::comma) || is(i + 1, word::kJoin) || is(i + 1, word::kIs) ||
         is(i + 1, word::kPlainDone) || ends(i + 1) || is(i + 1, Kind::stop);
}

bool TokenNamer::opens_number_list(std::size_t i) const {
  if (i == 0 || !is(i - 1, Kind::open) || !is(i + 1, Kind::comma)) return false;
  std::size_t k = i;
  while (k < i + kListWords && k < tokens_.size() && tokens_[k].entry != nullptr &&
         tokens_[k].entry->kind == IdKind::number) {
    ++k;
    while (is(k, Kind::comma) || is(k, word::kJoin)) ++k;
  }
  return is(k, Kind::close);
}

bool TokenNamer::behind_own_title(std::size_t i) const {
  if (i < 2 || !is(i - 1, Kind::open) || !is(i + 1, Kind::close)) return false;
  for (std::size_t k = i - 1; k > 0 && i - k < TaskNames::kTitleWords; --k) {
    if (!is(k - 1, Kind::word)) return false;
    const Match title = longest_title(k - 1);
    if (title.entry != nullptr && title.end == i - 1 && title.entry->tasks == tokens_[i].entry->tasks)
      return true;
  }
  return false;
}

bool TokenNamer::status_follows(std::size_t i) const {
  return i > 0 && (is(i - 1, Kind::stop) || is(i - 1, Kind::line_break)) &&
         (is(i + 1, Kind::colon) || is(i + 1, Kind::dash)) &&
         (is(i + 2, word::kPlainDone | word::kOpen) || is(i + 2, Kind::good) || is(i + 2, Kind::bad));
}

bool TokenNamer::listed(std::size_t i) const {
  const bool starts = i > 1 && is(i - 1, Kind::colon) &&
                      is(i - 2, word::kDoneAfter | word::kDoneBefore | word::kOpen | word::kTask);
  if (!starts) return false;
  return ends(i + 1) || is(i + 1, Kind::comma) || is(i + 1, word::kJoin) || is(i + 1, Kind::dash) ||
         is(i + 1, Kind::open) || is(i + 1, Kind::stop);
}

void name_tokens(std::vector<Token>& tokens, const TaskNames& names) {
  TokenNamer(tokens, names).run();
}

}  // namespace plankeep::core
