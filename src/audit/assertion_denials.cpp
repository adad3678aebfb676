// What makes a claim none from beyond its clause: it is disowned, a goal, thanks, a matter of words. Steps of
// unit_judge.

#include <utility>

#include "audit/unit_judge.hpp"
#include "audit/words/retraction_words.hpp"
#include "base/text.hpp"

namespace plankeep::core {
namespace {

using base::one_of;

constexpr std::size_t kThanks = 5;   // tokens from "thanks" to "for"
constexpr std::size_t kWouldBe = 7;  // tokens from a claim to "would"
constexpr std::size_t kPhaseTitleBytes = 300;
constexpr std::size_t kMeantWords = 8;  // of a remark behind a phase

/// "It would be wrong"
bool says_would(std::string_view word) {
  return one_of(word, {"would", "wouldn't", "wäre", "würde", "serait", "sería", "seria", "sarebbe", "zou"});
}

/// A word for what was said just before.
bool points_back(std::string_view word) {
  return one_of(word, {"that", "this", "which", "that's", "das", "dies", "was", "cela", "ça", "c", "c_est",
                       "ce"}) ||
         one_of(word, {"eso", "esto", "isso", "isto", "questo", "ciò", "dat", "это", "что"}) ||
         one_of(word, {"statement", "claim", "report", "message", "aussage", "behauptung", "meldung"});
}

/// Making a task, not only looking at it.
bool makes(std::string_view gerund) {
  return one_of(
      gerund, {"implementing", "finishing", "completing", "coding", "doing", "building", "writing", "adding",
               "fixing", "working", "creating", "closing", "wrapping", "during", "everything", "nothing"});
}

}  // namespace

bool UnitJudge::sets_goal() const {
  bool goal = false;
  for (std::size_t i = begin_; i < std::min(end_, begin_ + kLabel); ++i) {
    const Token& token = tokens_[i];
    if (token.kind == Kind::colon) return goal;
    if (token.kind == Kind::id || token.kind == Kind::open || token.kind == Kind::good) return false;
    if (token.is(word::kDoneAfter | word::kDoneBefore) ||
        one_of(token.text, {"reached", "met", "achieved", "hit", "erreicht", "atteint", "atteints"}))
      return false;
    goal = goal || token.is(word::kGoal) ||
           (token.is(word::kPlan) && i + 1 < end_ && tokens_[i + 1].text == "for");
  }
  return false;
}

bool UnitJudge::gives_thanks() const {
  std::size_t i = begin_;
  while (is(i, Kind::good) || is(i, Kind::quote)) ++i;
  if (!is(i, Kind::word) || i >= end_) return false;
  const bool praise = one_of(tokens_[i].text, {"great", "good", "nice", "excellent", "amazing"}) &&
                      i + 1 < end_ && one_of(tokens_[i + 1].text, {"job", "work"});
  if (!praise &&
      !one_of(tokens_[i].text, {"thanks", "thank", "danke", "merci", "gracias", "obrigado", "obrigada",
                                "grazie", "bedankt", "спасибо", "congratulations", "congrats", "kudos"}))
    return false;
  for (std::size_t k = i + 1; k < std::min(end_, i + kThanks) && is(k, Kind::word); ++k) {
    const std::string& text = tokens_[k].text;
    if (is(k, word::kOf) || one_of(text, {"d", "за", "dass", "que"}) || text.ends_with("ing")) return true;
  }
  return false;
}

bool UnitJudge::untrue(std::size_t i) const {
  if (!is(i, Kind::word)) return false;
  std::size_t last = i;
  if (!is_untruth(tokens_[i].text)) {
    // "not true", "stimmt nicht"
    const auto true_at = [&](std::size_t k) { return is(k, Kind::word) && is_truth(tokens_[k].text); };
    if (is_negation(tokens_[i].text)) {
      if (is(last + 1, word::kArticle)) ++last;
      if (!true_at(++last)) return false;
    } else if (true_at(i) && is(i + 1, Kind::word) && is_negation(tokens_[i + 1].text)) {
      last = i + 1;
    } else {
      return false;
    }
  }
  // "fixed the wrong import" is about the import.
  return !is(last + 1, Kind::word) || is(last + 1, word::kJoin | word::kBut | word::kOf);
}

bool UnitJudge::disowned(std::size_t span) const {
  const std::size_t limit = std::min(tokens_.size(), span + kRetractReach);
  // "My statement that T1 is done was wrong", "T1 is done, which is false", "T1 is done. That was wrong."
  bool subject = true;
  for (std::size_t i = span; i < limit; ++i) {
    if (is(i, Kind::id) || is(i, Kind::command) || is(i, Kind::line_break)) return false;
    if (subject && untrue(i)) return true;
    if (is(i, Kind::word)) {
      const bool back = points_back(tokens_[i].text) && (i > span || !is(i, word::kIs));
      const bool is_verb = is(i, word::kIs) || one_of(tokens_[i].text, {"es", "era", "war", "était", "ist"});
      subject = back || (subject && (is_verb || is(i, word::kLeft | word::kNot | word::kArticle) ||
                                     tokens_[i].text.ends_with("ly")));
    } else if (!is(i, Kind::quote)) {
      subject = false;
    }
  }
  return false;
}

bool UnitJudge::opens_another(std::size_t i) const {
  if (!is(i, Kind::word) || !is(i, word::kOpen) || tokens_[i].share) return false;
  std::size_t id = i + 1;
  while (is(id, word::kTask | word::kArticle | word::kIs) || is(id, Kind::colon)) ++id;
  return is(id, Kind::id) && id < end_;
}

bool UnitJudge::wanted(std::size_t first) const {
  std::size_t i = first;
  while (i > begin_ && first - i < kThanks &&
         (is(i - 1, word::kTask | word::kArticle | word::kAll | word::kBoth) || is(i - 1, Kind::quote)))
    --i;
  if (i <= begin_ || !is(i - 1, Kind::word)) return false;
  const std::string& verb = tokens_[i - 1].text;
  if (verb == "have") return i > begin_ + 1 && tokens_[i - 2].text == "to";
  return one_of(verb, {"avoir", "tener", "ter", "avere"});
}

bool UnitJudge::only_thought(std::size_t i) const {
  if (!is(i, Kind::word) || i + 1 >= end_) return false;
  const std::string& verb = tokens_[i].text;
  if (!one_of(verb, {"thought", "believed", "figured", "dachte", "glaubte", "croyais", "pensais"}) &&
      !one_of(verb, {"creía", "pensaba", "pensé", "creí", "achei", "achava", "pensei", "pensava"}) &&
      !one_of(verb, {"pensavo", "credevo", "dacht", "myślałem", "myślałam", "думал", "думала"}))
    return false;
  // "I thought about it", "thought it through": no more than thinking.
  return is(i + 1, Kind::id) || is(i + 1, word::kTask | word::kAll | word::kArticle) ||
         is(i + 1, Kind::comma) || one_of(tokens_[i + 1].text, {"that", "que", "che", "dat", "что", "że"});
}

bool UnitJudge::taken_off(std::size_t verb) const {
  std::size_t id = verb + 1;
  while (is(id, word::kTask | word::kArticle | word::kAll) || is(id, Kind::quote)) ++id;
  if (!is(verb, word::kTicked) || !is(id, Kind::id)) return false;
  std::size_t end = ids_from(tokens_, id, end_, names_).end;
  while (is(end, Kind::quote)) ++end;
  return end < end_ && tokens_[end].text == "off";
}

bool UnitJudge::would_be(std::size_t span) const {
  for (std::size_t i = span; i < std::min(end_, span + kWouldBe) && is(i, Kind::word); ++i) {
    if (says_would(tokens_[i].text)) return true;
    if (is(i, word::kJoin | word::kBut | word::kFirst) || one_of(tokens_[i].text, {"so", "which", "that"}))
      return false;
  }
  return false;
}

bool UnitJudge::scare_quoted(std::size_t at) const {
  return at > begin_ + 1 && is(at - 1, Kind::quote) && is(at - 2, word::kIs) && is(at + 1, Kind::quote) &&
         is(at + 2, Kind::word) && at + 2 < end_ && !is(at + 2, word::kJoin);
}

bool UnitJudge::in_legend(std::size_t sign) const {
  // "✅ = done, ❌ = open"
  const std::size_t good = is(sign, Kind::good) ? sign : sign - std::min<std::size_t>(sign, 2);
  if (is(good, Kind::good) && is(good + 1, Kind::dash) && is(good + 2, Kind::word) &&
      is(good + 3, Kind::comma) && is(good + 4, Kind::bad) && is(good + 5, Kind::dash))
    return true;
  const std::size_t from = sign > begin_ + kLabel ? sign - kLabel : begin_;
  std::size_t open = sign;
  while (open > from && !is(open, Kind::open)) --open;
  if (!is(open, Kind::open) || partner_[open] == kNone || partner_[open] < sign) return false;
  bool bad = false;
  for (std::size_t i = open; i < std::min(partner_[open], open + kRemark); ++i) {
    // "(T1 \u2705, T2 \u23f3)"
    if (is(i, Kind::id)) return false;
    bad = bad || is(i, Kind::bad);
  }
  return bad;
}

bool UnitJudge::only_looks_at(std::size_t first) const {
  std::size_t i = first;
  while (i > begin_ && (is(i - 1, word::kTask | word::kArticle) || is(i - 1, Kind::quote))) --i;
  if (i <= begin_ || !is(i - 1, Kind::word)) return false;
  const std::string& text = tokens_[i - 1].text;
  if (!text.ends_with("ing") || is(i - 1, word::kHeading) || makes(text) || text.size() < 5) return false;
  return i - 1 == begin_ || !is(i - 2, Kind::word);
}

bool UnitJudge::clause_of_object(std::size_t first, std::size_t end) const {
  if (first <= begin_ || !is(end, Kind::word) || end >= end_ || tokens_[first].phase) return false;
  if (!is(first - 1, word::kAll) && !one_of(tokens_[first - 1].text, {"that", "which", "what"})) return false;
  return !is(end, word::kTask | word::kLeft | word::kRight | word::kJoin | word::kBut | word::kIs);
}

bool UnitJudge::renames_phase(std::size_t open) const {
  if (open == 0 || !is(open - 1, Kind::id) || !tokens_[open - 1].phase || partner_[open] == kNone)
    return false;
  const std::size_t close = partner_[open];
  if (close - open > kMeantWords) return false;
  for (std::size_t i = open + 1; i < close; ++i) {
    if (!is(i, Kind::word) || is(i, word::kAll | word::kTask | word::kCounted | word::kLeft) ||
        tokens_[i].share || base::all_digits(number_word(tokens_[i].text)))
      return false;
  }
  const TaskSet& tasks = tokens_[open - 1].tasks;
  return !tasks.empty() &&
         !reads_like_title(
             tokens_, open + 1, close,
             words_of(names_.title_of_phase((*tasks.list)[tasks.first]).substr(0, kPhaseTitleBytes)));
}

}  // namespace plankeep::core
