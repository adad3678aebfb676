#pragma once
// Text -> Plan + diagnostics (spec 7). Pure; the same bytes give the same plan.
//
// Structure comes from cmark-gfm: containers, items, paragraphs, headings, code, HTML blocks, tables. The
// boxes, the markers and where they stand are read from the source itself, because cmark-gfm's own task list
// knows too few boxes and its inline HTML loses comments with "--". Titles are cmark's plain text of the
// paragraph.
//
// Limits, each a clear error of kind invalid_input: 64 MiB; a NUL byte among the first 8,000 (a binary file);
// block quotes and list items more than 1,000 deep, or so deep for the length of the text that reading would
// not be linear; structure that needs more than 2 GiB of memory. Everything else is read: CRLF, a byte order
// mark, ill-formed UTF-8 (diagnostic, shown as U+FFFD), NUL further on, no final newline. Never throws. Time
// linear in the input.

#include <string_view>

#include "base/result.hpp"
#include "model/plan.hpp"

namespace plankeep::markdown {

[[nodiscard]] base::Result<core::Plan> parse_plan(std::string_view bytes);

}  // namespace plankeep::markdown
