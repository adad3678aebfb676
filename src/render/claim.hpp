#pragma once
// `claim` and `release`: what became of it.
//
// JSON of claim: { plan {id, path}, result, task {id, phaseId, title, line?}, lease {by, fence, claimedAt,
// until, standing, sessionId?, host?, process?}|null, previous {the same}|null, waitingFor[], revision,
// warnings[] }; `result` is claimed, renewed, taken_over (then `lease` is the caller's, and whoever keeps its
// `fence` beside what it writes can tell a holder that lost its lease from the one that has it now), held,
// lost, done or waiting. JSON of release: the same without `lease` and `waitingFor`; `result` is released,
// nothing or refused.

#include <string>

#include "base/error.hpp"
#include "editing/claim.hpp"
#include "render/style.hpp"

namespace plankeep::render {

/// A granted claim.
std::string claim_text(const app::ClaimAnswer& answer, const Style& style);
/// Why a claim was not granted.
base::Error claim_refusal(const app::ClaimAnswer& answer);
std::string claim_json(const app::ClaimAnswer& answer);

/// A release that was not refused.
std::string release_text(const app::ClaimAnswer& answer, const Style& style);
base::Error release_refusal(const app::ClaimAnswer& answer);
std::string release_json(const app::ClaimAnswer& answer);

}  // namespace plankeep::render
