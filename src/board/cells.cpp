#include "board/cells.hpp"

#include <algorithm>
#include <utility>

#include "base/utf8.hpp"
#include "render/style.hpp"

namespace plankeep::board {
namespace {

constexpr char32_t kJoiner = 0x200D;
constexpr char32_t kFirstFlag = 0x1F1E6;
constexpr char32_t kLastFlag = 0x1F1FF;

// Invisible, and without a meaning where nothing is shaped: terminals give some of them a column.
bool is_left_out(char32_t value) {
  return value == 0x00AD || value == 0x200B || value == 0x200E || value == 0x200F || value == kJoiner ||
         (value >= 0x2060 && value <= 0x2064) || value == 0x20E3 || value == 0xFEFF || value == 0xFE0E ||
         value == 0xFE0F;
}

bool is_skin_tone(char32_t value) {
  return value >= 0x1F3FB && value <= 0x1F3FF;
}

// What emoji are joined with: other emoji and the signs that stand for a sex or a profession.
bool may_be_joined(char32_t value, std::size_t width) {
  return width == 2 || (value >= 0x2600 && value <= 0x27BF);
}

// `text` is printable and one line.
std::string simplified(std::string_view text) {
  // Plain ASCII, as most texts are, needs none of this.
  if (std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; }))
    return std::string(text);
  std::string simple;
  std::size_t marks = kMarksOfACell;  // none before the first character
  std::size_t width_before = 0;
  bool joins = false;  // a joiner stands between a wide character and this one
  for (std::size_t at = 0; at < text.size();) {
    const base::CodePoint character = base::decode_at(text, at);
    const std::string_view bytes = text.substr(at, character.length);
    at += character.length;
    const char32_t value = character.value;
    if (is_left_out(value)) {
      joins = joins || (value == kJoiner && width_before == 2);
      continue;
    }
    if (value >= kFirstFlag && value <= kLastFlag) {
      simple += static_cast<char>('A' + (value - kFirstFlag));
      width_before = 1;
      marks = 0;
      joins = false;
      continue;
    }
    const std::size_t width = base::display_width(bytes);
    if (is_skin_tone(value) && width_before == 2) continue;
    if (std::exchange(joins, false) && may_be_joined(value, width)) continue;
    if (width == 0) {
      if (marks >= kMarksOfACell) continue;
      ++marks;
    } else {
      marks = 0;
      width_before = width;
    }
    simple += bytes;
  }
  return simple;
}

}  // namespace

std::string simple_line(std::string_view text) {
  return simplified(base::printable(text));
}

std::string simple_title(std::string_view text) {
  return simplified(render::safe_line(text));
}

std::vector<std::string> simple_lines(std::string_view text, std::size_t most) {
  const std::string clean = base::printable(text, true);
  std::string_view rest = clean;
  std::vector<std::string> lines;
  std::size_t left_out = 0;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    if (lines.size() < most) {
      lines.push_back(simple_line(rest.substr(0, end)));
    } else {
      ++left_out;
    }
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  if (left_out > 0) lines.push_back("(" + base::counted(left_out, "more line", "more lines") + ")");
  return lines;
}

std::vector<std::string> folded_line(std::string_view simple, std::size_t columns) {
  std::vector<std::string> pieces(1);
  std::size_t used = 0;
  for (std::size_t at = 0; at < simple.size();) {
    const base::CodePoint character = base::decode_at(simple, at);
    std::string_view bytes = simple.substr(at, character.length);
    at += character.length;
    std::size_t width = base::display_width(bytes);
    if (width > columns) {
      bytes = "?";
      width = 1;
    }
    if (used + width > columns) {
      // A word goes onto the next line as a whole, where it is not a line by itself.
      std::string& full = pieces.back();
      const std::size_t space = full.find_last_of(' ');
      std::string word;
      if (bytes != " " && space != std::string::npos && full.find_first_not_of(' ') < space) {
        word = full.substr(space + 1);
        full.resize(space + 1);
      }
      used = base::display_width(word);
      pieces.push_back(std::move(word));
    }
    pieces.back() += bytes;
    used += width;
  }
  return pieces;
}

}  // namespace plankeep::board
