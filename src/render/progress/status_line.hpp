#pragma once
// The plan as one line of a client's status line.

#include <string>
#include <string_view>

#include "model/state.hpp"
#include "render/style.hpp"

namespace plankeep::render {

/// Whether the plan's file is still the one that the state was made from, as far as its stamp tells.
enum class PlanFileNow { as_recorded, changed, missing, unreadable };

/// "auth 3/12 ███░░ 25% · T006 Login form · 1 blocker". Where the file is another one now it says so, and
/// never that all is done. At most `style.columns` wide. Ends with a line feed.
std::string status_line(std::string_view plan_id, const core::State& state, const Style& style,
                        PlanFileNow file = PlanFileNow::as_recorded);

}  // namespace plankeep::render
