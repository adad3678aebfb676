#pragma once
// The plan as one line of a client's status line.

#include <string>
#include <string_view>

#include "model/state.hpp"
#include "render/style.hpp"

namespace plankeep::render {

/// "auth 3/12 ███░░ 25% · T006 Login form · 1 blocker". At most `style.columns` wide. Ends with a line feed.
std::string status_line(std::string_view plan_id, const core::State& state, const Style& style);

}  // namespace plankeep::render
