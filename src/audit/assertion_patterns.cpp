// The patterns that join an id to a word of completion: before it, after it, both. Steps of unit_judge.

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
    if (in_legend(at)) return;
    if (signs_lead_)
      sign_before(at);
    else
      after(at);
    return;
  }
  if (describes(at) || scare_quoted(at) || in_legend(at)) return;
  if (token.text.starts_with("so_") && !echoes(at)) return;
  if (token.text.starts_with("ya_est") &&
      std::none_of(tokens_.begin() + static_cast<std::ptrdiff_t>(at),
                   tokens_.begin() + static_cast<std::ptrdiff_t>(std::min(end_, at + kReach)),
                   [](const Token& behind) { return behind.kind == Kind::exception; })) {
    return;
  }
  const bool box = has(at > begin_ + kReach ? at - kReach : begin_, at, word::kBox);
  if (token.is(word::kTicked) && !token.is(word::kDoneAfter) && !box && !is(at + 1, word::kRight) &&
      !is(at + 1, word::kBox) && !is(at + 1, word::kArticle) && !taken_off(at))
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
  // "Status: DONE T1"
  bool seen_colon = at > begin_ + 1 && is(at - 1, Kind::colon) && names_status(begin_, at - 1);
  bool box = done.is(word::kTicked) && is(at + 1, word::kBox), work = false;
  std::size_t number = kNone;
  bool checked = !done.is(word::kTicked) || done.is(word::kDoneBefore) || taken_off(at);
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
        token.kind == Kind::close && i == at + 1 && partner_[i] != kNone && names_status(partner_[i] + 1, at);
    // "Completed (3/4): T1, T2, T3"
    if (token.kind == Kind::close && i == at + 3 && is(at + 1, Kind::open) && tokens_[at + 2].share) continue;
    // "Tasks completed: 2 (T1, T2)"
    if (seen_colon && is(i - 1, Kind::colon) && base::all_digits(token.text) && is(i + 1, Kind::open)) {
      number = i;
      continue;
    }
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
  if (names_part(tokens_, list, names_) && !seen_colon) return false;
  if (clause_of_object(i, list.end)) return false;
  const std::size_t size = size_of(list);
  if (number != kNone && tokens_[number].text != std::to_string(size)) return false;
  for (std::size_t k = at + 1; k < i; ++k)
    if (tokens_[k].share && tokens_[k].is(word::kOpen) && tokens_[k].part != size) return false;
  if (denied_before(at, size)) return false;
  if (denied_behind(list.end, done.is(word::kPlainDone))) return false;
  return assertion(std::move(list));
}

bool UnitJudge::names_status(std::size_t from, std::size_t to) const {
  if (to - from > kLastWord) return false;
  for (std::size_t i = from; i < to; ++i) {
    if (!is(i, word::kTask | word::kAspect)) return false;
  }
  return true;
}

std::size_t UnitJudge::size_of(const IdList& list) const {
  std::size_t size = 0;
  if (list.ranges.empty())
    for (std::size_t i = list.first; i < list.end; ++i)
      size += is(i, Kind::id) ? std::max<std::size_t>(1, tokens_[i].tasks.size()) : 0;
  for (const TaskSet& range : list.ranges) size += range.size();
  std::size_t without = 0;
  for (std::size_t i = begin_; i < std::min(end_, begin_ + kListReach); ++i)
    without += is(i, Kind::exception) ? tokens_[i].tasks.size() : 0;
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
  bool to = false, other_clause = false;
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
      if (i - open > kRemark || says_no(open + 1, i - 1) || renames_phase(open)) return false;
      i = open;
      continue;
    }
    // "The last open item, T3, is done"
    const bool apposed = token.kind == Kind::comma && is(i, word::kIs) && i > begin_ + 2 &&
                         is(i - 2, Kind::id) && apposition(i - 2);
    // "The docs of T3: it's done", "nothing is left of T3; it's done": what goes before is another clause.
    const bool ends = token.kind == Kind::colon || token.kind == Kind::semicolon || token.kind == Kind::comma;
    const bool it = ends && is(i, word::kPronoun) &&
                    one_of(tokens_[i].text, {"it", "it's", "they", "they're", "it\u2019s"});
    other_clause = other_clause || it;
    // "T1 in src/a.ts is done"
    if (token.kind == Kind::opaque) {
      std::size_t in = i - 1;
      while (in > limit && is(in - 1, Kind::opaque)) --in;
      if (in <= limit || !one_of(tokens_[in - 1].text, {"in", "at", "under", "dans", "en", "em", "в"}))
        return false;
      i = in - 1;
      continue;
    }
    const bool mark = apposed || it || token.kind == Kind::colon || token.kind == Kind::dash ||
                      token.kind == Kind::quote || token.kind == Kind::open ||
                      token.kind == Kind::line_break || token.kind == Kind::good ||
                      token.kind == Kind::exception ||
                      (token.kind == Kind::comma && (is(i, Kind::exception) || is(i - 2, Kind::exception))) ||
                      (token.kind == Kind::other && token.text.empty() && !token.is(word::kRange));
    if (!mark) {
      if (token.kind != Kind::word) return false;
      // "T1 - 3 of 3 steps done"
      const bool steps = i > limit + 1 && tokens_[i - 2].share && !is(i - 2, word::kOpen) &&
                         one_of(token.text, {"steps", "schritte", "schritten", "étapes", "pasos", "passos",
                                             "passi", "stappen", "items", "points"});
      if (steps) {
        --i;
        continue;
      }
      if (token.text == "to" && i == at) {
        to = true;
        // "from in progress to done"
        for (std::size_t k = i - 1; k > limit && i - k < 4 && (is(k, Kind::word) || is(k, Kind::bad)); --k)
          if (is(k - 1, word::kFrom)) i = k;
      } else if (token.is(word::kBox) && done.is(word::kTicked)) {
        --i;
        continue;
      } else if (!token.is(word::kLeft | word::kIs | word::kTask | word::kFirst) &&
                 !(token.is(word::kPronoun) && i > 1 &&
                   (is(i - 2, Kind::colon) || is(i - 2, Kind::semicolon) || is(i - 2, Kind::comma))) &&
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
      !(is(last + 1, word::kBox) && done.is(word::kTicked)) && !(i == at && done.is(word::kPlainDone)))
    return false;
  IdList list = list_back(last);
  if (const std::size_t id = id_of_phase(list); id != kNone) list = list_back(id);
  const std::size_t first = list.first;
  if (first > begin_ && !other_clause && (about_it(list) || only_looks_at(first) || wanted(first)))
    return false;
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
  if (other_clause ? has(begin_, first, word::kIf) : denied_before(first)) return false;
  // "T1 completed T2": the second has a claim of its own.
  const bool plain = done.kind == Kind::good || done.is(word::kPlainDone);
  // "the T1 done criteria"
  if (done.kind == Kind::word && is(at + 1, word::kAbout | word::kPart) &&
      !is(at + 1, word::kNot | word::kOther))
    return false;
  if (done.kind != Kind::good && denied_behind(at + 1, plain && !done.is(word::kTicked))) return false;
  if (done.kind == Kind::good && (is(at + 1, word::kPart) || counts_part(tokens_, at + 1, end_)))
    return false;
  if (done.kind == Kind::good && (is(at + 1, Kind::bad) || is(at + 1, word::kOpen))) return false;
  if (done.kind == Kind::good && (contradicted(at + 1) || disowned(at + 1))) return false;
  return assertion(std::move(list));
}

}  // namespace plankeep::core
