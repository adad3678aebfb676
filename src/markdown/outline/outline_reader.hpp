#pragma once
// The walk over cmark-gfm's tree that makes an Outline. Private to markdown/outline/outline: one class in
// several files, since a block's text is read in one of them and its comments in another.
//
//   outline.cpp           the walk and where things stand
//   outline_items.cpp     paragraphs with their boxes and titles, headings
//   outline_blocks.cpp    code, HTML blocks, tables
//   outline_markers.cpp   the comments in all of them
//   outline_skip.cpp      what SKIP markers leave out; headings that name phases; document order

#include <cmark-gfm.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "markdown/cmark_document.hpp"
#include "markdown/headings/phase_titles.hpp"
#include "markdown/inline_scan.hpp"
#include "markdown/outline/lookalikes.hpp"
#include "markdown/outline/outline.hpp"

namespace plankeep::markdown {

inline constexpr std::string_view kOpenComment = "<!--";

/// The outline of a part of a text. CHECKPOINT markers are not linked to their headings yet.
struct UnsettledOutline {
  Outline outline;
  std::vector<Landmark> landmarks;
};

/// Links each CHECKPOINT marker to the heading that names its phase.
void name_checkpoints(Outline& outline, const std::vector<Landmark>& landmarks,
                      const std::vector<MarkerHeading>& headings);

class OutlineReader {
 public:
  OutlineReader(const SourceText& source, CmarkDocument& document) : source_(source), document_(document) {}

  Outline read();

  /// Reads a part of a text by itself. nullopt: the part and the rest can affect each other (SKIP markers,
  /// footnotes, link definitions, conflicts), or the part is not well-formed UTF-8.
  std::optional<UnsettledOutline> read_part();

 private:
  // A block quote, list item or footnote. In the order in which they begin.
  struct Container {
    cmark_node* item = nullptr;  // null: a quote or a footnote
    int parent = -1;
    int box = -1;  // of this item
    std::size_t begin = 0;
    std::size_t end = 0;  // behind its last line with something on it
  };

  // Whose a text is, for the markers in it; -1: nobody's.
  struct Owner {
    int item = -1;     // container
    int box = -1;      // of this item
    int heading = -1;  // the text is this heading's
    bool comments_only = false;
  };

  // The last item's own text, to which a comment on the very next line belongs.
  struct OpenText {
    int item = -1;
    std::int64_t last_line = 0;
    bool ended = false;  // outside of it stood a marker that is not the item's: no more is left out with it
  };

  struct SkipMarker {
    std::size_t offset = 0;
    int item = -1;       // in its own text
    int heading = -1;    // in its line
    int container = -1;  // around it
  };

  // Bytes of the file that are left out.
  struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  struct Lines {
    std::int64_t first = 1;
    std::int64_t last = 1;
    std::size_t offset = 0;
  };

  void make_room();
  void walk();
  bool enter(cmark_node* node);  // whether its children are to be visited
  void leave(cmark_node* node);
  std::int64_t file_line(int line) const;
  std::size_t start_of(cmark_node* node, std::int64_t line) const;
  void add(core::DiagnosticCode code, std::size_t offset, std::string message, std::string hint = {});
  void landmark(Landmark::Kind kind, int index, std::size_t offset, std::int64_t first, std::int64_t last);
  void reaches(int container, std::int64_t last_line);
  int container() const { return open_.empty() ? -1 : open_.back(); }
  Container& at(int container) { return containers_[static_cast<std::size_t>(container)]; }
  void report_invalid_utf8();
  void report_conflicts();

  bool is_own_text(cmark_node* node);
  void paragraph(cmark_node* node);
  Lines lines_of_paragraph(cmark_node* node) const;
  bool plain_box(const Owner& owner, const Lines& lines);
  int read_box(cmark_node* node, const Lines& lines);
  void lookalikes_in_lines(const Lines& lines, bool own_text, const LogicalText* text);
  void lookalike_for_box(cmark_node* node, const Lines& lines);
  void lookalike(std::size_t offset, const Lookalike& found);
  void set_title(cmark_node* node, int index, const LogicalText* text, const InlineScan* scan);
  void heading(cmark_node* node);
  std::int64_t underline_of(std::int64_t line, char character) const;

  void code_block(cmark_node* node);
  bool has_closing_fence(std::int64_t first, std::string_view literal) const;
  void html_block(cmark_node* node);
  void boxes_as_html(const LogicalText& text, const InlineScan& scan);
  Owner owner_of_html(cmark_node* node, std::int64_t first, bool comments_only);
  void table(cmark_node* node);
  std::int64_t head_line_of_table(cmark_node* table) const;

  void scanned(const LogicalText& text, const InlineScan& scan, const Owner& owner);
  void comment(const LogicalText& text, Span span, const Owner& owner);
  void open_comment(const LogicalText& text, Span span);
  void markers_in_code(const LogicalText& text, std::size_t from, std::size_t to);
  void keep_marker(MarkerReading reading, const Owner& owner, std::size_t begin, std::size_t end);
  void keep_skip(const Owner& owner, std::size_t begin, std::size_t end);
  const OutlineMarker* marker_of(int box, MarkerKind kind) const;
  void attach(int index, int box);

  void settle();
  std::vector<Range> ranges_left_out(const std::vector<MarkerHeading>& headings);
  Range section_of(int heading) const;
  void leave_out(const std::vector<Range>& ranges);
  void note_skipped(const OutlineBox& box);
  void keep_in_order(const std::vector<bool>& boxes, const std::vector<bool>& markers);

  const SourceText& source_;
  CmarkDocument& document_;
  Outline outline_;
  std::vector<Container> containers_;
  std::vector<int> open_;  // containers around the node
  int quotes_ = 0;
  bool footnotes_ = false;  // there are some: they come last, wherever they stand
  OpenText open_text_;
  std::vector<Landmark> landmarks_;  // marker: of a CHECKPOINT, or below -1 of skips_[-2 - index]
  std::vector<SkipMarker> skips_;
  std::size_t first_conflict_ = std::string_view::npos;            // where the first may begin; then also:
  std::vector<std::pair<std::int64_t, std::int64_t>> code_lines_;  // first and last line of each code block
  InlineScan scan_;                                                // of the block at hand
};

}  // namespace plankeep::markdown
