// The patterns that join an id to a word of completion: the second half of unit_judge.

#include <utility>

#include "audit/unit_judge.hpp"
#include "base/text.hpp"

namespace plankeep::core {
namespace {

using base::one_of;

}  // namespace

void UnitJudge::completion(std::size_t at) {
  const Token& token = tokens_[at];
  if (token.kind == Kind::good) {
    if (signs_lead_)
      sign_before(at);
    else
      after(at);
    return;
  }
  if (token.text.starts_with("so_") && !echoes(at)) return;
  if (token.text.starts_with("ya_est") &&
      std::none_of(tokens_.begin() + static_cast<std::ptrdiff_t>(at),
                   tokens_.begin() + static_cast<std::ptrdiff_t>(std::min(end_, at + kReach)),
                   [](const Token& behind) { return behind.kind == Kind::exception; })) {
    return;
  }
  const bool box = has(at > begin_ + kReach ? at - kReach : begin_, at, word::kBox);
  if (token.is(word::kTicked) && !token.is(word::kDoneAfter) && !box && !is(at + 1, word::kRight) &&
      !is(at + 1, word::kBox) && !is(at + 1, word::kArticle))
    return;
  const bool beside_id = at > 0 && is(at - 1, Kind::id) && !rules_.only_labels;
  if (beside_id && after(at)) return;
  // "Sono state completate T1 e T2" begins with its verb.
  std::size_t head = at;
  while (head > clause_ && at - head < kReach && is(head - 1, word::kIs)) --head;
  const bool verb_first = head < at && head == clause_ && is(at + 1, Kind::id);
  const bool is_before = at > begin_ && !verb_first && !token.text.starts_with("able_") &&
                         (is(at - 1, word::kIs) || tokens_[at - 1].text == "as");
  if (token.is(word::kDoneBefore | word::kTicked) && !is_before && before(at, false)) return;
  if ((token.is(word::kDoneAfter) || (token.is(word::kTicked) && box)) && !rules_.only_labels) {
    if (after(at)) return;
    std::size_t verb = at;
    while (verb > clause_ && at - verb < kReach && is(verb - 1, word::kLeft | word::kIs) &&
           !is(verb - 1, word::kJoin))
      --verb;
    const bool its = verb > clause_ && one_of(tokens_[verb - 1].text, {"it's", "they're"});
    if (((verb < at && has(verb, at, word::kIs)) || its) && after_and(verb, at)) return;
  }
  if ((is_before || !token.is(word::kDoneBefore)) && before(at, true)) return;
  if (token.is(word::kDoneAfter) && !rules_.only_labels) {
    both(at);
    its_task(at);
  }
}

void UnitJudge::its_task(std::size_t at) {
  std::size_t task = at;
  while (task > begin_ && at - task < kReach && !is(task, word::kTask) &&
         is(task - 1, word::kLeft | word::kIs | word::kTask)) {
    --task;
  }
  if (task == at || !one_of(tokens_[task].text, {"task", "aufgabe", "tâche", "tarea", "tarefa", "compito",
                                                 "attività", "taak", "zadanie", "задача"})) {
    return;
  }
  while (task > begin_ && is(task - 1, word::kArticle | word::kRight) && !is(task - 1, word::kJoin)) --task;
  // "the next task is done", "my other task is done"
  if (task > begin_ && is(task - 1, Kind::word) && !is(task - 1, word::kJoin) &&
      tokens_[task - 1].text != "so") {
    return;
  }
  std::size_t id = kNone;
  for (std::size_t i = task; i > 0 && task - i < kBothReach; --i) {
    const Token& token = tokens_[i - 1];
    if (token.kind == Kind::question || token.kind == Kind::bad || token.kind == Kind::exception) return;
    if (token.kind == Kind::word &&
        token.is(word::kNot | word::kOpen | word::kIf | word::kBut | word::kOther) &&
        !token.is(word::kIs | word::kLeft | word::kPlainDone)) {
      return;
    }
    if (token.kind != Kind::id) continue;
    const auto same = [&](const Token& other) {
      return other.tasks.size() == 1 && token.tasks.size() == 1 &&
             (*other.tasks.list)[other.tasks.first] == (*token.tasks.list)[token.tasks.first];
    };
    // "the login form (T4)" is named twice
    if ((id != kNone && !same(tokens_[id])) || token.unknown || token.every || token.phase ||
        token.tasks.size() != 1)
      return;
    id = i - 1;
  }
  if (id == kNone || tokens_[id].possessive || is(at + 1, Kind::id) || denied_behind(at + 1, true)) return;
  IdList list;
  list.first = id;
  list.end = id + 1;
  assertion(std::move(list));
}

void UnitJudge::both(std::size_t at) {
  std::size_t pronoun = at;
  while (pronoun > begin_ && at - pronoun < kReach && !is(pronoun, word::kBoth) &&
         is(pronoun - 1, word::kLeft | word::kIs | word::kTask | word::kBoth)) {
    --pronoun;
  }
  if (!is(pronoun, word::kBoth) || (pronoun > begin_ && pronoun != clause_)) return;
  // The two that this sentence or the one before it names.
  std::size_t first = kNone, last = kNone, named = 0;
  bool stopped = pronoun > begin_;
  for (std::size_t i = pronoun; i > 0 && pronoun - i < kBothReach; --i) {
    const Token& token = tokens_[i - 1];
    if (token.kind == Kind::stop && named > 0) break;
    if (token.kind == Kind::question || (token.kind == Kind::stop && std::exchange(stopped, true))) break;
    if (token.kind != Kind::id) continue;
    if (token.unknown || token.every || token.tasks.size() != 1) return;
    first = i - 1;
    last = last == kNone ? first : last;
    ++named;
  }
  if (named != 2 || is(at + 1, Kind::id) || denied_behind(at + 1, true)) return;
  IdList list;
  list.first = first;
  list.end = last + 1;
  assertion(std::move(list));
}

bool UnitJudge::before(std::size_t at, bool colon) {
  const Token& done = tokens_[at];
  bool seen_colon = false, box = done.is(word::kTicked) && is(at + 1, word::kBox), work = false;
  bool checked = !done.is(word::kTicked) || done.is(word::kDoneBefore);
  // "Everything is done in phase 2", "Work complete on T1"
  const bool all = (at > begin_ + 1 && is(at - 1, word::kIs) && is(at - 2, word::kAll)) ||
                   (at > begin_ && is(at - 1, word::kWork));
  std::size_t i = at + 1;
  const std::size_t limit = std::min(end_, at + 1 + kReach);
  for (; i < limit; ++i) {
    const Token& token = tokens_[i];
    if (token.kind == Kind::id) break;
    if (token.kind == Kind::colon) {
      seen_colon = true;
      continue;
    }
    if (token.kind == Kind::quote || token.kind == Kind::line_break || token.kind == Kind::good ||
        token.share)
      continue;
    // "completed the first task, \"Login page\""
    if (token.kind == Kind::comma && is(i - 1, word::kTask) &&
        (is(i + 1, Kind::quote) || is(i + 1, Kind::id)))
      continue;
    // "[DONE] T1"
    const bool label =
        token.kind == Kind::close && i == at + 1 && partner_[i] != kNone && partner_[i] + 1 == at;
    if (token.kind == Kind::dash || token.kind == Kind::open || label) {
      seen_colon = seen_colon || i == at + 1;
      if (i != at + 1 && !seen_colon && token.kind == Kind::open) return false;
      continue;
    }
    if (token.kind != Kind::word) return false;
    if (token.is(word::kBox)) box = checked = true;
    if (token.text == "off") checked = true;
    if (token.is(word::kWork)) work = true;
    const bool of = (all && token.is(word::kOf)) || one_of(token.text, {"of", "on", "for", "in", "with"});
    if (of && (box || work || all || (token.text == "with" && i == at + 1) || is(i - 1, word::kAll)))
      continue;
    // "Done are T1 and T2", "I finished two: T1 and T2"
    const bool inverted = i == at + 1 && at == clause_ && token.is(word::kIs);
    const bool counted = token.text != ordinal_word(token.text);
    const bool glue =
        inverted || counted ||
        token.is(word::kRight | word::kTask | word::kBox | word::kFirst | word::kArticle | word::kMine) ||
        (token.is(word::kDoneBefore | word::kDid) && is(i - 1, word::kJoin));
    if (!glue) return false;
  }
  if (!is(i, Kind::id) || i >= end_ || !checked) return false;
  if (colon && !seen_colon && !(all && (tokens_[i].phase || is(at - 1, word::kWork)))) return false;
  if (rules_.only_labels && (!seen_colon || has_words(subject(at), at, 1))) return false;
  // "done" in the middle of a sentence is no verb.
  if (done.text == "done" && !seen_colon && !is(at + 1, word::kOf) && at > begin_ &&
      has_words(subject(at), at, 0) && !has(subject(at), at, word::kFirst))
    return false;
  if (!seen_colon && !all && !done.is(word::kDoneBefore) && !done.is(word::kTicked)) return false;
  IdList list = ids_from(tokens_, i, end_, names_);
  if (tokens_[list.end - 1].possessive && list.end - list.first == 1) return false;
  cut_at_next_clause(list);
  if (list.empty()) return false;
  if (is(list.end, word::kPart) && !seen_colon) return false;
  const std::size_t size = size_of(list);
  for (std::size_t k = at + 1; k < i; ++k)
    if (tokens_[k].share && tokens_[k].is(word::kOpen) && tokens_[k].part != size) return false;
  if (denied_before(at, size)) return false;
  if (denied_behind(list.end, done.is(word::kPlainDone))) return false;
  return assertion(std::move(list));
}

std::size_t UnitJudge::size_of(const IdList& list) const {
  std::size_t size = 0;
  if (list.ranges.empty())
    for (std::size_t i = list.first; i < list.end; ++i)
      size += is(i, Kind::id) ? std::max<std::size_t>(1, tokens_[i].tasks.size()) : 0;
  for (const TaskSet& range : list.ranges) size += range.size();
  std::size_t without = 0;
  for (std::size_t i = begin_; i < std::min(end_, begin_ + kListReach); ++i)
    without += is(i, Kind::exception) ? 1 : 0;
  size -= std::min(size, without);
  return size;
}

bool UnitJudge::has_words(std::size_t from, std::size_t to, std::size_t at_most) const {
  std::size_t words = 0;
  for (std::size_t i = from; i < to; ++i)
    if (tokens_[i].kind == Kind::word && !tokens_[i].is(word::kTask)) ++words;
  return words > at_most;
}

void UnitJudge::cut_at_next_clause(IdList& list) const {
  std::size_t next = list.end;
  if (is(next, Kind::open) && partner_[next] != kNone) next = partner_[next] + 1;
  const bool label = is(next, Kind::word) && is(next + 1, Kind::colon);
  const bool own =
      !label && (is(next, word::kIs | word::kOpen) || is(next, Kind::bad) ||
                 (is(next, word::kNot) && is(next, word::kTail | word::kOpen)) ||
                 (is(next, Kind::colon) && (is(next + 1, word::kOpen) || is(next + 1, Kind::bad))));
  if (!own) return;
  for (const WordClass joined : {WordClass{0}, WordClass{word::kJoin}})
    for (std::size_t i = list.end; i > list.first + 1; --i) {
      const bool comma = tokens_[i - 1].kind == Kind::comma && !is(i, word::kJoin);
      if (joined == 0 ? comma : is(i - 1, word::kJoin)) {
        std::size_t end = i - 1;
        while (end > list.first && !is(end - 1, Kind::id)) --end;
        list = ids_from(tokens_, list.first, end, names_);
        return;
      }
    }
  list.end = list.first;
}

bool UnitJudge::after(std::size_t at) {
  const Token& done = tokens_[at];
  bool to = false;
  std::size_t i = at;
  const std::size_t limit = at > begin_ + kReach ? at - kReach : begin_;
  while (i > limit) {
    const Token& token = tokens_[i - 1];
    if (token.kind == Kind::id) break;
    if (token.kind == Kind::close) {
      const std::size_t open = partner_[i - 1];
      if (open == kNone || open < begin_) return false;
      if (only_ids(open + 1, i - 1)) {
        i = i - 1;
        break;
      }
      // A remark, not a nest of them: this looks at every token inside.
      if (i - open > kRemark || says_no(open + 1, i - 1)) return false;
      i = open;
      continue;
    }
    // "The last open item, T3, is done"
    const bool apposed = token.kind == Kind::comma && is(i, word::kIs) && i > begin_ + 2 &&
                         is(i - 2, Kind::id) && apposition(i - 2);
    const bool mark = apposed || token.kind == Kind::colon || token.kind == Kind::dash ||
                      token.kind == Kind::quote || token.kind == Kind::open ||
                      token.kind == Kind::line_break || token.kind == Kind::good ||
                      token.kind == Kind::exception ||
                      (token.kind == Kind::comma && (is(i, Kind::exception) || is(i - 2, Kind::exception))) ||
                      (token.kind == Kind::other && token.text.empty() && !token.is(word::kRange));
    if (!mark) {
      if (token.kind != Kind::word) return false;
      if (token.text == "to" && i == at) {
        to = true;
        // "from in progress to done"
        for (std::size_t k = i - 1; k > limit && i - k < 4 && tokens_[k].kind == Kind::word; --k)
          if (is(k - 1, word::kFrom)) i = k;
      } else if (token.is(word::kBox) && done.is(word::kTicked)) {
        --i;
        continue;
      } else if (!token.is(word::kLeft | word::kIs | word::kTask | word::kFirst) &&
                 !(token.is(word::kPronoun) && i > 1 && is(i - 2, Kind::colon)) &&
                 !(token.is(word::kDoneAfter | word::kDid) && i < at && is(i, word::kJoin)) &&
                 !(token.is(word::kJoin) && i == at && i > begin_ + 1 && is(i - 2, word::kDid)) &&
                 !(token.is(word::kAll) && i > begin_ + 1 &&
                   (is(i - 2, Kind::colon) || is(i - 2, word::kIs))) &&
                 !(is(i, word::kIs) && one_of(token.text, {"which"})))
        return false;
    }
    --i;
  }
  if (i <= begin_ || (!is(i - 1, Kind::id))) return false;
  const std::size_t last = i - 1;
  if (tokens_[last].possessive && !is(last + 1, word::kAspect | word::kWork) &&
      !(i == at && done.is(word::kPlainDone)))
    return false;
  IdList list = list_back(last);
  if (const std::size_t id = id_of_phase(list); id != kNone) list = list_back(id);
  const std::size_t first = list.first;
  if (first > begin_ && about_it(list)) return false;
  if (to && !set_before(first)) return false;
  if (part_of_phase(list, at)) return false;
  // "I read up on T1 and finished the report": a verb with an object of its own.
  const std::size_t behind = is(i, Kind::close) ? i + 1 : i;
  if (at == behind + 1 && is(behind, word::kJoin) && is(at + 1, Kind::word) && !is(at + 1, word::kLeft)) {
    return false;
  }
  // "T1 was merged into T2"
  if (!done.is(word::kDoneBefore) && is(at + 1, word::kOf) && is(at + 2, Kind::id)) return false;
  if (done.is(word::kLast) && (is(at + 1, Kind::word) || is(at + 1, Kind::id))) return false;
  // "Setup is done by a script", "T1 was already done"
  const bool goes_on = is(at + 1, Kind::word) && !is(at + 1, word::kJoin | word::kBut | word::kLeft);
  for (std::size_t k = first; k <= last; ++k) {
    if (tokens_[k].loose && (goes_on || (tokens_[k].title && !done.is(word::kPlainDone)))) return false;
  }
  for (std::size_t k = last + 1; k + 1 < at; ++k) {
    if (is(k + 1, word::kAlready) && one_of(tokens_[k].text, {"was", "were"})) return false;
  }
  if (denied_before(first)) return false;
  // "T1 completed T2": the second has a claim of its own.
  const bool plain = done.kind == Kind::good || done.is(word::kPlainDone);
  // "the T1 done criteria"
  if (done.kind == Kind::word && is(at + 1, word::kAbout | word::kPart) &&
      !is(at + 1, word::kNot | word::kOther))
    return false;
  if (done.kind != Kind::good && denied_behind(at + 1, plain && !done.is(word::kTicked))) return false;
  if (done.kind == Kind::good && is(at + 1, word::kPart)) return false;
  if (done.kind == Kind::good && (is(at + 1, Kind::bad) || is(at + 1, word::kOpen))) return false;
  return assertion(std::move(list));
}

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
  for (std::size_t i = first; i > begin_ && first - i < 5; --i)
    if (one_of(tokens_[i - 1].text, {"set", "moved", "changed", "updated", "switched", "marked"}))
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
  if (tokens_[list.end - 1].possessive || is(list.end, word::kPart)) return;
  cut_at_next_clause_of_sign(list);
}

void UnitJudge::cut_at_next_clause_of_sign(IdList list) {
  const std::size_t limit = std::min(end_, list.end + 2 * kReach);
  for (std::size_t i = list.end; i < limit; ++i) {
    const Token& token = tokens_[i];
    if (token.kind == Kind::id || token.kind == Kind::good || token.kind == Kind::line_break) break;
    if (token.kind == Kind::bad) {
      if (is(i + 1, Kind::id)) break;
      return;
    }
    if (token.kind == Kind::word && token.is(word::kOpen)) return;
  }
  assertion(std::move(list));
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
