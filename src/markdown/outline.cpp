#include "markdown/outline.hpp"

#include <algorithm>

#include "base/utf8.hpp"
#include "markdown/outline_reader.hpp"

namespace plankeep::markdown {

Outline OutlineReader::read() {
  // Room that is not used is not touched and costs nothing; growing by doubling would.
  outline_.boxes.reserve(source_.bytes().size() / 80 + 8);
  outline_.markers.reserve(source_.bytes().size() / 80 + 8);
  walk();
  report_invalid_utf8();
  return std::move(outline_);
}

void OutlineReader::walk() {
  cmark_node* node = cmark_node_first_child(document_.root());
  cmark_node* const root = document_.root();
  while (node != nullptr && node != root) {
    cmark_node* next = enter(node) ? cmark_node_first_child(node) : nullptr;
    if (next != nullptr) {
      node = next;
      continue;
    }
    for (;;) {
      leave(node);
      next = cmark_node_next(node);
      if (next != nullptr) break;
      node = cmark_node_parent(node);
      if (node == nullptr || node == root) return;
    }
    node = next;
  }
}

// Whether its children are to be visited.
bool OutlineReader::enter(cmark_node* node) {
  const cmark_node_type type = cmark_node_get_type(node);
  if (type == CMARK_NODE_BLOCK_QUOTE) {
    ++quotes_;
    containers_.push_back({-1, heading_, nullptr});
    return true;
  }
  if (type == CMARK_NODE_ITEM) {
    containers_.push_back({-1, heading_, node});
    return true;
  }
  if (type == CMARK_NODE_LIST) return true;
  if (type == CMARK_NODE_PARAGRAPH) {
    paragraph(node);
  } else if (type == CMARK_NODE_HEADING) {
    heading(node);
  } else if (type == CMARK_NODE_CODE_BLOCK) {
    code_block(node);
  } else if (type == CMARK_NODE_HTML_BLOCK) {
    html_block(node);
  } else if (std::string_view(cmark_node_get_type_string(node)) ==
             "table") {  // an extension's type has no constant
    table(node);
  }
  return false;
}

void OutlineReader::leave(cmark_node* node) {
  const cmark_node_type type = cmark_node_get_type(node);
  if (type != CMARK_NODE_BLOCK_QUOTE && type != CMARK_NODE_ITEM) return;
  if (type == CMARK_NODE_BLOCK_QUOTE) --quotes_;
  heading_ = containers_.back().heading_before;
  containers_.pop_back();
}

std::int64_t OutlineReader::file_line(int line) const {
  return std::clamp<std::int64_t>(line + source_.lines_before_body(), 1, source_.line_count());
}

// Offset of a block's first byte. cmark counts columns of the first line behind the byte order mark.
std::size_t OutlineReader::start_of(cmark_node* node, std::int64_t line) const {
  std::size_t start = source_.line_start(line);
  if (line == source_.lines_before_body() + 1) start = std::max(start, source_.body_start());
  const int column = cmark_node_get_start_column(node);
  return std::min(start + static_cast<std::size_t>(std::max(column, 1) - 1), source_.line_end(line));
}

void OutlineReader::add(core::DiagnosticCode code, std::size_t offset, std::string message,
                        std::string hint) {
  const Position at = source_.position(offset);
  outline_.diagnostics.push_back({at.line, at.column, code, std::move(message), std::move(hint)});
}

void OutlineReader::landmark(Landmark::Kind kind, int index, std::size_t offset, std::int64_t first,
                             std::int64_t last) {
  if (kind == Landmark::Kind::text && !outline_.landmarks.empty() &&
      outline_.landmarks.back().kind == Landmark::Kind::text) {
    outline_.landmarks.back().last_line = last;
    return;
  }
  outline_.landmarks.push_back({kind, index, offset, first, last});
}

void OutlineReader::report_invalid_utf8() {
  const std::size_t first = base::find_invalid_utf8(source_.bytes());
  if (first == kNone) return;
  add(core::DiagnosticCode::invalid_utf8, first,
      "bytes that are no UTF-8 from here on; they are read as U+FFFD", "save the file as UTF-8");
}

base::Result<Outline> read_outline(const SourceText& source) {
  CmarkDocument document;
  TRY(document.parse(source));
  return OutlineReader(source, document).read();
}

}  // namespace plankeep::markdown
