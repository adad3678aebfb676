#pragma once
// What `checkpoint export --to entire` wrote, for people and for programs. Counts of what was redacted, never
// a value.
//
// JSON: { plan {id, path}, dry_run, commits_looked_at, commits[] { sha, subject, checkpoint, layout, lines
// {agent, person, unknown} or lines_unknown, sessions[] { session_id, client, status, ... } }, warnings[] }:
// schemas/output-checkpoint-export.schema.json.

#include <string>

#include "project/plan_location.hpp"
#include "render/style.hpp"
#include "sessions/export_sessions.hpp"

namespace plankeep::render {

/// Without the warnings.
std::string session_export_text(const app::SessionExport& done, const Style& style);
std::string session_export_json(const app::PlanLocation& plan, const app::SessionExport& done);

}  // namespace plankeep::render
