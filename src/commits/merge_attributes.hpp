#pragma once
// The lines of a .gitattributes file that select the merge driver for plans (commits/git_setup). Pure.
//
// One line for each known layout (project/known_layouts), which also covers future plans, and one for each
// tracked plan that none of these matches. Patterns are case-sensitive, so PLAN.md has a line beside plan.md,
// and a tracked Plan.md has its own.

#include <string>
#include <string_view>
#include <vector>

namespace plankeep::app {

/// The lines, without line ends, the known layouts first. `plans`: paths from the top of the work tree.
std::vector<std::string> merge_attribute_lines(const std::vector<std::string>& plans);

/// A path for each of these layouts that names a folder, of a plan that may come: "plans/new-plan.md".
std::vector<std::string> merge_attribute_examples();

/// Whether git_setup may have written this line, for any plan. Surrounding blanks are ignored.
bool is_merge_attribute_line(std::string_view line);

/// A pattern of gitattributes(5) that matches this path only, whatever characters it has.
std::string exact_attribute_pattern(std::string_view path);

}  // namespace plankeep::app
