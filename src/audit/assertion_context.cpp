// What the patterns of assertion_patterns ask of the words around an id: which ids form a list, whether the
// clause says something else, ticks and commands.

#include <utility>

#include "audit/unit_judge.hpp"
#include "base/text.hpp"

namespace plankeep::core {
namespace {

using base::one_of;

}  // namespace

bool UnitJudge::apposition(std::size_t id) const {
  std::size_t i = id;
  while (i > begin_ && (is(i - 1, word::kArticle | word::kTask) || is(i - 1, Kind::quote))) --i;
  if (i < begin_ + 2 || !is(i - 1, Kind::comma)) return false;
  if (!is(i - 2, word::kTask | word::kCounted | word::kPoint)) return false;
  // "the last open item", not "this is no item"
  for (std::size_t k = begin_; k < i; ++k) {
    if (is(k, word::kIf | word::kIs) || (is(k, word::kNot) && !is(k, word::kOpen))) return false;
  }
  return true;
}

bool UnitJudge::set_before(std::size_t first) const {
  for (std::size_t i = first; i > begin_ && first - i < kReach; --i)
    if (one_of(tokens_[i - 1].text,
               {"set", "moved", "changed", "updated", "switched", "marked", "flipped", "toggled", "turned"}))
      return true;
  return false;
}

bool UnitJudge::after_and(std::size_t verb, std::size_t done) {
  // "T1 passes its tests and is done", "T1 took longer than planned but it is done"
  const bool pronoun = verb > begin_ && one_of(tokens_[verb - 1].text, {"it", "they", "it's", "they're"});
  const std::size_t join = pronoun ? verb - 1 : verb;
  if (join <= begin_ || join - begin_ > kSubject || !is(join - 1, word::kJoin | word::kBut)) return false;
  // "T1 took longer than expected but is now complete"
  const bool whole = pronoun || is(join - 1, word::kBut);
  std::size_t first = whole ? begin_ : clause_;
  while (first < join &&
         (is(first, word::kTask | word::kArticle | word::kBut | word::kJoin) || is(first, Kind::quote)))
    ++first;
  // "The loader (T2) works and is merged"
  std::size_t id = first;
  while (id < join && id < first + kReach && is(id, Kind::word) &&
         !is(id, word::kIs | word::kOf | word::kPart | word::kNot | word::kOpen | word::kDoneBefore)) {
    ++id;
  }
  const bool bracket =
      id > first && is(id, Kind::open) && partner_[id] < join && only_ids(id + 1, partner_[id]);
  if (bracket) first = id + 1;
  if (!is(first, Kind::id)) return false;
  IdList list = ids_from(tokens_, first, bracket ? partner_[id] : join, names_);
  if (list.empty() || tokens_[list.end - 1].possessive || is(list.end, word::kPart)) return false;
  // What the pronoun stands for is sure only where nothing else was named.
  const WordClass others =
      word::kIf | word::kRetract | word::kSays | (whole ? word::kArticle : word::kNot | word::kOpen);
  for (std::size_t i = list.end; i < join; ++i)
    if (tokens_[i].kind == Kind::id || tokens_[i].kind == Kind::bad || is(i, others)) return false;
  if ((!whole && denied_before(first)) || denied_behind(done + 1, true)) return false;
  return assertion(std::move(list));
}

bool UnitJudge::only_ids(std::size_t from, std::size_t to) const {
  bool id = false;
  for (std::size_t i = from; i < to; ++i) {
    id = id || tokens_[i].kind == Kind::id;
    if (tokens_[i].kind != Kind::id && tokens_[i].kind != Kind::comma && tokens_[i].kind != Kind::dash &&
        !tokens_[i].is(word::kJoin | word::kTask | word::kRange))
      return false;
  }
  return id;
}

bool UnitJudge::says_no(std::size_t from, std::size_t to) const {
  for (std::size_t i = from; i < to; ++i)
    if (tokens_[i].kind == Kind::bad ||
        (tokens_[i].kind == Kind::word && tokens_[i].is(word::kOpen | word::kNot)))
      return true;
  return false;
}

bool UnitJudge::about_it(const IdList& list) const {
  std::size_t i = list.first;
  while (i > begin_ && (is(i - 1, word::kTask | word::kArticle | word::kAll) || is(i - 1, Kind::quote) ||
                        (is(i - 1, word::kRight) && !is(i - 1, word::kOf | word::kJoin | word::kFrom))))
    --i;
  if (i <= begin_ || !is(i - 1, word::kOf)) return false;
  if (states_fact(i - 1)) return false;
  // "Las dos tareas T1 y T2"
  if (tokens_[i - 1].text == "dos" && (i == begin_ + 1 || is(i - 2, word::kRight))) return false;
  // An article in German, "of the" in Portuguese
  if (tokens_[i - 1].text == "das" && tokens_[list.first].capital) return false;
  if (is(i - 1, word::kIs)) return false;
  // "Ich bin mit T1 fertig"
  if (tokens_[i - 1].text == "mit" &&
      ((i > begin_ + 1 && is(i - 2, word::kIs | word::kFirst)) || is(list.end, word::kIs))) {
    return false;
  }
  if (is(i - 1, word::kFrom) && !list.ranges.empty()) return false;
  std::size_t w = i - 1;
  while (w > begin_ && is(w - 1, word::kArticle)) --w;
  return !(w > begin_ && is(w - 1, word::kWork | word::kAll | word::kAspect | word::kBox));
}

IdList UnitJudge::list_back(std::size_t last) const {
  std::size_t first = last;
  std::size_t i = last;
  const std::size_t limit = last > begin_ + kListReach ? last - kListReach : begin_;
  while (i > limit) {
    std::size_t k = i;
    bool joined = false;
    while (k > limit && k + 6 > i) {
      const Token& token = tokens_[k - 1];
      if (token.kind == Kind::comma || token.is(word::kJoin) || token.is(word::kRange) ||
          (token.kind == Kind::dash && !signs_lead_ && !is(k, Kind::line_break))) {
        joined = true;
        --k;
      } else if (token.kind == Kind::quote || token.kind == Kind::line_break ||
                 (joined && token.is(word::kTask)) || (token.is(word::kArticle) && tokens_[k].title) ||
                 (!joined && token.is(word::kTask | word::kAll))) {
        --k;
      } else if (token.kind == Kind::close && joined && partner_[k - 1] != kNone && partner_[k - 1] > limit &&
                 k - 1 - partner_[k - 1] <= kReach && !says_no(partner_[k - 1], k - 1)) {
        k = partner_[k - 1];
        break;
      } else {
        break;
      }
    }
    if (!joined || k <= limit || !is(k - 1, Kind::id) || tokens_[k - 1].possessive) break;
    // "Phase 2 - T4 \u2705, T5 \u2705"
    if (tokens_[k - 1].phase && is(k, Kind::dash) && !tokens_[first].phase) break;
    // "In phase 2, T4 and T5 are done"
    if (tokens_[k - 1].phase && k > begin_ + 1 && is(k - 2, word::kOf) && is(k, Kind::comma)) break;
    first = i = k - 1;
  }
  for (std::size_t bracket = bracket_before(first);
       bracket != kNone && bracket >= limit && !says_no(subject(first), bracket - 1);
       bracket = bracket_before(first)) {
    first = bracket;
  }
  IdList list = ids_from(tokens_, first, last + 1, names_);
  list.first = first;
  list.end = last + 1;
  return list;
}

bool UnitJudge::echoes(std::size_t at) const {
  bool done = false, stopped = at > begin_;
  for (std::size_t i = at; i > 0 && at - i < kBothReach; --i) {
    const Token& token = tokens_[i - 1];
    if (token.kind == Kind::stop && std::exchange(stopped, true)) break;
    if (token.kind == Kind::bad || token.kind == Kind::question) return false;
    if (token.kind != Kind::word) continue;
    const bool other = token.is(word::kNot | word::kOpen | word::kIf);
    if (other && !token.is(word::kIs | word::kPlainDone) && !adjective(i - 1)) return false;
    done = done || token.is(word::kPlainDone) || token.text.starts_with("so_");
  }
  return done;
}

void UnitJudge::too(std::size_t at) {
  if (at <= begin_ || is(at + 1, Kind::word) || !echoes(at)) return;
  std::size_t last = at - 1;
  while (last > begin_ && is(last, Kind::quote)) --last;
  if (!is(last, Kind::id) || tokens_[last].possessive) return;
  IdList list = list_back(last);
  if (list.first > begin_ && about_it(list)) return;
  assertion(std::move(list));
}

bool UnitJudge::states_fact(std::size_t at) const {
  if (at != begin_ || !is(at, Kind::word)) return false;
  const bool with = one_of(tokens_[at].text, {"with", "mit"});
  if (!with && !one_of(tokens_[at].text, {"since", "because", "as", "da", "weil", "puisque", "como"}))
    return false;
  std::size_t i = at + 1;
  while (is(i, word::kTask | word::kArticle)) ++i;
  if (!is(i, Kind::id)) return false;
  i = ids_from(tokens_, i, end_, names_).end;
  const bool now = one_of(i < end_ ? tokens_[i].text : "", {"is", "are", "est", "sont", "está", "están"});
  if (now) ++i;
  if (is(i, word::kLeft) && now && !is(i, word::kDoneAfter)) ++i;
  if (!is(i, word::kPlainDone)) return false;
  ++i;
  if (with == now && (with || i >= end_ || !one_of(tokens_[i++].text, {"ist", "sind"}))) return false;
  if (!is(i, Kind::comma)) return false;
  // "With T2 done, we would be able to ..."
  for (std::size_t k = i; k < std::min(end_, i + kReach); ++k) {
    if (one_of(tokens_[k].text, {"would", "could", "should", "might", "will", "würde", "könnte"}))
      return !with;
  }
  return true;
}

std::size_t UnitJudge::id_of_phase(const IdList& list) const {
  if (!tokens_[list.first].phase || list.end != list.first + 1) return kNone;
  std::size_t i = list.first;
  while (i > begin_ && is(i - 1, word::kArticle)) --i;
  if (i < begin_ + 2 || !is(i - 1, word::kOf) || !is(i - 2, Kind::id)) return kNone;
  const Token& id = tokens_[i - 2];
  // The same id may stand in another phase.
  return !id.phase && !id.every && id.entry != nullptr && id.entry->tasks.size() == 1 ? i - 2 : kNone;
}

bool UnitJudge::part_of_phase(const IdList& list, std::size_t done) const {
  if (!tokens_[list.first].phase) return false;
  const auto number = [&](std::size_t i) {
    const std::string_view word = i < end_ ? number_word(tokens_[i].text) : std::string_view{};
    return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
  };
  std::size_t i = list.first;
  while (i > begin_ && list.first - i < kReach &&
         is(i - 1, word::kTask | word::kOf | word::kArticle | word::kRight)) {
    --i;
  }
  return (i > begin_ && i < list.first && number(i - 1)) || number(done + 1);
}

std::size_t UnitJudge::bracket_before(std::size_t id) const {
  if (id <= begin_ || !is(id - 1, Kind::open) || partner_[id - 1] == kNone) return kNone;
  constexpr WordClass kVerbs = word::kIs | word::kDoneAfter | word::kDoneBefore | word::kNot | word::kOpen |
                               word::kBut | word::kIf | word::kSays;
  for (std::size_t i = id - 1; i > begin_ + 2 && id - i < kReach; --i) {
    const bool joins = is(i - 1, Kind::comma) || is(i - 1, word::kJoin);
    const std::size_t open = joins && is(i - 2, Kind::close) ? partner_[i - 2] : kNone;
    if (open != kNone && open >= begin_ && only_ids(open + 1, i - 2)) return open + 1;
    const Token& token = tokens_[i - 1];
    if (is(i - 1, word::kJoin)) continue;
    if (!joins && token.kind != Kind::word && token.kind != Kind::opaque && token.kind != Kind::quote) {
      return kNone;
    }
    if (token.is(kVerbs)) return kNone;
  }
  return kNone;
}

void UnitJudge::sign_before(std::size_t at) {
  std::size_t i = at + 1;
  const std::size_t limit = std::min(end_, at + 1 + kReach);
  while (i < limit &&
         (is(i, word::kTask) || (is(i, Kind::colon) && is(i - 1, word::kTask)) || is(i, Kind::quote) ||
          is(i, Kind::dash) || is(i, Kind::good) || is(i, Kind::open) || is(i, word::kArticle)))
    ++i;
  if (i >= end_ || !is(i, Kind::id)) return;
  IdList list = ids_from(tokens_, i, end_, names_);
  if (tokens_[list.end - 1].possessive || names_part(tokens_, list, names_)) return;
  // "✅ T1: requirements clear"
  if (remarks_on_tasks(tokens_, list, names_)) return;
  cut_at_next_clause_of_sign(list);
}

void UnitJudge::cut_at_next_clause_of_sign(IdList list) {
  const std::size_t limit = std::min(end_, list.end + 2 * kReach);
  for (std::size_t i = list.end; i < limit; ++i) {
    const Token& token = tokens_[i];
    if (token.kind == Kind::line_break && denies_done(tokens_, i + 1)) return;
    if (token.kind == Kind::id || token.kind == Kind::good || token.kind == Kind::line_break) break;
    if (token.kind == Kind::bad) {
      if (is(i + 1, Kind::id)) break;
      return;
    }
    if (token.kind == Kind::word && (token.is(word::kOpen) || denies_done(tokens_, i))) return;
  }
  // "✅ T1. Not done."
  if (limit == end_ && is(end_, Kind::stop) && denies_done(tokens_, end_ + 1)) return;
  assertion(std::move(list));
}

bool UnitJudge::hearsay(std::size_t i) const {
  if (!is(i, word::kSays | word::kHeard)) return false;
  // "I was told to finish T1": an order.
  for (std::size_t k = i + 1; k < std::min(end_, i + 3); ++k) {
    if (tokens_[k].text == "to" && one_of(tokens_[i].text, {"told", "told_me", "told_us", "advised"})) {
      return false;
    }
  }
  if (is(i, word::kHeard)) return true;
  const std::size_t from = i > begin_ + 3 ? i - 3 : begin_;
  // "I told the lead", but "I was told"
  return !has(from, i, word::kFirst) || has(from, i, word::kIs) ||
         one_of(tokens_[i - 1].text, {"i'm", "we're"});
}

bool UnitJudge::doubted_behind(std::size_t mark) const {
  std::size_t first = mark + 1;
  while (is(first, Kind::line_break)) ++first;
  if (first >= end_) return false;
  for (std::size_t i = first; i < std::min(end_, first + 4) && is(i, Kind::word); ++i) {
    if (hearsay(i) && !is(i + 1, Kind::word)) return true;
  }
  if (!is(first, word::kWhen) || tokens_[first].capital) return false;
  // "T1 is done, when the database is up, T2 can start": the condition of what follows.
  for (std::size_t i = first; i < std::min(end_, first + kSubject); ++i) {
    if (is(i, Kind::comma) && !joins_ids(i)) return !is(i + 1, Kind::id) && !is(i + 1, word::kFirst);
  }
  return true;
}

bool UnitJudge::describes(std::size_t at) const {
  const Token& done = tokens_[at];
  // "Tasks to complete: T1", but "set to complete: T1"
  if (done.is(word::kCommand) && at > begin_ && tokens_[at - 1].text == "to" && is(at + 1, Kind::colon)) {
    return !set_before(at);
  }
  if (at + 1 >= end_ || (!is(at + 1, Kind::word) && !(is(at + 1, Kind::id) && tokens_[at + 1].title))) {
    return false;
  }
  constexpr WordClass kGoesOn = word::kJoin | word::kBut | word::kIf | word::kTail | word::kOther |
                                word::kThen | word::kOf | word::kIs | word::kLeft;
  const Token& next = tokens_[at + 1];
  // Not "T1 a terminé", where "a" is a verb.
  const bool article =
      at > begin_ + 1 && one_of(tokens_[at - 1].text, {"a", "an"}) &&
      (is(at - 2, word::kIs | word::kLeft) || is(at - 2, Kind::colon) || is(at - 2, Kind::dash));
  // "T1 is a completed task"
  if (article) return !next.is(word::kJoin | word::kBut | word::kIf | word::kOther | word::kTask);
  if (!done.is(word::kCommand)) return false;
  if (at > begin_ && is(at - 1, Kind::word) && is(at - 1, word::kIs | word::kLeft)) return false;
  if (done.text != "complete") {
    return one_of(next.text,
                  {"el", "la", "los", "las", "le", "les", "l", "il", "i", "gli", "lo", "o", "os", "as"});
  }
  if (next.is(word::kArticle | word::kMine | word::kPart | word::kTask) || next.kind == Kind::id) return true;
  return !next.is(kGoesOn) && next.classes == 0 && !next.text.ends_with("ly");
}

void UnitJudge::command(std::size_t at) {
  const std::size_t from = at > begin_ + 4 ? at - 4 : begin_;
  for (std::size_t i = at; i > from; --i) {
    const Token& token = tokens_[i - 1];
    if (one_of(token.text, {"ran", "executed", "called", "used", "via", "with"})) {
      if (denied_before(i - 1) || conditional_) return;
      IdList list;
      list.first = at;
      list.end = at + 1;
      assertions_.push_back(std::move(list));
      return;
    }
  }
}

}  // namespace plankeep::core
