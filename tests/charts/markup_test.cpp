#include "charts/markup.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "base/utf8.hpp"

namespace plankeep::charts {

TEST_CASE("text is nothing but text in HTML and SVG") {
  CHECK(markup_text("<script>alert(1)</script>") == "&lt;script&gt;alert(1)&lt;/script&gt;");
  CHECK(markup_text("\"]]> & 'x'") == "&quot;]]&gt; &amp; &#39;x&#39;");
  CHECK(markup_text("Grüße, 世界 🎉") == "Grüße, 世界 🎉");
}

TEST_CASE("what changes the direction of text, or cannot be seen, is shown by its number") {
  CHECK(markup_text("a\u202Eb\u2066c") == "a⟨U+202E⟩b⟨U+2066⟩c");
  CHECK(markup_text("\U000E0041") == "⟨U+0E0041⟩");
  CHECK(markup_text(std::string("a\0b\x1b[0m", 7)) == "a⟨U+0000⟩b⟨U+001B⟩[0m");
  CHECK(markup_text("a\tb\nc") == "a\tb\nc");
}

TEST_CASE("a long text is cut between characters") {
  CHECK(markup_text("äöü", 3) == "äöü");
  CHECK(markup_text("äöüß", 3) == "äöü…");
  CHECK(markup_text("<<<<", 2) == "&lt;&lt;…");
}

TEST_CASE("whatever the bytes are, markup is valid UTF-8 without anything that could end a text") {
  CHECK(rc::check([](const std::string& bytes) {
    const std::string text = markup_text(bytes);
    RC_ASSERT(base::find_invalid_utf8(text) == std::string::npos);
    RC_ASSERT(text.find_first_of("<>\"'\x01\x1b") == std::string::npos);
  }));
}

}  // namespace plankeep::charts
