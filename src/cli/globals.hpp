#pragma once
// The options that may stand before or behind every command (spec 9.3), and what stands in front of it.
//
// Behind the command they are read with its own options (cli/arguments): there a word may be a value. A
// command that has no use for one of them passes over it, so that an alias may hold them for all.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace plankeep::cli {

enum class Colour { automatic, always, never };

struct Globals {
  std::vector<std::string> folders;  // -C, each seen from the one before
  std::optional<std::string> plan;
  bool json = false;
  bool quiet = false;
  bool verbose = false;
  bool pager = true;
  Colour colour = Colour::automatic;
};

struct CommandLine {
  Globals globals;
  std::string command;             // "help" and "version" for the options of that name; empty: none is named
  std::vector<std::string> words;  // what stands behind it; with a mistake, all that was not read
  std::optional<base::Error> mistake;
};

/// Reads a command line without the program's name.
CommandLine read_command_line(std::vector<std::string> words);

std::optional<Colour> colour_of(std::string_view word);

/// "--plan", "--json", … as completions offer them.
std::span<const std::string_view> global_options();

/// The nearest of `known` for a mistyped `word`; empty when none is near: a letter wrong, missing, too many
/// or swapped with the next, two in words of six letters and more.
std::string_view nearest(std::string_view word, std::span<const std::string_view> known);

/// The command that does what other programs call so ("ls", "undo"); empty when the word is nobody's. Where
/// several are given the first that exists is meant.
std::span<const std::string_view> commands_called(std::string_view word);

}  // namespace plankeep::cli
