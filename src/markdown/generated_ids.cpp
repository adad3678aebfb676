#include "markdown/generated_ids.hpp"

#include <functional>
#include <utility>

#include "base/text.hpp"

namespace plankeep::markdown {
namespace {

using base::is_digit;

bool is_capital(char c) {
  return c >= 'A' && c <= 'Z';
}
std::size_t skip_digits(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

// What may stand behind an id: the end, a blank, or punctuation that sets it off ("T001: text").
bool is_set_off(std::string_view text, std::size_t at) {
  if (at >= text.size() || text[at] == ' ') return true;
  const bool mark = text[at] == ':' || text[at] == '.' || text[at] == ')' || text[at] == ',';
  return mark && (at + 1 >= text.size() || text[at + 1] == ' ');
}

}  // namespace

std::string leading_id(std::string_view title) {
  std::size_t at = 0;
  while (at < title.size() && is_capital(title[at])) ++at;
  if (at > 0) {
    const std::size_t letters = at;
    const bool dash = at < title.size() && title[at] == '-';
    if (dash) ++at;
    const std::size_t end = skip_digits(title, at);
    const std::size_t digits = end - at;
    if (letters > 16 || digits == 0 || digits > 9 || (!dash && digits < 2) || !is_set_off(title, end))
      return {};
    return std::string(title.substr(0, end));
  }
  at = skip_digits(title, 0);
  if (at == 0 || at > 9) return {};
  std::size_t end = at;
  bool dotted = false;
  while (end + 1 < title.size() && title[end] == '.' && is_digit(title[end + 1])) {
    dotted = true;
    end = skip_digits(title, end + 1);
  }
  if (end > 32) return {};
  if (dotted) return is_set_off(title, end) ? std::string(title.substr(0, end)) : std::string();
  const bool numbered = end < title.size() && (title[end] == '.' || title[end] == ')') &&
                        (end + 1 >= title.size() || title[end + 1] == ' ');
  return numbered ? std::string(title.substr(0, end)) : std::string();
}

std::string_view lasting_heading(std::string_view title) {
  constexpr std::string_view kInside = " xX~/-";
  constexpr std::string_view kCheckpoint = " [checkpoint:";
  std::string_view text = title;
  const bool box = text.size() > 4 && text[0] == '[' && kInside.find(text[1]) != std::string_view::npos &&
                   text[2] == ']' && text[3] == ' ';
  if (box) text.remove_prefix(4);
  const std::size_t commit = text.ends_with(']') ? text.rfind(kCheckpoint) : std::string_view::npos;
  if (commit != std::string_view::npos && commit > 0) text = text.substr(0, commit);
  return text;
}

std::string_view UniqueIds::name(std::size_t index) const {
  const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
  return std::string_view(names_).substr(begin, ends_[index] - begin);
}

// False: it is taken.
bool UniqueIds::add(std::string_view id) {
  const std::size_t fresh = ends_.size();
  const std::size_t hash = std::hash<std::string_view>{}(id);
  if (used_.find_or_add(hash, fresh, [&](std::size_t other) { return name(other) == id; }) != fresh)
    return false;
  names_ += id;
  ends_.push_back(names_.size());
  return true;
}

std::string UniqueIds::take(std::string wanted) {
  if (add(wanted)) return wanted;
  int& next = next_.try_emplace(wanted, 2).first->second;
  for (;;) {
    std::string candidate = wanted + "-" + std::to_string(next++);
    if (add(candidate)) return candidate;
  }
}

}  // namespace plankeep::markdown
