#include "markdown/outline/outline_reader.hpp"

namespace plankeep::markdown {
namespace {

using core::DiagnosticCode;

constexpr std::size_t kOpenCommentHead = 256;  // bytes of a comment without an end that are read as a marker

}  // namespace

void OutlineReader::scanned(const LogicalText& text, const InlineScan& scan, const Owner& owner) {
  for (const Span& span : scan.comments) comment(text, span, owner);
  for (const Span& span : scan.open_comments) open_comment(text, span);
  for (const Span& span : scan.code) markers_in_code(text, span.begin, span.end);
}

// One comment of the text.
void OutlineReader::comment(const LogicalText& text, Span span, const Owner& owner) {
  const std::string_view all = text.text();
  const std::size_t begin = text.source_offset(span.begin);
  const std::string_view whole = all.substr(span.begin, span.end - span.begin);
  const std::string_view inside = whole.size() >= 7 ? whole.substr(4, whole.size() - 7) : std::string_view();
  const std::size_t inner = inside.find(kOpenComment);
  if (inner != kNone) {
    add(DiagnosticCode::nested_comment, text.source_offset(span.begin + 4 + inner),
        "a comment inside a comment: it ends at the first \"-->\", and its content does not count",
        "close the outer comment first");
  }
  MarkerReading reading = read_marker(inside);
  switch (reading.result) {
    case MarkerReading::Result::none:
      return;
    case MarkerReading::Result::marker:
      keep_marker(std::move(reading), owner, begin, text.source_offset(span.end - 1) + 1);
      return;
    default:
      break;
  }
  const std::string kind(name_of(reading.kind));
  switch (reading.result) {
    case MarkerReading::Result::near_miss:
      add(DiagnosticCode::marker_unknown_kind, begin, reading.problem, "write <!-- " + kind + ": ... -->");
      return;
    case MarkerReading::Result::empty:
      add(DiagnosticCode::empty_value, begin, "this " + kind + " marker has no value and does not count",
          "write <!-- " + kind + ": " +
              (reading.kind == MarkerKind::decision || reading.kind == MarkerKind::blocker ? "text" : "id") +
              " -->");
      return;
    case MarkerReading::Result::malformed:
      add(DiagnosticCode::marker_malformed, begin,
          "this " + kind + " marker does not count: " + reading.problem,
          "write <!-- " + kind + ": id --> or <!-- " + kind + ": id | key: value -->");
      return;
    default:
      return;
  }
}

// `begin` and `end` of the comment in the file.
void OutlineReader::keep_marker(MarkerReading reading, const Owner& owner, std::size_t begin,
                                std::size_t end) {
  if (reading.kind == MarkerKind::skip) return keep_skip(owner, begin, end);
  const std::string kind(name_of(reading.kind));
  const bool needs_box = reading.kind == MarkerKind::task || reading.kind == MarkerKind::accept;
  if (needs_box && owner.box >= 0) {
    if (const OutlineMarker* first = marker_of(owner.box, reading.kind)) {
      add(DiagnosticCode::marker_repeated, begin,
          "this box has a " + kind + " marker already (\"" + first->id + "\"); \"" + reading.id +
              "\" does not count",
          "remove one of them, or give the second one a box of its own");
      return;
    }
  }
  for (const std::string& key : reading.unknown_attributes) {
    add(DiagnosticCode::unknown_attribute, begin, kind + " has no attribute \"" + key + "\": it is ignored",
        "known: after (TASK), verify (ACCEPT), reason (DECISION)");
  }
  for (const std::string& key : reading.keys_in_text) {
    add(DiagnosticCode::unknown_attribute, begin,
        kind + " has no attribute \"" + key + "\": it is read as part of the text before it",
        "known: after (TASK), verify (ACCEPT), reason (DECISION)");
  }
  if (reading.empty_attribute) {
    add(DiagnosticCode::empty_value, begin, "an attribute of this " + kind + " marker has no value");
  }
  if (needs_box && owner.box < 0) {
    add(DiagnosticCode::marker_without_checkbox, begin,
        kind + " \"" + reading.id + "\" is not in a list item with a checkbox and does not count",
        "put it on the line of a checkbox: - [ ] text <!-- " + kind + ": " + reading.id + " -->");
    return;
  }
  const int index = static_cast<int>(outline_.markers.size());
  if (reading.kind == MarkerKind::checkpoint) {
    landmark(Landmark::Kind::marker, index, begin, source_.position(begin).line,
             source_.position(end - 1).line);
  }
  outline_.markers.push_back({reading.kind, -1, -1, -1, std::move(reading.id),
                              std::move(reading.kind == MarkerKind::accept ? reading.verify : reading.text),
                              std::move(reading.reason), std::move(reading.after), begin, end});
  if (needs_box) attach(index, owner.box);
}

const OutlineMarker* OutlineReader::marker_of(int box, MarkerKind kind) const {
  int index = outline_.boxes[static_cast<std::size_t>(box)].first_marker;
  while (index >= 0) {
    const OutlineMarker& marker = outline_.markers[static_cast<std::size_t>(index)];
    if (marker.kind == kind) return &marker;
    index = marker.next;
  }
  return nullptr;
}

void OutlineReader::attach(int index, int box) {
  OutlineBox& owner = outline_.boxes[static_cast<std::size_t>(box)];
  outline_.markers[static_cast<std::size_t>(index)].box = box;
  if (owner.has_markers()) {
    outline_.markers[static_cast<std::size_t>(owner.last_marker)].next = index;
  } else {
    owner.first_marker = index;
  }
  owner.last_marker = index;
}

void OutlineReader::keep_skip(const Owner& owner, std::size_t begin, std::size_t end) {
  const bool on_its_own = owner.item < 0 && owner.heading < 0 && owner.comments_only;
  if (on_its_own) {
    landmark(Landmark::Kind::marker, -2 - static_cast<int>(skips_.size()), begin,
             source_.position(begin).line, source_.position(end - 1).line);
  }
  skips_.push_back({begin, owner.item, owner.heading, container()});
}

// A comment that never ends, inside a text.
void OutlineReader::open_comment(const LogicalText& text, Span span) {
  // Its beginning tells; looking for the end of the line from each of many such comments would not be
  // linear.
  const std::string_view head = text.text().substr(span.begin + 4, kOpenCommentHead);
  const MarkerReading reading = read_marker(head.substr(0, head.find('\n')));
  if (reading.result == MarkerReading::Result::none || reading.result == MarkerReading::Result::near_miss)
    return;
  add(DiagnosticCode::marker_malformed, text.source_offset(span.begin),
      "this " + std::string(name_of(reading.kind)) + " marker does not count: it has no \"-->\"",
      "end it with -->");
}

// Well-formed markers in a piece of code.
void OutlineReader::markers_in_code(const LogicalText& text, std::size_t from, std::size_t to) {
  const std::string_view all = text.text().substr(0, to);
  for (std::size_t at = all.find(kOpenComment, from); at != kNone;) {
    const std::size_t end = all.find("-->", at + 4);
    if (end == kNone) return;
    const MarkerReading reading = read_marker(all.substr(at + 4, end - at - 4));
    if (reading.result == MarkerReading::Result::marker) {
      add(DiagnosticCode::marker_in_code, text.source_offset(at),
          "this " + std::string(name_of(reading.kind)) + " marker is inside code and does not count");
    }
    at = all.find(kOpenComment, end + 3);
  }
}

}  // namespace plankeep::markdown
