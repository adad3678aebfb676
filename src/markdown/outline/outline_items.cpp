#include <algorithm>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "markdown/outline/outline_reader.hpp"
#include "markdown/plain_items.hpp"

namespace plankeep::markdown {
namespace {

bool is_ascii_letter_or_digit(char32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool begins_with_link(cmark_node* paragraph) {
  cmark_node* first = cmark_node_first_child(paragraph);
  return first != nullptr && cmark_node_get_type(first) == CMARK_NODE_LINK;
}

// cmark reads a comment with "--" as text, and may read brackets as a link: then the text is read again
// without them.
bool cmark_reads_comment(std::string_view whole) {
  if (whole.size() < 7) return false;
  const std::string_view inside = whole.substr(4, whole.size() - 7);
  return inside.find("--") == kNone && !inside.ends_with('-') && !inside.starts_with('>') &&
         !inside.starts_with("->");
}

bool is_atx(std::string_view line) {
  const std::size_t hashes = std::min(line.find_first_not_of('#'), line.size());
  return hashes >= 1 && hashes <= 6 && (hashes == line.size() || line[hashes] == ' ' || line[hashes] == '\t');
}

void strip_atx(std::string& text) {
  std::size_t begin = 0;
  while (begin < text.size() && text[begin] == '#') ++begin;
  std::size_t end = text.size();
  while (end > begin && (text[end - 1] == ' ' || text[end - 1] == '\t')) --end;
  std::size_t hashes = end;
  while (hashes > begin && text[hashes - 1] == '#') --hashes;
  if (hashes > begin && hashes < end && (text[hashes - 1] == ' ' || text[hashes - 1] == '\t')) end = hashes;
  text = text.substr(begin, end - begin);
}

}  // namespace

OutlineReader::Lines OutlineReader::lines_of_paragraph(cmark_node* node) const {
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

// Of the item around it.
bool OutlineReader::is_own_text(cmark_node* node) {
  cmark_node* const item = container() < 0 ? nullptr : at(container()).item;
  return item != nullptr && cmark_node_parent(node) == item && cmark_node_first_child(item) == node;
}

void OutlineReader::paragraph(cmark_node* node) {
  const Lines lines = lines_of_paragraph(node);
  reaches(container(), lines.last);
  Owner owner;
  if (is_own_text(node)) {
    owner.item = container();
    owner.box = read_box(node, lines);
    if (owner.box >= 0 && lines.first == lines.last && plain_box(owner, lines)) return;
    if (owner.box < 0) lookalike_for_box(node, lines);
  }
  const std::string_view raw = source_.bytes().substr(
      lines.offset, source_.line_end(lines.last) - std::min(lines.offset, source_.line_end(lines.last)));
  const bool comments = raw.find(kOpenComment) != kNone;
  // An item's first line is looked at already.
  const std::size_t own_line = owner.item < 0 ? 0 : std::min(raw.find_first_of("\r\n"), raw.size());
  const bool brackets = raw.find('[', own_line) != kNone;
  if (!comments) {
    if (brackets) lookalikes_in_lines(lines, owner.item >= 0, nullptr);
    landmark(Landmark::Kind::text, -1, lines.offset, lines.first, lines.last);
    if (owner.box >= 0) set_title(node, owner.box, nullptr, nullptr);
  } else {
    const LogicalText text(source_, lines.first, lines.offset, lines.last, quotes_);
    InlineScan& scan = scan_;
    scan_inlines(text.text(), scan);
    if (brackets) lookalikes_in_lines(lines, owner.item >= 0, &text);
    const bool visible = has_visible_text(text.text(), scan.comments, false);
    if (visible) landmark(Landmark::Kind::text, -1, lines.offset, lines.first, lines.last);
    scanned(text, scan, owner);
    if (visible) landmark(Landmark::Kind::text, -1, source_.line_end(lines.last), lines.first, lines.last);
    if (owner.box >= 0) set_title(node, owner.box, &text, &scan);
  }
  if (owner.item >= 0) open_text_ = {owner.item, lines.last, false};
}

// A box with nothing but plain words and comments behind it, which need no help of cmark's to be read. False,
// and nothing done, when it is none.
bool OutlineReader::plain_box(const Owner& owner, const Lines& lines) {
  OutlineBox& plain = outline_.boxes[static_cast<std::size_t>(owner.box)];
  if (plain.unknown_state || plain.optional || plain.missing_space) return false;
  const LogicalText text(source_, lines.first, plain.after_box, lines.last, quotes_);
  const std::string_view words = text.text();
  if (!scan_plain(words, scan_) || base::find_invalid_utf8(words) != kNone) return false;
  plain.title = plain_title(words, scan_.comments);
  landmark(Landmark::Kind::text, -1, lines.offset, lines.first, lines.last);
  if (!scan_.comments.empty()) {
    scanned(text, scan_, owner);
    landmark(Landmark::Kind::text, -1, source_.line_end(lines.last), lines.first, lines.last);
  }
  open_text_ = {owner.item, lines.last, false};
  return true;
}

// The box at the beginning of an item's text, as a new outline box; -1 when there is none.
int OutlineReader::read_box(cmark_node* node, const Lines& lines) {
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
  if (!known && begins_with_link(node)) return -1;
  if (!is_end(behind)) {
    // Formatters escape the asterisk; the page looks the same.
    const std::size_t star = behind + (text[behind] == '\\' ? 1 : 0);
    if (star < text.size() && text[star] == '*' && is_end(star + 1)) {
      box.optional = true;
      behind = star + 1;
    } else if (known && !begins_with_link(node)) {
      box.missing_space = true;
    } else {
      return -1;
    }
  }
  box.offset = lines.offset;
  box.box = {lines.offset + 1, inside.length};
  box.line = lines.first;
  box.in_footnote = footnotes_;  // all footnotes come last
  box.after_box = lines.offset + behind;
  std::size_t end = source_.line_end(lines.last);
  while (end > box.after_box && (source_.bytes()[end - 1] == ' ' || source_.bytes()[end - 1] == '\t')) --end;
  box.text_end = end;
  for (int around = at(container()).parent; around >= 0 && box.parent < 0; around = at(around).parent)
    box.parent = at(around).box;
  const int index = static_cast<int>(outline_.boxes.size());
  at(container()).box = index;
  outline_.boxes.push_back(std::move(box));
  return index;
}

void OutlineReader::lookalike(std::size_t offset, const Lookalike& found) {
  const Position at = source_.position(offset);
  const std::string_view seen = source_.bytes().substr(offset, found.length);
  // Messages are shown with folded blanks: "[  ]" would be shown as a box.
  const bool folded = fold_space(seen).size() < seen.size();
  const std::string what = folded ? "brackets around several spaces are" : '"' + std::string(seen) + "\" is";
  outline_.lookalikes.push_back(
      {at.line, at.column, core::DiagnosticCode::checkbox_lookalike,
       what + " no checkbox: shown as text, not counted",
       "write \"" + found.instead + '"' + (found.certain ? ", or run plankeep lint --fix" : "")});
}

// What an item without a box begins with instead.
void OutlineReader::lookalike_for_box(cmark_node* node, const Lines& lines) {
  const std::size_t end = source_.line_end(lines.first);
  const std::size_t begin = std::min(lines.offset, end);
  const auto found = lookalike_in_item(source_.bytes().substr(begin, end - begin));
  if (found && !begins_with_link(node)) lookalike(begin, *found);
}

// At the beginnings of a paragraph's lines. `text`: the same lines, scanned for the comments in them.
void OutlineReader::lookalikes_in_lines(const Lines& lines, bool own_text, const LogicalText* text) {
  std::size_t next = 0;
  const auto in_comment = [&](std::size_t offset) {
    if (text == nullptr) return false;
    const std::vector<Span>& comments = scan_.comments;
    while (next < comments.size() && text->source_offset(comments[next].end) <= offset) ++next;
    return next < comments.size() && text->source_offset(comments[next].begin) <= offset;
  };
  for (std::int64_t line = own_text ? lines.first + 1 : lines.first; line <= lines.last; ++line) {
    std::size_t begin = line == lines.first ? lines.offset : source_.line_start(line);
    const std::size_t end = source_.line_end(line);
    const auto before_text = [this](char c) { return base::is_blank(c) || (c == '>' && quotes_ > 0); };
    while (begin < end && before_text(source_.bytes()[begin])) ++begin;
    if (begin >= end) continue;
    const auto found = lookalike_at_line(source_.bytes().substr(begin, end - begin));
    if (found && !in_comment(begin)) lookalike(begin, *found);
  }
}

void OutlineReader::set_title(cmark_node* node, int index, const LogicalText* text, const InlineScan* scan) {
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

void OutlineReader::heading(cmark_node* node) {
  OutlineHeading heading;
  heading.level = cmark_node_get_heading_level(node);
  heading.line = file_line(cmark_node_get_start_line(node));
  heading.offset = start_of(node, heading.line);
  heading.container = container();
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
  reaches(container(), heading.last_line);
  Owner owner;
  // A text that a line of dashes below it makes a heading begins with its box all the same.
  if (!atx && is_own_text(node)) {
    owner.item = container();
    owner.box = read_box(node, {heading.line, last_text, heading.offset});
    if (owner.box >= 0) set_title(node, owner.box, &text, &scan);
    open_text_ = {owner.item, heading.last_line, false};
  }
  owner.heading = static_cast<int>(outline_.headings.size());
  landmark(Landmark::Kind::heading, owner.heading, heading.offset, heading.line, heading.last_line);
  outline_.headings.push_back(std::move(heading));
  scanned(text, scan, owner);
}

// cmark's end of a setext heading may be a line too far: the underline is the first line of nothing else.
std::int64_t OutlineReader::underline_of(std::int64_t line, char character) const {
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

}  // namespace plankeep::markdown
