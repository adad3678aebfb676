#pragma once
// Hints of the use cases name commands and options of the command line. A model may have nothing but the
// tools: the same advice in their words. Pure.

#include <string>

namespace plankeep::mcp {

/// The hint with what a tool can do named as the tool and its arguments; advice that no tool can follow
/// stays.
std::string in_tool_words(std::string hint);

}  // namespace plankeep::mcp
