// The most similar boxes (rules/matching/match_boxes); rules/match says how alike is alike enough.

#include <algorithm>

#include "base/unicode/composed.hpp"
#include "rules/match.hpp"
#include "rules/matching/match_boxes.hpp"

namespace plankeep::core {

bool MatchBoxes::may_be(const FreshBox& fresh, const KnownBox& known, bool same_phase, bool numbered) const {
  if (same_phase && known.phase->id != fresh.phase->id) return false;
  // What stands elsewhere with the same words was looked at (by_title).
  if (known.task->title == fresh.task->title) return false;
  if (numbered) return true;
  return !(fresh.task->id_in_text && known.written);  // two written ids, not the same: two tasks
}

double MatchBoxes::likeness(std::size_t known, std::size_t fresh) {
  KnownBox& old = known_[known];
  FreshBox& box = fresh_[fresh];
  if (continues(old.number.words, box.number.words)) return 1;
  if (old.pairs.empty()) old.pairs = pairs_of(old.number.words);
  if (box.pairs.empty()) box.pairs = pairs_of(box.number.words);
  if (old.pairs.empty() && box.pairs.empty() && old.number.words != box.number.words)
    return base::composed(old.number.words) == base::composed(box.number.words) ? 1 : 0;
  return dice(old.pairs, box.pairs);
}

struct MatchBoxes::Candidate {
  double score = 0;
  std::size_t known = 0;
  std::size_t fresh = 0;
  std::size_t rank = 0;  // of known
};

void MatchBoxes::alike(const std::vector<std::size_t>& olds, const std::vector<std::size_t>& news,
                       bool same_phase, double threshold, bool numbered) {
  if (olds.empty() || news.empty()) return;
  std::vector<Candidate> candidates;
  const auto consider = [&](std::size_t known, std::size_t fresh) {
    if (!may_be(fresh_[fresh], known_[known], same_phase, numbered)) return;
    const double score = likeness(known, fresh);
    const bool unticked = !keeps_tick(*known_[known].task, *fresh_[fresh].task);
    if (score >= (unticked ? kSameTaskElsewhere : threshold)) candidates.push_back({score, known, fresh});
  };
  if (olds.size() <= pairs_left_ / news.size()) {
    pairs_left_ -= olds.size() * news.size();
    for (const std::size_t fresh : news) {
      for (const std::size_t known : olds) consider(known, fresh);
    }
  } else {
    consider_sharers(olds, news, consider);
  }
  rank(candidates);
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    if (a.score != b.score) return a.score > b.score;
    return a.rank != b.rank ? a.rank < b.rank : a.fresh < b.fresh;
  });
  for (const Candidate& candidate : candidates) {
    if (free_pair(candidate.fresh, candidate.known)) match(candidate.fresh, candidate.known);
  }
}

// Of equals the order of the ids decides: that of a state that was rebuilt is another.
void MatchBoxes::rank(std::vector<Candidate>& candidates) const {
  std::vector<std::size_t> boxes;
  boxes.reserve(candidates.size());
  for (const Candidate& candidate : candidates) boxes.push_back(candidate.known);
  std::sort(boxes.begin(), boxes.end());
  boxes.erase(std::unique(boxes.begin(), boxes.end()), boxes.end());
  std::stable_sort(boxes.begin(), boxes.end(), [this](std::size_t one, std::size_t other) {
    return given_before(known_[one].task->id, known_[other].task->id);
  });
  std::unordered_map<std::size_t, std::size_t> ranks;
  for (std::size_t i = 0; i < boxes.size(); ++i) ranks.emplace(boxes[i], i);
  for (Candidate& candidate : candidates) candidate.rank = ranks.at(candidate.known);
}

// Too many for all pairs: each box is compared with the tasks that share its rarest pairs of characters.
template <class Consider>
void MatchBoxes::consider_sharers(const std::vector<std::size_t>& olds, const std::vector<std::size_t>& news,
                                  const Consider& consider) {
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> sharers;
  for (const std::size_t known : olds) {
    if (known_[known].pairs.empty()) known_[known].pairs = pairs_of(known_[known].number.words);
    std::uint64_t before = 0;
    for (const std::uint64_t pair : known_[known].pairs) {
      if (pair == before) continue;
      before = pair;
      auto& list = sharers[pair];
      if (list.size() < kCandidates * 4) list.push_back(known);
    }
  }
  for (const std::size_t fresh : news) {
    if (fresh_[fresh].pairs.empty()) fresh_[fresh].pairs = pairs_of(fresh_[fresh].number.words);
    std::vector<const std::vector<std::size_t>*> lists;
    for (const std::uint64_t pair : fresh_[fresh].pairs) {
      const auto found = sharers.find(pair);
      if (found != sharers.end()) lists.push_back(&found->second);
    }
    std::sort(lists.begin(), lists.end(), [](const auto* a, const auto* b) { return a->size() < b->size(); });
    std::vector<std::size_t> seen;
    for (const auto* list : lists) {
      for (const std::size_t known : *list) {
        if (seen.size() >= kCandidates) break;
        if (std::find(seen.begin(), seen.end(), known) != seen.end()) continue;
        seen.push_back(known);
        consider(known, fresh);
      }
    }
  }
}

}  // namespace plankeep::core
