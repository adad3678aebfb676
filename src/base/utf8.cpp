#include "base/utf8.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

#include "base/unicode_data.hpp"

namespace plankeep::base {
namespace {

constexpr char32_t kReplacement = 0xFFFD;
constexpr std::string_view kReplacementBytes = "\xEF\xBF\xBD";
constexpr std::string_view kEllipsis = "\xE2\x80\xA6";
constexpr char32_t kJoiner = 0x200D;
constexpr char32_t kAsEmoji = 0xFE0F;  // variation selector 16
constexpr char32_t kKeycap = 0x20E3;

unsigned char byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

bool is_continuation(std::string_view text, std::size_t at) {
  return at < text.size() && (byte_at(text, at) & 0xC0U) == 0x80U;
}

constexpr std::uint64_t kHighBits = 0x8080808080808080ULL;
constexpr std::uint64_t kOnes = 0x0101010101010101ULL;

std::uint64_t word_at(std::string_view text, std::size_t at) {
  std::uint64_t word = 0;
  std::memcpy(&word, text.data() + at, sizeof word);
  return word;
}

char32_t six_bits(std::string_view text, std::size_t at) {
  return byte_at(text, at) & 0x3FU;
}

bool contains(std::span<const CodePointRange> ranges, char32_t value) {
  const auto after =
      std::upper_bound(ranges.begin(), ranges.end(), value,
                       [](char32_t v, const CodePointRange& range) { return v < range.first; });
  return after != ranges.begin() && value <= (after - 1)->last;
}

std::size_t width_of(char32_t value) {
  if (value < 0x300) return 1;  // before the first combining mark and the first wide character
  if (contains(zero_width_ranges(), value)) return 0;
  return contains(wide_ranges(), value) ? 2 : 1;
}

bool is_regional_indicator(char32_t value) {
  return value >= 0x1F1E6 && value <= 0x1F1FF;
}
bool is_skin_tone(char32_t value) {
  return value >= 0x1F3FB && value <= 0x1F3FF;
}

// Whether U+FE0F behind it asks for a picture. Letters and digits take that selector without effect, but for
// the information sign, which Unicode calls a letter.
bool can_be_emoji(char32_t value) {
  return value >= 0xA9 && (value == 0x2139 || !is_word_character(value));
}

// What a terminal draws as one: a character with all that combines with it.
struct Cluster {
  std::size_t length = 0;
  std::size_t width = 0;
};

Cluster cluster_at(std::string_view text, std::size_t begin) {
  const CodePoint base = decode_at(text, begin);
  Cluster cluster{base.length, width_of(base.value)};
  const bool pictorial = cluster.width > 0 && can_be_emoji(base.value);
  bool joined = false;  // the character before was a joiner
  bool flag = is_regional_indicator(base.value);
  while (begin + cluster.length < text.size()) {
    const std::size_t at = begin + cluster.length;
    if (byte_at(text, at) < 0x80) break;  // no ASCII character combines
    const CodePoint next = decode_at(text, at);
    if (!next.valid) break;
    if (next.value == kAsEmoji && pictorial && !joined) cluster.width = 2;
    // "1", U+FE0F, U+20E3 is the picture of a key.
    if (next.value == kKeycap && base.value < 0x80 && cluster.length > base.length) cluster.width = 2;
    const bool toned = pictorial && is_skin_tone(next.value);
    if (toned && !joined) cluster.width = 2;
    const bool part = toned || (flag && is_regional_indicator(next.value)) ||
                      (joined && pictorial && can_be_emoji(next.value)) || width_of(next.value) == 0;
    if (!part) break;
    flag = false;
    joined = next.value == kJoiner;
    cluster.length += next.length;
  }
  return cluster;
}

}  // namespace

CodePoint decode_long_at(std::string_view text, std::size_t at) {
  constexpr CodePoint kIllFormed{kReplacement, 1, false};
  const char32_t lead = byte_at(text, at);
  if (lead < 0xC2 || !is_continuation(text, at + 1)) return kIllFormed;
  if (lead < 0xE0) return {((lead & 0x1FU) << 6U) | six_bits(text, at + 1), 2, true};
  if (!is_continuation(text, at + 2)) return kIllFormed;
  if (lead < 0xF0) {
    const char32_t value = ((lead & 0x0FU) << 12U) | (six_bits(text, at + 1) << 6U) | six_bits(text, at + 2);
    if (value < 0x800 || (value >= 0xD800 && value <= 0xDFFF)) return kIllFormed;
    return {value, 3, true};
  }
  if (lead > 0xF4 || !is_continuation(text, at + 3)) return kIllFormed;
  const char32_t value = ((lead & 0x07U) << 18U) | (six_bits(text, at + 1) << 12U) |
                         (six_bits(text, at + 2) << 6U) | six_bits(text, at + 3);
  if (value < 0x10000 || value > 0x10FFFF) return kIllFormed;
  return {value, 4, true};
}

void append_utf8(std::string& text, char32_t value) {
  if (value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) value = kReplacement;
  const auto continuation = [&text](char32_t bits) {
    text.push_back(static_cast<char>(0x80U | (bits & 0x3FU)));
  };
  if (value < 0x80) {
    text.push_back(static_cast<char>(value));
  } else if (value < 0x800) {
    text.push_back(static_cast<char>(0xC0U | (value >> 6U)));
    continuation(value);
  } else if (value < 0x10000) {
    text.push_back(static_cast<char>(0xE0U | (value >> 12U)));
    continuation(value >> 6U);
    continuation(value);
  } else {
    text.push_back(static_cast<char>(0xF0U | (value >> 18U)));
    continuation(value >> 12U);
    continuation(value >> 6U);
    continuation(value);
  }
}

std::size_t find_invalid_utf8(std::string_view text) {
  for (std::size_t at = skip_ascii(text, 0); at < text.size();) {
    const CodePoint next = decode_at(text, at);
    if (!next.valid) return at;
    at += next.length;
    if (at < text.size() && byte_at(text, at) < 0x80) at = skip_ascii(text, at);
  }
  return std::string_view::npos;
}

std::string to_valid_utf8(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t bad = find_invalid_utf8(text);
    result.append(text.substr(0, bad));
    if (bad == std::string_view::npos) break;
    result.append(kReplacementBytes);
    text.remove_prefix(bad + 1);
  }
  return result;
}

namespace {

constexpr char32_t kEscape = 0x1B;

bool in_range(std::string_view text, std::size_t at, unsigned char first, unsigned char last) {
  return at < text.size() && static_cast<unsigned char>(text[at]) >= first &&
         static_cast<unsigned char>(text[at]) <= last;
}

// Behind the whole CSI sequence (ECMA-48) whose parameters begin at `at`; npos: it is not finished.
std::size_t csi_end(std::string_view text, std::size_t at) {
  while (in_range(text, at, 0x30, 0x3F)) ++at;
  while (in_range(text, at, 0x20, 0x2F)) ++at;
  return in_range(text, at, 0x40, 0x7E) ? at + 1 : std::string_view::npos;
}

// Behind the whole OSC sequence whose text begins at `at`: it ends with BEL or ST, and holds no other control
// character. So the next sequence ends a look at one that is not finished, and many of them take no longer.
std::size_t osc_end(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const CodePoint next = decode_at(text, at);
    at += next.length;
    if (next.value == '\a' || next.value == 0x9C) return at;
    if (next.value == kEscape) return text.substr(at, 1) == "\\" ? at + 1 : std::string_view::npos;
    if (next.value < 0x20 || (next.value >= 0x7F && next.value < 0xA0)) break;
  }
  return std::string_view::npos;
}

// Behind the whole CSI or OSC sequence that the control character in front of `at` begins; npos: it begins
// none, or one that is not finished. U+009B and U+009D begin them too, but in a text they are most likely
// characters of another encoding.
std::size_t sequence_end(std::string_view text, char32_t control, std::size_t at) {
  if (control != kEscape || at == text.size()) return std::string_view::npos;
  if (text[at] == '[') return csi_end(text, at + 1);
  if (text[at] == ']') return osc_end(text, at + 1);
  return std::string_view::npos;
}

}  // namespace

std::string printable(std::string_view text, bool keep_lines) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint next = decode_at(text, at);
    const std::string_view bytes = text.substr(at, next.length);
    at += next.length;
    const char32_t value = next.value;
    if (value == '\t' || value == '\n') {
      result.push_back(keep_lines ? static_cast<char>(value) : ' ');
    } else if (value == 0x2028 || value == 0x2029) {
      result.push_back(keep_lines ? '\n' : ' ');
    } else if (value < 0x20 || (value >= 0x7F && value < 0xA0) || (value >= 0x202A && value <= 0x202E) ||
               (value >= 0x2066 && value <= 0x2069) || (value >= 0xE0000 && value <= 0xE007F)) {
      if (const std::size_t end = sequence_end(text, value, at); end != std::string_view::npos) at = end;
    } else {
      result.append(next.valid ? bytes : kReplacementBytes);
    }
  }
  return result;
}

bool is_word_character(char32_t value) {
  if (value < 0x80) {
    return (value >= 'a' && value <= 'z') || (value >= 'A' && value <= 'Z') || (value >= '0' && value <= '9');
  }
  return contains(word_ranges(), value);
}

bool is_space(char32_t value) {
  return value == ' ' || (value >= 0x09 && value <= 0x0D) || value == 0x85 || value == 0xA0 ||
         value == 0x1680 || (value >= 0x2000 && value <= 0x200A) || value == 0x2028 || value == 0x2029 ||
         value == 0x202F || value == 0x205F || value == 0x3000;
}

char32_t to_lower(char32_t value) {
  if (value < 0x80) return value >= 'A' && value <= 'Z' ? value + ('a' - 'A') : value;
  const std::span<const CaseRange> ranges = lower_case_ranges();
  const auto after = std::upper_bound(ranges.begin(), ranges.end(), value,
                                      [](char32_t v, const CaseRange& range) { return v < range.first; });
  if (after == ranges.begin()) return value;
  const CaseRange& range = *(after - 1);
  if (value > range.last || (value - range.first) % static_cast<char32_t>(range.stride) != 0) return value;
  return static_cast<char32_t>(static_cast<std::int32_t>(value) + range.delta);
}

std::string to_lower(std::string_view text) {
  std::string result;
  append_lower(result, text);
  return result;
}

void append_lower(std::string& result, std::string_view text) {
  // Most texts are ASCII, and compilers vectorize a loop without branches.
  const std::size_t before = result.size();
  result.append(text);
  unsigned all = 0;
  for (char& c : std::span(result).subspan(before)) {
    all |= static_cast<unsigned char>(c);
    c = static_cast<char>(c + (c >= 'A' && c <= 'Z' ? 'a' - 'A' : 0));
  }
  if (all < 0x80) return;
  result.resize(before);
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint next = decode_at(text, at);
    if (next.valid) {
      append_utf8(result, to_lower(next.value));
    } else {
      result.push_back(text[at]);
    }
    at += next.length;
  }
}

std::size_t skip_ascii(std::string_view text, std::size_t at) {
  while (at + sizeof(std::uint64_t) <= text.size() && (word_at(text, at) & kHighBits) == 0)
    at += sizeof(std::uint64_t);
  while (at < text.size() && byte_at(text, at) < 0x80) ++at;
  return at;
}

bool is_printable_ascii(std::string_view text) {
  std::size_t at = 0;
  for (; at + sizeof(std::uint64_t) <= text.size(); at += sizeof(std::uint64_t)) {
    const std::uint64_t word = word_at(text, at);
    // One more than "~" or less leaves the highest bit of its byte clear; " " can be taken from every byte
    // that is no control character.
    const std::uint64_t above = (word + kOnes) | word;
    const std::uint64_t below = (word | kHighBits) - kOnes * ' ';
    if (((above | ~below) & kHighBits) != 0) return false;
  }
  return std::all_of(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(),
                     [](char c) { return c >= ' ' && c <= '~'; });
}

bool is_single_spaced_ascii(std::string_view text) {
  if (!is_printable_ascii(text) || text.starts_with(' ') || text.ends_with(' ')) return false;
  std::size_t at = 0;
  for (; at + sizeof(std::uint64_t) < text.size(); at += sizeof(std::uint64_t)) {
    // A byte of this is 0 where a space is followed by another; no byte has its highest bit set.
    const std::uint64_t other = (word_at(text, at) ^ (kOnes * ' ')) | (word_at(text, at + 1) ^ (kOnes * ' '));
    if ((~(other + (kHighBits - kOnes)) & kHighBits) != 0) return false;
  }
  return text.find("  ", at) == std::string_view::npos;
}

std::size_t display_width(std::string_view text) {
  if (is_printable_ascii(text)) return text.size();
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Cluster cluster = cluster_at(text, at);
    width += cluster.width;
    at += cluster.length;
  }
  return width;
}

std::string fit_to_width(std::string_view text, std::size_t columns) {
  if (columns > 0 && is_printable_ascii(text)) {
    if (text.size() <= columns) return std::string(text);
    return std::string(text.substr(0, columns - 1)).append(kEllipsis);
  }
  std::size_t width = 0;
  std::size_t cut = 0;  // as far as the text goes when an ellipsis has to follow
  for (std::size_t at = 0; at < text.size();) {
    const Cluster cluster = cluster_at(text, at);
    width += cluster.width;
    if (width > columns) {
      return columns == 0 ? std::string() : std::string(text.substr(0, cut)).append(kEllipsis);
    }
    at += cluster.length;
    if (width + 1 <= columns) cut = at;
  }
  return std::string(text);
}

std::string fit_to_bytes(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return std::string(text);
  if (bytes < kEllipsis.size()) return {};
  // A character has at most four bytes: its beginning is near. Bytes that belong to none may be cut anywhere.
  std::size_t cut = bytes - kEllipsis.size();
  for (std::size_t back = 1; back <= 3 && back <= cut; ++back) {
    const CodePoint last = decode_at(text, cut - back);
    if (last.valid && last.length > back) {
      cut -= back;
      break;
    }
  }
  return std::string(text.substr(0, cut)).append(kEllipsis);
}

}  // namespace plankeep::base
