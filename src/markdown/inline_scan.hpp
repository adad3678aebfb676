#pragma once
// Which parts of a paragraph's text are comments and which are code: the left-to-right half of CommonMark's
// inline rules (backslash escapes, code spans, autolinks, raw HTML, link destinations), without emphasis.
// Private to this room, but for Span.
//
// Why not cmark-gfm's own inlines: it follows an older rule in which a comment may not hold "--", and leaves
// such comments as text; and it tells no exact place for what stands on the second line of a paragraph. The
// rule here is that of newer CommonMark: a comment ends at the first "-->" behind "<!--" ("<!-->" and
// "<!--->" are whole comments).
//
// Linear in the text. A comment that does not end in the text is text, as in cmark.

#include <cstddef>
#include <string_view>
#include <vector>

namespace plankeep::markdown {

/// No such place in a text.
inline constexpr std::size_t kNone = std::string_view::npos;

struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

struct InlineScan {
  std::vector<Span> comments;       // from "<!--" to behind "-->"
  std::vector<Span> open_comments;  // "<!--" with no end; begin to the end of the text
  std::vector<Span> code;           // code spans that hold "<!--", with their backticks

  void clear() {
    comments.clear();
    open_comments.clear();
    code.clear();
  }
};

/// Text of a paragraph, heading or table row. `result` is emptied first; giving the same one again saves its
/// memory.
void scan_inlines(std::string_view text, InlineScan& result);

/// Content of an HTML block: comments outside tags and outside script, style and textarea (whose content is
/// `code`).
void scan_html(std::string_view html, InlineScan& result);

/// Whether anything is left that a reader sees when comments (and, for HTML, tags) are taken out.
bool has_visible_text(std::string_view text, const std::vector<Span>& comments, bool is_html);

/// End of an HTML open or closing tag that begins at `at` ("<"), npos when it is none (CommonMark 6.6).
std::size_t html_tag_end(std::string_view text, std::size_t at);

}  // namespace plankeep::markdown
