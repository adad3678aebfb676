#include "base/slug.hpp"

#include <array>
#include <optional>
#include <utility>

#include "base/utf8.hpp"

namespace plankeep::base {
namespace {
constexpr std::size_t kLongest = 48;

// A slug drops the emoji before it, and a lone variation selector can be neither seen nor typed.
bool is_variation_selector(char32_t c) {
  return (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0xE0100 && c <= 0xE01EF);
}

// What an ASCII character is in a slug: in lower case, 0 for none.
constexpr std::array<char, 128> kAscii = [] {
  std::array<char, 128> table{};
  for (std::size_t c = '0'; c <= '9'; ++c) table[c] = static_cast<char>(c);
  for (std::size_t c = 'a'; c <= 'z'; ++c) table[c] = table[c - 'a' + 'A'] = static_cast<char>(c);
  return table;
}();

// The slug of a title that is all ASCII, which most are; nullopt for any other.
std::optional<std::string> ascii_slug(std::string_view title) {
  std::array<char, kLongest> made;
  std::size_t length = 0;
  bool gap = false;
  for (const char c : title) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= kAscii.size()) return std::nullopt;
    const char kept = kAscii[byte];
    if (kept == 0) {
      gap = true;
      continue;
    }
    if (gap && length > 0) {
      if (length + 2 > kLongest) break;  // a dash at the end would be cut again
      made[length++] = '-';
    }
    gap = false;
    if (length == kLongest) break;
    made[length++] = kept;
  }
  return std::string(made.data(), length);
}

}  // namespace

std::string slug(std::string_view title, std::string_view fallback) {
  if (auto ascii = ascii_slug(title)) return ascii->empty() ? std::string(fallback) : std::move(*ascii);
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
