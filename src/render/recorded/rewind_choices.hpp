#pragma once
// What can be gone back to, a line each, newest first.
//
// JSON: { plan {id, path}, choices [ { number (from 1), checkpoint (core::write_listed), files_changed (since
// the checkpoint before it; null: not known) } ], warnings[] }.

#include <string>

#include "base/instant.hpp"
#include "render/style.hpp"
#include "rewind/rewind_choices.hpp"

namespace plankeep::render {

/// Without the warnings.
std::string rewind_choices_text(const app::RewindChoices& found, base::Instant now, const Style& style);
std::string rewind_choices_json(const app::PlanLocation& plan, const app::RewindChoices& found);

}  // namespace plankeep::render
