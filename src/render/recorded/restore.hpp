#pragma once
// The earlier texts of a plan, as `plankeep restore` lists them.
//
// JSON: { plan {id, path}, texts [ {number, time, digits, bytes, progress, lost[]} ], warnings[] }; of a
// restore with --dry-run { plan, from (one of those), what: "plan" or "lost_tasks", changed, diff }.

#include <string>

#include "base/instant.hpp"
#include "render/style.hpp"
#include "rewind/restore.hpp"

namespace plankeep::render {

std::string earlier_texts_text(const app::EarlierTexts& earlier, base::Instant now, const Style& style);
std::string earlier_texts_json(const app::EarlierTexts& earlier);

std::string restore_preview_text(const app::Restored& preview, const Style& style);
std::string restore_preview_json(const app::Restored& preview, const app::PlanLocation& plan,
                                 app::Restore what);

}  // namespace plankeep::render
