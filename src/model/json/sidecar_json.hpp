#pragma once
// A sidecar as JSON (spec 13), the content of .checkpoint/commits/<sha>.json:
//
//   { "schema_version": "1.0.0", "sha", "run_id", "milestone_index", "milestone_title", "created_at", "tier",
//     "verification_commands": [], "tree", "patch_id", "plan_id", "phase_id", "relinked_from"? }
//
// Two-space indent and a final newline; unknown fields survive. Reading wants what stands up to
// "verification_commands"; what comes behind may be missing. A version other than 1.x is refused: its fields
// may mean something else.

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "model/sidecar.hpp"

namespace plankeep::core {

std::string encode_sidecar(const Sidecar& sidecar);

/// corrupt, with the path of what is wrong.
[[nodiscard]] base::Result<Sidecar> decode_sidecar(std::string_view text);

}  // namespace plankeep::core
