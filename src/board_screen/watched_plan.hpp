#pragma once
// A plan that is shown again whenever it changes: `board` and `status --watch`.
//
//   for (const std::string& file : watched_files(context, plan)) watch.add(file);   // before each look
//   TRY_ASSIGN(shown, load_watched(context, plan, 20));

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "tracking/show.hpp"

namespace plankeep::board_screen {

/// The files that decide what is shown: the plan, the file it leads to where it is a link, and its history.
/// The list may change, so it is asked for again before each look.
std::vector<std::string> watched_files(const app::Context& context, const app::PlanLocation& plan);

/// app::load_shown and app::inspect_tree; not_found as well when the plan's folder was removed.
[[nodiscard]] base::Result<app::Shown> load_watched(const app::Context& context,
                                                    const app::PlanLocation& plan, std::size_t recent);

}  // namespace plankeep::board_screen
