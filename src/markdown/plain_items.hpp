#pragma once
// Items that are nothing but a box, plain words and comments, as most lines of most plans are:
//
//   - [ ] Draw the map <!-- TASK: map -->
//
// What they say is read off their line; cmark-gfm's inline parser, which would make half a dozen nodes of
// each and throw most of them away, gets them without the characters that it would stop at. Private to this
// room.

#include <string>
#include <string_view>
#include <vector>

#include "markdown/inline_scan.hpp"

namespace plankeep::markdown {

/// Whether `text`, of one line, is plain words and whole comments only: nothing that inline Markdown gives a
/// meaning outside of the comments. If so, `scan` is what scan_inlines would find; else it is left empty.
bool scan_plain(std::string_view text, InlineScan& scan);

/// The words of such a text without its comments, white space folded.
std::string plain_title(std::string_view text, const std::vector<Span>& comments);

/// Takes out of `lines`, whole lines of a plan, "[" and "]" of boxes and "<!" of comments in items that
/// scan_plain knows and whose text is surely a paragraph of its own. Lengths, lines and blocks stay as they
/// are.
///
/// Surely: the item stands below a blank line, or below another such item as a sibling of it or of an item
/// around it, or as its child; and a blank line or an item in such a place follows. Then no other line can
/// belong to its paragraph, and it cannot be a line of another one (in code and HTML blocks the text is not
/// cmark's to read). `first`: nothing but a blank line stands before `lines`; the end counts as no blank
/// line.
void mask_plain_items(std::string& lines, bool first);

}  // namespace plankeep::markdown
