#pragma once
// The bytes of a plan and where its lines are. Private to this room.
//
// Lines end as CommonMark has it: LF, CRLF or a lone CR. Offsets count from the first byte of the file, lines
// from 1, columns from 1 in bytes (a byte order mark takes none).
//
// `body` is what Markdown sees: without the byte order mark and without YAML front matter, which to cmark
// would be a rule and a heading. Front matter is a first line "---" and everything up to the next line "---"
// or "...".

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plankeep::markdown {

struct Position {
  std::int64_t line = 1;
  std::int64_t column = 1;
};

class SourceText {
 public:
  explicit SourceText(std::string_view bytes);

  std::string_view bytes() const { return bytes_; }
  std::string_view body() const { return bytes_.substr(body_start_); }
  std::size_t body_start() const { return body_start_; }
  /// Lines before the body: line n of the body is line n + this of the file.
  std::int64_t lines_before_body() const { return lines_before_body_; }

  std::int64_t line_count() const { return static_cast<std::int64_t>(starts_.size()); }
  std::size_t line_start(std::int64_t line) const { return starts_[static_cast<std::size_t>(line - 1)]; }
  /// Offset behind the last byte of the line, its line end left out.
  std::size_t line_end(std::int64_t line) const;
  std::string_view line(std::int64_t line) const;
  /// The same without a byte order mark.
  std::string_view shown_line(std::int64_t number) const;
  Position position(std::size_t offset) const;
  std::size_t offset_of(std::int64_t line, std::int64_t column) const;

 private:
  std::string_view bytes_;
  std::size_t bom_ = 0;
  std::size_t body_start_ = 0;
  std::int64_t lines_before_body_ = 0;
  std::vector<std::size_t> starts_;
};

/// Text of a paragraph as cmark sees it: its lines without what belongs to the containers around it, joined
/// by LF, and for each offset in it the offset in the file.
class LogicalText {
 public:
  /// From (first_line, first_offset) to the end of last_line; `quotes` block quotes stand around it.
  LogicalText(const SourceText& source, std::int64_t first_line, std::size_t first_offset,
              std::int64_t last_line, int quotes);
  /// Lines of a block's literal: line i of it is the end of line first_line + i of the file.
  LogicalText(const SourceText& source, std::string_view literal, std::int64_t first_line);

  std::string_view text() const { return one_line_ ? view_ : std::string_view(joined_); }
  std::size_t source_offset(std::size_t at) const;

 private:
  struct Piece {
    std::size_t at = 0;      // in the text
    std::size_t offset = 0;  // in the file
  };
  bool one_line_ = false;
  std::string_view view_;
  std::size_t offset_ = 0;  // of the one line
  std::string joined_;
  std::vector<Piece> pieces_;
};

}  // namespace plankeep::markdown
