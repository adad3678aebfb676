#pragma once
// What `checkpoint export --to entire --pending` put onto shadow branches, for people and for programs.
//
// JSON: { plan {id, path}, dry_run, commits_looked_at 0, commits [], pending[] { session_id, client, status,
// ... }, put_back [], warnings[] }: schemas/output-checkpoint-export.schema.json.

#include <string>

#include "project/plan_location.hpp"
#include "render/style.hpp"
#include "sessions/export_pending.hpp"

namespace plankeep::render {

/// Without the warnings.
std::string pending_export_text(const app::PendingExport& done, const Style& style);
std::string pending_export_json(const app::PlanLocation& plan, const app::PendingExport& done);

}  // namespace plankeep::render
