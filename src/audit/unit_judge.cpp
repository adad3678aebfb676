#include "audit/unit_judge.hpp"

#include <utility>

#include "audit/words/retraction_words.hpp"
#include "base/text.hpp"

namespace plankeep::core {
namespace {

using base::one_of;

bool gerund(std::string_view word) {
  return word.ends_with("ing") && word != "evening" && word != "morning";
}

bool ends_sentence(const Token& token) {
  return token.kind == Token::Kind::stop || token.kind == Token::Kind::question;
}

}  // namespace

UnitJudge::UnitJudge(const std::vector<Token>& tokens, const TaskNames& names, ClauseRules rules)
    : tokens_(tokens), names_(names), rules_(rules), partner_(tokens.size(), kNone) {
  std::vector<std::size_t> opened;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind == Kind::open) opened.push_back(i);
    if (tokens[i].kind != Kind::close || opened.empty()) continue;
    partner_[i] = opened.back();
    partner_[opened.back()] = i;
    opened.pop_back();
  }
}

std::vector<IdList> UnitJudge::run() {
  find_sign_side();
  lead_ = leading_ids(tokens_, names_);
  for (std::size_t start = 0; start < tokens_.size();) {
    std::size_t end = start;
    while (end < tokens_.size() && !ends_sentence(tokens_[end])) ++end;
    if (end >= tokens_.size() || tokens_[end].kind != Kind::question) sentence(start, end);
    if (start > 0) last_word(start, end);
    if (start > 0) first_word(start, end);
    start = end + 1;
  }
  return std::move(assertions_);
}

void UnitJudge::last_word(std::size_t begin, std::size_t end) {
  if (rules_.only_labels || lead_.empty() || lead_.end > begin || end - begin > kLastWord) return;
  const bool cjk =
      lead_.end < begin && static_cast<unsigned char>(tokens_[lead_.end].text.c_str()[0]) >= 0xE3;
  if (!is(lead_.end, Kind::colon) && !is(lead_.end, Kind::dash) && !cjk) return;
  // "Done", "Task done": a word, not a tick
  if (!has(begin, end, word::kPlainDone)) return;
  std::vector<Token> said(tokens_.begin() + static_cast<std::ptrdiff_t>(begin),
                          tokens_.begin() + static_cast<std::ptrdiff_t>(end));
  std::erase_if(said, [](const Token& token) { return token.is(word::kTask); });
  if (end + 1 < tokens_.size() || !says_done(said) || tokens_[lead_.end - 1].possessive) return;
  for (std::size_t i = lead_.end; i < begin; ++i) {
    if (tokens_[i].kind == Kind::id || tokens_[i].kind == Kind::bad || tokens_[i].kind == Kind::question) {
      return;
    }
  }
  if (!taken_back(tokens_, lead_)) assertion(lead_);
}

void UnitJudge::first_word(std::size_t begin, std::size_t end) {
  if (rules_.only_labels || begin > kLastWord) return;
  const std::vector<Token> said(tokens_.begin(), tokens_.begin() + static_cast<std::ptrdiff_t>(begin - 1));
  const bool done = std::any_of(said.begin(), said.end(), [](const Token& token) {
    return token.kind == Kind::word && token.is(word::kPlainDone);
  });
  if (!done || !says_done(said) || is(end, Kind::question)) return;
  if (has(begin, end, word::kNot | word::kOpen | word::kIf | word::kBut)) return;
  // The ids lead the sentence, or stand in brackets behind what does.
  std::size_t id = begin;
  while (id < end && (is(id, Kind::word) || is(id, Kind::quote) || is(id, Kind::open)) &&
         !is(id, word::kIs | word::kDid | word::kOf)) {
    ++id;
  }
  const bool led = id == begin;
  const bool bracket = id > begin && is(id - 1, Kind::open) && partner_[id - 1] != kNone;
  if (!is(id, Kind::id) || (!led && !(bracket && only_ids(id, partner_[id - 1])))) return;
  const IdList list = ids_from(tokens_, id, end, names_);
  for (std::size_t i = list.end; i < end; ++i) {
    if (is(i, Kind::id) || is(i, Kind::bad)) return;
  }
  if (!tokens_[list.end - 1].possessive) assertion(list);
}

void UnitJudge::find_sign_side() {
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    if (is(i, Kind::id)) return;
    if (!is(i, Kind::good) && !is(i, Kind::bad)) continue;
    // "API: \u23f3 (T1 \u2705, T2 \u2705)": the first is about what stands before it.
    const bool another =
        is(i + 1, Kind::open) && is(i + 2, Kind::id) && (is(i + 3, Kind::good) || is(i + 3, Kind::bad));
    if (another) return;
    signs_lead_ = true;
    return;
  }
}

void UnitJudge::sentence(std::size_t begin, std::size_t end) {
  begin_ = begin;
  end_ = end;
  std::size_t first = begin;
  while (first < end && tokens_[first].kind != Kind::word) ++first;
  if (first < end && is(first, word::kIf) && !is(first, word::kIs) &&
      !one_of(tokens_[first].text, {"before", "after"}) && !states_fact(first))
    return;
  if (quotes_an_assertion() || sets_goal() || gives_thanks()) return;
  clause_ = begin;
  conditional_ = false;
  time_ = kNone;
  lead_patterns();
  for (std::size_t i = begin; i < end; ++i) {
    const Token& token = tokens_[i];
    const bool list_comma = token.kind == Kind::comma && i > begin && joins_ids(i);
    if (token.kind == Kind::semicolon || token.is(word::kBut) || (token.kind == Kind::comma && !list_comma) ||
        (token.kind == Kind::line_break &&
         (is(i + 1, Kind::id) || is(i + 1, Kind::good) || is(i + 1, Kind::bad)) &&
         !(i > begin && (is(i - 1, word::kJoin) || is(i - 1, Kind::comma) || is(i - 1, word::kTask))))) {
      clause_ = i + 1;
      conditional_ = false;
    } else if (token.is(word::kIf) && token.kind == Kind::word && !token.is(word::kIs) && !states_fact(i)) {
      if (!one_of(token.text, {"se", "si"}) || i == clause_) conditional_ = true;
      if (one_of(token.text, {"after", "before"})) time_ = i;
    } else if (conditional_ && time_ != kNone && token.is(word::kFirst) && i > time_ + 1) {
      // "After reverting my first attempt I finished T1"
      clause_ = i;
      conditional_ = false;
    } else if (token.kind == Kind::good ||
               (token.kind == Kind::word && token.is(word::kDoneAfter | word::kDoneBefore | word::kTicked))) {
      cue_ = i;
      if (!conditional_) completion(i);
      cue_ = kNone;
    } else if (token.is(word::kToo) && !conditional_) {
      too(i);
    } else if (token.kind == Kind::command) {
      command(i);
    }
  }
}

bool UnitJudge::quotes_an_assertion() const {
  bool inside = false, id = false, done = false;
  for (std::size_t i = begin_; i < end_; ++i) {
    const Token& token = tokens_[i];
    if (token.kind == Kind::quote) {
      if (inside && id && done) return true;
      inside = !inside;
      id = done = false;
    }
    id = id || token.kind == Kind::id;
    done = done || (token.kind == Kind::word && token.is(word::kPlainDone));
  }
  return false;
}

bool UnitJudge::joins_ids(std::size_t comma) const {
  std::size_t before = comma - 1;
  while (before > begin_ && (is(before, Kind::quote) || is(before, Kind::close))) --before;
  if (is(comma - 1, Kind::close) && partner_[comma - 1] != kNone && partner_[comma - 1] > begin_ &&
      !is(before, Kind::id))
    before = partner_[comma - 1] - 1;
  std::size_t after = comma + 1;
  while (after < end_ &&
         (is(after, word::kJoin | word::kTask) || is(after, Kind::quote) || is(after, Kind::line_break)))
    ++after;
  return is(before, Kind::id) && is(after, Kind::id);
}

bool UnitJudge::denied_before(std::size_t span, std::size_t asserted) const {
  // "The report says that the form works, and T1 is done": the words of another, whatever comes between.
  const std::size_t sentence = span > begin_ + kSubject ? span - kSubject : begin_;
  for (std::size_t i = sentence; i < span; ++i)
    if (hearsay(i) || (clause_ == i + 2 && is(i + 1, Kind::comma) && only_thought(i))) return true;
  // "I couldn't get T1, T2 or T3 finished", "T1 or T2 is done": which?
  if (span > begin_ + 1 && is(span - 2, Kind::id) &&
      one_of(tokens_[span - 1].text, {"or", "oder", "ou", "o", "или"}))
    return true;
  std::size_t from = clause_;
  // Behind an id and its status a joined clause has a head of its own.
  for (std::size_t i = span; i > clause_; --i) {
    const std::size_t open = tokens_[i - 1].kind == Kind::close ? partner_[i - 1] : kNone;
    if (open != kNone && open > clause_ && is(open - 1, Kind::id)) {
      from = i;
      break;
    }
    const bool bracket =
        tokens_[i - 1].kind == Kind::open && partner_[i - 1] != kNone && partner_[i - 1] > cue_;
    if (bracket || tokens_[i - 1].kind == Kind::id || tokens_[i - 1].kind == Kind::command) {
      from = i;
      break;
    }
  }
  // "T1 is open and the loader (T2) is done"
  bool told = false;
  for (std::size_t i = from; from > clause_ && i < span; ++i) {
    if (told && is(i, word::kJoin)) from = i + 1;
    told = told || is(i, word::kIs);
  }
  const bool first_person = has(from, span, word::kFirst);
  // "I wrote the missing tests and T1 is done": what is behind "and" and has an id is a clause of its own.
  const bool joined = span > clause_ && is(span, Kind::id) && is(span - 1, word::kJoin);
  for (std::size_t i = from; i < span; ++i) {
    const Token& token = tokens_[i];
    // A remark on the id before: "T1 (in progress), T2 (done)".
    if (token.kind == Kind::open && partner_[i] != kNone && partner_[i] < span && i > begin_ &&
        is(i - 1, Kind::id)) {
      i = partner_[i];
      continue;
    }
    if (token.kind == Kind::bad) return !signs_lead_ || i + 1 == span;
    if (token.kind != Kind::word || adjective(i)) continue;
    if (token.share && asserted > 0 && token.part == asserted) continue;
    if (token.is(word::kAlready) && has(clause_, span, word::kFirst)) continue;
    if (token.is(word::kOther) && token.is(word::kNot)) return true;
    if (token.is(word::kPlan) &&
        (is(i + 1, word::kIs | word::kPlainDone | word::kBox) || is(i + 1, Kind::colon)))
      continue;
    if (states_fact(i)) continue;
    // "Set T1 to done." reports, "you can set T1 to done" does not.
    if (token.text == "set" && !first_person && (i > begin_ || !token.capital)) return true;
    if (only_thought(i)) return true;
    if (joined && token.is(word::kOpen) && !token.is(word::kIf)) continue;
    if (token.is(word::kNot | word::kOpen) && !token.is(word::kIs)) return true;
  }
  return false;
}

bool UnitJudge::adjective(std::size_t i) const {
  if (i <= begin_ || !is(i, word::kOpen)) return false;
  // "no remaining issues"
  if (one_of(tokens_[i - 1].text,
             {"no", "without", "zero", "0", "keine", "sans", "sin", "sem", "senza", "\u0431\u0435\u0437"}))
    return true;
  if (!is(i - 1, word::kArticle | word::kAll | word::kBoth)) {
    // "the two remaining tasks"
    const bool number = i > begin_ + 1 && tokens_[i - 1].text != number_word(tokens_[i - 1].text);
    if (!number || !is(i - 2, word::kArticle)) return false;
  }
  return is(i + 1, word::kTask) ||
         (is(i + 1, Kind::word) && !is(i + 1, word::kDoneAfter | word::kDoneBefore | word::kIs | word::kNot |
                                                  word::kOpen | word::kOf));
}

bool UnitJudge::has(std::size_t from, std::size_t to, WordClass classes) const {
  for (std::size_t i = from; i < to; ++i)
    if (tokens_[i].kind == Kind::word && tokens_[i].is(classes)) return true;
  return false;
}

bool UnitJudge::denied_behind(std::size_t span, bool plain) const {
  if (retracted(span) || contradicted(span) || disowned(span) || would_be(span)) return true;
  if (counts_part(tokens_, span, end_)) return true;
  // "Done: T1 no, T2 no"
  if (is(span, Kind::word) && is_negation(tokens_[span].text) && !is(span + 1, Kind::word)) return true;
  // "Tasks completed: 0"
  if (is(span, Kind::colon) && is(span + 1, Kind::word) && tokens_[span + 1].text == "0") return true;
  // "T1 done: no"
  if (is(span, Kind::colon) && says_no(span + 1, std::min(end_, span + 2)) &&
      (!is(span + 2, Kind::word) || is(span + 2, word::kNot | word::kOpen)))
    return true;
  const std::size_t limit = std::min(end_, span + kTailReach);
  for (std::size_t i = span; i < limit; ++i) {
    const Token& token = tokens_[i];
    if (token.kind == Kind::line_break) return doubted_behind(i);
    // "done, tests missing"
    const bool parts = token.kind == Kind::comma || token.kind == Kind::semicolon ||
                       token.kind == Kind::dash || token.kind == Kind::open;
    if (parts && lacks_part(tokens_, i + 1)) return true;
    // "Completed T1 - pending T2": the other one is.
    if (parts && opens_another(i + 1)) return false;
    if (token.kind == Kind::id || token.kind == Kind::semicolon || token.kind == Kind::colon) return false;
    if (token.kind == Kind::comma) {
      // "all tasks are done, except what Ann does": what is left out has no name here.
      if (is(i + 1, word::kExcept) && tokens_[i + 1].text != "but") return true;
      if (is(i + 1, word::kTail) && !is(i + 1, word::kNot | word::kBut)) return true;
      if (is(i + 1, word::kNot | word::kTail) && is(i + 2, word::kPlainDone) &&
          tokens_[i + 1].text == "not") {
        return !is(i + 3, Kind::colon);
      }
      // "done, but not by me", "done, not tested": what follows may still take it back.
      if (is(i + 1, word::kBut)) return denied_by_but(i + 2, plain);
      return doubted_behind(i);
    }
    if (token.kind == Kind::bad) return !signs_lead_;
    if (token.kind != Kind::word || adjective(i)) continue;
    if (token.is(word::kBut)) return denied_by_but(i + 1, plain);
    // "done after two failed attempts"
    if (one_of(token.text, {"after", "despite"})) return false;
    // "done by the backend agent", but "done by adding a cache", "done by me".
    if (token.text == "by" && is(i + 1, Kind::id)) return true;
    if (token.text == "by" && is(i + 1, Kind::word) && !gerund(tokens_[i + 1].text) &&
        !one_of(tokens_[i + 1].text, {"me", "myself", "us", "hand", "now", "design"})) {
      return true;
    }
    if (token.share) {
      if (denied_by_share(i)) return true;
      continue;
    }
    if (token.is(word::kSays | word::kHeard)) return true;
    if (token.is(word::kTail | word::kOther)) {
      if (token.text == "before" && is(i + 1, Kind::id)) return false;
      return true;
    }
    if (token.is(word::kJoin)) {
      // "done and T2 ...", "done and verified": only the rest of the list of verbs is about it.
      return is(i + 1, word::kTail) || (i + 1 < end_ && tokens_[i + 1].text == "not");
    }
  }
  // "T1: implementation done. Tests missing."
  return limit == end_ && is(end_, Kind::stop) && lacks_part(tokens_, end_ + 1);
}

bool UnitJudge::contradicted(std::size_t span) const {
  const bool sign = span > begin_ && is(span - 1, Kind::good);
  if (!sign && !is(span, Kind::colon) && !is(span, Kind::dash)) return false;
  std::size_t i = span;
  while (is(i, Kind::colon) || is(i, Kind::dash) || is(i, Kind::open) || is(i, Kind::comma)) ++i;
  return i < end_ && (denies_done(tokens_, i) || (is(i, Kind::word) && denies_done(tokens_, i + 1)));
}

bool UnitJudge::denied_by_share(std::size_t i) const {
  if (!is(i, word::kOpen) || is(i + 1, word::kTask)) return false;
  // "done (40 %)", "done (2 of 5 files)", but "done (40 % of the plan)", "done (12 files, 94 % coverage)"
  const bool of_other = tokens_[i].whole == 100 ? is(i + 1, Kind::word) : is(i + 1, word::kOf);
  return !of_other || !(is(i - 1, Kind::open) || (is(i - 1, Kind::comma) && !is(i + 1, word::kOf)));
}

bool UnitJudge::retracted(std::size_t span) const {
  const std::size_t limit = std::min(tokens_.size(), span + kRetractReach);
  for (std::size_t i = span; i < limit; ++i) {
    if (tokens_[i].kind == Kind::id || tokens_[i].kind == Kind::command ||
        tokens_[i].kind == Kind::line_break)
      return false;
    // "I left the box open"
    if (i < end_ && is(i, word::kBox) && is(i + 1, word::kOpen)) return true;
    if (!is(i, word::kRetract)) continue;
    // "reverted it", "was later undone", "but I reverted"; not "reverted the old hack".
    const bool object = is(i + 1, word::kPronoun) && !is(i + 2, Kind::word);
    if (object || is(i + 1, word::kPronoun)) return i < end_ || object;
    if (i < end_ &&
        has(i > span + 3 ? i - 3 : span, i, word::kBut | word::kIs | word::kPronoun | word::kThen))
      return true;
    if (static_cast<unsigned char>(tokens_[i].text[0]) >= 0x80) return true;
  }
  return false;
}

bool UnitJudge::denied_by_but(std::size_t from, bool plain) const {
  const std::size_t limit = std::min(end_, from + kTailReach);
  bool negated = false;
  for (std::size_t i = from; i < limit; ++i) {
    const Token& token = tokens_[i];
    if (token.kind == Kind::id || token.kind == Kind::semicolon) return false;
    if (token.kind != Kind::word) continue;
    // "T1 is done, but not T2"
    const bool another = is(i + 1, Kind::id) || is(i + 1, word::kTask) ||
                         (is(i + 1, word::kDoneBefore) && is(i + 2, Kind::id)) ||
                         (token.is(word::kDoneBefore) && is(i + 1, Kind::id));
    if (token.is(word::kNot | word::kOpen) && another) return false;
    // "although the docs still mention the old name"
    const bool goes_on = token.text == "still" && is(i + 1, Kind::word) && tokens_[i + 1].classes == 0;
    if (goes_on) return false;
    if (token.is(word::kOpen)) return true;
    if (one_of(token.text, {"needs", "need", "only", "requires", "lacks", "undo", "roll", "again", "broken",
                            "buggy", "wrong"}))
      return true;
    negated = negated || token.is(word::kNot);
    if (negated && (!plain || token.is(word::kDoneAfter | word::kTail))) {
      if (!token.is(word::kNot) || !plain) return true;
    }
  }
  return false;
}

void UnitJudge::lead_patterns() {
  if (rules_.only_labels) return;
  const bool leads = begin_ == 0 && !lead_.empty() && lead_.end <= end_;
  if (leads && !tokens_[lead_.end - 1].possessive) lead_status();
  bracketed_ids();
  labelled_ids();
}

void UnitJudge::labelled_ids() {
  std::size_t colon = begin_;
  while (colon < end_ && colon < begin_ + kLabel && !is(colon, Kind::colon)) ++colon;
  if (!is(colon, Kind::colon) || colon + 1 >= end_) return;
  const std::vector<Token> label(tokens_.begin() + static_cast<std::ptrdiff_t>(begin_),
                                 tokens_.begin() + static_cast<std::ptrdiff_t>(colon));
  if (section_of(label) != Section::done) return;
  std::size_t at = colon + 1;
  while (at < end_ && (is(at, word::kTask | word::kArticle) || is(at, Kind::quote) || is(at, Kind::good)))
    ++at;
  if (!is(at, Kind::id) || at >= end_) return;
  IdList list = ids_from(tokens_, at, end_, names_);
  if (list.empty() || tokens_[list.end - 1].possessive) return;
  cut_at_next_clause(list);
  for (const Token& token : label) {
    if (token.share && token.is(word::kOpen) && token.part != size_of(list)) return;
  }
  if (!list.empty() && !denied_behind(list.end, true)) assertion(std::move(list));
}

void UnitJudge::lead_status() {
  std::size_t last = end_;
  while (last > lead_.end && (is(last - 1, Kind::close) || is(last - 1, Kind::quote))) --last;
  const std::size_t at = last - 1;
  if (last <= lead_.end || (is(lead_.end, Kind::open) && renames_phase(lead_.end))) return;
  const Token& token = tokens_[at];
  if (taken_back(tokens_, lead_)) return;
  std::size_t head = at;
  while (head > lead_.end && is(head - 1, word::kLeft)) --head;
  const bool set_apart =
      head > lead_.end && (is(head - 1, Kind::dash) || is(head - 1, Kind::colon) ||
                           is(head - 1, Kind::open) || is(head - 1, Kind::good) || is(head - 1, Kind::comma));
  // "Phase 2: T4 \u2705, T5 \u2705": the last is about T5.
  const bool of_another = lead_.end < at && is(at - 1, Kind::id);
  const bool done = (token.kind == Kind::good && !of_another) ||
                    (token.kind == Kind::word && set_apart &&
                     ((token.is(word::kDoneAfter) && token.is(word::kPlainDone)) ||
                      (token.share && token.is(word::kYes) && at == lead_.end + 1)));
  if (done && !has(lead_.end, at, word::kIf)) {
    assertion(lead_);
    return;
  }
  if (!rules_.lead_verbs) return;
  std::size_t verb = lead_.end;
  bool apart = false;
  while (verb < end_ && (is(verb, Kind::colon) || is(verb, Kind::dash) || is(verb, Kind::close))) {
    apart = apart || !is(verb, Kind::close);
    ++verb;
  }
  while (verb < end_ && (is(verb, word::kFirst) || is(verb, Kind::good) ||
                         one_of(tokens_[verb].text, {"successfully", "have"})))
    ++verb;
  if (apart && is(verb, word::kDid | word::kDoneBefore) && !is(verb + 1, Kind::id) && !describes(verb)) {
    assertion(lead_);
  }
}

void UnitJudge::bracketed_ids() {
  std::size_t verb = begin_;
  while (verb < end_ &&
         (tokens_[verb].kind != Kind::word || is(verb, word::kFirst) ||
          one_of(tokens_[verb].text,
                 {"have", "also", "successfully", "then", "now", "just", "finally", "went", "ahead"}) ||
          (verb > begin_ && tokens_[verb - 1].text == "ahead" && is(verb, word::kJoin))) &&
         !is(verb, Kind::id))
    ++verb;
  if (verb >= end_ || !is(verb, word::kDid | word::kDoneBefore) || is(verb, word::kTicked)) {
    return passive_ids();
  }
  for (std::size_t i = verb + 1; i < end_; ++i) {
    if (tokens_[i].kind == Kind::semicolon || tokens_[i].is(word::kBut | word::kIf)) return;
    if (tokens_[i].is(word::kNot) && !adjective(i)) return;
    if (tokens_[i].kind != Kind::open || partner_[i] == kNone || partner_[i] >= end_) continue;
    if (!only_ids(i + 1, partner_[i])) continue;
    std::size_t id = i + 1;
    while (!is(id, Kind::id)) ++id;
    if (says_no(partner_[i] + 1, std::min(end_, partner_[i] + 3))) return;
    assertion(ids_from(tokens_, id, partner_[i], names_));
  }
}

void UnitJudge::passive_ids() {
  for (std::size_t i = begin_ + 2; i + 2 < end_; ++i) {
    if (!is(i, Kind::open) || partner_[i] == kNone || partner_[i] >= end_) continue;
    if (!is(i - 1, word::kDid | word::kPlainDone) || !is(i - 2, word::kIs) || !only_ids(i + 1, partner_[i]))
      continue;
    std::size_t id = i + 1;
    while (!is(id, Kind::id)) ++id;
    bool denied = denied_behind(partner_[i] + 1, false);
    for (std::size_t k = begin_; k < i && !denied; ++k) {
      // "Part 1 of the plan": a thing, not an intention
      const bool plan = is(k, word::kPlan) && k > begin_ && is(k - 1, word::kArticle);
      denied = !plan && is(k, Kind::word) && (is(k, word::kNot | word::kOpen | word::kIf) || hearsay(k));
    }
    if (denied) return;
    assertion(ids_from(tokens_, id, partner_[i], names_));
    return;
  }
}

bool UnitJudge::assertion(IdList list) {
  assertions_.push_back(std::move(list));
  return true;
}

std::vector<IdList> asserted_ids(const std::vector<Token>& tokens, const TaskNames& names,
                                 ClauseRules rules) {
  return UnitJudge(tokens, names, rules).run();
}

}  // namespace plankeep::core
