#pragma once
// Snapshots of other tools that became checkpoints (`checkpoint import`).
//
// JSON: { plan {id, path}, imported [ { checkpoint, commit, session_id, subject, time?, commit_then?, files,
// has_plan, ref, left_out[] {path, why} } ], warnings[] }: schemas/output-checkpoint-import.schema.json.

#include <string>
#include <vector>

#include "base/instant.hpp"
#include "checkpoints/import_shadow.hpp"
#include "render/style.hpp"

namespace plankeep::render {

/// Without the warnings.
std::string imported_text(const std::vector<app::ImportedSnapshot>& imported, base::Instant now,
                          const Style& style);
std::string imported_json(const app::PlanLocation& plan, const std::vector<app::ImportedSnapshot>& imported);

}  // namespace plankeep::render
