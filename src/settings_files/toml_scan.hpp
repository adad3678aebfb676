#pragma once
// TOML text as statements that know where they stand, as far as finding and changing one table wants it.
// Private to this room.
//
// Reads the structure of TOML 1.0 (headers, dotted keys, strings of all four kinds, arrays and inline tables
// over several lines) and is lenient with what it does not need (numbers, dates, keys that stand twice). What
// it cannot follow is invalid_input with the line: a file that is not understood is not changed.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace plankeep::clients {

struct TomlStatement {
  enum class Kind { table, array_of_tables, value };
  Kind kind = Kind::value;
  std::vector<std::string> path;  // of the header; of a value its key as it is written, without the table's
  std::size_t begin = 0;          // of its line
  std::size_t end = 0;            // behind its line feed
  std::size_t value_begin = 0;    // of a value
  std::size_t value_end = 0;
};

[[nodiscard]] base::Result<std::vector<TomlStatement>> scan_toml(std::string_view text);

/// The characters of a value that is a string on one line; nullopt for anything else.
std::optional<std::string> toml_string(std::string_view value);
/// The first element of a value that is an array of strings; nullopt for anything else.
std::optional<std::string> toml_first_string(std::string_view value);
/// A basic string.
std::string toml_quoted(std::string_view characters);

}  // namespace plankeep::clients
