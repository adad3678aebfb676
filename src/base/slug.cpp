#include "base/slug.hpp"

#include "base/utf8.hpp"

namespace plankeep::base {
namespace {
constexpr std::size_t kLongest = 48;
}

std::string slug(std::string_view title, std::string_view fallback) {
  std::string result;
  std::size_t characters = 0;
  bool gap = false;
  for (std::size_t at = 0; at < title.size();) {
    const CodePoint next = decode_at(title, at);
    at += next.length;
    if (!next.valid || !is_word_character(next.value)) {
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
