#pragma once
// The one loop that JsonReader and JsonWriter share. For those two only.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace plankeep::base {

/// The first byte at or behind `at` that needs a look inside a JSON string: a quote, a backslash, a control
/// character, DEL, or a byte that is no ASCII; the size when there is none. Eight bytes at a time, because a
/// large state.json is mostly such text.
inline std::size_t end_of_plain(std::string_view text, std::size_t at) {
  constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
  constexpr std::uint64_t kHighBits = 0x8080808080808080ULL;
  const auto marks_zero_bytes = [](std::uint64_t word) { return (word - kOnes) & ~word; };
  while (at + 8 <= text.size()) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, sizeof word);
    const std::uint64_t control = (word - kOnes * 0x20) & ~word;
    const std::uint64_t found =
        (word | control | marks_zero_bytes(word ^ (kOnes * '"')) | marks_zero_bytes(word ^ (kOnes * '\\')) |
         marks_zero_bytes(word ^ (kOnes * 0x7f))) &
        kHighBits;
    if (found != 0) {
      // A borrow marks only bytes above one that is rightly marked, so the lowest mark is true.
      if constexpr (std::endian::native == std::endian::little) {
        return at + static_cast<std::size_t>(std::countr_zero(found)) / 8;
      }
      break;
    }
    at += 8;
  }
  for (; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte < 0x20 || byte >= 0x7f || byte == '"' || byte == '\\') break;
  }
  return at;
}

}  // namespace plankeep::base
