#pragma once
// Texts that break careless code: valid UTF-8 full of quotes, escapes, control characters, wide and joined
// characters.

#include <rapidcheck.h>

#include <string>
#include <vector>

namespace plankeep::test {

inline std::string hostile_text() {
  const auto piece = rc::gen::elementOf(std::vector<std::string>{"a",
                                                                 "Z",
                                                                 "7",
                                                                 " ",
                                                                 "-",
                                                                 "_",
                                                                 ".",
                                                                 "/",
                                                                 "\"",
                                                                 "\\",
                                                                 "\\u0041",
                                                                 "{",
                                                                 "}",
                                                                 "[",
                                                                 "]",
                                                                 ":",
                                                                 ",",
                                                                 "\n",
                                                                 "\r",
                                                                 "\t",
                                                                 std::string(1, '\0'),
                                                                 "\x01",
                                                                 "\x1b[31m",
                                                                 "\x1f",
                                                                 "\x7f",
                                                                 "null",
                                                                 "true",
                                                                 "-->",
                                                                 "<!--",
                                                                 "é",
                                                                 "ß",
                                                                 "\xc2\x9b",
                                                                 "e\xcc\x81",
                                                                 "计划",
                                                                 "、",
                                                                 "：",
                                                                 "テスト",
                                                                 "한글",
                                                                 "🙂",
                                                                 "👩‍💻",
                                                                 "🇩🇪",
                                                                 "\xe2\x80\xae",
                                                                 "\xe2\x80\xa8",
                                                                 "\xef\xbb\xbf",
                                                                 "\xef\xbf\xbd",
                                                                 "\xf4\x8f\xbf\xbf",
                                                                 "12345678"});
  std::string text;
  for (const std::string& part : *rc::gen::container<std::vector<std::string>>(piece)) text += part;
  return text;
}

/// Any bytes at all, with a leaning to the lead and continuation bytes of UTF-8.
inline std::string hostile_bytes() {
  const auto byte = rc::gen::oneOf(
      rc::gen::arbitrary<char>(),
      rc::gen::elementOf(std::string("\x80\xbf\xc0\xc2\xdf\xe0\xa0\xed\x9f\xef\xf0\x90\xf4\x8f\xf5\xff")),
      rc::gen::elementOf(std::string("{}[]\",:\\u09aFtn e-+.")));
  return *rc::gen::container<std::string>(byte);
}

}  // namespace plankeep::test
