// Which words of a unit mean the plan up to a task, or from one on: "all tasks through T4", "except those
// after T4", "done up to T4"; and which mean the tasks below one: "all subtasks of T4". A part of
// token_namer.

#include <algorithm>

#include "audit/token_namer.hpp"
#include "base/text.hpp"

namespace plankeep::core {
namespace {

using base::one_of;

constexpr std::size_t kBoundHead = 6;       // tokens from "all" to "up to"
constexpr std::size_t kBoundSentence = 16;  // tokens from "all" to "done up to"
constexpr std::size_t kExceptGlue = 4;      // tokens from "except" to "after"

constexpr std::size_t kParentReach = 8;  // tokens from "its subtasks" back to whose
constexpr std::size_t kParentGlue = 4;   // tokens from "subtasks" to "of T1"

/// "the remaining", "all", "both": before "subtasks", and does not make them fewer.
bool of_all(const Token& token) {
  return (token.is(word::kArticle | word::kAll | word::kBoth) &&
          !base::one_of(token.text, {"some", "any"})) ||
         base::one_of(token.text,
                      {"remaining", "outstanding", "open", "pending", "its", "their", "restlichen", "seine",
                       "seinen", "ihre", "ihren", "ses", "leurs", "sus", "suas", "sue"});
}

bool says_few(std::string_view word) {
  return base::one_of(word, {"most", "some", "many", "few", "several", "half", "any", "einige", "manche",
                             "viele", "plusieurs", "certaines", "algunas", "algumas", "alcune"});
}

bool before_it(const Token& token) {
  return one_of(token.text, {"before", "prior_to", "vor", "avant", "antes_de", "prima_di"});
}

bool after_it(const Token& token) {
  return one_of(token.text, {"after", "following", "beyond", "past", "behind", "nach", "hinter", "après",
                             "después_de", "depois_de", "dopo", "na", "po", "после"});
}

bool from_it(const Token& token) {
  return one_of(token.text, {"ab", "à_partir_de", "a_partir_de", "a_partir_da", "vanaf", "начиная_с"});
}

/// Behind an id: it and what follows.
bool and_on(const Token& token) {
  return one_of(token.text, {"on", "onwards", "onward", "and_later", "and_following", "and_after",
                             "and_onwards", "and_up", "upwards", "ff"});
}

}  // namespace

std::size_t TokenNamer::parent_of(std::size_t i, std::size_t behind, std::size_t& first, std::size_t& end,
                                  bool& with) const {
  with = false;
  first = i;
  while (first > 0 && i - first < kParentReach && is(first - 1, Kind::word) &&
         (of_all(tokens_[first - 1]) || is_number(number_word(tokens_[first - 1].text)) ||
          (is(first - 1, word::kOf) && first < i && first > 1 && is(first - 2, word::kAll | word::kBoth))))
    --first;
  end = behind;
  while (end < behind + kParentGlue &&
         is(end, word::kOf | word::kArticle | word::kRight | word::kTask | word::kFrom))
    ++end;
  if (end > behind && is(behind, word::kOf) && one_id(end)) return end++;
  end = behind;
  if (first > 0 && one_id(first - 1) && tokens_[first - 1].possessive) return --first;
  // "T1 (is complete,) including (all) its subtasks"
  if (first == 0 || first == i) return tokens_.size();
  const bool joins = is(first - 1, word::kJoin) ||
                     one_of(tokens_[first - 1].text, {"including", "incl", "with", "inklusive", "samt",
                                                      "avec", "incluidas", "incluindo", "inclusi"});
  for (std::size_t k = first - 1; joins && k > 0 && first - k < kParentReach; --k) {
    if (one_id(k - 1)) {
      --first;
      if (is(first - 1, Kind::comma)) --first;
      with = true;
      return k - 1;
    }
    if (!is(k - 1, Kind::comma) && !is(k - 1, word::kIs | word::kLeft | word::kPlainDone)) break;
  }
  return tokens_.size();
}

void TokenNamer::name_children(std::size_t i) {
  if (!is(i, Kind::word) || tokens_[i].erased) return;
  const bool two = begins_subtasks(tokens_[i].text) && is(i + 1, word::kTask) &&
                   (tokens_[i].text == "子" || tokens_[i + 1].text.ends_with('s'));
  const bool each = tokens_[i].text == "subtask" && i > 0 && is(i - 1, word::kAll);
  if (!two && !each && !says_subtasks(tokens_[i].text)) return;
  if (two) tokens_[i + 1].erased = true;
  // Without a known parent they are a part of the task that is named beside them.
  tokens_[i].classes = word::kPart;
  std::size_t first = i, end = i;
  bool with = false;
  const std::size_t parent = parent_of(i, two ? i + 2 : i + 1, first, end, with);
  if (parent >= tokens_.size()) return;
  const TaskSet family = names_.family((*tokens_[parent].tasks.list)[tokens_[parent].tasks.first]);
  // "T1 and all its subtasks" of one that has none is T1.
  for (std::size_t k = first; family.empty() && with && k < end; ++k) tokens_[k].erased = true;
  if (family.empty()) return;
  const std::size_t children = family.size() - 1;
  for (std::size_t k = parent == first ? first + 1 : first; k < i; ++k) {
    const std::string_view count = number_word(tokens_[k].text);
    if (is_number(count) && count != std::to_string(children)) return;
    if (is(k, word::kBoth) && !is(k, word::kAll) && children != 2) return;
  }
  // "one of the subtasks", "most subtasks"
  if (first > 0 && parent >= first && (is(first - 1, word::kOf) || says_few(tokens_[first - 1].text))) return;
  Token& token = tokens_[with ? parent : first];
  if (!with) {
    const Token id = tokens_[parent];
    token = id;
    token.possessive = false;
    token.text.clear();
  }
  token.chosen = true;
  token.tasks = family;
  if (!with) ++token.tasks.first;
  for (std::size_t k = with ? first : first + 1; k < end; ++k) tokens_[k].erased = true;
}

void TokenNamer::name_bound(std::size_t i) {
  if (!is(i, Kind::word) || tokens_[i].erased) return;
  if (is(i, word::kExcept)) return name_end_left_out(i);
  const bool before = before_it(tokens_[i]);
  if (i == 0 || !(before || is(i, word::kUpTo))) return;
  std::size_t id = i + 1;
  while (is(id, word::kTask | word::kArticle)) ++id;
  const std::size_t end = one_id(id) ? id + 1 : 0;
  if (end == 0) return;
  const TaskSet upto = names_.before((*tokens_[id].tasks.list)[tokens_[id].tasks.first], !before);
  if (!before && is(i - 1, word::kPlainDone)) {
    // "All tasks are done up to T4": what is behind T4 is left out.
    for (std::size_t k = i; k > 0 && i - k < kBoundSentence && !is(k - 1, Kind::stop); --k) {
      if (!is(k - 1, word::kAll) && !(is(k - 1, Kind::id) && tokens_[k - 1].phase)) continue;
      const TaskSet every = names_.every();
      tokens_[id].kind = Kind::exception;
      tokens_[id].tasks = {every.list, upto.end, every.end};
      for (std::size_t w = i; w < id; ++w) tokens_[w].erased = true;
      return;
    }
    return;
  }
  std::size_t all = i;
  while (all > 0 && i - all < kBoundHead && !is(all, word::kAll) &&
         is(all - 1, word::kTask | word::kArticle | word::kRight | word::kAll) && is(all - 1, Kind::word)) {
    --all;
  }
  if (all == i || !is(all, word::kAll) || upto.empty()) return;
  // "I read all tasks before T3 was done": then, not which
  if (before && !leads(all) && !is(all - 1, Kind::stop)) return;
  name_set(all, end, upto, false);
}

bool TokenNamer::one_id(std::size_t i) const {
  return is(i, Kind::id) && !tokens_[i].phase && !tokens_[i].unknown && tokens_[i].tasks.size() == 1;
}

void TokenNamer::name_end_left_out(std::size_t except) {
  std::size_t i = except + 1;
  while (i < except + kExceptGlue && !(i < tokens_.size() && (after_it(tokens_[i]) || from_it(tokens_[i]))) &&
         (is(i, word::kTask | word::kArticle | word::kOf | word::kPronoun) ||
          (is(i, Kind::word) &&
           one_of(tokens_[i].text, {"ones", "everything", "die", "celles", "las", "as"})))) {
    ++i;
  }
  const bool after = i < tokens_.size() && is(i, Kind::word) && after_it(tokens_[i]);
  const bool from = i < tokens_.size() && is(i, Kind::word) && from_it(tokens_[i]);
  std::size_t id = after || from ? i + 1 : i;
  while (is(id, word::kTask | word::kArticle)) ++id;
  if (!one_id(id)) return;
  const bool on = !after && !from && is(id + 1, Kind::word) && and_on(tokens_[id + 1]);
  if (!after && !from && !on) return;
  const TaskSet every = names_.every();
  const std::uint32_t task = (*tokens_[id].tasks.list)[tokens_[id].tasks.first];
  tokens_[id].tasks = {every.list, names_.before(task, after).end, every.end};
  tokens_[id].title = true;  // no end of a range
  for (std::size_t k = except + 1; k < id; ++k) tokens_[k].erased = true;
  if (on) tokens_[id + 1].erased = true;
}

}  // namespace plankeep::core
