#pragma once
// `plankeep status`: the overview for people and, in the shape of spec 9, for programs. Also what `init`
// answers.

#include <string>

#include "render/recorded/commit.hpp"
#include "render/style.hpp"
#include "rules/view.hpp"

namespace plankeep::render {

/// Progress, every phase with its bar, the current phase with its tasks, what is in the way, what was last
/// done. No line is wider than the style's columns; ends with a line feed.
std::string status_text(const core::StatusView& view, const Style& style);

/// `check`: what `status --check` says of the last checkpoint (render/recorded/commit); null: nobody asked,
/// and it says what the history knows.
std::string status_json(const core::StatusView& view, const CheckpointCheckView* check = nullptr);

/// `init`: what was found. `created` is false when the plan was tracked already.
std::string init_text(const core::StatusView& view, bool created, const Style& style);
/// The status object with "created" in front.
std::string init_json(const core::StatusView& view, bool created);

}  // namespace plankeep::render
