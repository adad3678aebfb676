#include "base/slug.hpp"

#include "base/utf8.hpp"

namespace plankeep::base {
namespace {
constexpr std::size_t kLongest = 48;

// Says how the character before it is drawn. Behind one that is left out (an emoji) nobody could see or type
// it.
bool is_variation_selector(char32_t c) {
  return (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0xE0100 && c <= 0xE01EF);
}
}  // namespace

std::string slug(std::string_view title, std::string_view fallback) {
  std::string result;
  std::size_t characters = 0;
  bool gap = false;
  for (std::size_t at = 0; at < title.size();) {
    const CodePoint next = decode_at(title, at);
    at += next.length;
    const bool invisible = (gap || characters == 0) && is_variation_selector(next.value);
    if (!next.valid || !is_word_character(next.value) || invisible) {
      gap = true;
      continue;
    }
    if (gap && characters > 0) {
      if (characters + 2 > kLongest) break;  // a dash at the end would be cut again
      result.push_back('-');
      ++characters;
    }
    gap = false;
    if (characters == kLongest) break;
    append_utf8(result, to_lower(next.value));
    ++characters;
  }
  return result.empty() ? std::string(fallback) : result;
}

}  // namespace plankeep::base
