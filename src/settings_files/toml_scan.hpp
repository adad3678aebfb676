#pragma once
// TOML text as statements that know where they stand, as far as finding and changing one table wants it.
// Private to this room.
//
// toml++ reads the text, and this file says where in the text what it read stands. It is strict about
// TOML 1.0: a file with a key that stands twice, or with a form that only later versions have, is
// invalid_input with the line, and a file that is not understood is not changed. Keys and values nest 64
// deep, dotted keys have 100 parts.

#include <cstddef>
#include <map>
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
  std::optional<std::string> text;        // the characters, if the value is a string
  std::optional<std::string> first_text;  // of the first element, if the value is an array and that a string
};

/// In the order of the text.
[[nodiscard]] base::Result<std::vector<TomlStatement>> scan_toml(std::string_view text);

/// A string with the keys that lead to it, of tables and inline tables; what is in arrays is left out.
struct TomlString {
  std::vector<std::string> path;
  std::string text;
};
/// Sorted by key.
[[nodiscard]] base::Result<std::vector<TomlString>> toml_strings(std::string_view text);

/// One of the tables of an array, as far as its values are plain.
struct TomlTable {
  std::size_t line = 0;  // from 1
  std::map<std::string, std::string> strings{};
  std::map<std::string, double> numbers{};
  std::map<std::string, std::vector<std::string>> lists{};  // of strings; other elements are left out
};
/// The tables of the array `name` ("[[rules]]"), in order; none when there is no such array.
[[nodiscard]] base::Result<std::vector<TomlTable>> toml_tables(std::string_view text, std::string_view name);

/// A basic string.
std::string toml_quoted(std::string_view characters);

}  // namespace plankeep::clients
