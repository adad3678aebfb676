#include "markdown/inline_scan.hpp"

#include <catch2/catch.hpp>
#include <string>

using plankeep::markdown::has_visible_text;
using plankeep::markdown::InlineScan;
using plankeep::markdown::Span;

namespace {

std::vector<std::string> texts(std::string_view text, const std::vector<Span>& spans) {
  std::vector<std::string> result;
  for (const Span& span : spans) result.emplace_back(text.substr(span.begin, span.end - span.begin));
  return result;
}

std::vector<std::string> comments(std::string_view text) {
  InlineScan scan;
  plankeep::markdown::scan_inlines(text, scan);
  return texts(text, scan.comments);
}

std::vector<std::string> html_comments(std::string_view text) {
  InlineScan scan;
  plankeep::markdown::scan_html(text, scan);
  return texts(text, scan.comments);
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("a comment ends at the first end mark, dashes and all") {
  CHECK(comments("a <!-- b --> c") == Texts{"<!-- b -->"});
  CHECK(comments("<!-- a -- b --->") == Texts{"<!-- a -- b --->"});
  CHECK(comments("<!--> <!---> <!-- x -->") == Texts{"<!-->", "<!--->", "<!-- x -->"});
  CHECK(comments("<!-- a <!-- b --> c -->") == Texts{"<!-- a <!-- b -->"});
  CHECK(comments("<!-- never").empty());
}

TEST_CASE("code spans, escapes, tags and link destinations hide comments") {
  CHECK(comments("`<!-- a -->` <!-- b -->") == Texts{"<!-- b -->"});
  CHECK(comments("``a ` <!-- a -->`` x").empty());
  CHECK(comments("a ` b <!-- a -->") == Texts{"<!-- a -->"});
  CHECK(comments("\\<!-- a -->").empty());
  CHECK(comments("\\`<!-- a -->`") == Texts{"<!-- a -->"});
  CHECK(comments("<a title=\"<!-- a -->\">x</a>").empty());
  CHECK(comments("[x](<!-- a -->) y").empty());
  CHECK(comments("![x](<!-- a -->) y").empty());
  CHECK(comments("[x <!-- a -->](y)") == Texts{"<!-- a -->"});
  CHECK(comments("(<!-- a -->)") == Texts{"<!-- a -->"});
  CHECK(comments("[a [b](c) d](<!-- e -->)") == Texts{"<!-- e -->"});
  CHECK(comments("<?php <!-- a --> ?>").empty());
  CHECK(comments("<![CDATA[<!-- a -->]]>").empty());
  CHECK(comments("<https://example.org/<!-- a -->") == Texts{"<!-- a -->"});
}

TEST_CASE("a backtick inside a comment opens no code span") {
  CHECK(comments("<!-- use `x --> and ` <!-- y -->") == Texts{"<!-- use `x -->", "<!-- y -->"});
}

TEST_CASE("HTML hides comments in scripts, styles and attributes") {
  CHECK(html_comments("<div>\n<!-- a -->\n</div>") == Texts{"<!-- a -->"});
  CHECK(html_comments("<script>\n<!-- a -->\n</script><!-- b -->") == Texts{"<!-- b -->"});
  CHECK(html_comments("<STYLE>x<!-- a --></sTyle ><!-- b -->") == Texts{"<!-- b -->"});
  CHECK(html_comments("<pre><!-- a --></pre>") == Texts{"<!-- a -->"});
  CHECK(html_comments("<p title='<!-- a -->'><!-- b -->") == Texts{"<!-- b -->"});
}

TEST_CASE("a text of comments and blanks has nothing to see") {
  const auto visible = [](std::string_view text) {
    InlineScan scan;
    plankeep::markdown::scan_inlines(text, scan);
    return has_visible_text(text, scan.comments, false);
  };
  CHECK_FALSE(visible(""));
  CHECK_FALSE(visible(" <!-- a --> \n<!-- b -->"));
  CHECK(visible("<!-- a --> b"));
  CHECK(visible("<!-- a"));
}

TEST_CASE("many openings that never close are scanned in one pass") {
  // Quadratic scanning of a megabyte would not end within the time limit of this test program.
  for (const std::string piece :
       {"<!-- a ", "<?", "<![CDATA[", "<!A ", "`a ``", "[", "](", "<a b='", "<a "}) {
    std::string text;
    while (text.size() < 1'000'000) text += piece;
    InlineScan scan;
    plankeep::markdown::scan_inlines(text, scan);
    plankeep::markdown::scan_html(text, scan);
    CHECK(scan.comments.empty());
  }
}
