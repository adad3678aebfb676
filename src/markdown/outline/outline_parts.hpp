#pragma once
// The outline of a text that is edited in small steps, assembled from the outlines of its parts. Private to
// this room.
//
// A part begins at a heading ("#" in the first column, after a blank line) that is a top-level block. To make
// sure, the part before it is parsed together with the heading's line, and cmark-gfm must return that line as
// a top-level heading. The parser then has no open block there, so the text before cannot affect how the rest
// is parsed. SKIP markers, footnotes, link definitions and conflicts can affect other parts; a text with any
// of them is always read whole.
//
// After a change only the parts that it touches are read again. If the end of a part turns out to be inside a
// block, the part is read again with twice as much text, so the time stays linear.

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

  /// The same result as read_outline(source), including errors.
  [[nodiscard]] base::Result<Outline> read(const SourceText& source);

  /// How many bytes the last read() passed to cmark-gfm.
  std::size_t bytes_read() const { return bytes_read_; }

 private:
  struct Part {
    std::size_t begin = 0;
    // The end of the next part's heading. The part is still valid if no byte before this has changed.
    std::size_t seen_end = 0;
    std::optional<UnsettledOutline> read;  // nullopt: the part cannot be read by itself
    std::size_t memory = 0;                // bytes that cmark-gfm allocated for it
  };

  bool refresh(const SourceText& source);
  bool read_on(std::string_view text, std::size_t begin, std::vector<Part> later);
  base::Result<std::optional<Part>> read_part(std::string_view text, std::size_t begin, std::size_t end);
  bool can_be_joined() const;
  Outline joined(const SourceText& source) const;

  std::size_t least_part_;
  std::size_t bytes_read_ = 0;
  std::string text_;  // the text of parts_
  std::size_t body_start_ = 0;
  std::vector<Part> parts_;  // each ends where the next one begins
};

}  // namespace plankeep::markdown
