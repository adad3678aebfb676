#pragma once
// The outline of a text that changes a little at a time, put together from parts. Private to this room.
//
// A part begins with a heading ("#" in the first column, below a blank line) at which cmark-gfm has no block
// open but the document: the part above was read with that line behind it, and the line came out as a heading
// outside of everything. So the parser would be in the same state with all of the text above as with none of
// it, and what it reads from there on is the same. What else reaches from one part into another (SKIP
// markers, footnotes, link definitions, conflicts) makes the whole text be read at once, each time.
//
// After a change only the parts that it touches are read, up to the next one that begins as before. A part
// whose end turns out to be inside of a block is read again with what follows, twice as much each time, so
// reading stays linear.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "markdown/outline/outline.hpp"
#include "markdown/outline/outline_reader.hpp"
#include "markdown/source_text.hpp"

namespace plankeep::markdown {

class OutlineParts {
 public:
  explicit OutlineParts(std::size_t least_part) : least_part_(least_part) {}

  /// What read_outline(source) gives, errors too.
  [[nodiscard]] base::Result<Outline> read(const SourceText& source);

  /// Bytes that cmark-gfm was given for it.
  std::size_t bytes_read() const { return bytes_read_; }

 private:
  struct Part {
    std::size_t begin = 0;
    // Behind the heading that follows; with the bytes up to here all that was read of the part is the same.
    std::size_t seen_end = 0;
    std::optional<UnsettledOutline> read;  // none: only all of the text tells
    std::size_t memory = 0;                // that its tree took
  };

  bool refresh(const SourceText& source);
  bool read_on(std::string_view text, std::size_t begin, std::vector<Part> later);
  base::Result<std::optional<Part>> read_part(std::string_view text, std::size_t begin, std::size_t end);
  bool can_be_joined() const;
  Outline joined(const SourceText& source) const;

  std::size_t least_part_;
  std::size_t bytes_read_ = 0;
  std::string text_;  // that parts_ are of
  std::size_t body_start_ = 0;
  std::vector<Part> parts_;  // each ends where the next one begins; none: nothing is known
};

}  // namespace plankeep::markdown
