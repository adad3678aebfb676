#pragma once
// In what two checkpoints differ, and where one was written to.
//
// JSON of diff: { plan {id, path}, from {checkpoint, type, time}, to (the same; null: now), plan_changed
// (null: not known), tasks [ {change: ticked|unticked|started|stopped|added|removed, id, phase, title} ],
// files [ {path, change: added|changed|mode|type|removed, added, removed (lines; null: binary)} ] (null: not
// known), diff? (as git shows it, made safe to print), warnings[] }; of checkout { plan, checkpoint, folder,
// plan_file (null: none), files (their number), warnings[] }.

#include <string>

#include "checkpoints/checkpoint_diff.hpp"
#include "checkpoints/checkpoint_files.hpp"
#include "render/style.hpp"

namespace plankeep::render {

/// Tasks first, then files: their list, or where it was asked for the patch. Without the warnings.
std::string checkpoint_diff_text(const app::CheckpointDiff& diff, const Style& style);
std::string checkpoint_diff_json(const app::PlanLocation& plan, const app::CheckpointDiff& diff);

std::string checked_out_text(const app::CheckedOut& done, const Style& style);
std::string checked_out_json(const app::PlanLocation& plan, const app::CheckedOut& done);

}  // namespace plankeep::render
