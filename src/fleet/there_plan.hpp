#pragma once
// A plan as the fleet has it: its newest text with the newest word of each task.

#include <optional>
#include <string>

#include "base/result.hpp"
#include "fleet/sight.hpp"
#include "model/plan.hpp"
#include "project/context.hpp"
#include "rules/view.hpp"

namespace plankeep::fleet {

/// The boxes of the text stand as the fleet says they do. Tasks that no machine has spoken of stay as they
/// are.
void take_words(core::Plan& plan, const PlanSight& sight);

/// Claims that stand are shown as held.
void take_leases(core::StatusView& view, const PlanSight& sight);

/// Writes a text that came from another machine to `path` below `root` and gives its absolute path. Folders
/// on the way are made, links are not followed. nullopt: a file or link stands there, and nothing was
/// written. invalid_input: the path leads out of the project, or is no Markdown file; conflict: something
/// else stands there.
[[nodiscard]] base::Result<std::optional<std::string>> write_plan_text(const app::Context& context,
                                                                       const std::string& root,
                                                                       const std::string& path,
                                                                       std::string_view text);

}  // namespace plankeep::fleet
