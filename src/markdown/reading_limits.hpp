#pragma once
// What keeps reading linear whatever the input. Private to this room.

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "markdown/source_text.hpp"

namespace plankeep::markdown {

/// invalid_input: the text is too large for a plan, or binary.
[[nodiscard]] base::Status check_text(std::string_view bytes);

/// Deepest nesting of block quotes and list items that is read; 256 must be (spec 7.11).
inline constexpr std::int64_t kDeepest = 1000;

/// invalid_input when block quotes and list items are nested more than kDeepest deep (estimated from the
/// line's own prefix: each quote and list marker is one, each two columns of indentation are one), or so deep
/// for so many lines that cmark's walk over the open containers at every line would outgrow the text.
[[nodiscard]] base::Status check_nesting(const SourceText& source);

/// A copy of the text for cmark, see cmark_document.hpp; empty when the text can be taken as it is.
std::string neutralised(std::string_view body);

}  // namespace plankeep::markdown
