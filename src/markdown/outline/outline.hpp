#pragma once
// What stands where in a plan: boxes, headings, markers, in document order, before anyone decides what is a
// task or a phase. The one place that looks at cmark-gfm's tree. Private to this room.
//
// What SKIP markers leave out (spec 7.12) is not in it: no box, no marker, no diagnostic but of an open fence
// or comment. Headings stay, since a CHECKPOINT marker right above one may be named by it, and say so.
//
// Also reports what only the structure can tell: markers and boxes in code, comments and fences without an
// end, nested comments, ill-formed UTF-8. Indices refer to the vectors below; -1 is none.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "markdown/marker.hpp"
#include "markdown/source_text.hpp"
#include "model/diagnostics.hpp"
#include "model/plan.hpp"

namespace plankeep::markdown {

/// A list item whose text begins with a checkbox.
struct OutlineBox {
  std::size_t offset = 0;  // of "["
  core::Box box;
  std::int64_t line = 1;
  core::BoxState state = core::BoxState::open;
  bool optional = false;
  bool missing_space = false;
  bool unknown_state = false;
  bool in_footnote = false;
  bool letter = false;  // an ASCII letter or digit: a box only with a TASK or ACCEPT marker
  int parent = -1;      // the nearest item around it that has a box
  std::string title;
  std::size_t text_end = 0;   // behind the last byte of its own paragraph that is no blank
  std::size_t after_box = 0;  // behind the box, "*" of an optional task included
  int first_marker = -1;      // TASK and ACCEPT, in order: the others are the `next` of the one before
  int last_marker = -1;       // at most one of each kind
  bool has_markers() const { return first_marker >= 0; }
  /// Whether the item is a task or a criterion.
  bool counts() const { return !letter || has_markers(); }
};

struct OutlineHeading {
  int level = 1;
  std::size_t offset = 0;  // of its first line's text
  std::int64_t line = 1;
  std::int64_t last_line = 1;  // of the underline, for a setext heading
  int container = -1;          // the quote, item or footnote around it
  bool left_out = false;
  std::string title;
  bool in_container() const { return container >= 0; }
};

struct OutlineMarker {
  MarkerKind kind = MarkerKind::task;
  int box = -1;                    // task, accept
  int next = -1;                   // of the same box
  int heading = -1;                // checkpoint: the heading that names it
  std::string id;                  // checkpoint, task, accept
  std::string text;                // decision, blocker; the command of an accept
  std::string reason;              // decision
  std::vector<std::string> after;  // task
  std::size_t begin = 0;           // of "<!--"
  std::size_t end = 0;             // behind "-->"
};

struct Outline {
  std::vector<OutlineBox> boxes;
  std::vector<OutlineHeading> headings;
  std::vector<OutlineMarker> markers;  // well-formed ones only
  std::int64_t skipped = 0;            // boxes left out
  std::vector<core::SkippedBox> skipped_boxes;
  std::vector<core::Diagnostic> diagnostics;
  std::vector<core::Diagnostic> lookalikes;  // no diagnostics of the plan (spec 7.10), but of lint
};

[[nodiscard]] base::Result<Outline> read_outline(const SourceText& source);

}  // namespace plankeep::markdown
