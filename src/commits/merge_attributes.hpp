#pragma once
// Which lines of a .gitattributes file give plans to the merge driver (commits/git_setup). Pure.
//
// One line for each known layout (project/known_layouts), so that plans to come are covered as well, and one
// for each tracked plan that none of these matches. git compares letter case, so a tracked Plan.md has a line
// of its own.

#include <string>
#include <string_view>
#include <vector>

namespace plankeep::app {

/// The lines, without line ends, the known layouts first. `plans`: paths from the top of the work tree.
std::vector<std::string> merge_attribute_lines(const std::vector<std::string>& plans);

/// Whether git_setup writes such a line, for whichever plan. Blanks around it do not count.
bool is_merge_attribute_line(std::string_view line);

/// A path as gitattributes(5) wants it: this file and no other, whatever its name holds.
std::string exact_attribute_pattern(std::string_view path);

}  // namespace plankeep::app
