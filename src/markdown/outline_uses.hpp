#pragma once
// Makes a plan, or the places of its markers and boxes, from an outline: of a whole text (parse_plan, places)
// or assembled from parts (plan_reader). Private to this room.

#include <string_view>

#include "markdown/outline/outline.hpp"
#include "markdown/places.hpp"
#include "markdown/source_text.hpp"
#include "model/plan.hpp"

namespace plankeep::markdown {

/// `outline` must be the outline of `source`.
core::Plan plan_of(const SourceText& source, Outline outline);
Places places_of(std::string_view bytes, Outline outline);

}  // namespace plankeep::markdown
