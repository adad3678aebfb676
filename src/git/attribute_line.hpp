#pragma once
// One line of a .gitattributes file, put in and taken out again byte for byte. Pure.
//
// The line goes to the end, where it overrules what stands above it, with the line end that the file uses. A
// file without a final newline stays one: so taking the line out gives back the very file that was.

#include <string>
#include <string_view>

namespace plankeep::core {

/// Whether some line says exactly this, blanks around it aside.
bool has_attribute_line(std::string_view text, std::string_view line);

/// The same text when it has the line. An empty file that is there gets the line without a line end: that
/// tells it from a file that was made for the line.
std::string with_attribute_line(std::string_view text, std::string_view line, bool file_there = false);

/// Without any such line.
std::string without_attribute_line(std::string_view text, std::string_view line);

}  // namespace plankeep::core
