#pragma once
// What an outline is read for, wherever it comes from: all of a text at once (parse_plan, places) or the
// parts of it that changed (plan_reader). Private to this room.

#include <string_view>

#include "markdown/outline/outline.hpp"
#include "markdown/places.hpp"
#include "markdown/source_text.hpp"
#include "model/plan.hpp"

namespace plankeep::markdown {

/// `outline` of this source.
core::Plan plan_of(const SourceText& source, Outline outline);
Places places_of(std::string_view bytes, Outline outline);

}  // namespace plankeep::markdown
