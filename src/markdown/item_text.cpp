#include "markdown/item_text.hpp"

#include <algorithm>
#include <vector>

#include "markdown/item_lines.hpp"

namespace plankeep::markdown {
namespace {

// "- ", "* ", "+ ", "1. ", "1) "
bool begins_item(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
  const bool number = at > 0 && at < text.size() && (text[at] == '.' || text[at] == ')');
  const bool bullet = at == 0 && !text.empty() && (text[0] == '-' || text[0] == '*' || text[0] == '+');
  if (!number && !bullet) return false;
  ++at;
  return at == text.size() || text[at] == ' ' || text[at] == '\t';
}

bool begins_box(std::string_view text) {
  if (!begins_item(text)) return false;
  const std::size_t open = text.find('[');
  const std::size_t blank = text.find_first_of(" \t");
  if (open == std::string_view::npos || blank == std::string_view::npos) return false;
  return text.find_first_not_of(" \t", blank) == open && text.find(']', open) <= open + 5;
}

// Follows fenced code, line by line: what stands in it is no box.
class Fence {
 public:
  /// Whether this line, its indentation left out, belongs to a fence or stands in one.
  bool takes(std::string_view text) {
    const std::size_t run = text.find_first_not_of(text.substr(0, 1));
    const std::size_t length = std::min(run, text.size());
    const bool fence = length >= 3 && (text[0] == '`' || text[0] == '~');
    if (length_ == 0) {
      // Behind backticks that open a fence there are no more of them; else it is a code span.
      if (!fence || (text[0] == '`' && text.find('`', length) != std::string_view::npos)) return false;
      sign_ = text[0];
      length_ = length;
      return true;
    }
    const bool closes = fence && text[0] == sign_ && length >= length_ &&
                        text.find_first_not_of(" \t", length) == std::string_view::npos;
    if (closes) length_ = 0;
    return true;
  }

 private:
  char sign_ = '`';
  std::size_t length_ = 0;  // of the fence that is open; 0: none
};

}  // namespace

std::string text_below_box(std::string_view bytes, std::int64_t line) {
  const SourceText source(bytes);
  if (line < 1 || line > source.line_count()) return {};
  const std::size_t indent = indent_of(source.line(line));
  std::vector<std::string_view> lines;
  Fence fence;
  for (std::int64_t next = line + 1; next <= source.line_count(); ++next) {
    const std::string_view text = source.line(next);
    if (has_no_text(text)) {
      lines.emplace_back();
      continue;
    }
    const std::size_t width = indent_of(text);
    if (width <= indent) break;
    if (!fence.takes(text.substr(width)) && begins_box(text.substr(width))) break;
    lines.push_back(text);
  }
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  lines.erase(lines.begin(),
              std::find_if(lines.begin(), lines.end(), [](std::string_view text) { return !text.empty(); }));
  std::size_t shared = std::string_view::npos;
  for (const std::string_view text : lines) {
    if (!text.empty()) shared = std::min(shared, indent_of(text));
  }
  std::string below;
  for (const std::string_view text : lines) {
    if (!text.empty()) below.append(text.substr(shared));
    below += '\n';
  }
  return below;
}

}  // namespace plankeep::markdown
