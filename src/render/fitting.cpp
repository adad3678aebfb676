#include "render/fitting.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "render/recorded/log.hpp"
#include "render/style.hpp"

namespace plankeep::render {
namespace {

// More than any text of ours takes.
constexpr std::size_t kMostLines = 100;

}  // namespace

std::string with_title(std::string text, std::string_view title, std::size_t columns) {
  if (title.empty()) return text;
  const std::size_t used = base::display_width(text) + 2;
  const std::size_t room = std::max(columns - std::min(columns, used), kNarrowTitle);
  return text + "  " + base::fit_to_width(title, room);
}

std::string wrapped(std::string_view words, std::size_t columns, std::size_t indent, Begins begins) {
  const std::size_t room = columns - std::min(columns, indent);
  const std::string below = "\n" + std::string(indent, ' ');
  std::string text;
  const std::string_view first = words.substr(0, words.find(' '));
  if (begins == Begins::with_id && base::display_width(first) > room) {
    text = first;
    words.remove_prefix(std::min(words.find_first_not_of(' ', first.size()), words.size()));
    if (!words.empty()) text += below;
  }
  if (!words.empty()) text += base::joined(wrap(words, room, kMostLines), below);
  return text + "\n";
}

}  // namespace plankeep::render
