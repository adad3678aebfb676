#include "base/utf8.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "support/hostile_text.hpp"

using namespace plankeep::base;

namespace {

constexpr std::string_view kEllipsis = "\xe2\x80\xa6";

// The grammar of RFC 3629, section 4, taken literally: the slow and obvious twin of decode_at.
std::size_t well_formed_length(std::string_view text, std::size_t at) {
  const auto in = [&](std::size_t i, unsigned first, unsigned last) {
    return at + i < text.size() && static_cast<unsigned char>(text[at + i]) >= first &&
           static_cast<unsigned char>(text[at + i]) <= last;
  };
  if (in(0, 0x00, 0x7F)) return 1;
  if (in(0, 0xC2, 0xDF) && in(1, 0x80, 0xBF)) return 2;
  if (in(0, 0xE0, 0xE0) && in(1, 0xA0, 0xBF) && in(2, 0x80, 0xBF)) return 3;
  if (in(0, 0xE1, 0xEC) && in(1, 0x80, 0xBF) && in(2, 0x80, 0xBF)) return 3;
  if (in(0, 0xED, 0xED) && in(1, 0x80, 0x9F) && in(2, 0x80, 0xBF)) return 3;
  if (in(0, 0xEE, 0xEF) && in(1, 0x80, 0xBF) && in(2, 0x80, 0xBF)) return 3;
  if (in(0, 0xF0, 0xF0) && in(1, 0x90, 0xBF) && in(2, 0x80, 0xBF) && in(3, 0x80, 0xBF)) return 4;
  if (in(0, 0xF1, 0xF3) && in(1, 0x80, 0xBF) && in(2, 0x80, 0xBF) && in(3, 0x80, 0xBF)) return 4;
  if (in(0, 0xF4, 0xF4) && in(1, 0x80, 0x8F) && in(2, 0x80, 0xBF) && in(3, 0x80, 0xBF)) return 4;
  return 0;
}

}  // namespace

TEST_CASE("Printable ASCII is told at every place of a word of eight bytes") {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{8},
                                 std::size_t{9}, std::size_t{16}, std::size_t{21}}) {
    CAPTURE(size);
    CHECK(is_printable_ascii(std::string(size, ' ')));
    CHECK(is_printable_ascii(std::string(size, '~')));
    CHECK(skip_ascii(std::string(size, '\x7f')) == size);
    for (std::size_t at = 0; at < size; ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        std::string text(size, 'x');
        text[at] = static_cast<char>(byte);
        if (is_printable_ascii(text) != (byte >= ' ' && byte <= '~')) FAIL("byte " << byte << " at " << at);
        if (skip_ascii(text) != (byte < 0x80 ? size : at)) FAIL("byte " << byte << " at " << at);
      }
    }
  }
}

TEST_CASE("Spaces at an end or in a row are seen wherever they stand") {
  for (std::size_t size = 0; size <= 40; ++size) {
    CHECK(is_single_spaced_ascii(std::string(size, 'x')));
    for (std::size_t first = 0; first < size; ++first) {
      for (std::size_t second = first; second < size; ++second) {
        std::string text(size, 'x');
        text[first] = text[second] = ' ';
        const bool single = first > 0 && second + 1 < size && second != first + 1;
        if (is_single_spaced_ascii(text) != single) FAIL("spaces at " << first << " and " << second);
      }
    }
  }
  CHECK_FALSE(is_single_spaced_ascii("a b\tc"));
  CHECK_FALSE(is_single_spaced_ascii("a long title with an umlaut: \xc3\xbc"));
}

TEST_CASE("Every code point survives writing and decoding") {
  std::size_t wrong = 0;
  for (char32_t value = 0; value < 0x110000; ++value) {
    if (value >= 0xD800 && value <= 0xDFFF) continue;
    std::string text;
    append_utf8(text, value);
    const CodePoint back = decode_at(text, 0);
    if (!back.valid || back.value != value || back.length != text.size()) ++wrong;
  }
  CHECK(wrong == 0);
}

TEST_CASE("What is no code point is written as U+FFFD") {
  for (const char32_t value :
       {char32_t{0xD800}, char32_t{0xDFFF}, char32_t{0x110000}, char32_t{0xFFFFFFFF}}) {
    std::string text;
    append_utf8(text, value);
    CHECK(text == "\xef\xbf\xbd");
  }
}

TEST_CASE("Decoding agrees with the grammar of RFC 3629 on every pair and triple of bytes") {
  std::size_t wrong = 0;
  for (unsigned a = 0; a < 256; ++a) {
    for (unsigned b = 0; b < 256; ++b) {
      for (const unsigned c : {0x00U, 0x41U, 0x7FU, 0x80U, 0xBFU, 0xC0U, 0xFFU}) {
        for (const std::string& text :
             {std::string{static_cast<char>(a)}, std::string{static_cast<char>(a), static_cast<char>(b)},
              std::string{static_cast<char>(a), static_cast<char>(b), static_cast<char>(c)},
              std::string{static_cast<char>(a), static_cast<char>(b), static_cast<char>(c), '\x80'}}) {
          const CodePoint point = decode_at(text, 0);
          const std::size_t expected = well_formed_length(text, 0);
          if (point.valid != (expected > 0) || point.length != (expected > 0 ? expected : 1)) ++wrong;
          if (!point.valid && point.value != 0xFFFD) ++wrong;
        }
      }
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("The first ill-formed byte is found and replaced, whatever stands around it") {
  CHECK(rc::check("find and repair", [] {
    const std::string text = plankeep::test::hostile_text() + plankeep::test::hostile_bytes();
    std::size_t at = 0;
    while (at < text.size() && well_formed_length(text, at) > 0) at += well_formed_length(text, at);
    RC_ASSERT(find_invalid_utf8(text) == (at < text.size() ? at : std::string_view::npos));
    const std::string repaired = to_valid_utf8(text);
    RC_ASSERT(find_invalid_utf8(repaired) == std::string_view::npos);
    RC_ASSERT(to_valid_utf8(repaired) == repaired);
    if (at == text.size()) RC_ASSERT(repaired == text);
  }));
  CHECK(to_valid_utf8("a\xff\xc3z\xe4\xb8") == "a\xef\xbf\xbd\xef\xbf\xbdz\xef\xbf\xbd\xef\xbf\xbd");
  CHECK(find_invalid_utf8(std::string(7, 'a') + "\x80") == 7);
  CHECK(find_invalid_utf8(std::string(16, 'a')) == std::string_view::npos);
}

TEST_CASE("Printable text has no control characters and no bidirectional overrides") {
  CHECK(printable("a\tb\nc") == "a b c");
  CHECK(printable("a\tb\nc\r\n", true) == "a\tb\nc\n");
  CHECK(printable("\x1b[31mred\x1b[0m\x07\x7f") == "red");
  CHECK(printable("a\xc2\x9b"
                  "b") == "ab");
  CHECK(printable("x\xe2\x80\xaey\xe2\x81\xa6z") == "xyz");
  CHECK(printable("a\xf3\xa0\x81\x81"
                  "b") == "ab");
  CHECK(printable("a\xe2\x80\xa8"
                  "b") == "a b");
  CHECK(printable(std::string_view("a\0b", 3)) == "ab");
  CHECK(printable("bad \xff byte") == "bad \xef\xbf\xbd byte");
  CHECK(printable("计划 🙂 👩‍💻") == "计划 🙂 👩‍💻");
}

TEST_CASE("Escape sequences leave nothing of themselves, and take nothing with them that is text") {
  CHECK(printable("a\x1b[1;38:5:9mb\x1b[2 qc\x1b[Kd") == "abcd");
  CHECK(printable("a\x1b]0;title\x07"
                  "b\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\") == "ablink");
  // Not finished: at the end, by a character that cannot stand there, by another sequence.
  CHECK(printable("a\x1b") == "a");
  CHECK(printable("a\x1b[") == "a[");
  CHECK(printable("a\x1b[31") == "a[31");
  CHECK(printable("a\x1b[31\nmb") == "a[31 mb");
  CHECK(printable("a\x1b[31é") == "a[31é");
  CHECK(printable("a\x1b]0;all of the rest") == "a]0;all of the rest");
  CHECK(printable("a\x1b]0;x\nb\x07") == "a]0;x b");
  CHECK(printable("a\x1b]0;x\x1b[31mb\x07") == "a]0;xb");
  // Many that are not finished cost no more than their bytes.
  std::string many;
  std::string left;
  for (int i = 0; i < 200000; ++i) many += "\x1b]", left += "]";
  CHECK(printable(many) == left);
}

TEST_CASE("Whatever goes in, printable text is valid, free of control characters, and stays as it is") {
  CHECK(rc::check("printable", [] {
    const std::string text = plankeep::test::hostile_text() + plankeep::test::hostile_bytes();
    const std::string shown = printable(text);
    RC_ASSERT(find_invalid_utf8(shown) == std::string_view::npos);
    for (std::size_t at = 0; at < shown.size();) {
      const CodePoint next = decode_at(shown, at);
      RC_ASSERT(next.value >= 0x20U && (next.value < 0x7FU || next.value >= 0xA0U));
      RC_ASSERT(next.value < 0x202AU || next.value > 0x202EU);
      at += next.length;
    }
    RC_ASSERT(printable(shown) == shown);
  }));
}

TEST_CASE("Letters, marks and digits of any script are word characters") {
  for (const char32_t value : U"azAZ09\u00e9\u00df\u0301\u4e2d\u3042\uac00\u0661\u2167\u0915\U00020000") {
    if (value == 0) continue;
    CAPTURE(static_cast<unsigned>(value));
    CHECK(is_word_character(value));
  }
  for (const char32_t value : U" -_.:/@[`{\u00d7\u3001\uff0c\u2014\u2026\U0001f642\u200d") {
    if (value == 0) continue;
    CAPTURE(static_cast<unsigned>(value));
    CHECK_FALSE(is_word_character(value));
  }
  CHECK_FALSE(is_word_character(0x110000));
}

TEST_CASE("White space is what Unicode calls so") {
  for (const char32_t value : U"\t\n\v\f\r \u0085\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000") {
    if (value != 0) CHECK(is_space(value));
  }
  for (const char32_t value : U"a0_\u200b\u2060\ufeff\u180e") {
    if (value != 0) CHECK_FALSE(is_space(value));
  }
}

TEST_CASE("Lower case follows the simple mappings of every script") {
  CHECK(to_lower("HELLO World 123") == "hello world 123");
  CHECK(to_lower("ÄÖÜẞ ΑΒΓΣ АБЯ ĀĂŹŽ Ǆ") == "äöüß αβγσ абя āăźž ǆ");
  CHECK(to_lower(U'\u0130') == U'i');
  CHECK(to_lower(U'\u00d7') == U'\u00d7');
  CHECK(to_lower(U'\U00010400') == U'\U00010428');
  CHECK(to_lower(U'\u0101') == U'\u0101');
  CHECK(to_lower("A\xff计") == "a\xff计");
  CHECK(to_lower("@AZ[`az{") == "@az[`az{");
  std::string text = "Ä";
  append_lower(text, "BÖ");
  append_lower(text, "C");
  CHECK(text == "Äböc");
}

TEST_CASE("The width of a text is the number of columns that a terminal gives it") {
  struct Case {
    std::string_view text;
    std::size_t width;
  };
  for (const Case& c : std::vector<Case>{
           {"", 0},
           {"abc", 3},
           {"é", 1},
           {"e\xcc\x81", 1},  // combining acute
           {"计划", 4},
           {"「完成」、", 10},
           {"：", 2},   // full-width colon
           {"ﾃｽﾄ", 3},  // half-width katakana
           {"テスト", 6},
           {"한글", 4},
           {"\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab",
            2},  // the same kind of syllable from three conjoining parts
           {"🙂", 2},
           {"✅", 2},
           {"✓", 1},
           {"❤", 1},
           {"❤\xef\xb8\x8f", 2},  // made an emoji by U+FE0F
           {"⚠\xef\xb8\x8f done", 7},
           {"ℹ\xef\xb8\x8f", 2},
           {"a\xef\xb8\x8f", 1},              // which does nothing to a letter
           {"1\xef\xb8\x8f\xe2\x83\xa3", 2},  // keycap
           {"👩‍💻", 2},                // woman, joiner, laptop
           {"👨‍👩‍👧‍👦", 2},  // a family of four
           {"👩‍❤\xef\xb8\x8f‍👨", 2},
           {"🏳\xef\xb8\x8f‍🌈", 2},
           {"👍🏽", 2},  // with a skin tone
           {"🧑🏽‍🚀!", 3},
           {"🇩🇪", 2},    // one flag
           {"🇩🇪🇫🇷", 4},  // two flags
           {"🇩🇪🇫", 4},   // a flag and half of one
           {"🙂🙂", 4},
           {"क्‍ष", 2},  // a joiner between letters joins no emoji
           {"\xe2\x80\x8b", 0},  // zero width space
           {"a\xff"
            "b",
            3},  // an ill-formed byte shows as one replacement character
           {"…", 1},
           {"──█░", 4},
       }) {
    CAPTURE(c.text);
    CHECK(display_width(c.text) == c.width);
  }
}

TEST_CASE("A text is cut to a width with an ellipsis that counts") {
  CHECK(fit_to_width("hello", 5) == "hello");
  CHECK(fit_to_width("hello!", 5) == "hell…");
  CHECK(fit_to_width("hello", 1) == "…");
  CHECK(fit_to_width("hello", 0).empty());
  CHECK(fit_to_width("", 0).empty());
  CHECK(fit_to_width("计划书", 6) == "计划书");
  CHECK(fit_to_width("计划书", 5) == "计划…");
  CHECK(fit_to_width("计划书", 4) == "计…");
  CHECK(fit_to_width("a👩‍💻b", 3) == "a…");
  CHECK(fit_to_width("e\xcc\x81"
                     "e\xcc\x81"
                     "e\xcc\x81",
                     2) == "e\xcc\x81…");
}

TEST_CASE("A text is cut to a number of bytes at a character") {
  CHECK(fit_to_bytes("hello", 5) == "hello");
  CHECK(fit_to_bytes("hello!", 5) == "he…");
  CHECK(fit_to_bytes("计划书", 9) == "计划书");
  CHECK(fit_to_bytes("计划书", 8) == "计…");
  CHECK(fit_to_bytes("计划书", 6) == "计…");
  CHECK(fit_to_bytes("计划书", 5) == "…");
  CHECK(fit_to_bytes("hello", 3) == "…");
  CHECK(fit_to_bytes("hello", 2).empty());
  CHECK(fit_to_bytes("", 0).empty());
}

TEST_CASE("A cut text never exceeds its limit, is a prefix, and a text that fits is whole") {
  CHECK(rc::check("cuts", [] {
    const std::string text = plankeep::test::hostile_text();
    const auto limit = *rc::gen::inRange<std::size_t>(0, 40);
    const std::string narrow = fit_to_width(text, limit);
    RC_ASSERT(display_width(narrow) <= limit);
    if (display_width(text) <= limit) RC_ASSERT(narrow == text);
    const std::string brief = fit_to_bytes(text, limit);
    RC_ASSERT(brief.size() <= limit);
    RC_ASSERT((brief == text) == (text.size() <= limit));
    for (const std::string& cut : {narrow, brief}) {
      RC_ASSERT(find_invalid_utf8(cut) == std::string_view::npos);
      if (cut == text || cut.empty()) continue;
      RC_ASSERT(cut.ends_with(kEllipsis));
      RC_ASSERT(text.starts_with(cut.substr(0, cut.size() - kEllipsis.size())));
    }
  }));
}
