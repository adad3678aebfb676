#include "markdown/outline/outline.hpp"

#include <algorithm>
#include <limits>

#include "base/utf8.hpp"
#include "markdown/conflicts.hpp"
#include "markdown/outline/outline_reader.hpp"

namespace plankeep::markdown {
namespace {

constexpr std::string_view kDefinition = "]:";  // in every definition of a link or a footnote
constexpr std::int64_t kLastLine = std::numeric_limits<std::int64_t>::max();

bool is_container(cmark_node_type type) {
  return type == CMARK_NODE_BLOCK_QUOTE || type == CMARK_NODE_ITEM || type == CMARK_NODE_FOOTNOTE_DEFINITION;
}

}  // namespace

// Reserved memory that is never touched costs nothing; growing a vector by doubling does.
void OutlineReader::make_room() {
  outline_.boxes.reserve(source_.bytes().size() / 80 + 8);
  outline_.markers.reserve(source_.bytes().size() / 80 + 8);
}

Outline OutlineReader::read() {
  make_room();
  first_conflict_ = source_.bytes().find(kConflictOpening);
  walk();
  settle();
  report_invalid_utf8();
  report_conflicts();
  return std::move(outline_);
}

std::optional<UnsettledOutline> OutlineReader::read_part() {
  const std::string_view text = source_.bytes();
  for (const std::string_view sign : {kConflictOpening, kDefinition}) {
    if (text.find(sign) != kNone) return std::nullopt;
  }
  if (base::find_invalid_utf8(text) != kNone) return std::nullopt;
  make_room();
  walk();
  if (footnotes_ || !skips_.empty()) return std::nullopt;
  return UnsettledOutline{std::move(outline_), std::move(landmarks_)};
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
  if (is_container(type)) {
    if (type == CMARK_NODE_BLOCK_QUOTE) ++quotes_;
    if (type == CMARK_NODE_FOOTNOTE_DEFINITION) footnotes_ = true;
    const std::size_t begin = start_of(node, file_line(cmark_node_get_start_line(node)));
    containers_.push_back({type == CMARK_NODE_ITEM ? node : nullptr, container(), -1, begin, begin});
    open_.push_back(static_cast<int>(containers_.size()) - 1);
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
  if (!is_container(type)) return;
  if (type == CMARK_NODE_BLOCK_QUOTE) --quotes_;
  open_.pop_back();
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
  const bool merges = kind == Landmark::Kind::text && !footnotes_ && !landmarks_.empty() &&
                      landmarks_.back().kind == Landmark::Kind::text;
  if (merges) {
    landmarks_.back().last_line = last;
    return;
  }
  landmarks_.push_back({kind, index, offset, first, last});
}

// Something of the container stands on this line.
void OutlineReader::reaches(int container, std::int64_t last_line) {
  if (container < 0) return;
  std::size_t& end = at(container).end;
  end = std::max(end, source_.line_end(std::min(last_line, source_.line_count())));
}

void OutlineReader::report_invalid_utf8() {
  const std::size_t first = base::find_invalid_utf8(source_.bytes());
  if (first == kNone) return;
  add(core::DiagnosticCode::invalid_utf8, first, "invalid UTF-8 from here on; it is read as U+FFFD",
      "save the file as UTF-8");
}

// An opening marker by itself is what a careless deletion leaves; the others may be a quote or an underline.
// A conflict that stands in a code block whole is an example.
void OutlineReader::report_conflicts() {
  if (first_conflict_ == kNone) return;
  for (std::int64_t line = source_.position(first_conflict_).line; line <= source_.line_count(); ++line) {
    if (!opens_conflict(source_, line)) continue;
    const std::int64_t last = conflict_end(source_, line).value_or(line);
    const auto behind = std::upper_bound(code_lines_.begin(), code_lines_.end(), std::pair(line, kLastLine));
    const bool in_code = behind != code_lines_.begin() && last <= std::prev(behind)->second;
    if (!in_code) {
      add(core::DiagnosticCode::conflict_marker, source_.line_start(line),
          last > line ? "unresolved merge conflict, down to line " + std::to_string(last)
                      : "unresolved merge conflict without its end marker",
          std::string(kResolveConflict));
    }
    line = last;
  }
}

base::Result<Outline> read_outline(const SourceText& source) {
  CmarkDocument document;
  TRY(document.parse(source));
  return OutlineReader(source, document).read();
}

}  // namespace plankeep::markdown
