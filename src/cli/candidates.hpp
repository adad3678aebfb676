#pragma once
// What may stand at the end of a command line, for the shells' completions. Pure: the words that were typed
// in, what is wanted out; the ids of a plan and the like are looked up by the command completion.

#include <string>
#include <string_view>
#include <vector>

#include "cli/globals.hpp"

namespace plankeep::cli {

/// An option or argument of a command, as cli/arguments has it.
struct ArgumentSketch {
  std::vector<std::string> names;  // "--plan", "-n"; empty: an argument
  std::string placeholder;         // "ID", "PATH", "text|json"; empty: a switch
  bool repeats = false;            // an argument that takes all words that follow
};

struct Wanted {
  std::vector<std::string> kinds;  // "tasks", "phases": what the command completion looks up
  std::vector<std::string> words;  // these themselves
  bool files = false;
  std::string prefix;  // stands in front of each: "--phase=" of "--phase=bu", "a," of "a,b"
};

/// The command among the words of a line, and the global options in front of it; `words` ends with the one
/// that is being typed, which may be empty.
struct TypedLine {
  Globals globals;
  std::string command;              // empty: it is the command that is being typed
  std::vector<std::string> behind;  // the words behind it, without the last
  std::string current;
};
TypedLine read_typed_line(std::vector<std::string> words);

/// What may stand where the line ends. `arguments` are those of its command; what begins otherwise than what
/// has been typed is for the caller to leave out.
Wanted wanted_at_end(const TypedLine& line, const std::vector<ArgumentSketch>& arguments);

}  // namespace plankeep::cli
