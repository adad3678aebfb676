// Which words of a unit mean the plan up to a task, or from one on: "all tasks through T4", "except those
// after T4", "done up to T4". A half of token_namer.

#include <algorithm>

#include "audit/token_namer.hpp"
#include "base/text.hpp"

namespace plankeep::core {
namespace {

using base::one_of;

constexpr std::size_t kBoundHead = 6;       // tokens from "all" to "up to"
constexpr std::size_t kBoundSentence = 16;  // tokens from "all" to "done up to"
constexpr std::size_t kExceptGlue = 4;      // tokens from "except" to "after"

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
