#pragma once
// Hints of the use cases name commands and options of the command line. A model may have nothing but the
// tools: the same advice in their words. Pure.

#include <string>
#include <string_view>
#include <vector>

namespace plankeep::mcp {

/// The hint with what a tool can do named as the tool and its arguments; advice that no tool can follow
/// stays.
std::string in_tool_words(std::string hint);

/// What is looked for in hints. Each must stand in the hint of some use case, or its entry does nothing.
std::vector<std::string_view> command_words();

}  // namespace plankeep::mcp
