#pragma once
// One text parsed by cmark-gfm, with everything that keeps it in bounds. The only header that shows cmark
// types; private to this room.
//
// What cmark gets is the body of the plan with, byte for byte: NUL and ill-formed UTF-8 as U+001A
// (kPlaceholder, which comes out of plain_text as U+FFFD), and in paragraphs with very many special
// characters those beyond the first 256 as letters, since cmark-gfm 0.29.0.gfm.6 takes quadratic time for
// some of them. Lengths and lines never change, so positions hold; only titles of such paragraphs lose their
// emphasis.

#include <cmark-gfm.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "markdown/cmark_arena.hpp"
#include "markdown/source_text.hpp"

namespace plankeep::markdown {

inline constexpr char kPlaceholder = '\x1A';

class CmarkDocument {
 public:
  static constexpr std::size_t kMemoryLimit = std::size_t{2} << 30;

  explicit CmarkDocument(std::size_t memory_limit = kMemoryLimit);

  /// invalid_input when the text is nested too deeply or needs too much memory.
  [[nodiscard]] base::Status parse(const SourceText& source);

  cmark_node* root() const { return root_; }
  /// Bytes that parsing has allocated.
  std::size_t memory_used() const { return arena_.used(); }

  /// Plain text of a paragraph or heading: code keeps its text, links theirs, raw HTML goes; white space is
  /// not folded.
  static std::string plain_text(cmark_node* block);

  /// Plain text of one line of inline Markdown that is not part of the document (reference links stay as they
  /// are).
  std::string plain_text_of(std::string_view inlines);

 private:
  CmarkArena arena_;
  std::string copy_;
  cmark_node* root_ = nullptr;
};

}  // namespace plankeep::markdown
