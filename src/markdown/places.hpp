#pragma once
// Where things stand in a plan's text, for those who point at them (editors): markers with their parts, boxes
// with their items, headings. What counts and what it means is parse_plan's to say; the boxes of its tasks
// are found here by their offsets.
//
// The same limits and errors as parse_plan; linear in the text. What SKIP leaves out, and what stands in
// code, is not here. Offsets are bytes from the start of the text, byte order mark included.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "markdown/inline_scan.hpp"
#include "markdown/marker.hpp"
#include "model/diagnostics.hpp"

namespace plankeep::markdown {

/// An id that an attribute names.
struct NamedId {
  std::string id;
  Span at;
};

struct MarkerPlace {
  MarkerKind kind = MarkerKind::task;
  Span whole;                    // from "<!--" to behind "-->"
  Span word;                     // "TASK"
  Span id_at;                    // empty where there is none, or it was not well-formed UTF-8
  std::string id;                // checkpoint, task, accept
  Span key;                      // "after", "verify", "reason"; empty where there is none
  std::vector<NamedId> after{};  // task
  int box = -1;                  // index into Places::boxes
  int heading = -1;              // of a checkpoint: the heading that names it, index into Places::headings
};

struct BoxPlace {
  std::size_t offset = 0;     // of "["
  std::size_t character = 0;  // of what stands between the brackets, as core::Box::offset
  std::size_t after_box = 0;  // behind "]", or the "*" of an optional task
  std::size_t text_end = 0;   // behind the last byte of its own paragraph
  int parent = -1;            // the nearest item around it that has a box
  bool in_footnote = false;
};

struct HeadingPlace {
  int level = 1;
  std::size_t offset = 0;      // of its text
  std::int64_t line = 1;       // from 1
  std::int64_t last_line = 1;  // of the underline, for a setext heading
  bool in_container = false;   // in a quote, an item or a footnote
  std::string title;
};

/// Each in document order.
struct Places {
  std::vector<MarkerPlace> markers;  // well-formed ones only
  std::vector<BoxPlace> boxes;
  std::vector<HeadingPlace> headings;
  std::vector<core::Diagnostic> lookalikes;  // checkbox-lookalike: what only looks like a box
};

[[nodiscard]] base::Result<Places> read_places(std::string_view bytes);

}  // namespace plankeep::markdown
