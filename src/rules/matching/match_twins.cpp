// Which of several boxes of one title is which (rules/matching/match_boxes): the tick and the neighbours
// decide.

#include <algorithm>
#include <iterator>

#include "rules/matching/alignment.hpp"
#include "rules/matching/match_boxes.hpp"

namespace plankeep::core {

void MatchBoxes::pair_twins(std::vector<std::size_t> olds, std::vector<std::size_t> news) {
  const auto keeps = [this](std::size_t known, std::size_t fresh) {
    return keeps_tick(*known_[known].task, *fresh_[fresh].task);
  };
  const auto take = [this](const auto& pairs) {
    for (const auto& [known, fresh] : pairs) match(fresh, known);
  };
  if (olds.size() == news.size()) {
    std::vector<std::pair<std::size_t, std::size_t>> in_order;
    for (std::size_t i = 0; i < olds.size(); ++i) in_order.emplace_back(olds[i], news[i]);
    const bool none_unticked = std::all_of(in_order.begin(), in_order.end(),
                                           [&](const auto& pair) { return keeps(pair.first, pair.second); });
    if (none_unticked) return take(in_order);
  }
  const bool several = then_count(known_[olds.front()].task->title) > 1;
  const auto score = [this, several](std::size_t known, std::size_t fresh) {
    return twin_score(known, fresh, several);
  };
  auto pairs = align(olds, news, score);
  const bool none_unticked = std::all_of(pairs.begin(), pairs.end(),
                                         [&](const auto& pair) { return keeps(pair.first, pair.second); });
  if (none_unticked) return take(pairs);
  // They changed places, or one was unticked: what is done goes to what is done.
  std::vector<std::size_t> done_olds;
  std::vector<std::size_t> done_news;
  std::copy_if(olds.begin(), olds.end(), std::back_inserter(done_olds),
               [this](std::size_t known) { return known_[known].task->done; });
  std::copy_if(news.begin(), news.end(), std::back_inserter(done_news),
               [this](std::size_t fresh) { return fresh_[fresh].task->done(); });
  take(align(done_olds, done_news, score));
  std::erase_if(olds, [this](std::size_t known) { return known_[known].taken; });
  std::erase_if(news, [this](std::size_t fresh) { return fresh_[fresh].matched; });
  take(align(olds, news, score));
}

// Of a title that stood more than once, those that stand beside the same boxes; of another the history does
// not tell beside what it stood.
int MatchBoxes::twin_score(std::size_t known, std::size_t fresh, bool several) const {
  const TaskState& old = *known_[known].task;
  const Task& box = *fresh_[fresh].task;
  int score = 32;
  if (several && same_beside(known, fresh, -1)) score += 16;
  if (several && same_beside(known, fresh, 1)) score += 16;
  // Of two ways that are as good the one without a tick: that one box went is less than that one went and
  // another was ticked.
  if (old.done == box.done()) score += 24 + 1;
  if (!old.done && box.done()) score += 8;
  return score;
}

bool MatchBoxes::same_beside(std::size_t known, std::size_t fresh, int step) const {
  const std::size_t then = beside(known_groups_[known_[known].group], known_[known].place, step);
  const std::size_t now = beside(fresh_groups_[fresh_[fresh].group], fresh_[fresh].place, step);
  if (then == kNoPartner || now == kNoPartner) return then == now;
  if (known_[then].taken || fresh_[now].matched) return fresh_[now].before == then;
  return known_[then].task->title == fresh_[now].task->title;
}

void MatchBoxes::count_then() {
  if (!then_.empty()) return;
  for (std::size_t i = 0; i < known_.size(); ++i) {
    const auto [place, is_new] = then_.try_emplace(known_[i].task->title, 0, i);
    ++place->second.first;
  }
}

std::size_t MatchBoxes::then_count(std::string_view title) {
  count_then();
  return then_.at(title).first;
}

}  // namespace plankeep::core
