#pragma once
// What a plan says below the text of one of its boxes.

#include <cstdint>
#include <string>
#include <string_view>

namespace plankeep::markdown {

/// The lines that belong to the item whose box stands on `line` (from 1) and to no item below it, without
/// the indentation that all of them have; the box's own line and blank lines at either end are left out.
/// Line ends become LF. Empty when there are none, or when there is no such line.
std::string text_below_box(std::string_view bytes, std::int64_t line);

}  // namespace plankeep::markdown
