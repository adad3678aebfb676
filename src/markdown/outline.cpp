#include "markdown/outline.hpp"

#include <cmark-gfm.h>

#include <algorithm>

#include "base/utf8.hpp"
#include "markdown/cmark_document.hpp"
#include "markdown/hidden_boxes.hpp"
#include "markdown/inline_scan.hpp"

namespace plankeep::markdown {
namespace {

using core::DiagnosticCode;

constexpr std::size_t kNone = std::string_view::npos;
constexpr std::string_view kOpenComment = "<!--";
constexpr std::size_t kOpenCommentHead = 256;  // bytes of a comment without an end that are read as a marker

std::string boxes_text(std::int64_t count) {
  return count == 1 ? "1 box" : std::to_string(count) + " boxes";
}

bool is_ascii_letter_or_digit(char32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

class Reader {
 public:
  Reader(const SourceText& source, CmarkDocument& document) : source_(source), document_(document) {}

  Outline read() {
    // Room that is not used is not touched and costs nothing; growing by doubling would.
    outline_.boxes.reserve(source_.bytes().size() / 80 + 8);
    outline_.markers.reserve(source_.bytes().size() / 80 + 8);
    walk();
    report_invalid_utf8();
    return std::move(outline_);
  }

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

  void walk() {
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
  bool enter(cmark_node* node) {
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

  void leave(cmark_node* node) {
    const cmark_node_type type = cmark_node_get_type(node);
    if (type != CMARK_NODE_BLOCK_QUOTE && type != CMARK_NODE_ITEM) return;
    if (type == CMARK_NODE_BLOCK_QUOTE) --quotes_;
    heading_ = containers_.back().heading_before;
    containers_.pop_back();
  }

  std::int64_t file_line(int line) const {
    return std::clamp<std::int64_t>(line + source_.lines_before_body(), 1, source_.line_count());
  }

  // Offset of a block's first byte. cmark counts columns of the first line behind the byte order mark.
  std::size_t start_of(cmark_node* node, std::int64_t line) const {
    std::size_t start = source_.line_start(line);
    if (line == source_.lines_before_body() + 1) start = std::max(start, source_.body_start());
    const int column = cmark_node_get_start_column(node);
    return std::min(start + static_cast<std::size_t>(std::max(column, 1) - 1), source_.line_end(line));
  }

  void add(DiagnosticCode code, std::size_t offset, std::string message, std::string hint = {}) {
    const Position at = source_.position(offset);
    outline_.diagnostics.push_back({at.line, at.column, code, std::move(message), std::move(hint)});
  }

  void landmark(Landmark::Kind kind, int index, std::size_t offset, std::int64_t first, std::int64_t last) {
    if (kind == Landmark::Kind::text && !outline_.landmarks.empty() &&
        outline_.landmarks.back().kind == Landmark::Kind::text) {
      outline_.landmarks.back().last_line = last;
      return;
    }
    outline_.landmarks.push_back({kind, index, offset, first, last});
  }

  // One comment of the text. `box` is the box it belongs to, -1 for none.
  void comment(const LogicalText& text, Span span, int box) {
    const std::string_view all = text.text();
    const std::size_t begin = text.source_offset(span.begin);
    const std::string_view whole = all.substr(span.begin, span.end - span.begin);
    const std::string_view inside =
        whole.size() >= 7 ? whole.substr(4, whole.size() - 7) : std::string_view();
    const std::size_t inner = inside.find(kOpenComment);
    if (inner != kNone) {
      add(DiagnosticCode::nested_comment, text.source_offset(span.begin + 4 + inner),
          "a comment inside a comment: it ends at the first \"-->\", and what stands in it does not count",
          "close the outer comment first");
    }
    MarkerReading reading = read_marker(inside);
    const std::string kind(name_of(reading.kind));
    switch (reading.result) {
      case MarkerReading::Result::none:
        return;
      case MarkerReading::Result::near_miss:
        add(DiagnosticCode::marker_unknown_kind, begin, reading.problem, "write <!-- " + kind + ": ... -->");
        return;
      case MarkerReading::Result::empty:
        add(DiagnosticCode::empty_value, begin, "this " + kind + " marker has no value and does not count",
            "write <!-- " + kind + ": " +
                (reading.kind == MarkerKind::decision || reading.kind == MarkerKind::blocker ? "text"
                                                                                             : "id") +
                " -->");
        return;
      case MarkerReading::Result::malformed:
        add(DiagnosticCode::marker_malformed, begin,
            "this " + kind + " marker does not count: " + reading.problem,
            "write <!-- " + kind + ": id --> or <!-- " + kind + ": id | key: value -->");
        return;
      case MarkerReading::Result::marker:
        break;
    }
    for (const std::string& key : reading.unknown_attributes) {
      add(DiagnosticCode::unknown_attribute, begin, kind + " has no attribute \"" + key + "\": it is ignored",
          "known: after (TASK), verify (ACCEPT), reason (DECISION)");
    }
    if (reading.empty_attribute) {
      add(DiagnosticCode::empty_value, begin, "an attribute of this " + kind + " marker has no value");
    }
    const bool needs_box = reading.kind == MarkerKind::task || reading.kind == MarkerKind::accept;
    if (needs_box && box < 0) {
      add(DiagnosticCode::marker_without_checkbox, begin,
          kind + " \"" + reading.id + "\" stands in no list item with a checkbox and does not count",
          "put it on the line of a box: - [ ] text <!-- " + kind + ": " + reading.id + " -->");
      return;
    }
    const int index = static_cast<int>(outline_.markers.size());
    if (needs_box) outline_.boxes[static_cast<std::size_t>(box)].markers.push_back(index);
    if (reading.kind == MarkerKind::checkpoint) {
      const Position first = source_.position(begin);
      const Position last = source_.position(text.source_offset(span.end - 1));
      landmark(Landmark::Kind::marker, index, begin, first.line, last.line);
    }
    outline_.markers.push_back({reading.kind, std::move(reading.id),
                                std::move(reading.kind == MarkerKind::accept ? reading.verify : reading.text),
                                std::move(reading.reason), std::move(reading.after), begin,
                                text.source_offset(span.end - 1) + 1});
  }

  // A comment that never ends, inside a text.
  void open_comment(const LogicalText& text, Span span) {
    // Its beginning tells; looking for the end of the line from each of many such comments would not be
    // linear.
    const std::string_view head = text.text().substr(span.begin + 4, kOpenCommentHead);
    const MarkerReading reading = read_marker(head.substr(0, head.find('\n')));
    if (reading.result == MarkerReading::Result::none || reading.result == MarkerReading::Result::near_miss)
      return;
    add(DiagnosticCode::marker_malformed, text.source_offset(span.begin),
        "this " + std::string(name_of(reading.kind)) + " marker does not count: it has no \"-->\"",
        "end it with -->");
  }

  // Well-formed markers in a piece of code.
  void markers_in_code(const LogicalText& text, std::size_t from, std::size_t to) {
    const std::string_view all = text.text().substr(0, to);
    for (std::size_t at = all.find(kOpenComment, from); at != kNone;) {
      const std::size_t end = all.find("-->", at + 4);
      if (end == kNone) return;
      const MarkerReading reading = read_marker(all.substr(at + 4, end - at - 4));
      if (reading.result == MarkerReading::Result::marker) {
        add(DiagnosticCode::marker_in_code, text.source_offset(at),
            "this " + std::string(name_of(reading.kind)) + " marker is shown as code and does not count");
      }
      at = all.find(kOpenComment, end + 3);
    }
  }

  void scanned(const LogicalText& text, const InlineScan& scan, int box) {
    for (const Span& span : scan.comments) comment(text, span, box);
    for (const Span& span : scan.open_comments) open_comment(text, span);
    for (const Span& span : scan.code) markers_in_code(text, span.begin, span.end);
  }

  struct Lines {
    std::int64_t first = 1;
    std::int64_t last = 1;
    std::size_t offset = 0;
  };

  Lines lines_of_paragraph(cmark_node* node) const {
    Lines lines;
    if (cmark_node_get_start_line(node) == 0) {
      // A paragraph right before a table loses its place: the table has it, and its rows tell where its head
      // stands.
      cmark_node* table = cmark_node_next(node);
      if (table == nullptr) return {1, 1, 0};
      lines.first = file_line(cmark_node_get_start_line(table));
      lines.offset = start_of(table, lines.first);
      lines.last = std::max(lines.first, head_line_of_table(table) - 1);
      return lines;
    }
    lines.first = file_line(cmark_node_get_start_line(node));
    lines.last = std::max(lines.first, file_line(cmark_node_get_end_line(node)));
    lines.offset = start_of(node, lines.first);
    return lines;
  }

  std::int64_t head_line_of_table(cmark_node* table) const {
    std::int64_t rows = 0;
    for (cmark_node* row = cmark_node_first_child(table); row != nullptr; row = cmark_node_next(row)) ++rows;
    return std::max<std::int64_t>(1, file_line(cmark_node_get_end_line(table)) - rows);
  }

  void paragraph(cmark_node* node) {
    const Lines lines = lines_of_paragraph(node);
    const bool in_item = !containers_.empty() && containers_.back().node != nullptr &&
                         cmark_node_parent(node) == containers_.back().node &&
                         cmark_node_first_child(containers_.back().node) == node;
    const int box = in_item ? read_box(node, lines) : -1;
    const std::string_view raw = source_.bytes().substr(
        lines.offset, source_.line_end(lines.last) - std::min(lines.offset, source_.line_end(lines.last)));
    const bool comments = raw.find(kOpenComment) != kNone;
    if (!comments) {
      landmark(Landmark::Kind::text, -1, lines.offset, lines.first, lines.last);
      if (box >= 0) set_title(node, box, nullptr, nullptr);
    } else {
      const LogicalText text(source_, lines.first, lines.offset, lines.last, quotes_);
      InlineScan& scan = scan_;
      scan_inlines(text.text(), scan);
      const bool visible = has_visible_text(text.text(), scan.comments, false);
      if (visible) landmark(Landmark::Kind::text, -1, lines.offset, lines.first, lines.last);
      scanned(text, scan, box);
      if (visible) landmark(Landmark::Kind::text, -1, source_.line_end(lines.last), lines.first, lines.last);
      if (box >= 0) set_title(node, box, &text, &scan);
    }
    if (box >= 0) open_text_ = {box, containers_.back().node, lines.last};
  }

  // The box at the beginning of an item's text, as a new outline box; -1 when there is none.
  int read_box(cmark_node* node, const Lines& lines) {
    const std::string_view text = source_.bytes()
                                      .substr(0, source_.line_end(lines.first))
                                      .substr(std::min(lines.offset, source_.line_end(lines.first)));
    if (text.size() < 3 || text[0] != '[' || text[1] == '[' || text[1] == ']' || text[1] == '\\') return -1;
    const base::CodePoint inside = base::decode_at(text, 1);
    const std::size_t close = 1 + inside.length;
    if (close >= text.size() || text[close] != ']') return -1;
    OutlineBox box;
    const char32_t c = inside.value;
    const bool known = c == ' ' || c == 'x' || c == 'X' || c == '~' || c == '/' || c == '-';
    if (c == 'x' || c == 'X') box.state = core::BoxState::done;
    if (c == '~' || c == '/' || c == '-') box.state = core::BoxState::active;
    box.unknown_state = !known;
    box.letter = !known && is_ascii_letter_or_digit(c);
    std::size_t behind = close + 1;
    const auto is_end = [&](std::size_t at) {
      return at >= text.size() || text[at] == ' ' || text[at] == '\t';
    };
    if (!is_end(behind)) {
      if (text[behind] == '*' && is_end(behind + 1) && behind + 1 < text.size()) {
        box.optional = true;
        ++behind;
      } else if (known && !begins_with_link(node)) {
        box.missing_space = true;
      } else {
        return -1;
      }
    }
    box.offset = lines.offset;
    box.box = {lines.offset + 1, inside.length};
    box.line = lines.first;
    box.after_box = lines.offset + behind;
    box.heading = heading_;
    std::size_t end = source_.line_end(lines.last);
    while (end > box.after_box && (source_.bytes()[end - 1] == ' ' || source_.bytes()[end - 1] == '\t'))
      --end;
    box.text_end = end;
    for (auto item = containers_.rbegin() + 1; item != containers_.rend(); ++item) {
      if (item->box < 0) continue;
      box.parent = item->box;
      break;
    }
    const int index = static_cast<int>(outline_.boxes.size());
    containers_.back().box = index;
    outline_.boxes.push_back(std::move(box));
    return index;
  }

  static bool begins_with_link(cmark_node* paragraph) {
    cmark_node* first = cmark_node_first_child(paragraph);
    return first != nullptr && cmark_node_get_type(first) == CMARK_NODE_LINK;
  }

  // cmark reads a comment with "--" as text, and may read brackets as a link: then the text is read again
  // without them.
  static bool cmark_reads_comment(std::string_view whole) {
    if (whole.size() < 7) return false;
    const std::string_view inside = whole.substr(4, whole.size() - 7);
    return inside.find("--") == kNone && !inside.ends_with('-') && !inside.starts_with('>') &&
           !inside.starts_with("->");
  }

  void set_title(cmark_node* node, int index, const LogicalText* text, const InlineScan* scan) {
    OutlineBox& box = outline_.boxes[static_cast<std::size_t>(index)];
    const std::string prefix =
        base::to_valid_utf8(source_.bytes().substr(box.offset, box.after_box - box.offset));
    bool trusted = true;
    if (scan != nullptr) {
      for (const Span& span : scan->comments) {
        trusted = trusted && cmark_reads_comment(text->text().substr(span.begin, span.end - span.begin));
      }
    }
    if (trusted) {
      const std::string plain = CmarkDocument::plain_text(node);
      if (plain.starts_with(prefix)) {
        box.title = fold_space(std::string_view(plain).substr(prefix.size()));
        return;
      }
    }
    const std::string_view all =
        text != nullptr ? text->text()
                        : source_.bytes().substr(box.offset, source_.line_end(box.line) - box.offset);
    std::string bare;
    std::size_t at = box.after_box - box.offset;
    if (scan != nullptr) {
      for (const Span& span : scan->comments) {
        if (span.begin >= at) bare.append(all.substr(at, span.begin - at));
        at = std::max(at, span.end);
      }
    }
    bare.append(all.substr(std::min(at, all.size())));
    box.title = fold_space(base::to_valid_utf8(document_.plain_text_of(bare)));
  }

  void heading(cmark_node* node) {
    OutlineHeading heading;
    heading.level = cmark_node_get_heading_level(node);
    heading.line = file_line(cmark_node_get_start_line(node));
    heading.offset = start_of(node, heading.line);
    heading.in_container = !containers_.empty();
    const bool atx =
        is_atx(source_.bytes().substr(heading.offset, source_.line_end(heading.line) - heading.offset));
    heading.last_line = atx ? heading.line : underline_of(heading.line, heading.level == 1 ? '=' : '-');
    const std::int64_t last_text = atx ? heading.line : std::max(heading.line, heading.last_line - 1);
    const LogicalText text(source_, heading.line, heading.offset, last_text, quotes_);
    InlineScan& scan = scan_;
    scan.clear();
    if (text.text().find(kOpenComment) != kNone) scan_inlines(text.text(), scan);
    bool trusted = true;
    for (const Span& span : scan.comments) {
      trusted = trusted && cmark_reads_comment(text.text().substr(span.begin, span.end - span.begin));
    }
    if (trusted) {
      heading.title = fold_space(CmarkDocument::plain_text(node));
    } else {
      std::string bare;
      std::size_t at = 0;
      for (const Span& span : scan.comments) {
        bare.append(text.text().substr(at, span.begin - at));
        at = span.end;
      }
      bare.append(text.text().substr(at));
      if (atx) strip_atx(bare);
      heading.title = fold_space(base::to_valid_utf8(document_.plain_text_of(bare)));
    }
    heading_ = static_cast<int>(outline_.headings.size());
    landmark(Landmark::Kind::heading, heading_, heading.offset, heading.line, heading.last_line);
    outline_.headings.push_back(std::move(heading));
    scanned(text, scan, -1);
  }

  static bool is_atx(std::string_view line) {
    const std::size_t hashes = std::min(line.find_first_not_of('#'), line.size());
    return hashes >= 1 && hashes <= 6 &&
           (hashes == line.size() || line[hashes] == ' ' || line[hashes] == '\t');
  }

  // cmark's end of a setext heading may be a line too far: the underline is the first line of nothing else.
  std::int64_t underline_of(std::int64_t line, char character) const {
    for (std::int64_t n = line + 1; n <= source_.line_count(); ++n) {
      std::string_view text = source_.line(n);
      while (!text.empty() && (text.front() == ' ' || text.front() == '\t' || text.front() == '>'))
        text.remove_prefix(1);
      while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
      if (!text.empty() && text.find_first_not_of(character) == kNone) return n;
      if (text.empty()) break;
    }
    return line;
  }

  static void strip_atx(std::string& text) {
    std::size_t begin = 0;
    while (begin < text.size() && text[begin] == '#') ++begin;
    std::size_t end = text.size();
    while (end > begin && (text[end - 1] == ' ' || text[end - 1] == '\t')) --end;
    std::size_t hashes = end;
    while (hashes > begin && text[hashes - 1] == '#') --hashes;
    if (hashes > begin && hashes < end && (text[hashes - 1] == ' ' || text[hashes - 1] == '\t')) end = hashes;
    text = text.substr(begin, end - begin);
  }

  // The literal of a code or HTML block with every line end as LF; cmark keeps those of the file.
  static std::string literal_of(cmark_node* node) {
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

  void code_block(cmark_node* node) {
    const std::string literal = literal_of(node);
    const std::int64_t first = file_line(cmark_node_get_start_line(node));
    const std::size_t start = start_of(node, first);
    landmark(Landmark::Kind::text, -1, start, first, first);
    int fence_length = 0;
    int fence_offset = 0;
    char fence_character = 0;
    const bool fenced = cmark_node_get_fenced(node, &fence_length, &fence_offset, &fence_character) != 0;
    const LogicalText text(source_, literal, fenced ? first + 1 : first);
    const bool open_fence = fenced && !has_closing_fence(first, literal);
    const bool has_comment = literal.find(kOpenComment) != kNone;
    const bool has_box = literal.find('[') != kNone;
    const std::int64_t hidden = has_box ? count_box_lines(text.text()) : 0;
    if (open_fence) {
      add(DiagnosticCode::unclosed_fence, start,
          "this code fence is never closed" +
              (hidden > 0 ? " and hides " + boxes_text(hidden) : std::string()),
          "close it with a fence of its own on a line below the code");
    } else if (hidden > 0) {
      add(DiagnosticCode::checkbox_in_code, start,
          boxes_text(hidden) + " in code: shown as text, not counted",
          "if this is work, take it out of the code block");
    }
    if (has_comment) markers_in_code(text, 0, text.text().size());
  }

  // cmark does not say whether a fence was closed: the line behind its content is a fence if it was.
  bool has_closing_fence(std::int64_t first, std::string_view literal) const {
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
    while (!closing.empty() &&
           (closing.front() == ' ' || closing.front() == '\t' || closing.front() == '>')) {
      closing.remove_prefix(1);
    }
    while (!closing.empty() && (closing.back() == ' ' || closing.back() == '\t')) closing.remove_suffix(1);
    return closing.size() >= length && closing.find_first_not_of(character) == kNone;
  }

  void html_block(cmark_node* node) {
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
    int box = -1;
    if (open_text_.box >= 0 && first == open_text_.last_line + 1) {
      // Right below a box's text: in the same item, or outside of every item (written without indentation).
      cmark_node* parent = cmark_node_parent(node);
      if (parent == open_text_.item || cmark_node_get_type(parent) != CMARK_NODE_ITEM) box = open_text_.box;
    }
    const bool open_block = !scan.open_comments.empty() &&
                            text.text().find_first_not_of(" \t") == scan.open_comments.front().begin;
    if (visible && !open_block) landmark(Landmark::Kind::text, -1, start, first, last);
    scanned(text, scan, box);
    if (visible && !open_block) {
      landmark(Landmark::Kind::text, -1, source_.line_end(std::min(last, source_.line_count())), first, last);
    }
    if (open_block) {
      const std::int64_t hidden = count_box_lines(text.text());
      add(DiagnosticCode::unclosed_comment, text.source_offset(scan.open_comments.front().begin),
          "this comment never ends" + (hidden > 0 ? " and hides " + boxes_text(hidden) : std::string()),
          "end it with -->");
    }
    if (box >= 0) open_text_.last_line = last;
  }

  void table(cmark_node* node) {
    const std::int64_t head = head_line_of_table(node);
    const std::int64_t last = file_line(cmark_node_get_end_line(node));
    landmark(Landmark::Kind::text, -1, source_.line_start(head), head, last);
    for (std::int64_t line = head; line <= last; ++line) {
      const std::string_view row = source_.line(line);
      if (row.find(kOpenComment) == kNone) continue;
      const LogicalText text(source_, line, source_.line_start(line), line, quotes_);
      scan_inlines(text.text(), scan_);
      scanned(text, scan_, -1);
    }
  }

  void report_invalid_utf8() {
    const std::size_t first = base::find_invalid_utf8(source_.bytes());
    if (first == kNone) return;
    add(DiagnosticCode::invalid_utf8, first, "bytes that are no UTF-8 from here on; they are read as U+FFFD",
        "save the file as UTF-8");
  }

  const SourceText& source_;
  CmarkDocument& document_;
  Outline outline_;
  std::vector<Item> containers_;  // block quotes and items around the node; a quote's node is null
  int quotes_ = 0;
  int heading_ = -1;
  OpenText open_text_;
  InlineScan scan_;  // of the block at hand
};

}  // namespace

base::Result<Outline> read_outline(const SourceText& source) {
  CmarkDocument document;
  TRY(document.parse(source));
  return Reader(source, document).read();
}

}  // namespace plankeep::markdown
