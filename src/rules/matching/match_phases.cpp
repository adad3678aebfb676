// Which vanished phase a new one is (rules/matching/match_boxes).
//
// The two must share a task title, whatever number stands in front of it. Titles that many phases have
// ("Write tests", "Commit") are not enough, or a new phase would take over what was done in a deleted one. So
// one of the shared titles must be unique, before and after; or the headings must be alike; or both phases
// must be at the same place. In this order.

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <unordered_set>

#include "rules/match.hpp"
#include "rules/matching/match_boxes.hpp"

namespace plankeep::core {

// In document order; empty if no phase vanished or none is new.
std::vector<MatchBoxes::SharedTitles> MatchBoxes::shared_titles(std::size_t candidates) const {
  std::unordered_set<std::string_view> now;
  for (const Phase& phase : plan_.phases) now.insert(phase.id.text);
  std::unordered_map<std::string_view, std::vector<std::size_t>> holders;  // title -> top groups
  for (const KnownBox& known : known_) {
    if (now.contains(known.phase->id.text) || known.skipped) continue;
    std::vector<std::size_t>& list = holders[known.number.words];
    const std::size_t top = top_known_.at(known.phase->id.text);
    if (list.size() < candidates && (list.empty() || list.back() != top)) list.push_back(top);
  }
  std::vector<SharedTitles> shared;
  if (holders.empty()) return shared;
  std::unordered_map<std::string_view, std::size_t> then_count;
  std::unordered_map<std::string_view, std::size_t> now_count;
  for (const KnownBox& known : known_) ++then_count[known.number.words];
  for (const FreshBox& fresh : fresh_) ++now_count[fresh.number.words];
  std::size_t end = 0;
  for (std::size_t p = 0; p < plan_.phases.size(); ++p) {
    std::size_t f = end;
    end += plan_.phases[p].tasks.size();
    if (top_known_.contains(plan_.phases[p].id.text)) continue;
    std::map<std::size_t, SharedTitles> with;
    for (; f < end; ++f) {
      const std::string_view title = fresh_[f].number.words;
      const auto found = holders.find(title);
      if (found == holders.end()) continue;
      const bool telling = then_count[title] == 1 && now_count[title] == 1;
      for (const std::size_t top : found->second) {
        SharedTitles& both = with.try_emplace(top, SharedTitles{p, top, 0, false}).first->second;
        ++both.count;
        both.telling = both.telling || telling;
      }
    }
    for (const auto& [top, both] : with) shared.push_back(both);
  }
  return shared;
}

// The new phases and the top groups of the vanished ones that stand, as many as there were, between the same
// other phases, in their order.
std::vector<std::pair<std::size_t, std::size_t>> MatchBoxes::same_places() const {
  std::unordered_map<std::string_view, std::size_t> now;  // phases that are known, by their earlier ids
  for (std::size_t p = 0; p < plan_.phases.size(); ++p) now.emplace(plan_.phases[p].id.text, p);
  for (const auto& [phase, top] : renamed_) now[phase_of(top).id.text] = phase;
  // Behind and in front of which phase of the plan each of the others stands.
  using Place = std::pair<std::optional<std::size_t>, std::optional<std::size_t>>;
  std::map<Place, std::pair<std::vector<std::size_t>, std::vector<std::size_t>>> gaps;
  std::unordered_set<std::size_t> stayed;
  Place place;
  std::vector<std::size_t> vanished;
  const auto vanished_before = [&](std::optional<std::size_t> next) {
    place.second = next;
    if (!vanished.empty()) gaps[place].first = std::exchange(vanished, {});
    place.first = next;
  };
  for (const PhaseState& phase : previous_.phases) {
    const auto known = now.find(phase.id.text);
    if (known != now.end()) {
      stayed.insert(known->second);
      vanished_before(known->second);
    } else if (const auto top = top_known_.find(phase.id.text); top != top_known_.end()) {
      vanished.push_back(top->second);
    }
  }
  vanished_before(std::nullopt);
  place = {};
  std::vector<std::size_t> fresh;
  const auto fresh_before = [&](std::optional<std::size_t> next) {
    place.second = next;
    const auto gap = gaps.find(place);
    if (gap != gaps.end()) gap->second.second = fresh;
    fresh.clear();
    place.first = next;
  };
  for (std::size_t p = 0; p < plan_.phases.size(); ++p) {
    if (stayed.contains(p)) {
      fresh_before(p);
    } else if (!plan_.phases[p].tasks.empty()) {
      fresh.push_back(p);
    }
  }
  fresh_before(std::nullopt);
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (const auto& [between, gap] : gaps) {
    if (gap.first.size() != gap.second.size()) continue;
    for (std::size_t i = 0; i < gap.first.size(); ++i) pairs.emplace_back(gap.second[i], gap.first[i]);
  }
  return pairs;
}

// The best first; of equals the first of the plan.
void MatchBoxes::pair_phases(std::vector<SharedTitles>& left) {
  std::stable_sort(left.begin(), left.end(),
                   [](const SharedTitles& a, const SharedTitles& b) { return a.count > b.count; });
  std::unordered_set<std::size_t> given;
  for (const auto& [phase, top] : renamed_) given.insert(top);
  for (const SharedTitles& both : left) {
    if (!renamed_.contains(both.phase) && given.insert(both.top).second)
      renamed_.emplace(both.phase, both.top);
  }
}

void MatchBoxes::find_renamed_phases(std::size_t candidates) {
  const std::vector<SharedTitles> all = shared_titles(candidates);
  if (all.empty()) return;
  std::vector<SharedTitles> telling;
  std::copy_if(all.begin(), all.end(), std::back_inserter(telling),
               [](const SharedTitles& both) { return both.telling; });
  pair_phases(telling);
  std::vector<SharedTitles> alike;
  std::copy_if(all.begin(), all.end(), std::back_inserter(alike), [this](const SharedTitles& both) {
    return similarity(phase_of(both.top).title, plan_.phases[both.phase].title) >= kSameTaskElsewhere;
  });
  pair_phases(alike);
  std::vector<SharedTitles> in_place;
  const auto places = same_places();
  std::copy_if(all.begin(), all.end(), std::back_inserter(in_place), [&places](const SharedTitles& both) {
    return std::find(places.begin(), places.end(), std::pair(both.phase, both.top)) != places.end();
  });
  pair_phases(in_place);
}

}  // namespace plankeep::core
