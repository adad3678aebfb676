#pragma once
// The lines of the tabs beside the plan. Reads only; the newest of each, so the length of a history does not
// matter.

#include <vector>

#include "base/result.hpp"
#include "board/board.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"

namespace plankeep::board_screen {

/// None for the plan itself. Errors as of `log`, `timeline`, `checkpoint list` and `plans`.
[[nodiscard]] base::Result<std::vector<board::PageLine>> page_lines(const app::Context& context,
                                                                    const app::PlanLocation& plan,
                                                                    board::Tab tab);

}  // namespace plankeep::board_screen
