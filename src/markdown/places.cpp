#include "markdown/places.hpp"

#include <algorithm>
#include <array>

#include "markdown/outline/outline.hpp"
#include "markdown/outline_uses.hpp"
#include "markdown/source_text.hpp"

namespace plankeep::markdown {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kFullColon = "\xEF\xBC\x9A";
constexpr std::array<std::string_view, 3> kCommas = {",", "\xEF\xBC\x8C", "\xE3\x80\x81"};
constexpr std::size_t kOpenLength = 4;   // "<!--"
constexpr std::size_t kCloseLength = 3;  // "-->"

// A marker's text from left to right. Its values are known already: this finds where they stand.
class MarkerScan {
 public:
  MarkerScan(std::string_view bytes, std::size_t begin, std::size_t end)
      : bytes_(bytes.substr(0, end - kCloseLength)), at_(begin + kOpenLength) {}

  void skip_blanks() { at_ = std::min(bytes_.find_first_not_of(kBlanks, at_), bytes_.size()); }
  bool take(std::string_view part) {
    if (bytes_.substr(at_, part.size()) != part) return false;
    at_ += part.size();
    return true;
  }
  bool take_colon() { return take(":") || take(kFullColon); }
  Span take_as_span(std::string_view part) {
    const std::size_t begin = at_;
    return !part.empty() && take(part) ? Span{begin, at_} : Span{};
  }

  // Behind the colon of this attribute. False: it was not found.
  bool find_attribute(std::string_view key, Span& where) {
    for (std::size_t bar = bytes_.find('|', at_); bar != kNone; bar = bytes_.find('|', bar + 1)) {
      at_ = bar + 1;
      skip_blanks();
      where = take_as_span(key);
      skip_blanks();
      if (where.end > where.begin && take_colon()) return true;
    }
    where = {};
    return false;
  }

  // The next part of a list; an empty one at its end.
  Span next_listed() {
    for (bool more = true; more;) {
      skip_blanks();
      more =
          std::any_of(kCommas.begin(), kCommas.end(), [this](std::string_view comma) { return take(comma); });
    }
    const std::size_t begin = at_;
    std::size_t end = std::min(bytes_.find_first_of(" \t\r\n|,", at_), bytes_.size());
    for (const std::string_view comma : kCommas)
      end = std::min(end, std::min(bytes_.find(comma, at_), bytes_.size()));
    at_ = end;
    return {begin, end};
  }

 private:
  std::string_view bytes_;
  std::size_t at_;
};

std::string_view key_of(MarkerKind kind) {
  switch (kind) {
    case MarkerKind::task:
      return "after";
    case MarkerKind::accept:
      return "verify";
    case MarkerKind::decision:
      return "reason";
    default:
      return {};
  }
}

MarkerPlace place_of(std::string_view bytes, const OutlineMarker& marker) {
  MarkerPlace place;
  place.kind = marker.kind;
  place.whole = {marker.begin, marker.end};
  place.id = marker.id;
  place.box = marker.box;
  place.heading = marker.heading;
  MarkerScan scan(bytes, marker.begin, marker.end);
  scan.skip_blanks();
  place.word = scan.take_as_span(name_of(marker.kind));
  scan.skip_blanks();
  (void)scan.take_colon();
  scan.skip_blanks();
  place.id_at = scan.take_as_span(marker.id);
  const std::string_view key = key_of(marker.kind);
  if (key.empty() || !scan.find_attribute(key, place.key) || marker.kind != MarkerKind::task) return place;
  for (const std::string& id : marker.after) {
    const Span at = scan.next_listed();
    if (bytes.substr(at.begin, at.end - at.begin) == id) place.after.push_back({id, at});
  }
  return place;
}

}  // namespace

Places places_of(std::string_view bytes, Outline outline) {
  Places places;
  places.markers.reserve(outline.markers.size());
  for (const OutlineMarker& marker : outline.markers) places.markers.push_back(place_of(bytes, marker));
  places.boxes.reserve(outline.boxes.size());
  for (const OutlineBox& box : outline.boxes)
    places.boxes.push_back(
        {box.offset, box.box.offset, box.after_box, box.text_end, box.parent, box.in_footnote});
  for (OutlineHeading& heading : outline.headings) {
    places.headings.push_back({heading.level, heading.offset, heading.line, heading.last_line,
                               heading.in_container(), std::move(heading.title)});
  }
  places.lookalikes = std::move(outline.lookalikes);
  core::sort_diagnostics(places.lookalikes);
  return places;
}

base::Result<Places> read_places(std::string_view bytes) {
  const SourceText source(bytes);
  TRY_ASSIGN(Outline outline, read_outline(source));
  return places_of(bytes, std::move(outline));
}

}  // namespace plankeep::markdown
