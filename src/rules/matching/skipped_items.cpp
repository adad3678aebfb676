#include "rules/matching/skipped_items.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/unicode/composed.hpp"
#include "model/item_key.hpp"
#include "rules/match.hpp"
#include "rules/matching/title_likeness.hpp"

namespace plankeep::core {
namespace {

constexpr std::size_t kPairsCompared = std::size_t{1} << 14;

// Pairs gone items with skipped boxes.
class SkippedFinder {
 public:
  SkippedFinder(const std::vector<GoneItem>& gone, const std::vector<SkippedBox>& boxes, std::size_t most)
      : gone_(gone),
        boxes_(boxes),
        most_(most),
        found_(gone.size()),
        task_(boxes.size()),
        criterion_(boxes.size()) {}

  std::vector<bool> run(SkippedTitles titles) {
    by_key(
        [](const SkippedBox& box, bool criterion) { return criterion ? box.criterion.text : box.task.text; },
        &GoneItem::id);
    by_key([](const SkippedBox& box, bool) { return base::composed(box.title); }, &GoneItem::title);
    if (titles == SkippedTitles::alike) by_likeness();
    return std::move(found_);
  }

 private:
  // A criterion has its marker; any other box is a task.
  bool is_free(std::size_t box, bool criterion) const {
    if (criterion) return !boxes_[box].criterion.empty() && !criterion_[box];
    return (boxes_[box].criterion.empty() || !boxes_[box].task.empty()) && !task_[box];
  }

  bool take(std::size_t item, std::size_t box) {
    const bool criterion = gone_[item].criterion;
    const bool counted = task_[box] || criterion_[box];
    if (!is_free(box, criterion) || (!counted && most_ == 0)) return false;
    if (!counted) --most_;
    (criterion ? criterion_ : task_)[box] = true;
    found_[item] = true;
    return true;
  }

  template <class KeyOf>
  void by_key(const KeyOf& key_of, std::string_view GoneItem::*name) {
    std::unordered_map<std::string, std::vector<std::size_t>> keys;  // boxes, the last first
    for (const bool criterion : {false, true}) {
      keys.clear();
      for (std::size_t box = boxes_.size(); box-- > 0;) {
        if (!is_free(box, criterion)) continue;
        if (std::string key = key_of(boxes_[box], criterion); !key.empty())
          keys[std::move(key)].push_back(box);
      }
      for (std::size_t item = 0; item < gone_.size() && !keys.empty(); ++item) {
        if (found_[item] || gone_[item].criterion != criterion) continue;
        const auto same = keys.find(base::composed(gone_[item].*name));
        if (same == keys.end() || same->second.empty()) continue;
        if (take(item, same->second.back())) same->second.pop_back();
      }
    }
  }

  void by_likeness() {
    struct Candidate {
      double score = 0;
      std::size_t item = 0;
      std::size_t box = 0;
    };
    std::vector<std::size_t> boxes;
    for (std::size_t box = 0; box < boxes_.size(); ++box) {
      if (!boxes_[box].title.empty() && (is_free(box, false) || is_free(box, true))) boxes.push_back(box);
    }
    std::vector<std::size_t> items;
    for (std::size_t item = 0; item < gone_.size(); ++item) {
      if (!found_[item] && !gone_[item].title.empty()) items.push_back(item);
    }
    if (most_ == 0 || boxes.empty() || items.size() > kPairsCompared / boxes.size()) return;
    std::vector<Candidate> candidates;
    for (const std::size_t item : items) {
      for (const std::size_t box : boxes) {
        const double score = is_free(box, gone_[item].criterion) ? likeness(gone_[item], boxes_[box]) : 0;
        if (score > 0) candidates.push_back({score, item, box});
      }
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
    for (const Candidate& one : candidates) {
      if (!found_[one.item]) take(one.item, one.box);
    }
  }

  // 0: not alike enough.
  static double likeness(const GoneItem& gone, const SkippedBox& box) {
    const WrittenNumber then = written_number(gone.title, gone.id);
    const WrittenNumber now = written_number(box.title, gone.id);
    if (then.number != now.number) return 0;
    if (continues(then.words, now.words)) return 1;
    const double score = similarity(then.words, now.words);
    return score >= (then.number.empty() ? kSameTaskElsewhere : kSameTask) ? score : 0;
  }

  const std::vector<GoneItem>& gone_;
  const std::vector<SkippedBox>& boxes_;
  std::size_t most_;
  std::vector<bool> found_;      // by item
  std::vector<bool> task_;       // boxes that are a gone task
  std::vector<bool> criterion_;  // boxes that are a gone criterion
};

}  // namespace

std::vector<bool> find_skipped(const std::vector<GoneItem>& gone, const std::vector<SkippedBox>& boxes,
                               std::size_t most, SkippedTitles titles) {
  if (gone.empty() || boxes.empty() || most == 0) return std::vector<bool>(gone.size());
  return SkippedFinder(gone, boxes, most).run(titles);
}

std::size_t newly_skipped(const State& previous, const Plan& plan) {
  return plan.skipped > previous.skipped ? static_cast<std::size_t>(plan.skipped - previous.skipped) : 0;
}

SkippedItems::SkippedItems(const State& previous, const Plan& plan, const PreviousItems& items) {
  const std::size_t most = newly_skipped(previous, plan);
  if (most == 0) return;
  std::vector<GoneItem> gone;
  Places places;
  for (std::size_t p = 0; p < previous.phases.size(); ++p) {
    const PhaseState& phase = previous.phases[p];
    for (std::size_t t = 0; t < phase.tasks.size(); ++t) {
      if (items.task_stays(p, t)) continue;
      gone.push_back({phase.tasks[t].id.text, phase.tasks[t].title, false});
      places.emplace_back(p, t);
    }
    for (std::size_t c = 0; c < phase.acceptance.size(); ++c) {
      if (items.criterion_stays(p, c)) continue;
      gone.push_back({phase.acceptance[c].id.text, phase.acceptance[c].title, true});
      places.emplace_back(p, c);
    }
  }
  const std::vector<bool> skipped = find_skipped(gone, plan.skipped_boxes, most);
  for (std::size_t i = 0; i < gone.size(); ++i) {
    if (skipped[i]) (gone[i].criterion ? criteria_ : tasks_).push_back(places[i]);
  }
}

bool SkippedItems::holds(const Places& places, std::size_t phase, std::size_t item) {
  return std::binary_search(places.begin(), places.end(), std::pair(phase, item));
}

}  // namespace plankeep::core
