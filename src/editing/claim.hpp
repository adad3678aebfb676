#pragma once
// Taking a task for a while, so that nobody else begins it: `claim`, `release` and `next --claim` (spec 4,
// 9). What may be taken, and what becomes of it, is decided in rules/lease; tasks are looked up, decided and
// recorded under one lock, so of many that ask at once each gets a task of its own.
//
// A holder is an actor together with what tells it from others of its name:
//   session       the client's session. Its hooks renew its claims (rules/lease, renewals), and its end ends
//                 them. If neither it nor holder_pid is given: the session among whose processes we run, if
//                 a hook has named its process.
//   holder_pid    a process that lives as long as the work. Once it has ended, on this host, others may take
//                 over. Not said: the session's process, if it runs here. Never our own parent by itself: it
//                 is mostly a shell that is gone in a moment.
// Without either only the time counts.
//
// Errors: as editing/complete for ids (not_found, ambiguous), invalid_input for a criterion, a length that
// cannot be or a holder_pid that does not run; conflict when the plan cannot be read; those of PlanWork. That
// a task is not to be had is no error but an answer. After a crash a claim is recorded whole or not at all.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "editing/find_boxes.hpp"
#include "model/ids.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "rules/lease.hpp"
#include "tracking/outcome.hpp"

namespace plankeep::app {

struct ClaimRequest {
  std::string actor = "main";
  std::int64_t ttl = core::kDefaultTtl;  // milliseconds, within the limits of rules/lease
  std::optional<std::int64_t> holder_pid;
  std::string session;
  std::int64_t fence = 0;        // not 0: renew what is held under it (claim_task only)
  std::int64_t fleet_fence = 0;  // not 0: what the fleet's server granted it under (claim_task only)
  bool by_default = false;  // nobody said who `actor` is: what is renewed by its fence stays its holder's
  /// Which agent of its session asks, nobody can tell: it may give back what any subagent of the session
  /// holds (release_task only).
  bool for_session = false;
  bool renew_only = false;  // what the holder has not already is `held` (claim_task only)
};

/// What became of a claim:
///   claimed, renewed, taken_over   the caller has the task now
///   held        another holder has it
///   lost        the claim with that fence is over
///   done        the task is done
///   waiting     a task named in its `after:` is open
///   none_left   claim_next found no task that can be claimed
/// and of a release:
///   released    the caller's claim is over
///   nothing     the task was not claimed
///   refused     another holder has it
enum class ClaimResult {
  claimed,
  renewed,
  taken_over,
  held,
  lost,
  done,
  waiting,
  none_left,
  released,
  nothing,
  refused
};
std::string_view name_of(ClaimResult result);
bool is_granted(ClaimResult result);  // of a claim: the task is the caller's

/// The answer to a claim or a release. With none_left, phase and task are empty.
struct ClaimAnswer {
  ClaimResult result = ClaimResult::claimed;
  Outcome outcome;
  std::string file;  // the plan's, for people
  core::PhaseId phase;
  core::TaskId task;
  std::string title;
  std::int64_t line = 0;                     // 0: not known
  std::optional<core::LeaseState> lease;     // the caller's, when granted
  std::optional<core::LeaseState> previous;  // held, taken_over: the other holder's; renewed: before
  core::LeaseStatus status = core::LeaseStatus::held;  // of `previous`, before
  std::vector<core::TaskId> waiting_for;
  std::string why;  // of claim_next: this task, as `next` says it
  base::Instant now;
};

/// Who asks, as a holder: with the client's session and process where they are known. invalid_input: the
/// process that the request names does not run here.
[[nodiscard]] base::Result<core::Holder> holder_of(const Context& context, const core::State& state,
                                                   const ClaimRequest& request);

/// The task that `id` means (editing/find_boxes); invalid_input if it means a criterion.
[[nodiscard]] base::Result<Found> find_claimable(const core::Plan& plan, const core::Plan& as_written,
                                                 const std::string& id, const std::string& file);

/// `id` as `done` takes it.
[[nodiscard]] base::Result<ClaimAnswer> claim_task(const Context& context, const PlanLocation& plan,
                                                   const std::string& id, const ClaimRequest& request);

/// Claims the task that `next` would offer (rules/next).
[[nodiscard]] base::Result<ClaimAnswer> claim_next(const Context& context, const PlanLocation& plan,
                                                   const ClaimRequest& request);

/// Of the request `actor`, `session`, `fence` and `for_session` count.
[[nodiscard]] base::Result<ClaimAnswer> release_task(const Context& context, const PlanLocation& plan,
                                                     const std::string& id, const ClaimRequest& request,
                                                     core::Force force);

}  // namespace plankeep::app
