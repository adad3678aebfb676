#include "base/unicode/composed.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

#include "base/unicode/compositions.hpp"
#include "base/utf8.hpp"

namespace plankeep::base {
namespace {

// Hangul is put together by arithmetic (The Unicode Standard, 3.12).
constexpr char32_t kSyllable = 0xAC00, kInitial = 0x1100, kVowel = 0x1161, kFinal = 0x11A7;
constexpr char32_t kInitials = 19, kVowels = 21, kFinals = 28;

bool is_in(char32_t value, char32_t first, char32_t count) {
  return value >= first && value < first + count;
}

// Marks and parts of syllables, which may join what stands before them.
bool may_join(char32_t value) {
  return is_in(value, 0x300, 0x70) || value == 0x3099 || value == 0x309A || is_in(value, kVowel, kVowels) ||
         is_in(value, kFinal + 1, kFinals - 1);
}

// Their first bytes in UTF-8. Most texts have none.
bool has_any(std::string_view text) {
  text.remove_prefix(skip_ascii(text));
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return c == '\xCC' || c == '\xCD' || c == '\xE1' || c == '\xE3'; });
}

std::optional<char32_t> joined(char32_t first, char32_t second) {
  if (is_in(first, kInitial, kInitials) && is_in(second, kVowel, kVowels))
    return kSyllable + ((first - kInitial) * kVowels + (second - kVowel)) * kFinals;
  const bool open_syllable =
      is_in(first, kSyllable, kInitials * kVowels * kFinals) && (first - kSyllable) % kFinals == 0;
  if (open_syllable && is_in(second, kFinal + 1, kFinals - 1)) return first + (second - kFinal);
  const auto table = compositions();
  const auto found =
      std::lower_bound(table.begin(), table.end(), std::tuple(first, second),
                       [](const Composition& one, const std::tuple<char32_t, char32_t>& wanted) {
                         return std::tuple(one.first, one.mark) < wanted;
                       });
  if (found == table.end() || found->first != first || found->mark != second) return std::nullopt;
  return found->both;
}

}  // namespace

std::string composed(std::string_view text) {
  if (!has_any(text)) return std::string(text);
  std::string result;
  result.reserve(text.size());
  std::size_t last_at = 0;  // in `result`, of the character that may be joined
  std::optional<char32_t> last;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint next = decode_at(text, at);
    const std::string_view bytes = text.substr(at, next.length);
    at += next.length;
    const auto both = next.valid && last && may_join(next.value) ? joined(*last, next.value) : std::nullopt;
    if (both) {
      result.resize(last_at);
      append_utf8(result, *both);
      last = both;
      continue;
    }
    last_at = result.size();
    result.append(bytes);
    last = next.valid ? std::optional(next.value) : std::nullopt;
  }
  return result;
}

std::string search_text(std::string_view text) {
  std::string result;
  append_search_text(result, text);
  return result;
}

void append_search_text(std::string& out, std::string_view text) {
  if (has_any(text)) {
    append_lower(out, composed(text));
  } else {
    append_lower(out, text);
  }
}

}  // namespace plankeep::base
