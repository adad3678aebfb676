#pragma once
// The plan as one line of a client's status line.

#include <string>
#include <string_view>
#include <vector>

#include "model/state.hpp"
#include "render/style.hpp"
#include "rules/view.hpp"

namespace plankeep::render {

/// Whether the plan's file is still the one that the state was made from, as far as its stamp tells.
enum class PlanFileNow { as_recorded, changed, missing, unreadable };

/// What the state does not tell.
struct BesideState {
  PlanFileNow file = PlanFileNow::as_recorded;
  std::vector<core::VanishedTask> vanished{};
};

/// "auth 3/12 ███░░ 25% · T006 Login form · 1 blocker". Never that all is done where the file is another one
/// now or tasks vanished: it says that instead. At most `style.columns` wide. Ends with a line feed.
std::string status_line(std::string_view plan_id, const core::State& state, const Style& style,
                        const BesideState& beside = {});

}  // namespace plankeep::render
