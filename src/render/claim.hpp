#pragma once
// `claim` and `release`: what became of it.
//
// JSON of claim: { plan {id, path}, result, task {id, phaseId, title, line?}, lease {by, fence, claimedAt,
// until, standing, sessionId?, host?, process?}|null, previous {the same}|null, waitingFor[], revision,
// warnings[] }; `result` is claimed, renewed, taken_over (then `lease` is the caller's, and whoever keeps its
// `fence` beside what it writes can tell a holder that lost its lease from the one that has it now), held,
// lost, done or waiting. JSON of release: the same without `lease` and `waitingFor`; `result` is released,
// nothing or refused.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/instant.hpp"
#include "model/ids.hpp"
#include "model/state.hpp"
#include "render/style.hpp"
#include "rules/lease.hpp"

namespace plankeep::render {

struct ClaimAnswer {
  std::string plan_id;
  std::string path;         // absolute
  std::string file;         // for people
  std::string_view result;  // as in the JSON
  bool granted = false;
  core::PhaseId phase;
  core::TaskId task;
  std::string title;
  std::int64_t line = 0;
  std::optional<core::LeaseState> lease;
  std::optional<core::LeaseState> previous;
  core::LeaseStatus status = core::LeaseStatus::held;  // of `previous`
  std::vector<core::TaskId> waiting_for;
  std::int64_t revision = 0;
  std::vector<std::string> warnings;
  base::Instant now;
};

/// A granted claim.
std::string claim_text(const ClaimAnswer& answer, const Style& style);
/// Why a claim was not granted.
base::Error claim_refusal(const ClaimAnswer& answer);
std::string claim_json(const ClaimAnswer& answer);

/// A release that was not refused.
std::string release_text(const ClaimAnswer& answer, const Style& style);
base::Error release_refusal(const ClaimAnswer& answer);
std::string release_json(const ClaimAnswer& answer);

}  // namespace plankeep::render
