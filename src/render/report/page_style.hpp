#pragma once
// The style sheet and the script of a report, as they stand in it.

#include <string_view>

namespace plankeep::render {

extern const std::string_view kPageStyle;
extern const std::string_view kPageScript;

}  // namespace plankeep::render
