#pragma once
// The text of a document as the editor has it: bytes in UTF-8, and positions in the units that were agreed
// on. Pure.
//
// Lines end with LF, CRLF or a lone CR, as the protocol and CommonMark have it. Offsets are bytes. A position
// that no text has means the nearest one before it: behind the end of a line its end, behind the last line
// the end of the text, inside a character its beginning.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plankeep::lsp {

/// What a position's character counts.
enum class Encoding { utf8, utf16, utf32 };
std::string_view name_of(Encoding encoding);  // "utf-8", "utf-16", "utf-32"

/// Both from 0.
struct Position {
  std::uint32_t line = 0;
  std::uint32_t character = 0;
  auto operator<=>(const Position&) const = default;
};

struct Range {
  Position start;
  Position end;
  bool operator==(const Range&) const = default;
};

/// Bytes from `begin` up to `end`.
struct Bytes {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool operator==(const Bytes&) const = default;
};

class Text {
 public:
  explicit Text(std::string bytes = {}) : bytes_(std::move(bytes)) {}

  const std::string& bytes() const { return bytes_; }
  std::string_view part(Bytes part) const {
    return std::string_view(bytes_).substr(part.begin, part.end - part.begin);
  }

  std::size_t line_count() const { return starts().size(); }
  /// Line `line` from 0 without its line end; the last one for a number that is too large.
  Bytes line(std::size_t line) const;
  std::size_t line_at(std::size_t offset) const;

  std::size_t offset_of(Position position, Encoding encoding) const;
  Position position_of(std::size_t offset, Encoding encoding) const;
  Range range_of(Bytes part, Encoding encoding) const {
    return {position_of(part.begin, encoding), position_of(part.end, encoding)};
  }
  /// A place as diagnostics name it: line and column from 1, in bytes, a byte order mark taking none.
  std::size_t offset_of_place(std::int64_t line, std::int64_t column) const;

  /// Of a range that ends before it begins both ends are exchanged.
  void replace(Bytes part, std::string_view with);

 private:
  const std::vector<std::size_t>& starts() const;

  std::string bytes_;
  mutable std::vector<std::size_t> starts_;  // of lines; empty: not known
};

}  // namespace plankeep::lsp
