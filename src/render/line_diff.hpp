#pragma once
// The lines in which two texts differ, as `diff -u` shows them: for --dry-run.
//
// Lines are matched as in a merge (merge/line_merge): texts that are hardly alike are shown as one piece
// taken out and one put in.

#include <string>
#include <string_view>

#include "render/style.hpp"

namespace plankeep::render {

/// Empty when both are the same. "@@ -1,4 +1,9 @@" before each piece, three lines around it; a last line
/// without line end is followed by "\ No newline at end of file". Made safe to print; a carriage return is
/// shown as "\r".
std::string line_diff(std::string_view before, std::string_view after, const Style& style);

}  // namespace plankeep::render
