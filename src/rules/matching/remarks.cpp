#include "rules/matching/remarks.hpp"

#include <unordered_map>
#include <unordered_set>

namespace plankeep::core {

void match_remarks(const State& previous, const Plan& plan, std::string_view by, base::Instant now,
                   State& next, std::vector<Event>& events) {
  const auto event = [&](EventKind kind) -> Event& {
    Event& made = events.emplace_back();
    made.time = now;
    made.kind = kind;
    made.by = by;
    return made;
  };

  std::unordered_map<std::string_view, const DecisionState*> known;
  for (const DecisionState& decision : previous.decisions) known.emplace(decision.decision, &decision);
  std::unordered_set<std::string_view> seen;
  for (const Decision& decision : plan.decisions) {
    if (!seen.insert(decision.text).second) continue;
    const auto before = known.find(decision.text);
    if (before != known.end()) {
      next.decisions.push_back(
          {before->second->time, decision.text, decision.reason, before->second->unknown});
      continue;
    }
    Event& made = event(EventKind::decision_recorded);
    made.decision = decision.text;
    made.reason = decision.reason;
    next.decisions.push_back({now, decision.text, decision.reason, {}});
  }
  for (const DecisionState& decision : previous.decisions) {
    if (!seen.contains(decision.decision)) event(EventKind::decision_removed).decision = decision.decision;
  }

  const std::unordered_set<std::string_view> raised(previous.blockers.begin(), previous.blockers.end());
  seen.clear();
  for (const Blocker& blocker : plan.blockers) {
    if (!seen.insert(blocker.text).second) continue;
    next.blockers.push_back(blocker.text);
    if (!raised.contains(blocker.text)) event(EventKind::blocker_raised).blocker = blocker.text;
  }
  for (const std::string& blocker : previous.blockers) {
    if (!seen.contains(blocker)) event(EventKind::blocker_resolved).blocker = blocker;
  }
}

}  // namespace plankeep::core
