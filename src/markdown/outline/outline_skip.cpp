#include <algorithm>

#include "markdown/outline/outline_reader.hpp"

namespace plankeep::markdown {
namespace {

using core::DiagnosticCode;

// What is said of a part that is left out all the same: it hides more than it seems to.
bool always_told(DiagnosticCode code) {
  return code == DiagnosticCode::unclosed_fence || code == DiagnosticCode::unclosed_comment;
}

template <class T>
std::vector<int> in_order(const std::vector<T>& all, const std::vector<bool>& keep, std::size_t T::*offset) {
  std::vector<int> order;
  order.reserve(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (keep[i]) order.push_back(static_cast<int>(i));
  }
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return all[static_cast<std::size_t>(a)].*offset < all[static_cast<std::size_t>(b)].*offset;
  });
  return order;
}

// Puts those of `order` in this order, the others away; where each of before is now, -1 for nowhere.
template <class T>
std::vector<int> rearrange(std::vector<T>& all, const std::vector<int>& order) {
  std::vector<int> place(all.size(), -1);
  std::vector<T> kept;
  kept.reserve(order.size());
  for (const int index : order) {
    place[static_cast<std::size_t>(index)] = static_cast<int>(kept.size());
    kept.push_back(std::move(all[static_cast<std::size_t>(index)]));
  }
  all = std::move(kept);
  return place;
}

void follow(int& index, const std::vector<int>& place) {
  if (index >= 0) index = place[static_cast<std::size_t>(index)];
}

}  // namespace

// What can only be said when everything has been seen.
void OutlineReader::settle() {
  if (footnotes_) {
    std::stable_sort(landmarks_.begin(), landmarks_.end(),
                     [](const Landmark& a, const Landmark& b) { return a.offset < b.offset; });
  }
  const bool any = std::any_of(landmarks_.begin(), landmarks_.end(),
                               [](const Landmark& mark) { return mark.kind == Landmark::Kind::marker; });
  if (any || !skips_.empty()) {
    const std::vector<MarkerHeading> headings = headings_of_markers(landmarks_, outline_.headings);
    name_checkpoints(outline_, landmarks_, headings);
    if (!skips_.empty()) leave_out(ranges_left_out(headings));
  }
  if (!footnotes_) return;
  keep_in_order(std::vector<bool>(outline_.boxes.size(), true),
                std::vector<bool>(outline_.markers.size(), true));
}

void name_checkpoints(Outline& outline, const std::vector<Landmark>& landmarks,
                      const std::vector<MarkerHeading>& headings) {
  for (std::size_t i = 0; i < landmarks.size(); ++i) {
    const Landmark& mark = landmarks[i];
    if (mark.kind == Landmark::Kind::marker && mark.index >= 0)
      outline.markers[static_cast<std::size_t>(mark.index)].heading = headings[i].heading;
  }
}

// In document order, none in another. A SKIP marker in a part that is left out says no more.
std::vector<OutlineReader::Range> OutlineReader::ranges_left_out(const std::vector<MarkerHeading>& headings) {
  // What stands in a container belongs to those around it, a comment below its text without indentation too.
  for (std::size_t i = containers_.size(); i-- > 0;) {
    Container& inner = containers_[i];
    if (inner.parent >= 0) at(inner.parent).end = std::max(at(inner.parent).end, inner.end);
  }
  std::vector<int> heading_of(skips_.size(), -1);
  for (std::size_t i = 0; i < landmarks_.size(); ++i) {
    const Landmark& mark = landmarks_[i];
    if (mark.kind != Landmark::Kind::marker || mark.index >= -1) continue;
    const auto skip = static_cast<std::size_t>(-2 - mark.index);
    const int container = skips_[skip].container;
    const auto is_here = [&](int heading) {
      return heading >= 0 && outline_.headings[static_cast<std::size_t>(heading)].container == container;
    };
    if (is_here(headings[i].above) && is_here(headings[i].heading)) heading_of[skip] = headings[i].heading;
  }
  std::vector<int> order = in_order(skips_, std::vector<bool>(skips_.size(), true), &SkipMarker::offset);
  std::vector<Range> ranges;
  for (const int index : order) {
    const SkipMarker& skip = skips_[static_cast<std::size_t>(index)];
    const bool inside =
        !ranges.empty() && skip.offset < ranges.back().end && skip.offset >= ranges.back().begin;
    if (inside) continue;
    const int heading = skip.heading >= 0 ? skip.heading : heading_of[static_cast<std::size_t>(index)];
    if (skip.item >= 0) {
      ranges.push_back({at(skip.item).begin, at(skip.item).end});
    } else if (heading >= 0) {
      ranges.push_back(section_of(heading));
    } else {
      add(DiagnosticCode::skip_without_target, skip.offset, "this SKIP marker leaves nothing out",
          "put it in the text of a list item, in a heading, or on its own line right below a heading");
    }
  }
  return ranges;
}

// Up to the next heading of its level or above in its container, else to the end of that.
OutlineReader::Range OutlineReader::section_of(int heading) const {
  const OutlineHeading& first = outline_.headings[static_cast<std::size_t>(heading)];
  for (auto next = static_cast<std::size_t>(heading) + 1; next < outline_.headings.size(); ++next) {
    const OutlineHeading& other = outline_.headings[next];
    if (other.container == first.container && other.level <= first.level) return {first.offset, other.offset};
  }
  if (first.container < 0) return {first.offset, source_.bytes().size()};
  return {first.offset, containers_[static_cast<std::size_t>(first.container)].end};
}

void OutlineReader::leave_out(const std::vector<Range>& ranges) {
  if (ranges.empty()) return;
  const auto inside = [&](std::size_t offset) {
    const auto behind = std::upper_bound(ranges.begin(), ranges.end(), offset,
                                         [](std::size_t at, const Range& range) { return at < range.begin; });
    return behind != ranges.begin() && offset < std::prev(behind)->end;
  };
  std::vector<bool> boxes(outline_.boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const OutlineBox& box = outline_.boxes[i];
    boxes[i] = !inside(box.offset);
    if (!boxes[i] && box.counts()) note_skipped(box);
  }
  std::vector<bool> markers(outline_.markers.size());
  for (std::size_t i = 0; i < markers.size(); ++i) {
    const OutlineMarker& marker = outline_.markers[i];
    markers[i] = marker.box >= 0 ? boxes[static_cast<std::size_t>(marker.box)] : !inside(marker.begin);
  }
  for (OutlineHeading& heading : outline_.headings) heading.left_out = inside(heading.offset);
  const auto silent = [&](const core::Diagnostic& diagnostic) {
    return !always_told(diagnostic.code) && inside(source_.offset_of(diagnostic.line, diagnostic.column));
  };
  std::erase_if(outline_.diagnostics, silent);
  std::erase_if(outline_.lookalikes, silent);
  keep_in_order(boxes, markers);
}

void OutlineReader::note_skipped(const OutlineBox& box) {
  ++outline_.skipped;
  if (outline_.skipped_boxes.size() == core::kSkippedBoxesListed) return;
  core::SkippedBox& skipped = outline_.skipped_boxes.emplace_back();
  skipped.title = box.title;
  for (int index = box.first_marker; index >= 0;) {
    const OutlineMarker& marker = outline_.markers[static_cast<std::size_t>(index)];
    if (marker.kind == MarkerKind::task) skipped.task = core::TaskId(marker.id);
    if (marker.kind == MarkerKind::accept) skipped.criterion = core::CriterionId(marker.id);
    index = marker.next;
  }
}

void OutlineReader::keep_in_order(const std::vector<bool>& boxes, const std::vector<bool>& markers) {
  const std::vector<int> box_place =
      rearrange(outline_.boxes, in_order(outline_.boxes, boxes, &OutlineBox::offset));
  const std::vector<int> marker_place =
      rearrange(outline_.markers, in_order(outline_.markers, markers, &OutlineMarker::begin));
  for (OutlineBox& box : outline_.boxes) {
    follow(box.parent, box_place);
    follow(box.first_marker, marker_place);
    follow(box.last_marker, marker_place);
  }
  for (OutlineMarker& marker : outline_.markers) {
    follow(marker.box, box_place);
    follow(marker.next, marker_place);
  }
}

}  // namespace plankeep::markdown
