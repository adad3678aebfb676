#include "markdown/plain_items.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "markdown/inline_scan.hpp"
#include "markdown/marker.hpp"

namespace plankeep::markdown {
namespace {

constexpr std::string_view kCommentOpen = "<!--";
constexpr std::string_view kCommentClose = "-->";

// Bytes beyond ASCII are plain too: whether they are UTF-8 is for others to see.
constexpr std::array<bool, 256> plain_bytes() {
  std::array<bool, 256> table{};
  for (std::size_t byte = ' '; byte < 256; ++byte) table[byte] = byte != 0x7f;
  for (const char c : {'\\', '`', '*', '_', '[', ']', '<', '&', '!', '~', '^'}) {
    table[static_cast<unsigned char>(c)] = false;
  }
  table[static_cast<unsigned char>('\t')] = true;
  return table;
}
constexpr std::array<bool, 256> kPlain = plain_bytes();

// The end of the comment at `at`; kNone when there is none, or one of the forms that old and new CommonMark
// read differently.
std::size_t plain_comment_end(std::string_view text, std::size_t at) {
  if (text.compare(at, kCommentOpen.size(), kCommentOpen) != 0) return kNone;
  const std::size_t inside = at + kCommentOpen.size();
  if (inside < text.size() && (text[inside] == '>' || text[inside] == '-')) return kNone;
  const std::size_t end = text.find(kCommentClose, inside);
  return end == kNone ? kNone : end + kCommentClose.size();
}

// Calls comment(begin, end) for each; false when the text is not plain.
template <class Comment>
bool each_comment(std::string_view text, const Comment& comment) {
  for (std::size_t at = 0;;) {
    while (at < text.size() && kPlain[static_cast<unsigned char>(text[at])]) ++at;
    if (at == text.size()) return true;
    if (text[at] != '<') return false;
    const std::size_t end = plain_comment_end(text, at);
    if (end == kNone) return false;
    comment(at, end);
    at = end;
  }
}

struct Line {
  enum class Kind { blank, item, other };
  Kind kind = Kind::other;
  std::size_t indent = 0;  // of an item: its bytes before the bullet
};

// An item: blanks, a bullet, one blank, text. Other ways to write one are not looked for.
Line inspect(std::string_view line) {
  std::size_t at = 0;
  while (at < line.size() && line[at] == ' ') ++at;
  if (line.find_first_not_of(" \t\r", at) == kNone) return {Line::Kind::blank, 0};
  const bool bullet = line[at] == '-' || line[at] == '*' || line[at] == '+';
  if (!bullet || line.size() - at < 3 || line[at + 1] != ' ' || line[at + 2] == ' ' || line[at + 2] == '\t')
    return {};
  return {Line::Kind::item, at};
}

// The columns of the items that are open on a line, outermost first, as far as they are surely items.
class OpenItems {
 public:
  // Whether an item in this column is surely one on the next line: a sibling of one of them, or a child of
  // the innermost. By less than two columns it is no child, by more than five it goes on with the words.
  bool can_hold(std::size_t column) const {
    if (columns_.empty()) return false;
    const bool child = column >= columns_.back() + 2 && column <= columns_.back() + 5;
    return child || std::binary_search(columns_.begin(), columns_.end(), column);
  }
  void open(std::size_t column) {
    while (!columns_.empty() && columns_.back() >= column) columns_.pop_back();
    columns_.push_back(column);
  }
  void close_all() { columns_.clear(); }

 private:
  std::vector<std::size_t> columns_;
};

// The text behind the box of a plain item, empty when it is none. "[", the state, "]" and a blank before it.
std::string_view text_behind_box(std::string_view line, std::size_t indent) {
  const std::string_view item = line.substr(indent + 2);
  if (item.size() < 5 || item[0] != '[' || item[2] != ']' || item[3] != ' ') return {};
  if (std::string_view(" xX~/-").find(item[1]) == kNone) return {};
  return item.substr(4);
}

void mask(char* box, const std::vector<Span>& comments) {
  box[0] = box[1] = box[2] = 'x';
  for (const Span& comment : comments) std::memset(box + 4 + comment.begin, 'x', 2);
}

// fold_space for what mostly is folded already but for its ends.
std::string folded(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  bool blanks = false;
  for (std::size_t at = 1; at < text.size(); ++at) {
    blanks |= text[at] == '\t' || (text[at] == ' ' && text[at - 1] == ' ');
  }
  return blanks || (!text.empty() && text.front() == '\t') ? fold_space(text) : std::string(text);
}

}  // namespace

bool scan_plain(std::string_view text, InlineScan& scan) {
  scan.clear();
  if (each_comment(text, [&](std::size_t begin, std::size_t end) { scan.comments.push_back({begin, end}); }))
    return true;
  scan.clear();
  return false;
}

std::string plain_title(std::string_view text, const std::vector<Span>& comments) {
  if (comments.empty()) return folded(text);
  if (comments.size() == 1 && comments.front().end == text.size())
    return folded(text.substr(0, comments.front().begin));
  std::string words;
  std::size_t at = 0;
  for (const Span& comment : comments) {
    words.append(text.substr(at, comment.begin - at));
    at = comment.end;
  }
  words.append(text.substr(at));
  return fold_space(words);
}

void mask_plain_items(std::string& lines, bool first) {
  const std::string_view text = lines;
  const auto line_at = [&](std::size_t start) {
    const std::size_t end = text.find('\n', start);
    return text.substr(start, end == kNone ? kNone : end - start);
  };
  bool after_blank = first;
  OpenItems open;
  std::string_view line = line_at(0);
  Line seen = inspect(line);
  InlineScan scan;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t next_start = start + line.size() + 1;
    const bool last = next_start >= text.size();
    const std::string_view next = last ? std::string_view() : line_at(next_start);
    const Line following = last ? Line{} : inspect(next);
    const bool held = seen.kind == Line::Kind::item && open.can_hold(seen.indent);
    if (!held && seen.kind != Line::Kind::blank) open.close_all();
    if (held || (seen.kind == Line::Kind::item && after_blank)) {
      open.open(seen.indent);
      const bool alone = following.kind == Line::Kind::blank ||
                         (following.kind == Line::Kind::item && open.can_hold(following.indent));
      std::string_view words = alone ? text_behind_box(line, seen.indent) : std::string_view();
      if (words.ends_with('\r')) words.remove_suffix(1);
      if (words.empty()) {
        open.close_all();
      } else if (scan_plain(words, scan)) {
        mask(lines.data() + start + seen.indent + 2, scan.comments);
      }
    }
    after_blank = seen.kind == Line::Kind::blank;
    start = next_start;
    line = next;
    seen = following;
  }
}

}  // namespace plankeep::markdown
