#include "markdown/outline/lookalikes.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "markdown/hidden_boxes.hpp"

namespace plankeep::markdown {
namespace {

using base::is_blank;
using base::is_digit;

constexpr std::size_t kWidestBox = 8;  // bytes between the brackets

struct Symbol {
  std::string_view bytes;
  std::string_view box;
};
constexpr std::array kSymbols{Symbol{"\xE2\x98\x90", "[ ]"}, Symbol{"\xE2\x98\x91", "[x]"},
                              Symbol{"\xE2\x98\x92", "[x]"}};
constexpr std::string_view kEmojiForm = "\xEF\xB8\x8F";  // variation selector 16

// A legend explains its sign ("[] = open"), which is no work.
bool explains(std::string_view rest) {
  rest = base::trimmed(rest);
  constexpr std::array<std::string_view, 10> kSigns{
      "=", ":", "-", ",", ".", ")", "\xE2\x80\x93", "\xE2\x80\x94", "\xE2\x86\x92", "\xEF\xBC\x9A"};
  return std::any_of(kSigns.begin(), kSigns.end(),
                     [rest](std::string_view sign) { return rest.starts_with(sign); });
}

// The box goes on to a blank or the end of the line.
bool stands_alone(std::string_view text, std::size_t end) {
  return end >= text.size() || is_blank(text[end]);
}

// "[", blanks and at most one sign of a state, "]", from `at` on; `backslash`: with one before each bracket
// or one of them.
std::optional<Lookalike> brackets(std::string_view text, std::size_t at, bool backslash) {
  std::size_t from = at;
  bool escaped = false;
  const auto take = [&](char bracket) {
    if (backslash && from < text.size() && text[from] == '\\') escaped = true, ++from;
    if (from >= text.size() || text[from] != bracket) return false;
    ++from;
    return true;
  };
  if (!take('[')) return std::nullopt;
  const std::size_t inside = from;
  char state = ' ';
  while (from < text.size() && from - inside <= kWidestBox) {
    const char c = text[from];
    if (!is_blank(c) && c != 'x' && c != 'X' && c != '~') break;
    if (!is_blank(c)) {
      if (state != ' ') return std::nullopt;
      state = c;
    }
    ++from;
  }
  const std::size_t width = from - inside;
  if (!take(']') || !stands_alone(text, from)) return std::nullopt;
  Lookalike found{from - at, {'[', state, ']'}, !escaped};
  if (width == 1 && !escaped) return std::nullopt;  // a box
  return found;
}

std::optional<Lookalike> symbol(std::string_view text) {
  for (const Symbol& one : kSymbols) {
    if (!text.starts_with(one.bytes)) continue;
    std::size_t end = one.bytes.size();
    if (text.substr(end).starts_with(kEmojiForm)) end += kEmojiForm.size();
    if (stands_alone(text, end)) return Lookalike{end, std::string(one.box), false};
  }
  return std::nullopt;
}

// Whether the lines behind this one are code: the last of these tags decides.
void follow_code(std::string_view line, bool& in_code) {
  constexpr std::array<std::string_view, 5> kTags{"pre", "code", "script", "style", "textarea"};
  for (std::size_t at = line.find('<'); at != kNone; at = line.find('<', at + 1)) {
    std::size_t from = at + 1;
    const bool closes = from < line.size() && line[from] == '/';
    if (closes) ++from;
    std::size_t end = from;
    while (end < line.size() && base::is_letter(line[end])) ++end;
    const std::string name = base::to_lower(line.substr(from, end - from));
    if (std::find(kTags.begin(), kTags.end(), name) != kTags.end()) in_code = !closes;
  }
}

}  // namespace

std::optional<Lookalike> lookalike_in_item(std::string_view text) {
  if (text.empty()) return std::nullopt;
  std::optional<Lookalike> found;
  if (text[0] == '[' || text[0] == '\\') found = brackets(text, 0, true);
  if (text[0] == kSymbols[0].bytes[0]) found = symbol(text);
  return found && !explains(text.substr(found->length)) ? found : std::nullopt;
}

std::optional<Lookalike> lookalike_at_line(std::string_view line) {
  std::size_t at = 0;
  if (line.empty()) return std::nullopt;
  if (line[0] == '-' || line[0] == '*' || line[0] == '+') {
    at = 1;
  } else {
    while (at < line.size() && at < 9 && is_digit(line[at])) ++at;
    if (at == 0 || at >= line.size() || (line[at] != '.' && line[at] != ')')) return std::nullopt;
    ++at;
  }
  if (at >= line.size() || line[at] != '[') return std::nullopt;
  // "*[x] done*" is emphasis.
  if (line[0] == '*' && line.find('*', 1) != std::string_view::npos) return std::nullopt;
  std::optional<Lookalike> found = brackets(line, at, false);
  if (!found) {
    const std::string_view box = line.substr(at, 3);
    const bool whole = box == "[ ]" || box == "[x]" || box == "[X]" || box == "[~]";
    if (!whole || !stands_alone(line, at + 3)) return std::nullopt;
    found = Lookalike{3, std::string(box), true};
  }
  if (explains(line.substr(at + found->length))) return std::nullopt;
  found->length += at;
  found->instead = std::string(line.substr(0, at)) + " " + found->instead;
  return found;
}

HtmlBoxes boxes_in_html(std::string_view html, const std::vector<Span>& comments) {
  HtmlBoxes found;
  bool in_code = false;
  auto comment = comments.begin();
  for (std::size_t at = 0; at < html.size();) {
    const std::size_t end = std::min(html.find('\n', at), html.size());
    const std::string_view line = html.substr(at, end - at);
    while (comment != comments.end() && comment->end <= at) ++comment;
    const bool in_comment = comment != comments.end() && comment->begin <= at;
    if (!in_code && !in_comment && looks_like_box_line(line)) {
      if (found.count++ == 0) found.first = at;
    }
    if (line.find('<') != std::string_view::npos) follow_code(line, in_code);
    at = end + 1;
  }
  return found;
}

}  // namespace plankeep::markdown
