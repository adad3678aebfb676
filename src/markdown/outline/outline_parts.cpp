#include "markdown/outline/outline_parts.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/text_change.hpp"
#include "markdown/cmark_document.hpp"
#include "markdown/headings/phase_titles.hpp"
#include "markdown/reading_limits.hpp"

namespace plankeep::markdown {
namespace {

// Whether a "#" after a blank line is here.
bool may_begin_part(std::string_view text, std::size_t at) {
  if (at < 2 || at >= text.size() || text[at] != '#' || text[at - 1] != '\n') return false;
  return text[at - 2] == '\n' || (at >= 3 && text[at - 2] == '\r' && text[at - 3] == '\n');
}

// Returns the first such position at or after `from`, or text.size().
std::size_t next_beginning(std::string_view text, std::size_t from) {
  for (std::size_t at = from == 0 ? 0 : from - 1;; ++at) {
    at = text.find("\n#", at);
    if (at == std::string_view::npos) return text.size();
    if (may_begin_part(text, at + 1)) return at + 1;
  }
}

// The position after the line that contains `at`, with its line break.
std::size_t line_end(std::string_view text, std::size_t at) {
  const std::size_t end = text.find_first_of("\r\n", at);
  if (end == std::string_view::npos) return text.size();
  return end + (text.substr(end, 2) == "\r\n" ? 2 : 1);
}

// Removes the document's last block if it is a heading that starts on this line of the body. False: it is
// not.
bool take_heading(const CmarkDocument& document, std::int64_t line) {
  cmark_node* const last = cmark_node_last_child(document.root());
  if (last == nullptr || cmark_node_get_type(last) != CMARK_NODE_HEADING) return false;
  if (cmark_node_get_start_line(last) != line) return false;
  cmark_node_unlink(last);
  return true;
}

void move_by(int& index, std::size_t count) {
  if (index >= 0) index += static_cast<int>(count);
}

// Appends a copy of a part's outline to `all`. `offset`, `lines`: the number of bytes and lines before the
// part.
void append(const UnsettledOutline& part, std::size_t offset, std::int64_t lines, UnsettledOutline& all) {
  const std::size_t boxes = all.outline.boxes.size();
  const std::size_t headings = all.outline.headings.size();
  const std::size_t markers = all.outline.markers.size();
  for (const OutlineBox& from : part.outline.boxes) {
    OutlineBox& box = all.outline.boxes.emplace_back(from);
    box.offset += offset;
    box.box.offset += offset;
    box.line += lines;
    box.text_end += offset;
    box.after_box += offset;
    move_by(box.parent, boxes);
    move_by(box.first_marker, markers);
    move_by(box.last_marker, markers);
  }
  // A heading's container keeps its index: only SKIP markers use more than whether there is one, and a part
  // has none.
  for (const OutlineHeading& from : part.outline.headings) {
    OutlineHeading& heading = all.outline.headings.emplace_back(from);
    heading.offset += offset;
    heading.line += lines;
    heading.last_line += lines;
  }
  for (const OutlineMarker& from : part.outline.markers) {
    OutlineMarker& marker = all.outline.markers.emplace_back(from);
    marker.begin += offset;
    marker.end += offset;
    move_by(marker.box, boxes);
    move_by(marker.next, markers);
  }
  for (const core::Diagnostic& from : part.outline.diagnostics)
    all.outline.diagnostics.emplace_back(from).line += lines;
  for (const core::Diagnostic& from : part.outline.lookalikes)
    all.outline.lookalikes.emplace_back(from).line += lines;
  for (const Landmark& from : part.landmarks) {
    Landmark& landmark = all.landmarks.emplace_back(from);
    landmark.offset += offset;
    landmark.first_line += lines;
    landmark.last_line += lines;
    if (landmark.kind == Landmark::Kind::heading) move_by(landmark.index, headings);
    if (landmark.kind == Landmark::Kind::marker) move_by(landmark.index, markers);
  }
}

}  // namespace

base::Result<Outline> OutlineParts::read(const SourceText& source) {
  bytes_read_ = 0;
  // Checked for the whole text, because the limit depends on its length.
  TRY(check_nesting(source));
  const bool known = refresh(source);
  if (!known) {
    parts_.clear();
    text_.clear();
  }
  if (known && can_be_joined()) return joined(source);
  bytes_read_ += source.bytes().size();
  return read_outline(source);
}

// Updates parts_ for this text. False: the text cannot be divided, or a part needs too much memory.
bool OutlineParts::refresh(const SourceText& source) {
  const std::string_view text = source.bytes();
  const base::TextChange change = base::change_between(text_, text);
  if (!parts_.empty() && change.empty()) return true;
  // After a change in the front matter, start over: its end may have moved anywhere.
  if (source.body_start() != body_start_ || change.begin < body_start_) parts_.clear();
  body_start_ = source.body_start();
  std::size_t kept = 0;
  while (kept < parts_.size() && parts_[kept].seen_end <= change.begin) ++kept;
  const std::size_t begin = kept < parts_.size() ? parts_[kept].begin : 0;
  std::vector<Part> later;
  for (std::size_t i = kept + 1; i < parts_.size(); ++i) {
    Part& part = parts_[i];
    if (part.begin < change.old_end) continue;
    part.begin = part.begin - change.old_end + change.new_end;
    if (part.seen_end != kNone) part.seen_end = part.seen_end - change.old_end + change.new_end;
    later.push_back(std::move(part));
  }
  parts_.resize(kept);
  if (!read_on(text, begin, std::move(later))) return false;
  text_.replace(change.begin, change.old_end - change.begin,
                text.substr(change.begin, change.new_end - change.begin));
  return true;
}

// Reads parts from `begin` on, until one would begin where a part of `later` begins. From there on, `later`
// is still valid, because the text has not changed.
bool OutlineParts::read_on(std::string_view text, std::size_t begin, std::vector<Part> later) {
  auto next = later.begin();
  for (std::size_t at = begin; at < text.size();) {
    next = std::find_if(next, later.end(), [&](const Part& part) {
      return part.begin == at || (part.begin > at && may_begin_part(text, part.begin));
    });
    if (next != later.end() && next->begin == at) {
      std::move(next, later.end(), std::back_inserter(parts_));
      break;
    }
    const auto end_behind = [&](std::size_t least) {
      return next_beginning(text, std::max(at + least, body_start_ + 1));
    };
    std::size_t end = end_behind(least_part_);
    if (next != later.end()) end = std::min(end, next->begin);
    for (;;) {
      if (at == 0 && end == text.size()) return false;
      auto part = read_part(text, at, end);
      if (!part) return false;
      if (*part) {
        parts_.push_back(std::move(**part));
        break;
      }
      end = end_behind(2 * (end - at));
    }
    at = end;
  }
  return !parts_.empty();
}

// nullopt: `end` is inside a block.
base::Result<std::optional<OutlineParts::Part>> OutlineParts::read_part(std::string_view text,
                                                                        std::size_t begin, std::size_t end) {
  const bool last = end == text.size();
  const std::size_t seen_end = last ? end : line_end(text, end);
  const SourceText source(text.substr(begin, seen_end - begin));
  bytes_read_ += seen_end - begin;
  CmarkDocument document;
  TRY(document.parse(source));
  const std::int64_t line = source.position(end - begin).line - source.lines_before_body();
  if (!last && !take_heading(document, line)) return std::optional<Part>();
  return std::optional<Part>(
      {begin, last ? kNone : seen_end, OutlineReader(source, document).read_part(), document.memory_used()});
}

// All parts together have the same memory limit as a text that is read whole.
bool OutlineParts::can_be_joined() const {
  std::size_t memory = 0;
  for (const Part& part : parts_) {
    if (!part.read) return false;
    memory += part.memory;
  }
  return memory <= CmarkDocument::kMemoryLimit / 2;
}

Outline OutlineParts::joined(const SourceText& source) const {
  UnsettledOutline all;
  std::size_t boxes = 0;
  std::size_t markers = 0;
  for (const Part& part : parts_) {
    boxes += part.read->outline.boxes.size();
    markers += part.read->outline.markers.size();
  }
  all.outline.boxes.reserve(boxes);
  all.outline.markers.reserve(markers);
  for (const Part& part : parts_) append(*part.read, part.begin, source.position(part.begin).line - 1, all);
  name_checkpoints(all.outline, all.landmarks, headings_of_markers(all.landmarks, all.outline.headings));
  return std::move(all.outline);
}

}  // namespace plankeep::markdown
