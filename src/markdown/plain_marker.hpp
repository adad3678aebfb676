#pragma once
// The two patterns of a marker (marker.hpp) matched by hand, for texts without the full-width colon. Private
// to this room.
//
// Why: RE2 reads the whole grammar, but compiling its two patterns takes longer than parsing an ordinary plan
// of 40 tasks, and a program that runs on every edit compiles them every time. The full-width colon is the
// only character beyond ASCII in the patterns and the only thing in them that asks for more than a look at
// the next byte; where a text has none, these functions find exactly what RE2 finds. A law in tests/markdown
// holds them to that.

#include <cstddef>
#include <optional>
#include <string_view>

namespace plankeep::markdown {

/// The beginning of a comment: a word of ASCII letters and the colon behind it.
struct MarkerHeader {
  std::size_t word = 0;  // bytes of the word
  bool colon = false;
  std::size_t length = 0;  // bytes of the whole header
  bool operator==(const MarkerHeader&) const = default;
};

/// "| key: ": the beginning of an attribute.
struct MarkerAttribute {
  std::size_t begin = 0;  // offset of the bar
  std::size_t end = 0;    // offset of the value
  std::string_view key;
  bool operator==(const MarkerAttribute&) const = default;
};

/// Whether the two functions below may be asked about `text`.
bool is_plain_marker(std::string_view text);

/// nullopt when `text` does not begin with an ASCII letter.
std::optional<MarkerHeader> plain_header(std::string_view text);

/// The first attribute at or behind `from`.
std::optional<MarkerAttribute> plain_attribute(std::string_view value, std::size_t from);

}  // namespace plankeep::markdown
