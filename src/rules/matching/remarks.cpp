#include "rules/matching/remarks.hpp"

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/unicode/composed.hpp"

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

  // An accent that became a character of its own, or is none any longer, changes no text.
  std::unordered_map<std::string, const DecisionState*> known;
  for (const DecisionState& decision : previous.decisions)
    known.emplace(base::composed(decision.decision), &decision);
  std::unordered_set<std::string> seen;
  for (const Decision& decision : plan.decisions) {
    std::string text = base::composed(decision.text);
    const auto before = known.find(text);
    if (!seen.insert(std::move(text)).second) continue;
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
    if (!seen.contains(base::composed(decision.decision)))
      event(EventKind::decision_removed).decision = decision.decision;
  }

  std::unordered_set<std::string> raised;
  for (const std::string& blocker : previous.blockers) raised.insert(base::composed(blocker));
  seen.clear();
  for (const Blocker& blocker : plan.blockers) {
    const std::string text = base::composed(blocker.text);
    if (!seen.insert(text).second) continue;
    next.blockers.push_back(blocker.text);
    if (!raised.contains(text)) event(EventKind::blocker_raised).blocker = blocker.text;
  }
  for (const std::string& blocker : previous.blockers) {
    if (!seen.contains(base::composed(blocker))) event(EventKind::blocker_resolved).blocker = blocker;
  }
}

}  // namespace plankeep::core
