#include "base/heading_number.hpp"

#include <algorithm>
#include <array>

#include "base/utf8.hpp"

namespace plankeep::base {
namespace {

constexpr std::size_t kMostWords = 3;
constexpr char32_t kOrdinal = U'第';
constexpr std::u32string_view kChineseNumerals = U"〇零一二两三四五六七八九十百";
constexpr std::u32string_view kEnders = U".:)、．：）";
constexpr std::u32string_view kDashes = U"-–—";
constexpr std::u32string_view kJoints = U"-–—.:_·";

// The zeros of Unicode 14 (general category Nd); the other nine digits of a script follow its zero.
constexpr std::array<char32_t, 66> kZeros{
    0x30,    0x660,   0x6F0,   0x7C0,   0x966,   0x9E6,   0xA66,   0xAE6,   0xB66,   0xBE6,   0xC66,
    0xCE6,   0xD66,   0xDE6,   0xE50,   0xED0,   0xF20,   0x1040,  0x1090,  0x17E0,  0x1810,  0x1946,
    0x19D0,  0x1A80,  0x1A90,  0x1B50,  0x1BB0,  0x1C40,  0x1C50,  0xA620,  0xA8D0,  0xA900,  0xA9D0,
    0xA9F0,  0xAA50,  0xABF0,  0xFF10,  0x104A0, 0x10D30, 0x11066, 0x110F0, 0x11136, 0x111D0, 0x112F0,
    0x11450, 0x114D0, 0x11650, 0x116C0, 0x11730, 0x118E0, 0x11950, 0x11C50, 0x11D50, 0x11DA0, 0x16A60,
    0x16AC0, 0x16B50, 0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6, 0x1E140, 0x1E2F0, 0x1E950, 0x1FBF0};

bool is_one_of(char32_t c, std::u32string_view set) {
  return set.find(c) != std::u32string_view::npos;
}

bool is_digit(char32_t c) {
  const auto after = std::upper_bound(kZeros.begin(), kZeros.end(), c);
  return after != kZeros.begin() && c - *std::prev(after) < 10;
}

// The first block of variation selectors only, as in a keycap. A selector of the second block (an ideograph's
// variant) belongs to its word.
bool is_emoji_selector(char32_t c) {
  return c >= 0xFE00 && c <= 0xFE0F;
}

bool is_word(char32_t c) {
  return base::is_word_character(c) && !is_digit(c) && !is_emoji_selector(c);
}

class Title {
 public:
  explicit Title(std::string_view text) : text_(text) {}

  std::optional<std::string> words_before_number() {
    while (!at_end() && !is_word(here()) && !is_digit(here())) step();
    std::string words;
    for (std::size_t count = 0;; ++count) {
      if (is_number(at_, count > 0 && last_ == kOrdinal)) return words;
      if (count == kMostWords || at_end()) return std::nullopt;
      const std::string word = take_word();
      if (word.empty()) return std::nullopt;
      if (!words.empty()) words += ' ';
      words += word;
      pass_joint();
    }
  }

  std::optional<std::uint64_t> number() {
    constexpr std::uint64_t kMost = 1'000'000;
    if (!words_before_number() || at_end() || !is_digit(here())) return std::nullopt;
    std::uint64_t number = 0;
    for (; !at_end() && is_digit(here()); step()) {
      number = number * 10 + (here() - *std::prev(std::upper_bound(kZeros.begin(), kZeros.end(), here())));
      if (number > kMost) return std::nullopt;
    }
    // "2a" and "2.1" are numbers of their own.
    const bool below = !at_end() && here() == U'.' && behind(at_) < text_.size() && is_digit(at(behind(at_)));
    return below || (!at_end() && is_word(here())) ? std::nullopt : std::optional(number);
  }

  std::string_view without_number() {
    const std::string_view all = text_;
    const auto words = words_before_number();
    if (!words) return all;
    at_ = run(at_, [](char32_t c) { return is_digit(c) || c == U'.' || is_one_of(c, kChineseNumerals); });
    pass_space();
    const auto is_sign = [](char32_t c) { return is_one_of(c, kEnders) || is_one_of(c, kJoints); };
    const std::size_t behind_signs = run(at_, is_sign);
    if (!words->empty() && behind_signs == at_) return all;
    at_ = behind_signs;
    pass_space();
    return at_end() ? all : all.substr(at_);
  }

 private:
  bool at_end() const { return at_ >= text_.size(); }
  char32_t at(std::size_t place) const { return base::decode_at(text_, place).value; }
  std::size_t behind(std::size_t place) const { return place + base::decode_at(text_, place).length; }
  char32_t here() const { return at(at_); }
  void step() { at_ = behind(at_); }

  // In lower case; ends where a number begins that needs nothing in front of it.
  std::string take_word() {
    std::string word;
    while (!at_end() && is_word(here())) {
      const bool numeral =
          !word.empty() && is_one_of(here(), kChineseNumerals) && !is_one_of(last_, kChineseNumerals);
      if (numeral && is_number(at_, last_ == kOrdinal)) break;
      last_ = here();
      base::append_utf8(word, base::to_lower(last_));
      step();
    }
    return word;
  }

  void pass_space() {
    while (!at_end() && base::is_space(here())) step();
  }

  void pass_joint() {
    pass_space();
    if (!at_end() && is_one_of(here(), kJoints)) step();
    pass_space();
    if (!at_end() && here() == U'#') step();
    pass_space();
  }

  bool is_number(std::size_t place, bool ordinal) const {
    if (place >= text_.size()) return false;
    if (is_digit(at(place))) return true;
    const std::size_t chinese = run(place, [](char32_t c) { return is_one_of(c, kChineseNumerals); });
    if (chinese > place)
      return ordinal || chinese >= text_.size() || base::is_space(at(chinese)) || ends(chinese);
    const std::size_t roman = run(place, [](char32_t c) { return c == U'I' || c == U'V' || c == U'X'; });
    if (roman > place && is_set_off(roman)) return true;
    const bool letter = at(place) >= U'A' && at(place) <= U'Z';
    return letter && is_set_off(place + 1);
  }

  template <class Belongs>
  std::size_t run(std::size_t place, const Belongs& belongs) const {
    while (place < text_.size() && belongs(at(place))) place = behind(place);
    return place;
  }

  bool ends(std::size_t place) const { return is_one_of(at(place), kEnders); }

  bool is_set_off(std::size_t place) const {
    if (place >= text_.size() || ends(place)) return true;
    const std::size_t next = run(place, [](char32_t c) { return base::is_space(c); });
    return next >= text_.size() || (next > place && is_one_of(at(next), kDashes));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  char32_t last_ = 0;  // of the words
};

}  // namespace

std::optional<std::string> words_before_number(std::string_view title) {
  return Title(title).words_before_number();
}

std::optional<std::uint64_t> number_of(std::string_view title) {
  return Title(title).number();
}

std::string_view without_number(std::string_view title) {
  return Title(title).without_number();
}

}  // namespace plankeep::base
