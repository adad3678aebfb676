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

}  // namespace

std::string text_below_box(std::string_view bytes, std::int64_t line) {
  const SourceText source(bytes);
  if (line < 1 || line > source.line_count()) return {};
  const std::size_t indent = indent_of(source.line(line));
  std::vector<std::string_view> lines;
  for (std::int64_t next = line + 1; next <= source.line_count(); ++next) {
    const std::string_view text = source.line(next);
    if (has_no_text(text)) {
      lines.emplace_back();
      continue;
    }
    const std::size_t width = indent_of(text);
    if (width <= indent || begins_box(text.substr(width))) break;
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
