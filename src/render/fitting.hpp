#pragma once
// What becomes of a line that has no room on the terminal: only titles are cut; ids, paths and commands never
// are, because people copy them (spec 9.3). Texts are safe for a terminal already.

#include <cstddef>
#include <string>
#include <string_view>

namespace plankeep::render {

/// `text` with `title` behind it, cut to what `columns` leave, or to kNarrowTitle (recorded/log). An empty
/// title adds nothing.
std::string with_title(std::string text, std::string_view title, std::size_t columns);

/// What a text begins with. An id that is wider than the line is left whole.
enum class Begins { with_words, with_id };

/// `words` on as many lines of `columns` as it takes, with the last one's line feed. The further ones are
/// indented by `indent`, which the first one has in front of it already.
std::string wrapped(std::string_view words, std::size_t columns, std::size_t indent,
                    Begins begins = Begins::with_words);

}  // namespace plankeep::render
