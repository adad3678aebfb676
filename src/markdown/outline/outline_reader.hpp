#pragma once
// The walk over cmark-gfm's tree that makes an Outline. Private to markdown/outline/outline: one class in
// several files, since a block's text is read in one of them and its comments in another.
//
//   outline.cpp           the walk and where things stand
//   outline_items.cpp     paragraphs with their boxes and titles, headings
//   outline_blocks.cpp    code, HTML blocks, tables
//   outline_markers.cpp   the comments in all of them

#include <cmark-gfm.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "markdown/cmark_document.hpp"
#include "markdown/inline_scan.hpp"
#include "markdown/outline/outline.hpp"

namespace plankeep::markdown {

inline constexpr std::size_t kNone = std::string_view::npos;
inline constexpr std::string_view kOpenComment = "<!--";

class OutlineReader {
 public:
  OutlineReader(const SourceText& source, CmarkDocument& document) : source_(source), document_(document) {}

  Outline read();

 private:
  struct Item {
    int box = -1;  // of this item
    int heading_before = -1;
    cmark_node* node = nullptr;
  };

  // The last box's own text, to which a comment on the very next line belongs.
  struct OpenText {
    int box = -1;
    cmark_node* item = nullptr;
    std::int64_t last_line = 0;
  };

  struct Lines {
    std::int64_t first = 1;
    std::int64_t last = 1;
    std::size_t offset = 0;
  };

  void walk();
  bool enter(cmark_node* node);  // whether its children are to be visited
  void leave(cmark_node* node);
  std::int64_t file_line(int line) const;
  std::size_t start_of(cmark_node* node, std::int64_t line) const;
  void add(core::DiagnosticCode code, std::size_t offset, std::string message, std::string hint = {});
  void landmark(Landmark::Kind kind, int index, std::size_t offset, std::int64_t first, std::int64_t last);
  void report_invalid_utf8();
  void report_conflicts();

  void paragraph(cmark_node* node);
  Lines lines_of_paragraph(cmark_node* node) const;
  bool plain_box(int box, const Lines& lines);
  int read_box(cmark_node* node, const Lines& lines);
  void set_title(cmark_node* node, int index, const LogicalText* text, const InlineScan* scan);
  void heading(cmark_node* node);
  std::int64_t underline_of(std::int64_t line, char character) const;

  void code_block(cmark_node* node);
  bool has_closing_fence(std::int64_t first, std::string_view literal) const;
  void html_block(cmark_node* node);
  void table(cmark_node* node);
  std::int64_t head_line_of_table(cmark_node* table) const;

  void scanned(const LogicalText& text, const InlineScan& scan, int box);
  void comment(const LogicalText& text, Span span, int box);
  void open_comment(const LogicalText& text, Span span);
  void markers_in_code(const LogicalText& text, std::size_t from, std::size_t to);
  void keep_marker(MarkerReading reading, int box, std::size_t begin, std::size_t end);

  const SourceText& source_;
  CmarkDocument& document_;
  Outline outline_;
  std::vector<Item> containers_;  // block quotes and items around the node; a quote's node is null
  int quotes_ = 0;
  int heading_ = -1;
  OpenText open_text_;
  std::size_t first_conflict_ = std::string_view::npos;            // where the first may begin; then also:
  std::vector<std::pair<std::int64_t, std::int64_t>> code_lines_;  // first and last line of each code block
  InlineScan scan_;                                                // of the block at hand
};

}  // namespace plankeep::markdown
