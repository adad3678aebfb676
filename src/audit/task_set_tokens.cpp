// Which words of a unit mean several tasks: "all tasks", "two tasks", "both phases", "the plan".

#include <algorithm>

#include "audit/token_namer.hpp"
#include "audit/words/retraction_words.hpp"
#include "base/text.hpp"

namespace plankeep::core {
namespace {

using base::one_of;

constexpr std::size_t kNone = static_cast<std::size_t>(-1);
constexpr std::size_t kMostCounted = 100;  // tasks that "both" or "all twelve" may stand for

bool says_rest(std::string_view word) {
  return one_of(word, {"remaining", "outstanding", "open", "pending", "unfinished", "verbleibenden",
                       "restlichen", "übrigen", "offenen", "restantes", "restante", "pendientes", "pendentes",
                       "rimanenti", "resterende", "pozostałe", "оставшиеся"});
}

/// "still", as in "T3 is still open".
bool says_still(std::string_view word) {
  return one_of(word, {"still", "yet", "noch", "encore", "aún", "todavía", "ainda", "ancora", "nog",
                       "jeszcze", "ещё", "еще"});
}

/// Says that a task remains, not that it comes next.
bool says_left(const Token& token) {
  if (token.is(word::kRemains) || is_negation(token.text)) return true;
  if (token.is(word::kOpen) && token.is(word::kTail)) return !one_of(token.text, {"later", "tomorrow"});
  return one_of(token.text, {"open", "missing", "zu_tun"});
}

}  // namespace

void TokenNamer::name_all(std::size_t i) {
  if (tokens_[i].erased || tokens_[i].kind != Kind::word) return;
  if (name_boxes(i) || name_task(i) || name_all_behind(i) || name_some(i) || name_share(i) || name_plan(i))
    return;
  if (name_counted_phases(i)) return;
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
  if (name_asked(i)) return;
  std::size_t number = is(i, word::kBoth) && !is(i, word::kAll) ? 2 : kNone;
  bool mine = false, rest = false;
  std::size_t k = i + 1;
  const std::size_t limit = std::min(tokens_.size(), i + 7);
  while (k < limit && !tokens_[k].is(word::kTask | word::kPlan) &&
         !(number != kNone && tokens_[k].is(word::kCounted))) {
    const Token& token = tokens_[k];
    // "all remaining tasks": what was open is everything that is asked about
    if (token.is(word::kOpen) && !(is(k + 1, word::kTask) && says_rest(token.text))) return;
    if (says_rest(token.text) && is(k + 1, word::kTask)) {
      rest = true;
    } else if (const std::string_view count = number_word(token.text); is_number(count) && count.size() < 7)
      number = std::stoul(std::string(count));
    else if (token.is(word::kMine))
      mine = true;
    else if (token.text != "of" && !token.is(word::kArticle | word::kRight | word::kAll | word::kOf))
      return;
    ++k;
  }
  if (k >= limit) return;
  // "toutes les tâches restantes"
  if (is(k, word::kTask) && is(k + 1, Kind::word) && !tokens_[k + 1].is(word::kIs) &&
      says_rest(tokens_[k + 1].text)) {
    rest = true;
    ++k;
  }
  // "all remaining tasks of the parser": of what, is another matter
  if (rest && is(k + 1, Kind::word) && !is(k + 1, word::kIs | word::kPlainDone)) return;
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

bool TokenNamer::name_boxes(std::size_t i) {
  if (!is(i, word::kAll) || (!leads(i) && !is(i - 1, Kind::stop))) return false;
  std::size_t box = i + 1;
  while (box < i + kAllWords && is(box, word::kArticle | word::kOf | word::kRight) && !is(box, word::kBox))
    ++box;
  if (!is(box, word::kBox)) return false;
  std::size_t end = box + 1;
  const std::size_t plan = behind_of(end);
  const bool of_plan = plan > end && is(plan, word::kPlan);
  if (of_plan) end = plan + 1;
  std::size_t ticked = end;
  while (ticked < end + kAllWords && is(ticked, word::kIs | word::kLeft) && !is(ticked, word::kTicked))
    ++ticked;
  if (ticked == end ||
      (!is(ticked, word::kTicked) && tokens_[std::min(ticked, tokens_.size() - 1)].text != "abgehakt"))
    return false;
  if (is(ticked + 1, Kind::word) && !is(ticked + 1, word::kJoin)) return false;
  tokens_[ticked].classes = word::kDoneAfter | word::kPlainDone;
  name_set(i, end, names_.every(), !of_plan);
  return true;
}

bool TokenNamer::name_some(std::size_t i) {
  const std::string_view count = number_word(tokens_[i].text);
  if (!is_number(count) || count.size() > 3 || tokens_[i].share || !is(i + 1, word::kTask | word::kCounted)) {
    return false;
  }
  const bool verb = i > 0 && is(i - 1, word::kDoneBefore);
  const bool subject = leads(i) && is(i + 2, word::kIs | word::kDoneAfter);
  if ((!verb && !subject) || is(i + 2, word::kOf)) return false;
  name_number(i, i + 2, std::stoul(std::string(count)));
  return true;
}

bool TokenNamer::name_share(std::size_t i) {
  const Token& token = tokens_[i];
  if (!token.share || token.is(word::kOpen | word::kYes) || !is(i + 1, word::kTask | word::kCounted))
    return false;
  // "4 of 4 tasks in Auth complete"
  const std::size_t in = behind_of(i + 2);
  const bool phase = in > i + 2 && is(in, Kind::id) && tokens_[in].phase;
  const bool assigned = !phase && token.part == names_.assigned().size();
  const TaskSet tasks = phase ? tokens_[in].tasks : assigned ? names_.assigned() : names_.every();
  // "Completed 2/2 tasks."
  std::size_t verb = i;
  while (verb > 0 && is(verb - 1, word::kAll | word::kRight) && !is(verb - 1, word::kDoneBefore)) --verb;
  if (!phase && verb > 0 && is(verb - 1, word::kDoneBefore) && leads(verb - 1) && !is(i + 2, word::kOf) &&
      token.part == tasks.size()) {
    name_set(i, i + 2, tasks, false);
    return true;
  }
  std::size_t done = phase ? in + 1 : i + 2;
  while (is(done, word::kIs | word::kLeft) && !is(done, word::kPlainDone)) ++done;
  if (!is(done, word::kPlainDone) && !is(done, Kind::good)) return false;
  if (token.part != tasks.size()) return false;
  name_set(i, phase ? in + 1 : i + 2, tasks, false);
  return true;
}

bool TokenNamer::name_plan(std::size_t i) {
  if (!is(i, word::kPlan) || !is(i + 1, word::kIs)) return false;
  std::size_t first = i;
  while (first > 0 && is(first - 1, word::kArticle | word::kRight)) --first;
  if (!leads(first) && !is(first - 1, Kind::stop)) return false;
  bool fully = false;
  std::size_t done = i + 1;
  for (; is(done, word::kIs | word::kLeft) && !is(done, word::kPlainDone); ++done) {
    fully =
        fully ||
        one_of(tokens_[done].text, {"fully", "entirely", "completely", "vollständig", "komplett",
                                    "entièrement", "complètement", "completamente", "totalmente",
                                    "enteramente", "inteiramente", "interamente", "volledig", "полностью"}) ||
        (tokens_[done].share && tokens_[done].is(word::kYes));
  }
  if (!fully || !is(done, word::kPlainDone)) return false;
  name_set(i, i + 1, names_.every(), false);
  return true;
}

void TokenNamer::name_number(std::size_t i, std::size_t end, std::size_t number) {
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

bool TokenNamer::name_phases(std::size_t i) {
  std::size_t number = is(i, word::kBoth) && !is(i, word::kAll) ? 2 : names_.phases();
  bool inside = false, counted = is(i, word::kBoth) && !is(i, word::kAll);
  std::size_t k = i + 1;
  for (; k < i + kAllWords && !is(k, word::kPhase | word::kSection); ++k) {
    if (k >= tokens_.size() || tokens_[k].kind != Kind::word) return false;
    const std::string_view count = number_word(tokens_[k].text);
    inside = inside || is(k, word::kOf);
    if (is_number(count) && count.size() < 7) {
      number = std::stoul(std::string(count));
      counted = true;
    } else if (!is(k, word::kArticle | word::kRight | word::kOf)) {
      return false;
    }
    counted = counted || is(k, word::kAll);
  }
  if (!is(k, word::kPhase | word::kSection) || number != names_.phases() || is(k + 1, Kind::id)) {
    return false;
  }
  // "Everything in the phase": which one is not said. It is what was assigned, and not the whole plan.
  if (inside && !counted && number > 1) {
    const std::string_view word = tokens_[k].text;
    if (!word.ends_with('s') && !word.ends_with('n') && names_.assigned().empty()) return true;
    name_set(i, k + 1, names_.every(), true);
    return true;
  }
  name_set(i, k + 1, names_.every(), false);
  tokens_[i].phase = true;
  return true;
}

bool TokenNamer::name_counted_phases(std::size_t i) {
  const std::string_view count = number_word(tokens_[i].text);
  if (!is_number(count) || count.size() > 3 || !is(i + 1, word::kPhase) || i == 0) return false;
  const std::size_t number = std::stoul(std::string(count));
  if (number < 2 || number != names_.phases() || !is(i - 1, word::kArticle)) return false;
  // "two of the four phases", "the four phases of the migration"
  if ((i > 1 && is(i - 2, word::kOf)) || is(i + 2, word::kOf)) return false;
  if (is(i + 2, Kind::id)) return false;
  name_set(i, i + 2, names_.every(), false);
  tokens_[i].phase = true;
  return true;
}

std::size_t TokenNamer::behind_of(std::size_t at) const {
  std::size_t k = at;
  while (k < at + 3 && is(k, word::kOf | word::kArticle | word::kRight) && !is(k, word::kIs)) ++k;
  return k;
}

bool TokenNamer::is_rest(std::size_t i) const {
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
  return exception || left_behind(first, done + 1);
}

bool TokenNamer::left_behind(std::size_t first, std::size_t behind) const {
  // "Everything is done for T1", "is everything done?", "if everything is done": something else than the
  // plan.
  if (behind >= tokens_.size() || is(behind, Kind::id) || is(behind, Kind::question) ||
      (is(behind, Kind::word) && !is(behind, word::kBut))) {
    return false;
  }
  for (std::size_t k = first; k < behind; ++k) {
    const bool doubts = is(k, word::kIf | word::kSays) && !is(k, word::kIs | word::kLeft);
    // "All tasks are done" needs nothing behind it.
    if (is(k, Kind::id) || is(k, word::kTask) || (is(k, Kind::word) && doubts)) return false;
  }
  std::size_t i = behind;
  while (i < tokens_.size() && ((!is(i, Kind::word) && !is(i, Kind::id)) || is(i, word::kBut))) ++i;
  // Nothing but the tasks and that they remain: "T3 and T4 are still to be done".
  bool id = false, left = false, done = false, undone = false;
  const std::size_t limit = std::min(tokens_.size(), i + kListWords);
  for (; i < limit && !is(i, Kind::stop) && !is(i, Kind::semicolon); ++i) {
    const Token& token = tokens_[i];
    if (token.kind == Kind::id && !token.phase && !token.unknown && !token.possessive) {
      id = true;
    } else if (token.kind == Kind::word) {
      const bool glue = says_still(token.text) ||
                        one_of(token.text, {"to", "be", "touched", "zu", "il", "there", "es"}) ||
                        token.is(word::kOnly | word::kIs | word::kJoin | word::kTask | word::kArticle);
      if (!says_left(token) && !token.is(word::kPlainDone) && !glue) return false;
      left = left || says_left(token);
      done = done || token.is(word::kPlainDone);
      undone = undone || is_negation(token.text) || (left && token.text == "be");
    } else if (token.kind != Kind::comma && token.kind != Kind::colon && token.kind != Kind::dash &&
               token.kind != Kind::quote && token.kind != Kind::open && token.kind != Kind::close &&
               token.kind != Kind::line_break && token.kind != Kind::bad) {
      return false;
    }
  }
  return id && left && (undone || !done) && (i < limit || i == tokens_.size());
}

bool TokenNamer::part_of_phase(std::size_t i, std::size_t end) {
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

void TokenNamer::name_set(std::size_t i, std::size_t end, const TaskSet& tasks, bool every) {
  Token& token = tokens_[i];
  token.kind = Kind::id;
  token.classes = 0;
  token.tasks = tasks;
  token.every = every;
  for (std::size_t e = i + 1; e < end; ++e) tokens_[e].erased = true;
}

bool TokenNamer::name_asked(std::size_t i) {
  if (names_.assigned().empty() || !(leads(i) || is(i - 1, Kind::stop))) return false;
  bool you = false, asked = false;
  std::size_t end = i + 1;
  const auto verb = [&](std::size_t k) {
    return is(k, word::kIs) || (is(k, Kind::word) && one_of(tokens_[k].text, {"has", "have"}) && asked);
  };
  for (; end < i + kAllWords + 3 && is(end, Kind::word) && !verb(end); ++end) {
    const std::string& text = tokens_[end].text;
    you = you || one_of(text, {"you", "you've", "vous", "tu", "du", "sie"});
    const bool asks = one_of(text, {"asked", "requested", "wanted", "ordered", "gave", "assigned", "demandé",
                                    "pidió", "pediste", "pediu", "verlangt", "wolltest", "wollten"});
    asked = asked || asks;
    if (!asks && !you && !is(end, word::kArticle) && !one_of(text, {"que", "ce"})) return false;
    if (asked && !asks && !one_of(text, {"me", "us", "for", "to", "do", "to_do", "of"})) return false;
  }
  if (!you || !asked || !verb(end)) return false;
  name_set(i, end, names_.assigned(), false);
  return true;
}

bool TokenNamer::name_own_object(std::size_t i) {
  // "I've completed the task."
  std::size_t end = i + 1;
  // "the task you gave me"
  if (is(end, Kind::word) && tokens_[end].text == "that") ++end;
  if (is(end, Kind::word) && one_of(tokens_[end].text, {"you", "you've"})) {
    while (end < i + kAllWords + 1 && is(end, Kind::word)) ++end;
  }
  if (!is(i - 1, word::kArticle | word::kMine) || !ends_clause(end)) return false;
  std::size_t verb = i - 1;
  if (verb == 0 || !is(verb - 1, word::kDoneBefore) || !is(verb - 1, word::kPlainDone)) return false;
  std::size_t first = --verb;
  bool speaker = false;
  // "i" is also "and" in Polish.
  while (first > 0 &&
         (is(first - 1, word::kFirst) || (is(first - 1, word::kLeft) && !is(first - 1, word::kJoin)))) {
    --first;
    speaker = speaker || is(first, word::kFirst);
  }
  if (!(leads(first) || is(first - 1, Kind::stop)) || (!speaker && first < verb)) return false;
  name_set(i, end, names_.assigned(), false);
  tokens_[i].own = true;
  return true;
}

bool TokenNamer::ends_clause(std::size_t i) const {
  return i >= tokens_.size() || is(i, Kind::stop) || is(i, Kind::line_break) || is(i, Kind::comma) ||
         is(i, Kind::semicolon);
}

bool TokenNamer::name_task(std::size_t i) {
  if (names_.assigned().size() != 1 || !is(i, word::kTask) || is(i, word::kAll)) return false;
  if (i > 0 && !tokens_[i].text.ends_with('s') && name_own_object(i)) return true;
  const bool article = i > 0 && is(i - 1, word::kArticle | word::kMine);
  const std::size_t first = article ? i - 1 : i;
  const bool starts =
      leads(first) || (is(first - 1, Kind::stop) && is(i + 1, word::kPlainDone) && ends(i + 2));
  if (!starts || !is(i + 1, word::kIs | word::kDoneAfter | word::kLeft)) return false;
  // "Tasks completed: T2, T3" says itself which.
  std::size_t behind = i + 1;
  while (behind < i + kAllWords && is(behind, word::kDoneAfter | word::kLeft)) ++behind;
  if (is(behind, Kind::colon) && (is(behind + 1, Kind::id) || longest_title(behind + 1).entry != nullptr)) {
    return false;
  }
  name_set(i, i + 1, names_.assigned(), false);
  tokens_[i].own = true;
  return true;
}

bool TokenNamer::name_all_behind(std::size_t i) {
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

}  // namespace plankeep::core
