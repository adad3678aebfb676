#pragma once
// Leases: who works on a task for a while (spec 4, 9). Pure: times and what is known of processes come in.
//
//   const LeaseState* lease = find_lease(state, phase, task);
//   ClaimDecision d = decide_claim(state, wanted, holder, now, standing);
//   if (d.verdict != ClaimVerdict::held) { apply_lease_event(state, d.event); record d.event; }
//
// Laws. At any moment a task has at most one lease, and one that stands is given to nobody else. Fences count
// up through the life of a plan: of two holders of a task, one after the other, the later has the greater
// number, so whoever keeps the greatest it has seen can refuse the work of one who lost its lease without
// noticing. The leases are a fold of the history: the same events give the same leases (rules/replay).
//
// A lease is over when its time is (`expired`), or when its holder is known to be gone: its process ended on
// this host, or its session or subagent did (`gone`). It stays in the state until somebody else takes the
// task, or it is released; ticking the task or taking it out of the plan drops it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.hpp"
#include "model/event.hpp"
#include "model/state.hpp"

namespace plankeep::core {

// Milliseconds. As long as a person or an agent may be silent over one task; hooks renew it meanwhile.
inline constexpr std::int64_t kDefaultTtl = 30 * base::kMinute;
inline constexpr std::int64_t kShortestTtl = 1000;
inline constexpr std::int64_t kLongestTtl = 30 * base::kDay;

/// "90s", "30m", "2h", "1d" in milliseconds; nullopt for anything else, or beyond the limits above.
std::optional<std::int64_t> parse_ttl(std::string_view text);

enum class LeaseStatus { held, expired, gone };
std::string_view name_of(LeaseStatus status);  // "held", "expired", "gone"

/// Whether it is a subagent's, and all subagents of this type in its session have stopped, one of them after
/// it was claimed. A claim for one that is yet to be started stands.
bool holder_stopped(const LeaseState& lease, const State& state);

/// `process_gone`: the process of the lease is known to have ended.
LeaseStatus status_of(const LeaseState& lease, const State& state, base::Instant now, bool process_gone);

/// nullptr when nobody ever took it, or it was dropped.
const LeaseState* find_lease(const State& state, const PhaseId& phase, const TaskId& task);

/// Its length in milliseconds: a renewal gives it as much again.
std::int64_t length_of(const LeaseState& lease);

/// Who asks. Two with the same name are told apart by session or process; where neither is known they are
/// not the same.
struct Holder {
  std::string by;
  std::string session;
  std::string host;
  std::string process;
};
bool same_holder(const LeaseState& lease, const Holder& holder);

/// Whether a subagent of this session holds it; false where the session is not known.
bool subagent_of(const LeaseState& lease, std::string_view session);

struct Wanted {
  PhaseId phase;
  TaskId task;
  std::string title;
  std::int64_t ttl = kDefaultTtl;
  /// Not 0: renew the lease that has this fence, whoever asks; take nothing that is not held under it.
  std::int64_t fence = 0;
};

/// taken_over: somebody else's lease was over. held: refused. lost: refused, the lease of `Wanted::fence` is
/// no more.
enum class ClaimVerdict { granted, renewed, taken_over, held, lost };
std::string_view name_of(ClaimVerdict verdict);

struct ClaimDecision {
  ClaimVerdict verdict = ClaimVerdict::granted;
  Event event;                         // to be recorded, unless refused
  std::optional<LeaseState> previous;  // that stood there
};

/// `standing` is that of the lease which is there, if there is one. Whether the task may be worked on at all
/// is not asked here.
ClaimDecision decide_claim(const State& state, const Wanted& wanted, const Holder& holder, base::Instant now,
                           LeaseStatus status);

/// nothing: there is no lease. refused: somebody else's that stands, and it was not forced.
enum class ReleaseVerdict { released, nothing, refused };
std::string_view name_of(ReleaseVerdict verdict);

struct ReleaseDecision {
  ReleaseVerdict verdict = ReleaseVerdict::nothing;
  Event event;  // to be recorded, when released
  std::optional<LeaseState> previous;
};

enum class Force { no, yes };

/// A lease may be released by its actor (of the same session, where both are known), by whoever knows its
/// fence (0: not said), by anybody once it is over, and by force.
ReleaseDecision decide_release(const State& state, const PhaseId& phase, const TaskId& task,
                               const Holder& holder, std::int64_t fence, Force force, base::Instant now,
                               LeaseStatus status);

/// Renewals for those leases of this holder (by session or process) whose half life is over: events, each
/// with its lease's fence and as much time again. One that ran out and was not taken over meanwhile goes on.
/// A session that works all day so costs two saves for each length of its leases.
std::vector<Event> renewals(const State& state, const Holder& holder, base::Instant now);

/// Event::reason of a renewal.
inline constexpr std::string_view kRenewed = "renewed";

/// The event that claims this lease at that time, with the same length.
Event claim_event(const LeaseState& lease, base::Instant time);

/// task_claimed and task_released; task_completed, task_removed, task_moved and phase_removed as far as they
/// concern leases. Other events change nothing here.
void apply_lease_event(State& state, const Event& event);

}  // namespace plankeep::core
