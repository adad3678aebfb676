#include "rules/matching/title_likeness.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "base/unicode/composed.hpp"
#include "base/utf8.hpp"

namespace plankeep::core {

CharacterPairs pairs_of(std::string_view text) {
  const std::string title = base::composed(text);
  CharacterPairs pairs;
  char32_t before = 0;
  for (std::size_t at = 0; at < title.size();) {
    const base::CodePoint next = base::decode_at(title, at);
    at += next.length;
    const char32_t c = base::to_lower(next.value);
    if (before != 0) pairs.push_back((static_cast<std::uint64_t>(before) << 32U) | c);
    before = c;
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

double dice(const CharacterPairs& a, const CharacterPairs& b) {
  if (a.empty() || b.empty()) return 0;
  std::size_t common = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j]) {
      ++common;
      ++i;
      ++j;
    } else if (a[i] < b[j]) {
      ++i;
    } else {
      ++j;
    }
  }
  return 2.0 * static_cast<double>(common) / static_cast<double>(a.size() + b.size());
}

bool continues(std::string_view earlier, std::string_view later) {
  if (earlier.empty() || later.size() <= earlier.size() || !later.starts_with(earlier)) return false;
  const char next = later[earlier.size()];
  return !base::is_letter(next) && !base::is_digit(next) && static_cast<unsigned char>(next) < 0x80;
}

}  // namespace plankeep::core
