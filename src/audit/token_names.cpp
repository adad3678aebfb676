// Which words of a unit are ids, titles, phases, "all tasks": the second half of message_tokens.

#include <algorithm>

#include "audit/message_tokens.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"

namespace plankeep::core {
namespace {

using Kind = Token::Kind;
using base::one_of;

constexpr std::size_t kNone = static_cast<std::size_t>(-1);
constexpr std::size_t kTitleAnywhere = 4;      // words: a title this long is no turn of speech
constexpr std::size_t kTitleAnywhereCjk = 18;  // bytes: the same where words are not set apart
constexpr std::size_t kListWords = 24;         // tokens of a list before "tasks"
constexpr std::size_t kPhaseWords = 4;         // of a phase's title before "phase"
constexpr std::size_t kAllWords = 5;           // between "everything" and "phase 2"
constexpr std::size_t kMostCounted = 100;      // tasks that "both" or "all twelve" may stand for
constexpr std::size_t kPhaseTitle = 12;        // tokens of a phase's title
constexpr std::size_t kSubjectTitles = 6;      // of one sentence
constexpr std::size_t kTitleAlone = 12;        // bytes of a title that is one word, to count at the front
constexpr std::size_t kTitleAloneCjk = 9;      // the same as a subject: three characters
constexpr std::size_t kSubjectAlone = 6;       // bytes of a title that is one word and a subject

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// What may follow "all tasks" without saying which.
constexpr WordClass kBehindAll = word::kIs | word::kLeft | word::kDoneAfter | word::kDoneBefore | word::kBut |
                                 word::kJoin | word::kOf | word::kTail | word::kIf;

class Namer {
 public:
  Namer(std::vector<Token>& tokens, const TaskNames& names) : tokens_(tokens), names_(names) {}

  void run() {
    drop_erased();
    join_tokens(tokens_);
    for (std::size_t i = 1; i < tokens_.size(); ++i) read_pair(i);
    for (std::size_t i = 0; i < tokens_.size(); ++i) resolve(i);
    drop_erased();
    for (std::size_t i = 0; i < tokens_.size(); ++i) open_clause(i);
    for (std::size_t i = 0; i < tokens_.size(); ++i) choose_phase(i);
    drop_erased();
    for (std::size_t i = 0; i < tokens_.size(); ++i) name_phase(i);
    drop_erased();
    for (std::size_t i = 0; i < tokens_.size(); ++i) join_apposition(i);
    drop_erased();
    name_exceptions(tokens_, names_);
    name_rest(tokens_, names_);
    take_exceptions(tokens_);
    for (std::size_t i = 0; i < tokens_.size(); ++i) name_all(i);
    for (std::size_t i = 0; i < tokens_.size(); ++i)
      if (!tokens_[i].erased) i += name_title(i);
    drop_erased();
  }

 private:
  void drop_erased() {
    std::erase_if(tokens_, [](const Token& token) { return token.erased; });
  }

  bool is(std::size_t i, Kind kind) const { return i < tokens_.size() && tokens_[i].kind == kind; }
  bool is(std::size_t i, WordClass classes) const { return i < tokens_.size() && tokens_[i].is(classes); }

  /// Nothing but ticks, quotes and opening brackets before it.
  bool leads(std::size_t i) const {
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

  bool ends(std::size_t i) const {
    while (is(i, Kind::close) || is(i, Kind::quote) || is(i, Kind::stop)) ++i;
    return i >= tokens_.size();
  }

  /// Two words that say something else than each alone.
  void read_pair(std::size_t i) {
    Token& before = tokens_[i - 1];
    Token& token = tokens_[i];
    // "After that I finished T1": no condition.
    const bool alone = !is(i + 1, Kind::word) || is(i + 1, word::kFirst);
    if ((token.text == "that" || token.text == "which" || (token.text == "this" && alone)) &&
        (before.text == "after" || before.text == "before")) {
      before.classes = token.classes = 0;
    }
  }

  void resolve(std::size_t i) {
    Token& token = tokens_[i];
    if (token.kind == Kind::id) return;
    if (token.unknown) {
      token.kind = Kind::id;
      token.classes = 0;
      return;
    }
    // "Task 4" of a plan that has T001 .. T009
    if (token.entry == nullptr && is_number(token.text) && i > 0 && is(i - 1, word::kTask) &&
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

  bool meant(std::size_t i) const {
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
        if (i > 0 && one_of(tokens_[i - 1].text, {"step", "schritt", "étape", "etapa", "paso", "passo",
                                                  "stap", "krok", "шаг", "subtask"})) {
          return true;
        }
        if (behind_own_title(i) || opens_number_list(i)) return true;
        // "everything from 1.1 to 3.2", not "upgrade from 1.1 to 3.2"
        if (i > 1 && is(i - 1, word::kFrom) && is(i - 2, word::kAll | word::kTask) &&
            is(i + 1, word::kRange) && i + 2 < tokens_.size() && tokens_[i + 2].entry != nullptr) {
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
            (is(i - 1, word::kDoneBefore) ||
             (i > 1 && is(i - 1, word::kOf) && is(i - 2, word::kPlainDone))) &&
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
        if ((subject(i) || beside_id(i) || object(i)) &&
            !token.is(word::kDoneAfter | word::kOpen | word::kNot)) {
          return true;
        }
        if (function_word) return whole && !token.is(word::kDoneAfter | word::kOpen | word::kNot);
        return behind_task || whole || joined ||
               (before_task && (i > 0 || is(i + 2, Kind::colon) || is(i + 2, word::kIs | word::kDoneAfter)));
    }
    return false;
  }

  /// "1번 작업": a number and the word that counts tasks behind it.
  bool counted(std::size_t i) const {
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

  /// "the auth-login and api-tests tasks": behind the rest of a list of words that may be ids.
  std::size_t behind_list(std::size_t i) const {
    std::size_t k = i + 1;
    while (k < i + kListWords && (is(k, Kind::comma) || is(k, word::kJoin))) {
      while (is(k, Kind::comma) || is(k, word::kJoin)) ++k;
      if (k >= tokens_.size() || (tokens_[k].entry == nullptr && !is(k, Kind::id))) return i + 1;
      ++k;
    }
    return k;
  }

  /// "setup and docs are done": begins its sentence, alone or in a list of ids.
  bool subject(std::size_t i) const {
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
    while (verb_last && first > 0 && is(first - 1, word::kFirst | word::kLeft) &&
           !is(first - 1, word::kJoin)) {
      --first;
    }
    return leads(first) || is(first - 1, Kind::stop) || is(first - 1, Kind::line_break) ||
           (is(first - 1, Kind::colon) && (first < i || end > i + 1));
  }

  /// "Finished docs.", "I completed setup and docs."
  bool object(std::size_t i) const {
    if (i == 0 || tokens_[i].capital || !is(i - 1, word::kDoneBefore)) return false;
    const std::size_t end = behind_list(i);
    // "Completed endpoints: added the check"
    if (is(end, Kind::colon) && end + 1 < tokens_.size()) return leads(i - 1) && is(i - 1, word::kPlainDone);
    return end >= tokens_.size() || is(end, Kind::stop) || is(end, Kind::comma) || is(end, Kind::semicolon) ||
           is(end, Kind::open) || is(end, Kind::line_break);
  }

  /// "auth-login, docs and deploy-script": in a list with ids that are no words.
  bool beside_id(std::size_t i) const {
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

  /// "The parser is complete (1.1, 1.2, 1.3)"
  bool opens_number_list(std::size_t i) const {
    if (i == 0 || !is(i - 1, Kind::open) || !is(i + 1, Kind::comma)) return false;
    std::size_t k = i;
    while (k < i + kListWords && k < tokens_.size() && tokens_[k].entry != nullptr &&
           tokens_[k].entry->kind == IdKind::number) {
      ++k;
      while (is(k, Kind::comma) || is(k, word::kJoin)) ++k;
    }
    return is(k, Kind::close);
  }

  /// "The expression grammar (1.2) is done"
  bool behind_own_title(std::size_t i) const {
    if (i < 2 || !is(i - 1, Kind::open) || !is(i + 1, Kind::close)) return false;
    for (std::size_t k = i - 1; k > 0 && i - k < TaskNames::kTitleWords; --k) {
      if (!is(k - 1, Kind::word)) return false;
      const Match title = longest_title(k - 1);
      if (title.entry != nullptr && title.end == i - 1 && title.entry->tasks == tokens_[i].entry->tasks)
        return true;
    }
    return false;
  }

  /// "Setup: done. Docs: done."
  bool status_follows(std::size_t i) const {
    return i > 0 && (is(i - 1, Kind::stop) || is(i - 1, Kind::line_break)) &&
           (is(i + 1, Kind::colon) || is(i + 1, Kind::dash)) &&
           (is(i + 2, word::kPlainDone | word::kOpen) || is(i + 2, Kind::good) || is(i + 2, Kind::bad));
  }

  /// "Done: setup, docs": in a list behind a colon, with nothing but marks around it.
  bool listed(std::size_t i) const {
    const bool starts = i > 1 && is(i - 1, Kind::colon) &&
                        is(i - 2, word::kDoneAfter | word::kDoneBefore | word::kOpen | word::kTask);
    if (!starts) return false;
    return ends(i + 1) || is(i + 1, Kind::comma) || is(i + 1, word::kJoin) || is(i + 1, Kind::dash) ||
           is(i + 1, Kind::open) || is(i + 1, Kind::stop);
  }

  /// The phase that the word "phase" at this place means; `first` and `last` are the tokens that say so.
  TaskSet phase_at(std::size_t i, std::size_t& first, std::size_t& last) const {
    first = last = i;
    std::size_t at = i + 1;
    while (is(at, Kind::quote)) ++at;
    if (at < tokens_.size() && !tokens_[at].text.empty()) {
      last = at;
      const std::string section = tokens_[i].is(word::kSection) ? "section " : "";
      const TaskSet tasks = names_.phase(section + std::string(number_word(tokens_[at].text)));
      if (!tasks.empty()) return tasks;
    }
    last = i;
    if (tokens_[i].is(word::kSection)) {
      if (i > 0) first = i - 1;
      return i > 0 ? names_.phase("section " + std::string(ordinal_word(tokens_[first].text))) : TaskSet{};
    }
    // "the release phase", "2단계", "第二阶段"
    std::string name;
    for (first = i; first > 0 && i - first < kPhaseWords; --first) {
      const Token& before = tokens_[first - 1];
      if (before.kind != Kind::word || before.text.empty() || before.erased) break;
      name = std::string(ordinal_word(before.text)) + (name.empty() ? "" : " ") + name;
      if (const TaskSet tasks = names_.phase(name); !tasks.empty()) {
        --first;
        if (first > 0 && tokens_[first - 1].text == "\u7b2c") --first;
        return tasks;
      }
    }
    return {};
  }

  /// "Alles, was in Groundwork stand, ist fertig": without the commas it is "everything in Groundwork".
  void open_clause(std::size_t i) {
    // "T4, c'est fait"
    if (is(i, Kind::comma) && i > 0 && is(i - 1, Kind::id) && is(i + 1, word::kIs) &&
        tokens_[i + 1].text == "c_est") {
      tokens_[i].erased = true;
    }
    if (!is(i, word::kAll) || !is(i + 1, Kind::comma) || !is(i + 2, Kind::word)) return;
    if (!one_of(tokens_[i + 2].text, {"was", "wat", "что", "co"})) return;
    for (std::size_t k = i + 3; k < tokens_.size() && k < i + 3 + 2 * kAllWords; ++k) {
      if (is(k, Kind::comma) && is(k + 1, word::kIs | word::kDoneAfter | word::kNot)) {
        tokens_[k].erased = tokens_[i + 1].erased = true;
        for (std::size_t w = i + 2; w < i + 4; ++w) {
          if (w == i + 2 || is(w, word::kIs)) tokens_[w].classes = word::kArticle;
        }
        return;
      }
      if (!is(k, Kind::word) && !is(k, Kind::quote)) return;
    }
  }

  /// The phase that is named here by its title or number; `end` is behind it.
  TaskSet phase_named(std::size_t i, std::size_t& end) const {
    std::string name;
    const bool noun = is(i, word::kPhase);
    for (std::size_t k = noun ? i + 1 : i; k < tokens_.size() && k < i + kPhaseWords; ++k) {
      if (!is(k, Kind::word) || tokens_[k].text.empty() || tokens_[k].erased) break;
      name += (name.empty() ? "" : " ") + base::to_lower(tokens_[k].text);
      const bool numbered = noun || is(k + 1, word::kPhase);
      TaskSet tasks = numbered ? names_.phase(name) : names_.titled_phase(name);
      if (tasks.empty()) continue;
      end = k + 1 + (!noun && is(k + 1, word::kPhase) ? 1 : 0);
      return tasks;
    }
    return {};
  }

  bool ambiguous(std::size_t i) const {
    return is(i, Kind::id) && tokens_[i].entry != nullptr && tokens_[i].entry->tasks.size() > 1 &&
           tokens_[i].tasks.size() == 1;
  }

  /// "T001 and T002 of the backend phase", "T001 (Backend)", "Backend: T001" where another phase has a T001
  /// too.
  void choose_phase(std::size_t i) {
    if (!ambiguous(i) || tokens_[i].erased) return;
    std::size_t last = i;
    while (last < i + kListWords && (is(last + 1, Kind::comma) || is(last + 1, word::kJoin)) &&
           ambiguous(last + 2)) {
      last += 2;
    }
    std::size_t from = last + 1, end = 0;
    while (from < last + kAllWords && is(from, word::kOf | word::kArticle | word::kRight)) ++from;
    const bool bracket = is(from, Kind::open);
    TaskSet phase;
    if (bracket || from > last + 1) phase = phase_named(from + (bracket ? 1 : 0), end);
    if (bracket && !is(end, Kind::close)) phase = {};
    if (!phase.empty()) {
      from = last + 1;
      end += bracket ? 1 : 0;
    } else {
      const std::size_t mark = i > 0 && (is(i - 1, Kind::colon) || is(i - 1, Kind::comma)) ? i - 1 : i;
      for (from = mark; from > 0 && mark - from < kPhaseWords && phase.empty(); --from) {
        phase = phase_named(from - 1, end);
        if (end != mark) phase = {};
      }
      end = i;
      if (from > 0 && is(from - 1, word::kPhase)) --from;
      // "In the frontend T001 is done" says so too, "not the frontend, T001" hardly.
      if (phase.empty() || (mark < i && !leads(from) && !is(from - 1, Kind::stop))) return;
    }
    for (std::size_t k = i; k <= last; ++k) {
      if (ambiguous(k)) choose(tokens_[k], phase);
    }
    for (std::size_t k = from; k < end; ++k) tokens_[k].erased = true;
  }

  static void choose(Token& token, const TaskSet& phase) {
    const TaskSet task = token.entry->of(phase);
    token.chosen = !task.empty();
    if (token.chosen) token.tasks = task;
  }

  /// "My task, T3, is done", "the two stories, US-1 and US-2, are": without the commas it is "task T3".
  void join_apposition(std::size_t i) {
    // "T3 of the plan is done"
    if (is(i, Kind::id) && is(i + 1, word::kOf)) {
      std::size_t plan = i + 2;
      while (is(plan, word::kArticle | word::kRight)) ++plan;
      if (is(plan, word::kPlan) && !is(plan + 1, Kind::colon)) {
        for (std::size_t k = i + 1; k <= plan; ++k) tokens_[k].erased = true;
        return;
      }
    }
    if (!is(i, word::kTask | word::kCounted | word::kPhase | word::kPlan) || !is(i, Kind::word) ||
        !is(i + 1, Kind::comma) || !is(i + 2, Kind::id) || tokens_[i + 2].phase) {
      return;
    }
    std::size_t end = i + 3;
    while (end < i + kListWords) {
      std::size_t k = end;
      while (is(k, Kind::comma) || is(k, word::kJoin)) ++k;
      if (k == end || !is(k, Kind::id)) break;
      end = k + 1;
    }
    const bool closed = is(end, Kind::comma) && is(end + 1, word::kIs | word::kLeft | word::kDoneAfter);
    if (!closed && is(end, Kind::comma)) return;
    if (!closed && (is(end, Kind::word) || is(end, Kind::id) || !is(i, word::kTask | word::kCounted))) return;
    tokens_[i + 1].erased = true;
    if (closed) tokens_[end].erased = true;
  }

  void name_phase(std::size_t i) {
    if (tokens_[i].erased) return;
    const bool joined = i > 1 && is(i - 1, word::kJoin) && tokens_[i - 2].phase && is_number(tokens_[i].text);
    std::size_t first = i, last = i;
    TaskSet tasks;
    std::string name;
    if (joined) {
      tasks = names_.phase(tokens_[i].text);
    } else if (tokens_[i].is(word::kPhase | word::kSection) && tokens_[i].kind == Kind::word) {
      tasks = phase_at(i, first, last);
      if (tokens_[i].is(word::kSection)) {
        name = "section " + std::string(ordinal_word(tokens_[first < i ? first : last].text));
      }
    } else if (const std::size_t end = titled_phase(i, tasks); end > i) {
      last = end - 1;
      name = "-";
    } else if (i + 1 < tokens_.size() && is_number(tokens_[i + 1].text) && tokens_[i].kind == Kind::word) {
      // "Milestone 2" of a plan whose phases are called so
      last = i + 1;
      name = tokens_[i].text + " " + tokens_[last].text;
      tasks = names_.phase(name);
    }
    if (tasks.empty()) return;
    if (name.empty()) name = tokens_[last].text;
    Token& token = tokens_[last];
    // "Both remaining Auth tasks are done": not those of the whole phase
    if (first > 0 && is(last + 1, word::kTask) && is(first - 1, word::kOpen)) {
      token.entry = nullptr;
      token.classes = word::kHeading;
      return;
    }
    token.kind = Kind::id;
    token.phase = true;
    token.loose = name == "-" && !is(i - 1, word::kSection | word::kPhase) && !quantified(i, tasks.size()) &&
                  !is(last + 1, word::kTask);
    token.classes = 0;
    token.entry = nullptr;
    token.tasks = tasks;
    for (std::size_t k = first; k < last; ++k) tokens_[k].erased = true;
    if (const std::size_t all = all_behind(first, last + 1); all < tokens_.size()) {
      tokens_[first - 1].erased = tokens_[all].erased = true;
    }
    absorb_words(last + 1, names_.phase_title(name));
    absorb_among(last + 1);
    absorb_count(last + 1, tasks.size());
    absorb_number(first, tasks.size());
    absorb_all(first);
  }

  /// The end of the title of a phase that starts here and is meant as one; 0 when there is none.
  std::size_t titled_phase(std::size_t i, TaskSet& tasks) const {
    if (tokens_[i].kind != Kind::word || !names_.starts_phase(base::to_lower(tokens_[i].text))) return 0;
    std::string name;
    std::size_t end = 0;
    for (std::size_t k = i; k < tokens_.size() && k < i + kPhaseTitle; ++k) {
      const Token& token = tokens_[k];
      // "1. Basics"
      if (is_number(name) && (token.kind == Kind::stop || token.kind == Kind::colon)) continue;
      if (token.kind != Kind::word || token.text.empty() || token.erased || token.code || token.possessive) {
        break;
      }
      const bool apart = !name.empty() && static_cast<unsigned char>(token.text[0]) < 0xE3;
      name += (apart ? " " : "") + base::to_lower(token.text);
      if (const TaskSet found = names_.titled_phase(name); !found.empty()) {
        tasks = found;
        end = k + 1;
      }
    }
    if (end == 0 || is(end, word::kPhase) || (names_.find(name) != nullptr) || longest_title(i).end >= end ||
        !phase_meant(i, end, tasks)) {
      tasks = {};
      return 0;
    }
    return end;
  }

  bool phase_meant(std::size_t i, std::size_t end, const TaskSet& tasks) const {
    const bool quoted = i > 0 && is(i - 1, Kind::quote) && is(end, Kind::quote);
    const bool cjk = static_cast<unsigned char>(tokens_[i].text[0]) >= 0xE3;
    const bool named = tokens_[i].capital || tokens_[i].strong || quoted || cjk || is_number(tokens_[i].text);
    std::size_t first = i - (quoted ? 1 : 0), behind = end + (quoted ? 1 : 0);
    while (is(behind, Kind::close)) ++behind;
    const bool all = quantified(first, tasks.size());
    // "both backend tasks", "the Groundwork tasks"
    if (is(behind, word::kTask) && (all || (named && tokens_[behind].text.ends_with("s")))) return true;
    if (!named) return false;
    if (all) return true;
    if (all_behind(first, behind) < tokens_.size()) return true;
    // "Setup is done" may be about any setup.
    for (std::size_t k = i; k < end; ++k) {
      if (tokens_[k].classes != 0 || tokens_[k].entry != nullptr) return false;
    }
    if (first > 0 && is(first - 1, word::kDoneBefore) && !is(behind, Kind::word)) return true;
    if (first > 0 && is(first - 1, word::kSection | word::kPhase)) return true;
    if (first > 0 && is(first - 1, word::kArticle) && tokens_[i].capital) --first;
    const bool starts = leads(first) || is(first - 1, Kind::stop) || is(first - 1, Kind::line_break) ||
                        is(first - 1, Kind::comma) || is(first - 1, word::kJoin);
    return starts && has_status(behind);
  }

  /// "In Groundwork (ist) alles erledigt": where it says "everything" of what is named before; else past the
  /// end.
  std::size_t all_behind(std::size_t first, std::size_t behind) const {
    while (is(behind, word::kIs) && !is(behind, word::kAll)) ++behind;
    const bool in = first > 0 && (is(first - 1, word::kOf) || is(first - 1, word::kHeading));
    const bool all = is(behind, word::kAll) && !is(behind + 1, Kind::id) && !is(behind + 1, word::kTask) &&
                     is(behind + 1, word::kIs | word::kLeft | word::kPlainDone);
    return in && all ? behind : tokens_.size();
  }

  /// What stands here says how the phase before it stands.
  bool has_status(std::size_t at) const {
    if (is(at, word::kIs | word::kDoneAfter) || is(at, Kind::good)) return true;
    if (at < tokens_.size() && static_cast<unsigned char>(tokens_[at].text.c_str()[0]) >= 0xE3) {
      return is(at, word::kLeft | word::kRight | word::kTask | word::kAll | word::kAmong | word::kExcept);
    }
    if (!is(at, Kind::colon) && !is(at, Kind::dash) && !is(at, Kind::open)) return false;
    // "Groundwork (6/6) ✅"
    if (is(at, Kind::open) && at + 2 < tokens_.size() && tokens_[at + 1].share && is(at + 2, Kind::close)) {
      return is(at + 3, Kind::good) || is(at + 3, word::kIs | word::kPlainDone);
    }
    const std::size_t limit = at + kAllWords;
    while (at < limit && (is(at + 1, word::kLeft | word::kAll | word::kTask) ||
                          (at + 1 < tokens_.size() && is_number(number_word(tokens_[at + 1].text))))) {
      ++at;
    }
    return is(at + 1, Kind::good) || is(at + 1, word::kPlainDone);
  }

  /// "everything in ...", "all six ... (tasks)": before a phase of so many tasks.
  bool quantified(std::size_t first, std::size_t size) const {
    std::size_t i = first;
    for (; i > 0 && first - i < kAllWords; --i) {
      const Token& token = tokens_[i - 1];
      if (token.is(word::kAll | word::kBoth) && !token.is(word::kJoin)) {
        return !token.is(word::kBoth) || token.is(word::kAll) || size == 2;
      }
      const std::string_view count = number_word(token.text);
      const bool counts = is_number(count) && count.size() < 7;
      if (counts && std::stoul(std::string(count)) != size) return false;
      if (!counts && token.kind != Kind::quote &&
          !token.is(word::kOf | word::kArticle | word::kRight | word::kTask | word::kWork | word::kCounted)) {
        return false;
      }
    }
    return false;
  }

  /// Behind a phase, the right number of its tasks: Chinese, Japanese, Korean.
  void absorb_count(std::size_t at, std::size_t size) {
    std::size_t count = at, end = 0;
    const auto counts = [&](std::size_t k) {
      return k < tokens_.size() && number_word(tokens_[k].text) == std::to_string(size);
    };
    while (count < at + 2 && !counts(count) &&
           (is(count, word::kLeft | word::kRight | word::kTask) ||
            (count < tokens_.size() && one_of(tokens_[count].text, {"\u7684", "\u306e", "\uc758"})))) {
      ++count;
    }
    if (!counts(count)) return;
    end = count + 1;
    if (is(end, word::kCounter)) ++end;
    if (end == count + 1 && is_number(tokens_[count].text)) return;
    for (std::size_t k = at; k < end; ++k) tokens_[k].erased = true;
    if (is(end, word::kRight) && is(end + 1, word::kTask)) tokens_[end].erased = true;
  }

  /// Behind a phase, "of (the tasks of) it": Chinese, Japanese, Korean.
  void absorb_among(std::size_t at) {
    std::size_t among = at;
    while (among < at + 2 && is(among, word::kTask | word::kLeft | word::kRight) && !is(among, word::kAll)) {
      ++among;
    }
    if (!is(among, word::kAmong)) return;
    for (std::size_t k = at; k <= among; ++k) tokens_[k].erased = true;
  }

  /// "the three tasks of phase 2" is the phase, if it has three.
  void absorb_number(std::size_t first, std::size_t size) {
    bool tasks = false;
    for (std::size_t i = first; i > 0 && first - i < kAllWords; --i) {
      const Token& token = tokens_[i - 1];
      const std::string_view count = number_word(token.text);
      if (is_number(count)) {
        if (!tasks || count != std::to_string(size)) return;
        // "2 of 3 tasks in ..."
        if (i > 2 && is(i - 2, word::kOf | word::kRight) && is_number(number_word(tokens_[i - 3].text))) {
          return;
        }
        for (std::size_t k = i - 1; k < first; ++k) tokens_[k].erased = true;
        return;
      }
      tasks = tasks || token.is(word::kTask);
      if (token.kind != Kind::quote && !token.is(word::kOf | word::kArticle | word::kRight | word::kTask)) {
        return;
      }
    }
  }

  /// "everything in phase 2", "all of phase 2" is the phase.
  void absorb_all(std::size_t first) {
    std::size_t i = first;
    while (i > 0 && first - i < kAllWords && !tokens_[i - 1].is(word::kAll) &&
           (tokens_[i - 1].is(word::kOf | word::kArticle | word::kRight | word::kTask | word::kWork |
                              word::kHeading) ||
            tokens_[i - 1].kind == Kind::quote || is_number(number_word(tokens_[i - 1].text))) &&
           !tokens_[i - 1].is(word::kBoth))
      --i;
    if (i == 0 || !is(i - 1, word::kAll | word::kBoth) || tokens_[i - 1].kind != Kind::word) return;
    for (std::size_t k = i - 1; k < first; ++k) tokens_[k].erased = true;
  }

  /// "Phase 1: Setup": the title behind the number belongs to it.
  void absorb_words(std::size_t from, std::string_view title) {
    if (title.empty()) return;
    std::size_t k = from;
    while (k < tokens_.size() && k < from + 2 &&
           (is(k, Kind::colon) || is(k, Kind::dash) || is(k, Kind::open) || is(k, Kind::quote)))
      ++k;
    const bool bracket = k > from && (is(k - 1, Kind::open) || is(k - 1, Kind::quote));
    for (std::size_t start = 0; start <= title.size(); ++k) {
      const std::size_t end = std::min(title.find(' ', start), title.size());
      if (k >= tokens_.size() || tokens_[k].text != title.substr(start, end - start)) return;
      start = end + 1;
    }
    if (bracket && (is(k, Kind::close) || is(k, Kind::quote))) ++k;
    for (std::size_t i = from; i < k; ++i) tokens_[i].erased = true;
  }

  /// "all (of) (the) (6) tasks (in phase 1 | of the plan)", "the whole plan".
  void name_all(std::size_t i) {
    if (tokens_[i].erased || tokens_[i].kind != Kind::word) return;
    if (name_task(i) || name_all_behind(i) || name_some(i) || name_share(i) || name_plan(i)) return;
    if (!tokens_[i].is(word::kAll | word::kBoth)) return;
    if (is(i + 1, Kind::exception) || is_rest(i)) return name_set(i, i + 1, names_.every(), true);
    if (is(i, word::kNot)) return;
    if (name_phases(i)) return;
    if (is(i + 1, word::kMine) && !is(i + 2, word::kTask | word::kPlan)) {
      // "everything assigned to me"
      std::size_t end = i + 2;
      while (end < i + kAllWords &&
             (is(end, word::kOf | word::kFirst) || (end < tokens_.size() && tokens_[end].text == "me")))
        ++end;
      if (!names_.assigned().empty() && (is(end, word::kIs) || is(end, Kind::exception) || ends(end)))
        name_set(i, end, names_.assigned(), false);
      return;
    }
    std::size_t number = is(i, word::kBoth) && !is(i, word::kAll) ? 2 : kNone;
    bool mine = false;
    std::size_t k = i + 1;
    const std::size_t limit = std::min(tokens_.size(), i + 7);
    while (k < limit && !tokens_[k].is(word::kTask | word::kPlan) &&
           !(number != kNone && tokens_[k].is(word::kCounted))) {
      const Token& token = tokens_[k];
      if (token.is(word::kOpen)) return;
      if (const std::string_view count = number_word(token.text); is_number(count) && count.size() < 7)
        number = std::stoul(std::string(count));
      else if (token.is(word::kMine))
        mine = true;
      else if (token.text != "of" && !token.is(word::kArticle | word::kRight | word::kAll | word::kOf))
        return;
      ++k;
    }
    if (k >= limit) return;
    TaskSet tasks;
    bool bare = !tokens_[k].is(word::kPlan);
    std::size_t end = k + 1;
    if (!bare) tasks = names_.every();
    if (const std::size_t in = behind_of(k + 1); bare && is(in, word::kPlan)) {
      tasks = names_.every();
      bare = false;
      end = in + 1;
    }
    if (bare && is(k + 1, Kind::word) && !is(k + 1, kBehindAll)) {
      // "all tasks listed above", "all tasks you gave me", "toutes les tâches qui m'étaient assignées"
      mine = true;
      for (std::size_t w = k + 1; w < k + kAllWords && is(w, Kind::word); ++w)
        if (is(w, word::kMine)) end = w + 1;
    }
    // In what?
    std::size_t in = k + 1;
    if (bare && is(in, word::kOf)) {
      ++in;
      while (is(in, word::kArticle | word::kAll)) ++in;
      if (is(in, Kind::id) && tokens_[in].phase) {
        tasks = tokens_[in].tasks;
        bare = false;
        end = in + 1;
      } else if (in < tokens_.size() && tokens_[in].erased && is(in + 1, Kind::id) && tokens_[in + 1].phase) {
        tasks = tokens_[in + 1].tasks;
        bare = false;
        end = in + 2;
      } else {
        return;
      }
    }
    if (bare && part_of_phase(i, end)) return;
    if (bare) {
      tasks = mine ? names_.assigned() : names_.every();
      if (number != kNone && number != tasks.size()) tasks = names_.assigned();
      if (number != kNone && number != tasks.size()) return name_number(i, end, number);
      if (tasks.empty()) return;
    }
    name_set(i, end, tasks, bare && !mine && number == kNone);
  }

  /// "Completed two tasks.": so many, which are named elsewhere.
  bool name_some(std::size_t i) {
    const std::string_view count = number_word(tokens_[i].text);
    if (!is_number(count) || count.size() > 3 || tokens_[i].share ||
        !is(i + 1, word::kTask | word::kCounted)) {
      return false;
    }
    const bool verb = i > 0 && is(i - 1, word::kDoneBefore);
    const bool subject = leads(i) && is(i + 2, word::kIs | word::kDoneAfter);
    if ((!verb && !subject) || is(i + 2, word::kOf)) return false;
    name_number(i, i + 2, std::stoul(std::string(count)));
    return true;
  }

  /// "10/10 tasks complete" of a plan that has ten.
  bool name_share(std::size_t i) {
    const Token& token = tokens_[i];
    if (!token.share || token.is(word::kOpen | word::kYes) || !is(i + 1, word::kTask | word::kCounted))
      return false;
    // "4 of 4 tasks in Auth complete"
    const std::size_t in = behind_of(i + 2);
    const bool phase = in > i + 2 && is(in, Kind::id) && tokens_[in].phase;
    const TaskSet tasks = phase ? tokens_[in].tasks : names_.every();
    std::size_t done = phase ? in + 1 : i + 2;
    while (is(done, word::kIs | word::kLeft) && !is(done, word::kPlainDone)) ++done;
    if (!is(done, word::kPlainDone) && !is(done, Kind::good)) return false;
    if (token.part != tasks.size()) return false;
    name_set(i, phase ? in + 1 : i + 2, tasks, false);
    return true;
  }

  /// "The plan is fully complete". Without such a word it may be the plan itself that has been written.
  bool name_plan(std::size_t i) {
    if (!is(i, word::kPlan) || !is(i + 1, word::kIs)) return false;
    std::size_t first = i;
    while (first > 0 && is(first - 1, word::kArticle | word::kRight)) --first;
    if (!leads(first) && !is(first - 1, Kind::stop)) return false;
    bool fully = false;
    std::size_t done = i + 1;
    for (; is(done, word::kIs | word::kLeft) && !is(done, word::kPlainDone); ++done) {
      fully = fully || one_of(tokens_[done].text,
                              {"fully", "entirely", "completely", "vollständig", "komplett", "entièrement",
                               "complètement", "completamente", "totalmente", "enteramente", "inteiramente",
                               "interamente", "volledig", "полностью"});
    }
    if (!fully || !is(done, word::kPlainDone)) return false;
    name_set(i, i + 1, names_.every(), false);
    return true;
  }

  /// So many tasks, where no id stands that says which.
  void name_number(std::size_t i, std::size_t end, std::size_t number) {
    if (number == 0 || number > kMostCounted) return;
    std::size_t last = end;
    while (last < tokens_.size() && last < end + kListWords && !is(last, Kind::stop)) ++last;
    for (std::size_t k = i > kListWords ? i - kListWords : 0; k < last; ++k) {
      const Token& token = tokens_[k];
      if (token.kind == Kind::id || token.kind == Kind::exception || token.entry != nullptr) return;
    }
    name_set(i, end, TaskSet{}, true);
    tokens_[i].part = static_cast<std::uint32_t>(number);
  }

  /// "both phases", "all three phases" of a plan that has so many.
  bool name_phases(std::size_t i) {
    std::size_t number = is(i, word::kBoth) && !is(i, word::kAll) ? 2 : names_.phases();
    std::size_t k = i + 1;
    for (; k < i + kAllWords && !is(k, word::kPhase | word::kSection); ++k) {
      if (k >= tokens_.size() || tokens_[k].kind != Kind::word) return false;
      const std::string_view count = number_word(tokens_[k].text);
      if (is_number(count) && count.size() < 7)
        number = std::stoul(std::string(count));
      else if (!is(k, word::kArticle | word::kRight | word::kOf))
        return false;
    }
    if (!is(k, word::kPhase | word::kSection) || number != names_.phases() || is(k + 1, Kind::id)) {
      return false;
    }
    name_set(i, k + 1, names_.every(), false);
    tokens_[i].phase = true;
    return true;
  }

  /// Over what stands between "all tasks" and what they are part of, in any language.
  std::size_t behind_of(std::size_t at) const {
    std::size_t k = at;
    while (k < at + 3 && is(k, word::kOf | word::kArticle | word::kRight) && !is(k, word::kIs)) ++k;
    return k;
  }

  /// "everything is done except T3": what is left out tells what the rest is.
  bool is_rest(std::size_t i) const {
    if (!is(i, word::kAll)) return false;
    std::size_t done = i + 1;
    while (done < i + kAllWords && is(done, word::kIs | word::kLeft)) ++done;
    // "Готово всё, кроме T3"
    const bool inverted =
        i > 0 && is(i - 1, word::kDoneBefore) &&
        (is(i + 1, Kind::exception) || (is(i + 1, Kind::comma) && is(i + 2, Kind::exception)));
    if (!inverted && !is(done, word::kDoneAfter | word::kDoneBefore)) return false;
    const bool starts =
        inverted || leads(i) || tokens_[i - 1].kind != Kind::word || is(i - 1, word::kIs | word::kLeft);
    if (!starts) return false;
    const auto ends_sentence = [&](std::size_t k) {
      return is(k, Kind::stop) || is(k, Kind::question) || is(k, Kind::semicolon);
    };
    bool exception = false;
    std::size_t first = i, end = done;
    while (first > 0 && i - first < kListWords && !ends_sentence(first - 1)) --first;
    while (end < tokens_.size() && end - done < kListWords && !ends_sentence(end)) ++end;
    for (std::size_t k = first; k < end; ++k) {
      // Then it is the rest of that phase.
      if (tokens_[k].kind == Kind::id && tokens_[k].phase) return false;
      exception = exception || tokens_[k].kind == Kind::exception;
    }
    return exception;
  }

  /// "フェーズ1のタスクはすべて", "1단계의 모든 작업": of the phase before them; the phase says it all.
  bool part_of_phase(std::size_t i, std::size_t end) {
    std::size_t first = i;
    if (first > 0 && one_of(tokens_[first - 1].text, {"\uc758", "\u306e", "\u7684"})) --first;
    // "Phase 1: all (three) tasks done"
    const bool mark = is(i - 1, Kind::colon) || is(i - 1, Kind::dash);
    const bool all = is(i, word::kAll) || (is(i, word::kBoth) && i > 1 && tokens_[i - 2].tasks.size() == 2);
    if (mark && i > 1 && is(i - 2, Kind::id) && tokens_[i - 2].phase && all) {
      for (std::size_t k = i + 1; k < end; ++k) {
        const std::string_view count = number_word(tokens_[k].text);
        if (is_number(count) && count != std::to_string(tokens_[i - 2].tasks.size())) return false;
      }
      for (std::size_t k = i; k < end; ++k) tokens_[k].erased = true;
      return true;
    }
    if (first == i || first == 0 || !is(first - 1, Kind::id) || !tokens_[first - 1].phase) return false;
    for (std::size_t k = first; k < end; ++k) tokens_[k].erased = true;
    return true;
  }

  void name_set(std::size_t i, std::size_t end, const TaskSet& tasks, bool every) {
    Token& token = tokens_[i];
    token.kind = Kind::id;
    token.classes = 0;
    token.tasks = tasks;
    token.every = every;
    for (std::size_t e = i + 1; e < end; ++e) tokens_[e].erased = true;
  }

  /// "Task complete", "The task is done" of an agent that has one.
  bool name_task(std::size_t i) {
    if (names_.assigned().size() != 1 || !is(i, word::kTask) || is(i, word::kAll)) return false;
    const bool article = i > 0 && is(i - 1, word::kArticle | word::kMine);
    const std::size_t first = article ? i - 1 : i;
    const bool starts =
        leads(first) || (is(first - 1, Kind::stop) && is(i + 1, word::kPlainDone) && ends(i + 2));
    if (!starts || !is(i + 1, word::kIs | word::kDoneAfter | word::kLeft)) return false;
    name_set(i, i + 1, names_.assigned(), false);
    return true;
  }

  /// "割り当てられたタスクはすべて", "할당된 작업을 모두": all of them behind the noun.
  bool name_all_behind(std::size_t i) {
    if (!is(i, word::kTask)) return false;
    std::size_t end = i + 1;
    while (end < i + 3 && is(end, word::kLeft) && !is(end, word::kAll)) ++end;
    if (is(end, word::kAll) && part_of_phase(i, end + 1)) return true;
    const bool mine = i > 0 && is(i - 1, word::kMine);
    const bool of_plan = i > 0 && is(i - 1, word::kPlan) && is(i - 1, word::kHeading);
    if (!(mine || of_plan ? leads(i - 1) : leads(i)) || is(i, word::kAll)) return false;
    const std::size_t k = end;
    if (!is(k, word::kAll) || is(k + 1, Kind::id)) return false;
    name_set(i, k + 1, mine ? names_.assigned() : names_.every(), !mine);
    return true;
  }

  using Match = TitleMatch;

  Match longest_title(std::size_t from) const { return core::longest_title(tokens_, names_, from); }

  /// How many tokens beyond this one it took.
  std::size_t name_title(std::size_t i) {
    if (is(i, Kind::exception)) return 0;
    Match match = longest_title(i);
    if (match.entry == nullptr) {
      if (const std::size_t taken = name_title_tail(i); taken > 0) return taken;
      // "The config loader is done", of the task "Add config loader"
      match = longest_title_tail(tokens_, names_, i);
      const bool meant = match.entry != nullptr && i > 0 && is(i - 1, word::kArticle | word::kRight) &&
                         (title_object(i, match.end) || title_subject(i, match.end));
      if (!meant) return 0;
      take_title(i, match, true);
      return match.end - i - 1;
    }
    // "T3 (Add the endpoints)" where the title itself leads with T3
    if (is(i, Kind::id) && is(match.end, Kind::close))
      for (std::size_t k = i + 1; k < match.end; ++k)
        if (is(k, Kind::open)) {
          ++match.end;
          break;
        }
    if (absorb_into_id(i, match)) return match.end - i - 1;
    const bool sure = quoted_or_long(i, match);
    if (!sure && !title_subject(i, match.end) && !title_object(i, match.end)) return 0;
    take_title(i, match, !sure);
    return match.end - i - 1;
  }

  void take_title(std::size_t i, const Match& match, bool loose) {
    Token& token = tokens_[i];
    token.kind = Kind::id;
    token.classes = 0;
    token.loose = loose;
    token.title = true;
    title_end_ = match.end;
    token.tasks = match.entry->one();
    for (std::size_t k = i + 1; k < match.end; ++k) tokens_[k].erased = true;
  }

  /// "Added config loader" of the task "Add config loader", as the whole head of an item.
  std::size_t name_done_title(std::size_t i) {
    if (!leads(i) || !is(i, word::kDid | word::kDoneBefore) || is(i, word::kPlainDone)) return 0;
    std::size_t first = i + 1;
    while (is(first, word::kArticle)) ++first;
    std::uint32_t node = 0;
    std::size_t end = 0, words = 0;
    const TaskNames::Entry* entry = nullptr;
    for (std::size_t k = first; k < tokens_.size() && k < first + TaskNames::kTitleWords; ++k) {
      if (!is(k, Kind::word) || tokens_[k].text.empty() || tokens_[k].erased) break;
      for (const std::string& word : words_of(tokens_[k].text)) {
        node = names_.next_node(node, word);
        if (node == TaskNames::kNoNode) break;
        ++words;
      }
      if (node == TaskNames::kNoNode) break;
      if (names_.title_tail_at(node) == nullptr) continue;
      entry = names_.title_tail_at(node);
      end = k + 1;
    }
    if (entry == nullptr || words < 2 || is(end, Kind::word) || is(end, Kind::open)) return 0;
    name_set(i, end, entry->one(), false);
    tokens_[i].title = tokens_[i].loose = true;
    return end - i - 1;
  }

  /// "the login form task": a title without its verb.
  std::size_t name_title_tail(std::size_t i) {
    if (const std::size_t taken = name_done_title(i); taken > 0) return taken;
    if (i == 0 || !is(i, Kind::word) || !is(i - 1, word::kArticle | word::kRight)) return 0;
    std::uint32_t node = 0;
    const TaskNames::Entry* entry = nullptr;
    std::size_t end = i;
    for (; end < tokens_.size() && end < i + TaskNames::kTitleWords && is(end, Kind::word); ++end) {
      if (entry != nullptr && is(end, word::kTask) && !is(end, word::kAll)) break;
      for (const std::string& word : words_of(tokens_[end].text)) {
        node = names_.next_node(node, word);
        if (node == TaskNames::kNoNode) return 0;
      }
      entry = names_.title_tail_at(node);
    }
    if (entry == nullptr || !is(end, word::kTask)) return 0;
    Token& token = tokens_[i];
    token.kind = Kind::id;
    token.classes = 0;
    token.title = true;
    token.tasks = entry->one();
    for (std::size_t k = i + 1; k <= end; ++k) tokens_[k].erased = true;
    return end - i;
  }

  /// "T001 Add login", "T001: Add login", "T001 (Add login)": the title says nothing new.
  bool absorb_into_id(std::size_t i, const Match& match) {
    std::size_t k = i;
    for (std::size_t steps = 0; k > 0 && steps < 3; ++steps, --k) {
      const Kind kind = tokens_[k - 1].kind;
      if (kind != Kind::colon && kind != Kind::dash && kind != Kind::open && kind != Kind::quote &&
          kind != Kind::stop)
        break;
    }
    if (k == 0 || tokens_[k - 1].erased) return false;
    Token& before = tokens_[k - 1];
    const std::uint32_t task = match.entry->tasks.front();
    const bool number = before.kind == Kind::word && before.entry != nullptr && leads(k - 1);
    if (before.kind != Kind::id && !number) return false;
    const auto has_task = [&](const std::vector<std::uint32_t>& tasks) {
      return std::binary_search(tasks.begin(), tasks.end(), task);
    };
    if (before.entry == nullptr || !has_task(before.entry->tasks)) return false;
    if (number) {
      before.kind = Kind::id;
      before.classes = 0;
    }
    before.tasks = match.entry->one();
    std::size_t end = match.end;
    // As many marks close as opened: ("Add login")
    for (std::size_t opened = k; opened < i; ++opened) {
      const bool bracket = is(opened, Kind::open) || is(opened, Kind::quote);
      if (bracket && (is(end, Kind::close) || is(end, Kind::quote))) ++end;
    }
    for (std::size_t e = k; e < end; ++e) tokens_[e].erased = true;
    return true;
  }

  bool quoted_or_long(std::size_t i, const Match& match) const {
    const bool quoted = i > 0 && is(i - 1, Kind::quote) && is(match.end, Kind::quote);
    if (quoted && (match.words >= 2 || match.bytes >= kTitleAlone)) return true;
    // "Mail" is done
    if (quoted && tokens_[i].capital && is(match.end + 1, word::kIs | word::kPlainDone)) return true;
    if (leads(i) && ends(match.end)) return true;
    // "Task: Handle missing config ✅"
    const bool label = i > 1 && is(i - 1, Kind::colon) && is(i - 2, word::kTask) && leads(i - 2);
    if (label && (ends(match.end) || is(match.end, Kind::good) || is(match.end, Kind::bad))) return true;
    if (match.words >= 2 && listed_title(i, match.end)) return true;
    // Not when a longer phrase goes on from it.
    const bool stands_alone = match.end >= tokens_.size() || tokens_[match.end].kind != Kind::word ||
                              tokens_[match.end].is(word::kIs | word::kLeft | word::kDoneAfter | word::kNot |
                                                    word::kOpen | word::kJoin);
    // "the CI pipeline task"
    if (match.words >= 2 && is(match.end, word::kTask)) return true;
    if (!stands_alone) return false;
    if (match.words >= kTitleAnywhere || (match.words == 1 && match.bytes >= kTitleAnywhereCjk)) return true;
    return (match.words >= 2 || match.bytes >= kTitleAlone) && leads(i) &&
           (tokens_[match.end].kind != Kind::word || tokens_[match.end].is(word::kIs | word::kDoneAfter));
  }

  /// Before the title, over its article: "the checkout page".
  std::size_t title_head(std::size_t i) const {
    if (i == 0) return i;
    // An article in German, "of the" in Portuguese
    const bool das = tokens_[i - 1].text == "das" && tokens_[i].capital;
    const bool article = is(i - 1, word::kArticle | word::kRight) && !is(i - 1, word::kOf | word::kJoin);
    return das || article ? i - 1 : i;
  }

  /// "I finished the checkout page.", "Completed the audit log": a title of several words is the object.
  bool title_object(std::size_t i, std::size_t end) const {
    if (end < i + 2) return false;
    if (is(end, Kind::word) && !is(end, word::kJoin | word::kBut | word::kLeft)) return false;
    std::size_t verb = i;
    while (verb > 0 && i - verb < kAllWords &&
           (is(verb - 1, word::kArticle | word::kRight) || is(verb - 1, Kind::line_break)) &&
           !is(verb - 1, word::kDoneBefore)) {
      --verb;
    }
    return verb > 0 && is(verb - 1, word::kDoneBefore) && is(verb - 1, word::kPlainDone);
  }

  /// "The login page is finished", "... and so is the password reset": a title is the subject of what is said
  /// to be done.
  bool title_subject(std::size_t i, std::size_t end) const {
    const bool cjk = static_cast<unsigned char>(tokens_[i].text.c_str()[0]) >= 0xE3;
    const std::size_t first = title_head(i);
    const bool alone = end < i + 2;
    if (alone && tokens_[i].text.size() < (cjk ? kTitleAloneCjk : kSubjectAlone) && !in_titles(end)) {
      return false;
    }
    const bool echo = first > 0 && tokens_[first - 1].text.starts_with("so_");
    if (echo) return end >= tokens_.size() || !is(end, Kind::word);
    const bool behind_title = first > 0 && title_end_ > 0 && title_end_ + 1 >= first &&
                              (is(first - 1, Kind::comma) || is(first - 1, word::kJoin));
    const bool starts = leads(first) || is(first - 1, Kind::stop) || is(first - 1, Kind::line_break) ||
                        (cjk && is(first - 1, Kind::id) && tokens_[first - 1].phase) || behind_clause(first);
    if (starts && (status_behind(i, end) || (is(end, word::kToo) && !is(end + 1, Kind::word)))) return true;
    // "The last open item, the content security policy, is done."
    if (first > 0 && is(first - 1, Kind::comma) && is(end, Kind::comma) && is(end + 1, word::kIs)) {
      return said_done(end + 1);
    }
    if (alone && first == i && !cjk && !behind_title && !in_titles(end)) return false;
    if (!starts && !behind_title) {
      // "Ich habe das Mahnwesen fertiggestellt", "In Phase 2 ist der PDF-Export erledigt"
      return first > 0 && is(first - 1, word::kIs | word::kFirst | word::kLeft) &&
             !is(first - 1, word::kJoin) && is(end, word::kPlainDone) && is(end, word::kDoneAfter) &&
             !is(end + 1, Kind::word);
    }
    return said_done(end);
  }

  /// "The schema is set up and the login page is done": what goes before "and" is a clause with a verb.
  bool behind_clause(std::size_t first) const {
    if (first < 3 || !(is(first - 1, word::kJoin | word::kBut) || is(first - 1, Kind::comma) ||
                       is(first - 1, Kind::semicolon))) {
      return false;
    }
    if (is(first - 1, Kind::semicolon)) return true;
    for (std::size_t k = first - 1; k > 0 && first - k < kListWords; --k) {
      const Kind kind = tokens_[k - 1].kind;
      if (kind == Kind::stop || kind == Kind::semicolon || kind == Kind::comma || kind == Kind::colon)
        return false;
      if (is(k - 1, word::kIf)) return false;
      if (kind == Kind::word && is(k - 1, word::kIs | word::kDid | word::kPlainDone)) return true;
    }
    return false;
  }

  /// "Carrello: completato", "Carrinho finalizado.": nothing but that it is done.
  bool status_behind(std::size_t i, std::size_t end) const {
    if (!tokens_[i].capital) return false;
    const std::size_t done = is(end, Kind::colon) || is(end, Kind::dash) ? end + 1 : end;
    return is(done, word::kPlainDone) && is(done, word::kDoneAfter) && !is(done + 1, Kind::word) &&
           !is(done + 1, Kind::id);
  }

  /// Other titles follow in a list: ", auth login and API tests".
  bool in_titles(std::size_t end) const {
    std::size_t next = end;
    while (next < end + 2 && (is(next, Kind::comma) || is(next, word::kJoin))) ++next;
    if (next == end) return false;
    while (is(next, word::kArticle)) ++next;
    return longest_title(next).entry != nullptr;
  }

  /// "is (now) done", "and the session store are both complete".
  bool said_done(std::size_t at) const {
    for (std::size_t titles = 0; titles < kSubjectTitles; ++titles) {
      std::size_t next = at;
      while (next < at + 2 && (is(next, Kind::comma) || is(next, word::kJoin))) ++next;
      if (next == at) break;
      while (is(next, word::kArticle)) ++next;
      const Match match = longest_title(next);
      if (match.entry == nullptr) return false;
      at = match.end;
    }
    const bool particle =
        is(at, word::kLeft) && static_cast<unsigned char>(tokens_[at].text.c_str()[0]) >= 0xE3;
    if (!is(at, word::kIs) && !particle) return false;
    while (is(at, word::kIs | word::kLeft) && !is(at, word::kPlainDone)) ++at;
    return is(at, word::kPlainDone) && is(at, word::kDoneAfter);
  }

  /// "All done: add the form, write the tests": a title of a list, as a whole.
  bool listed_title(std::size_t i, std::size_t end) const {
    if (end < tokens_.size() && !is(end, Kind::comma) && !is(end, Kind::stop) && !is(end, word::kJoin)) {
      return false;
    }
    if (i > 1 && is(i - 1, Kind::colon)) return is(i - 2, word::kDoneAfter | word::kDoneBefore);
    return i > 1 && title_end_ == i - 1 && (is(i - 1, Kind::comma) || is(i - 1, word::kJoin));
  }

  std::vector<Token>& tokens_;
  const TaskNames& names_;
  std::size_t title_end_ = 0;  // behind the last that was found
};

}  // namespace

void name_tokens(std::vector<Token>& tokens, const TaskNames& names) {
  Namer(tokens, names).run();
}

}  // namespace plankeep::core
