#include "rules/matching/renamed_phases.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_set>

namespace plankeep::core {

RenamedPhases::RenamedPhases(const State& previous, const Plan& plan, const PreviousItems& items) {
  const bool any_new = std::any_of(plan.phases.begin(), plan.phases.end(),
                                   [&items](const Phase& phase) { return items.phase(phase.id) == nullptr; });
  if (!any_new) return;
  std::unordered_set<std::string_view> now;
  for (const Phase& phase : plan.phases) now.insert(phase.id.text);
  for (std::size_t p = 0; p < plan.phases.size(); ++p) {
    const Phase& phase = plan.phases[p];
    if (items.phase(phase.id) != nullptr) continue;
    std::map<std::size_t, std::size_t> shares;  // earlier phase -> items that come from it
    for (std::size_t t = 0; t < phase.tasks.size(); ++t) {
      if (const auto origin = items.task(p, t); origin.known()) ++shares[origin.phase];
    }
    for (std::size_t c = 0; c < phase.acceptance.size(); ++c) {
      if (const auto origin = items.criterion(p, c); origin.known()) ++shares[origin.phase];
    }
    std::size_t most = 0;
    for (const auto& [earlier, share] : shares) {
      const PhaseState& known = previous.phases[earlier];
      // A phase without an id holds what the history tells of without saying where (rules/replay).
      if (known.id.empty() || now.contains(known.id.text) || share <= most) continue;
      if (share * 2 <= known.tasks.size() + known.acceptance.size()) continue;
      most = share;
      before_[p] = &known;
    }
  }
}

}  // namespace plankeep::core
