// What base/utf8 says of every code point but the surrogates: number, word character, lower case, columns.
// Input of unicode_data.py --check.

#include <cstdio>
#include <string>

#include "base/utf8.hpp"

int main() {
  using namespace plankeep::base;
  for (char32_t value = 0; value < 0x110000; ++value) {
    if (value >= 0xD800 && value <= 0xDFFF) continue;
    std::string text;
    append_utf8(text, value);
    const bool word = is_word_character(value);
    const char32_t low = to_lower(value);
    const std::size_t columns = display_width(text);
    if (!word && low == value && columns == 1) continue;
    std::printf("%u %d %u %zu\n", static_cast<unsigned>(value), word ? 1 : 0, static_cast<unsigned>(low),
                columns);
  }
}
