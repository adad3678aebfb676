#include "rules/lease.hpp"

#include <algorithm>
#include <utility>

#include "rules/sessions.hpp"

namespace plankeep::core {
namespace {

constexpr std::string_view kSubagent = "subagent:";

bool is_of(const LeaseState& lease, const PhaseId& phase, const TaskId& task) {
  return lease.task == task && lease.phase == phase;
}

void claim(State& state, const Event& event) {
  // Other tools may write a claim without one.
  const std::int64_t fence = event.fence > 0 ? event.fence : state.last_fence + 1;
  state.last_fence = std::max(state.last_fence, fence);
  const base::Instant until = event.until.value_or(base::Instant{event.time.milliseconds + kDefaultTtl});
  const auto known =
      std::find_if(state.leases.begin(), state.leases.end(),
                   [&event](const LeaseState& lease) { return is_of(lease, event.phase, event.task); });
  LeaseState lease;
  if (known != state.leases.end()) {
    if (known->fence == fence) lease = std::move(*known);
    state.leases.erase(known);
  }
  if (lease.task.empty()) {
    lease.task = event.task;
    lease.phase = event.phase;
    lease.fence = fence;
    lease.since = event.time;
  }
  lease.by = event.by;
  // A clock that was set back must not make it look as if it had been renewed before it was claimed.
  lease.renewed = std::max(lease.since, event.time);
  lease.until = until;
  lease.session = event.session;
  lease.host = event.host;
  lease.process = event.process;
  // A renewal by somebody who knows no fleet does not take it out of the fleet.
  if (event.fleet_fence > 0) lease.fleet_fence = event.fleet_fence;
  const auto place =
      std::upper_bound(state.leases.begin(), state.leases.end(), lease.fence,
                       [](std::int64_t own, const LeaseState& other) { return own < other.fence; });
  state.leases.insert(place, std::move(lease));
}

void drop(State& state, const PhaseId& phase, const TaskId& task) {
  std::erase_if(state.leases, [&](const LeaseState& lease) { return is_of(lease, phase, task); });
}

}  // namespace

std::optional<std::int64_t> parse_ttl(std::string_view text) {
  const std::optional<std::int64_t> length = base::parse_duration(text);
  if (!length || *length < kShortestTtl || *length > kLongestTtl) return std::nullopt;
  return length;
}

std::string_view name_of(LeaseStatus status) {
  switch (status) {
    case LeaseStatus::held:
      return "held";
    case LeaseStatus::expired:
      return "expired";
    case LeaseStatus::gone:
      return "gone";
  }
  return "held";
}

std::string_view name_of(ClaimVerdict verdict) {
  switch (verdict) {
    case ClaimVerdict::granted:
      return "claimed";
    case ClaimVerdict::renewed:
      return "renewed";
    case ClaimVerdict::taken_over:
      return "taken_over";
    case ClaimVerdict::held:
      return "held";
    case ClaimVerdict::lost:
      return "lost";
  }
  return "claimed";
}

std::string_view name_of(ReleaseVerdict verdict) {
  switch (verdict) {
    case ReleaseVerdict::released:
      return "released";
    case ReleaseVerdict::nothing:
      return "nothing";
    case ReleaseVerdict::refused:
      return "refused";
  }
  return "released";
}

bool subagent_of(const LeaseState& lease, std::string_view session) {
  return !session.empty() && lease.session == session && lease.by.starts_with(kSubagent);
}

bool holder_stopped(const LeaseState& lease, const State& state) {
  if (lease.session.empty() || !lease.by.starts_with(kSubagent)) return false;
  const std::string_view type = std::string_view(lease.by).substr(kSubagent.size());
  bool stopped = false;
  for (const AgentState& agent : state.agents) {
    if (agent.session != lease.session || agent.type != type) continue;
    if (agent.status == AgentStatus::running) return false;
    stopped = stopped || agent.last_active >= lease.since;
  }
  return stopped;
}

LeaseStatus status_of(const LeaseState& lease, const State& state, base::Instant now, bool process_gone) {
  if (lease.until <= now) return LeaseStatus::expired;
  if (process_gone || holder_stopped(lease, state)) return LeaseStatus::gone;
  const SessionState* session = lease.session.empty() ? nullptr : find_session(state, lease.session);
  return session != nullptr && session->ended_at ? LeaseStatus::gone : LeaseStatus::held;
}

const LeaseState* find_lease(const State& state, const PhaseId& phase, const TaskId& task) {
  const auto found = std::find_if(state.leases.begin(), state.leases.end(),
                                  [&](const LeaseState& lease) { return is_of(lease, phase, task); });
  return found == state.leases.end() ? nullptr : &*found;
}

std::int64_t length_of(const LeaseState& lease) {
  return std::clamp(lease.until.milliseconds - lease.renewed.milliseconds, kShortestTtl, kLongestTtl);
}

bool same_holder(const LeaseState& lease, const Holder& holder) {
  if (lease.by != holder.by) return false;
  if (!lease.session.empty() && lease.session == holder.session) return true;
  return !lease.process.empty() && lease.process == holder.process && lease.host == holder.host;
}

Event claim_event(const LeaseState& lease, base::Instant time) {
  Event event;
  event.kind = EventKind::task_claimed;
  event.time = time;
  event.task = lease.task;
  event.phase = lease.phase;
  event.by = lease.by;
  event.fence = lease.fence;
  event.until = base::Instant{time.milliseconds + length_of(lease)};
  event.session = lease.session;
  event.host = lease.host;
  event.process = lease.process;
  event.fleet = lease.fleet_fence > 0;
  event.fleet_fence = lease.fleet_fence;
  return event;
}

ClaimDecision decide_claim(const State& state, const Wanted& wanted, const Holder& holder, base::Instant now,
                           LeaseStatus status) {
  ClaimDecision decision;
  const LeaseState* lease = find_lease(state, wanted.phase, wanted.task);
  if (lease != nullptr) decision.previous = *lease;
  if (wanted.fence != 0) {
    const bool there = lease != nullptr && lease->fence == wanted.fence;
    decision.verdict = there ? ClaimVerdict::renewed : ClaimVerdict::lost;
  } else if (lease != nullptr && status == LeaseStatus::held) {
    decision.verdict = same_holder(*lease, holder) ? ClaimVerdict::renewed : ClaimVerdict::held;
  } else if (lease != nullptr) {
    decision.verdict = ClaimVerdict::taken_over;
  }
  if (decision.verdict == ClaimVerdict::held || decision.verdict == ClaimVerdict::lost) return decision;

  Event& event = decision.event;
  if (decision.verdict == ClaimVerdict::renewed) {
    event = claim_event(*lease, now);
    event.reason = kRenewed;
    // Who knows the fence holds it, under whatever name it was claimed.
    if (lease->by != holder.by) {
      event.from = lease->by;
      event.by = holder.by;
      event.session = holder.session;
      event.host = holder.host;
      event.process = holder.process;
    }
  } else {
    event.kind = EventKind::task_claimed;
    event.time = now;
    event.task = wanted.task;
    event.phase = wanted.phase;
    event.by = holder.by;
    event.fence = state.last_fence + 1;
    event.session = holder.session;
    event.host = holder.host;
    event.process = holder.process;
  }
  event.title = wanted.title;
  event.until = base::Instant{now.milliseconds + wanted.ttl};
  if (decision.verdict == ClaimVerdict::taken_over) {
    event.from = lease->by;
    event.reason = name_of(status);
  }
  return decision;
}

ReleaseDecision decide_release(const State& state, const PhaseId& phase, const TaskId& task,
                               const Holder& holder, std::int64_t fence, Force force, base::Instant now,
                               LeaseStatus status) {
  ReleaseDecision decision;
  const LeaseState* lease = find_lease(state, phase, task);
  if (lease == nullptr) return decision;
  decision.previous = *lease;
  const bool other_session =
      !lease->session.empty() && !holder.session.empty() && lease->session != holder.session;
  const bool own = fence != 0 ? fence == lease->fence : lease->by == holder.by && !other_session;
  const bool over = status != LeaseStatus::held;
  if (!own && !over && force == Force::no) {
    decision.verdict = ReleaseVerdict::refused;
    return decision;
  }
  decision.verdict = ReleaseVerdict::released;
  Event& event = decision.event;
  event.kind = EventKind::task_released;
  event.time = now;
  event.task = task;
  event.phase = phase;
  event.by = holder.by;
  event.fence = lease->fence;
  if (!own) {
    event.from = lease->by;
    event.reason = over ? name_of(status) : std::string_view("forced");
  }
  return decision;
}

std::vector<Event> renewals(const State& state, const Holder& holder, base::Instant now) {
  std::vector<Event> events;
  for (const LeaseState& lease : state.leases) {
    const std::int64_t gone = now.milliseconds - lease.renewed.milliseconds;
    if (gone < length_of(lease) / 2 || !same_holder(lease, holder) || holder_stopped(lease, state)) continue;
    events.push_back(claim_event(lease, now));
    events.back().reason = kRenewed;
  }
  return events;
}

void apply_lease_event(State& state, const Event& event) {
  switch (event.kind) {
    case EventKind::task_claimed:
      if (!event.task.empty() && !event.phase.empty()) claim(state, event);
      return;
    case EventKind::task_released:
      // Its claim may be lost.
      state.last_fence = std::max(state.last_fence, event.fence);
      // One that was taken over meanwhile is not given back by its former holder.
      std::erase_if(state.leases, [&event](const LeaseState& lease) {
        return is_of(lease, event.phase, event.task) && (event.fence == 0 || event.fence == lease.fence);
      });
      return;
    case EventKind::task_completed:
    case EventKind::task_removed:
      drop(state, event.phase, event.task);
      return;
    case EventKind::task_moved:
      for (LeaseState& lease : state.leases) {
        if (is_of(lease, PhaseId(event.from), event.task)) lease.phase = event.phase;
      }
      return;
    case EventKind::phase_removed:
      std::erase_if(state.leases, [&event](const LeaseState& lease) { return lease.phase == event.phase; });
      return;
    default:
      return;
  }
}

}  // namespace plankeep::core
