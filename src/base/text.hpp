#pragma once
// Small steps with text that every room takes.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace plankeep::base {

/// What some editors begin a file with; it is no part of the text.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// `line` behind `text`, on a line of its own. An empty line adds nothing.
inline void append_line(std::string& text, std::string_view line) {
  if (line.empty()) return;
  if (!text.empty()) text += '\n';
  text += line;
}

/// "1 task", "3 tasks".
std::string counted(std::integral auto count, std::string_view one, std::string_view many) {
  std::string text = std::to_string(count);
  text += ' ';
  text += count == 1 ? one : many;
  return text;
}

/// What `text_of` makes of each, with `separator` between them.
template <class Items, class TextOf>
std::string joined(const Items& items, std::string_view separator, const TextOf& text_of) {
  std::string text;
  bool first = true;
  for (const auto& item : items) {
    if (!first) text += separator;
    first = false;
    text += text_of(item);
  }
  return text;
}

/// "build, test"
template <class Items>
std::string joined(const Items& items, std::string_view separator = ", ") {
  return joined(items, separator, [](const auto& item) -> std::string_view { return item; });
}

/// `part` behind `text`, with ", " between them where something stands in front of it.
inline void append_listed(std::string& text, std::string_view part) {
  if (!text.empty()) text += ", ";
  text += part;
}

/// The first `most` of them, and how many are left: "a, b and 3 more".
template <class Items, class TextOf>
std::string first_joined(const Items& items, std::size_t most, const TextOf& text_of) {
  std::string text;
  for (std::size_t i = 0; i < items.size() && i < most; ++i) {
    if (i > 0) text += ", ";
    text += text_of(items[i]);
  }
  if (items.size() > most) text += " and " + std::to_string(items.size() - most) + " more";
  return text;
}

/// Without the blanks (spaces, tabs, line ends) at both its ends.
inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

/// Its parts between the `separator`s, without the blanks at their ends; empty ones are left out.
inline std::vector<std::string> parts_of(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (const std::string_view part = trimmed(text.substr(0, end)); !part.empty()) parts.emplace_back(part);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// An ASCII letter.
constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Digits and nothing else; false when empty.
constexpr bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

constexpr bool one_of(std::string_view text, std::initializer_list<std::string_view> those) {
  return std::find(those.begin(), those.end(), text) != those.end();
}

/// A space or a tab.
constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

}  // namespace plankeep::base
