#include "markdown/plain_marker.hpp"

#include "base/text.hpp"

namespace plankeep::markdown {
namespace {

using base::is_letter;

bool is_key_part(char c) {
  return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

bool holds(std::string_view text, std::size_t at, char c) {
  return at < text.size() && text[at] == c;
}

}  // namespace

bool is_plain_marker(std::string_view text) {
  return text.find("\xEF\xBC\x9A") == std::string_view::npos;
}

std::optional<MarkerHeader> plain_header(std::string_view text) {
  MarkerHeader header;
  while (header.word < text.size() && is_letter(text[header.word])) ++header.word;
  if (header.word == 0) return std::nullopt;
  header.length = header.word;
  if (holds(text, header.length, ' ')) ++header.length;
  header.colon = holds(text, header.length, ':');
  if (header.colon) ++header.length;
  return header;
}

std::optional<MarkerAttribute> plain_attribute(std::string_view value, std::size_t from) {
  for (std::size_t bar = value.find('|', from); bar != std::string_view::npos;
       bar = value.find('|', bar + 1)) {
    std::size_t at = bar + 1;
    if (holds(value, at, ' ')) ++at;
    const std::size_t key = at;
    if (at == value.size() || !is_letter(value[at])) continue;
    while (at < value.size() && is_key_part(value[at])) ++at;
    const std::size_t key_end = at;
    if (holds(value, at, ' ')) ++at;
    if (!holds(value, at, ':')) continue;
    ++at;
    // A blank behind the colon belongs to it; without one only the end may follow.
    if (at < value.size() && value[at] != ' ') continue;
    if (at < value.size()) ++at;
    return MarkerAttribute{bar, at, value.substr(key, key_end - key)};
  }
  return std::nullopt;
}

}  // namespace plankeep::markdown
