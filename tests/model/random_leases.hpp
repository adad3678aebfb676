#pragma once
// Claims, releases and renewals made at random: few holders, few tasks, so that they meet.

#include <rapidcheck.h>

#include <optional>
#include <string>

#include "model/state.hpp"
#include "rules/lease.hpp"

namespace plankeep::core {

inline Holder random_holder() {
  Holder holder;
  holder.by = *rc::gen::element<std::string>("main", "subagent:x", "kim");
  holder.session = *rc::gen::element<std::string>("", "s1", "s2");
  if (*rc::gen::arbitrary<bool>()) {
    holder.host = "here";
    holder.process = *rc::gen::element<std::string>("7:1", "8:1");
  }
  return holder;
}

/// What somebody who asks about a random open task of the state would record; nullopt when that is nothing.
inline std::optional<Event> random_lease_event(const State& state, base::Instant now) {
  std::vector<std::pair<PhaseId, TaskState>> open;
  for (const PhaseState& phase : state.phases) {
    for (const TaskState& task : phase.tasks) {
      if (!task.done) open.emplace_back(phase.id, task);
    }
  }
  if (open.empty()) return std::nullopt;
  const auto& [phase, task] = *rc::gen::elementOf(open);
  const Holder holder = random_holder();
  const LeaseState* lease = find_lease(state, phase, task.id);
  const bool gone = *rc::gen::inRange(0, 4) == 0;
  const LeaseStatus status = lease == nullptr ? LeaseStatus::held : status_of(*lease, state, now, gone);
  switch (*rc::gen::inRange(0, 4)) {
    case 0: {
      ReleaseDecision decision =
          decide_release(state, phase, task.id, holder, 0, Force(*rc::gen::inRange(0, 2)), now, status);
      if (decision.verdict != ReleaseVerdict::released) return std::nullopt;
      return decision.event;
    }
    case 1: {
      const std::vector<Event> due = renewals(state, holder, now);
      if (due.empty()) return std::nullopt;
      return due.front();
    }
    default: {
      Wanted wanted{phase, task.id, {}, *rc::gen::inRange<std::int64_t>(kShortestTtl, 20 * kShortestTtl), 0};
      ClaimDecision decision = decide_claim(state, wanted, holder, now, status);
      if (decision.verdict == ClaimVerdict::held || decision.verdict == ClaimVerdict::lost)
        return std::nullopt;
      return decision.event;
    }
  }
}

}  // namespace plankeep::core
