#include "base/unicode/composed.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <string>

using namespace plankeep::base;

TEST_CASE("what looks the same is the same to a search, however its marks are written") {
  CHECK(composed("Cafe\u0301") == "Caf\u00E9");
  CHECK(composed("U\u0308ber den A\u0308rger") == "\u00DCber den \u00C4rger");
  CHECK(search_text("E\u0301TE\u0301") == search_text("\u00E9t\u00E9"));
  CHECK(composed("e\u0302\u0301") == "\u1EBF");  // two marks
  CHECK(composed("a\u0323\u0302") == "\u1EAD");  // one below, one above
  CHECK(composed("\u0438\u0306") == "\u0439");   // Cyrillic
  CHECK(composed("\u1112\u1161\u11AB\u1100\u1173\u11AF") == "\uD55C\uAE00");
  CHECK(composed("\u304B\u3099") == "\u304C");
}

TEST_CASE("what has no character of its own stays as it is") {
  for (const std::string& text :
       {std::string(), std::string("plain"), std::string("\u0301a"), std::string("x\u0301"),
        std::string("Caf\u00E9"), std::string("\u11A8"), std::string("\xCC"), std::string("e\xCC\x41"),
        std::string("\xE1\x80 \xFF"), std::string("e\0\u0301", 4), std::string("\u2126")}) {
    CAPTURE(text);
    CHECK(composed(text) == text);
  }
  CHECK(rc::check("any bytes", [](const std::string& text) {
    RC_ASSERT(composed(composed(text)) == composed(text));
    RC_ASSERT(composed(text).size() <= text.size() + text.size() / 2);
  }));
}
