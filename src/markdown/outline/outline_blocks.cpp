#include <algorithm>

#include "markdown/hidden_boxes.hpp"
#include "markdown/outline/outline_reader.hpp"

namespace plankeep::markdown {
namespace {

using core::DiagnosticCode;

std::string boxes_text(std::int64_t count) {
  return count == 1 ? "1 box" : std::to_string(count) + " boxes";
}

// The literal of a code or HTML block with every line end as LF; cmark keeps those of the file.
std::string literal_of(cmark_node* node) {
  const char* literal = cmark_node_get_literal(node);
  std::string text = literal == nullptr ? std::string() : std::string(literal);
  if (text.find('\r') == kNone) return text;
  std::string normal;
  normal.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\r') {
      normal.push_back(text[at]);
    } else if (at + 1 >= text.size() || text[at + 1] != '\n') {
      normal.push_back('\n');
    }
  }
  return normal;
}

}  // namespace

void OutlineReader::code_block(cmark_node* node) {
  const std::string literal = literal_of(node);
  const std::int64_t first = file_line(cmark_node_get_start_line(node));
  const std::size_t start = start_of(node, first);
  landmark(Landmark::Kind::text, -1, start, first, first);
  reaches(container(), first + std::count(literal.begin(), literal.end(), '\n'));
  int fence_length = 0;
  int fence_offset = 0;
  char fence_character = 0;
  const bool fenced = cmark_node_get_fenced(node, &fence_length, &fence_offset, &fence_character) != 0;
  const LogicalText text(source_, literal, fenced ? first + 1 : first);
  if (first_conflict_ != kNone)
    code_lines_.emplace_back(first, first + std::count(literal.begin(), literal.end(), '\n'));
  const bool open_fence = fenced && !has_closing_fence(first, literal);
  // Of the file and not of the literal, in which plain items are masked.
  const bool has_comment = text.text().find(kOpenComment) != kNone;
  const bool has_box = text.text().find('[') != kNone;
  const std::int64_t hidden = has_box ? count_box_lines(text.text()) : 0;
  if (open_fence) {
    add(DiagnosticCode::unclosed_fence, start,
        "this code fence is never closed" + (hidden > 0 ? " and hides " + boxes_text(hidden) : std::string()),
        "close it with a fence on its own line below the code");
  } else if (hidden > 0) {
    add(DiagnosticCode::checkbox_in_code, start, boxes_text(hidden) + " in code: shown as text, not counted",
        "if this is a task, move it out of the code block");
  }
  if (has_comment) markers_in_code(text, 0, text.text().size());
}

// cmark does not say whether a fence was closed: the line behind its content is a fence if it was.
bool OutlineReader::has_closing_fence(std::int64_t first, std::string_view literal) const {
  const std::int64_t line =
      first + 1 + static_cast<std::int64_t>(std::count(literal.begin(), literal.end(), '\n'));
  if (line > source_.line_count()) return false;
  const std::string_view opening = source_.line(first);
  const std::size_t open_at = opening.find_first_of("`~");
  if (open_at == kNone) return false;
  // The opening fence is the last run of its character before the info string; find the run of at least
  // three.
  std::size_t at = open_at;
  char character = 0;
  std::size_t length = 0;
  while (at < opening.size()) {
    std::size_t end = at;
    while (end < opening.size() && opening[end] == opening[at]) ++end;
    if ((opening[at] == '`' || opening[at] == '~') && end - at >= 3) {
      character = opening[at];
      length = end - at;
      break;
    }
    at = end;
  }
  if (length == 0) return false;
  std::string_view closing = source_.line(line);
  while (!closing.empty() && (closing.front() == ' ' || closing.front() == '\t' || closing.front() == '>')) {
    closing.remove_prefix(1);
  }
  while (!closing.empty() && (closing.back() == ' ' || closing.back() == '\t')) closing.remove_suffix(1);
  return closing.size() >= length && closing.find_first_not_of(character) == kNone;
}

void OutlineReader::html_block(cmark_node* node) {
  const std::string literal = literal_of(node);
  const std::int64_t first = file_line(cmark_node_get_start_line(node));
  // cmark's end of an HTML block is not to be trusted: its lines are.
  const std::int64_t last =
      first + std::max<std::int64_t>(
                  0, std::count(literal.begin(), literal.end(), '\n') - (literal.ends_with('\n') ? 1 : 0));
  const LogicalText text(source_, literal, first);
  InlineScan& scan = scan_;
  scan_html(text.text(), scan);
  const std::size_t start = start_of(node, first);
  const bool visible = has_visible_text(text.text(), scan.comments, true);
  const Owner owner = owner_of_html(node, first, !has_visible_text(text.text(), scan.comments, false));
  const bool open_block =
      !scan.open_comments.empty() && text.text().find_first_not_of(" \t") == scan.open_comments.front().begin;
  // A marker that the block begins with stands right under the heading, whatever follows it on its line.
  const bool comment_first =
      !scan.comments.empty() && text.text().find_first_not_of(" \t") == scan.comments.front().begin;
  if (visible && !open_block && !comment_first) landmark(Landmark::Kind::text, -1, start, first, last);
  const std::size_t markers_before = outline_.markers.size();
  scanned(text, scan, owner);
  if (visible && !open_block) {
    landmark(Landmark::Kind::text, -1, source_.line_end(std::min(last, source_.line_count())), first, last);
  }
  if (open_block) {
    const std::int64_t hidden = count_box_lines(text.text());
    add(DiagnosticCode::unclosed_comment, text.source_offset(scan.open_comments.front().begin),
        "this comment never ends" + (hidden > 0 ? " and hides " + boxes_text(hidden) : std::string()),
        "end it with -->");
  } else {
    boxes_as_html(text, scan);
  }
  reaches(container(), last);
  if (owner.item >= 0) {
    // A phase that opens right below an item, or a decision there, is not in it and is not left out with it.
    const bool outside = cmark_node_get_type(cmark_node_parent(node)) != CMARK_NODE_ITEM;
    const auto added = outline_.markers.begin() + static_cast<std::ptrdiff_t>(markers_before);
    const bool ended = outside && ((open_text_.item == owner.item && open_text_.ended) ||
                                   std::any_of(added, outline_.markers.end(),
                                               [](const OutlineMarker& marker) { return marker.box < 0; }));
    if (!ended) reaches(owner.item, last);
    open_text_ = {owner.item, last, ended};
  }
}

// A list right below a tag, without a blank line between them, is HTML as well.
void OutlineReader::boxes_as_html(const LogicalText& text, const InlineScan& scan) {
  std::string_view html = text.text();
  if (html.find('[') == kNone) return;
  if (!scan.open_comments.empty()) html = html.substr(0, scan.open_comments.front().begin);
  const HtmlBoxes boxes = boxes_in_html(html, scan.comments);
  if (boxes.count == 0) return;
  const Position at = source_.position(text.source_offset(boxes.first));
  outline_.lookalikes.push_back({at.line, at.column, DiagnosticCode::checkbox_lookalike,
                                 boxes_text(boxes.count) + " in an HTML block: shown as text, not counted",
                                 "leave a blank line between the HTML and the list"});
}

// Comments right below an item's text are the item's, in it or outside of every item (written without
// indentation); so is what stands behind the bullet in the place of a text.
OutlineReader::Owner OutlineReader::owner_of_html(cmark_node* node, std::int64_t first, bool comments_only) {
  cmark_node* const parent = cmark_node_parent(node);
  const bool in_item = cmark_node_get_type(parent) == CMARK_NODE_ITEM;
  Owner owner;
  owner.comments_only = comments_only;
  const bool below = comments_only && open_text_.item >= 0 && first == open_text_.last_line + 1;
  if (below && (!in_item || parent == at(open_text_.item).item)) owner.item = open_text_.item;
  if (in_item && cmark_node_first_child(parent) == node) owner.item = container();
  if (owner.item >= 0) owner.box = at(owner.item).box;
  return owner;
}

void OutlineReader::table(cmark_node* node) {
  const std::int64_t head = head_line_of_table(node);
  const std::int64_t last = file_line(cmark_node_get_end_line(node));
  landmark(Landmark::Kind::text, -1, source_.line_start(head), head, last);
  reaches(container(), last);
  for (std::int64_t line = head; line <= last; ++line) {
    const std::string_view row = source_.line(line);
    if (row.find(kOpenComment) == kNone) continue;
    const LogicalText text(source_, line, source_.line_start(line), line, quotes_);
    scan_inlines(text.text(), scan_);
    scanned(text, scan_, Owner());
  }
}

std::int64_t OutlineReader::head_line_of_table(cmark_node* table) const {
  std::int64_t rows = 0;
  for (cmark_node* row = cmark_node_first_child(table); row != nullptr; row = cmark_node_next(row)) ++rows;
  return std::max<std::int64_t>(1, file_line(cmark_node_get_end_line(table)) - rows);
}

}  // namespace plankeep::markdown
