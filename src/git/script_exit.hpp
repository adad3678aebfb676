#pragma once
// Whether a shell script always ends before its last line, so that a line added there never runs. Pure.

#include <string_view>

namespace plankeep::core {

/// A command `exit`, or `exec` of a program, that runs whatever happens before it: not after && or ||, in a
/// pipe or in the background, nor inside if, case, a loop, braces, parentheses or a function. Quotes,
/// comments and here documents are passed over. What is written in a stranger way is not found: false.
bool always_exits(std::string_view script);

}  // namespace plankeep::core
