#include "render/progress/resume_fit.hpp"

#include <algorithm>

#include "base/utf8.hpp"

namespace plankeep::render {
namespace {

std::string heading_line(const Section& section) {
  if (section.heading.empty()) return {};
  return section.heading + (section.total > 1 ? " (" + std::to_string(section.total) + "):\n" : ":\n");
}

std::string item_line(const Section& section, std::size_t index) {
  return (section.heading.empty() ? "" : "- ") + section.items[index] + "\n";
}

std::string more_line(const Section& section, std::size_t shown) {
  if (shown >= section.total) return {};
  if (shown == 0) return section.heading + ": " + std::to_string(section.total) + "; see plankeep status\n";
  return "- … and " + std::to_string(section.total - shown) + " more\n";
}

/// Characters of a section that shows so many items; 0 items is the section left out.
class Costs {
 public:
  explicit Costs(const Section& section)
      : section_(&section), heading_(count_characters(heading_line(section))) {
    sums_.push_back(0);
    for (std::size_t i = 0; i < section.items.size(); ++i) {
      sums_.push_back(sums_.back() + count_characters(item_line(section, i)));
    }
  }
  std::size_t of(std::size_t shown) const {
    if (shown == 0) return 0;
    return heading_ + sums_[shown] + count_characters(more_line(*section_, shown));
  }
  std::size_t of_count_only() const {
    return section_->heading.empty() ? 0 : count_characters(more_line(*section_, 0));
  }

 private:
  const Section* section_;
  std::size_t heading_;
  std::vector<std::size_t> sums_;
};

/// The most items, at most `wanted`, that fit into `room` besides what the section takes already. Showing all
/// saves the "more" line, so fewer may fit where more do not: the largest is tried first.
std::size_t grow(const Costs& costs, std::size_t shown, std::size_t wanted, std::size_t room) {
  const std::size_t held = costs.of(shown);
  for (std::size_t n = wanted; n > shown; --n) {
    if (costs.of(n) <= held + room) return n;
  }
  return shown;
}

}  // namespace

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

std::string fit_to_characters(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  std::size_t count = 0;
  std::size_t cut = 0;  // behind character number limit - 1
  for (std::size_t at = 0; at < text.size(); at += base::decode_at(text, at).length) {
    if (count + 1 == limit) cut = at;
    if (++count <= limit) continue;
    if (limit == 0) return {};
    // Between words, unless that takes more than half of it away.
    const std::size_t space = text[cut] == ' ' ? cut : text.rfind(' ', cut);
    if (space != std::string_view::npos && space >= cut / 2 && space > 0) cut = space;
    return std::string(text.substr(0, cut)) + "…";
  }
  return std::string(text);
}

std::string fit_end_to_characters(std::string_view text, std::size_t limit) {
  const std::size_t count = count_characters(text);
  if (count <= limit) return std::string(text);
  if (limit == 0) return {};
  std::size_t at = 0;
  for (std::size_t skip = count - limit + 1; skip > 0; --skip) at += base::decode_at(text, at).length;
  return "…" + std::string(text.substr(at));
}

void append_sections(std::string& text, std::vector<Section> sections, std::size_t budget) {
  const std::size_t used = count_characters(text);
  std::size_t room = budget > used ? budget - used : 0;
  std::vector<std::size_t> by_rank;
  std::vector<Costs> costs;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    by_rank.push_back(i);
    costs.emplace_back(sections[i]);
  }
  std::sort(by_rank.begin(), by_rank.end(),
            [&](std::size_t a, std::size_t b) { return sections[a].rank < sections[b].rank; });
  std::vector<bool> counted(sections.size(), false);
  for (const bool first_round : {true, false}) {
    for (const std::size_t i : by_rank) {
      Section& section = sections[i];
      const std::size_t all = section.items.size();
      const std::size_t wanted = first_round ? std::min(section.first, all) : all;
      if (counted[i]) room += costs[i].of_count_only();
      const std::size_t shown = grow(costs[i], section.shown, wanted, room);
      room -= costs[i].of(shown) - costs[i].of(section.shown);
      section.shown = shown;
      counted[i] = shown == 0 && costs[i].of_count_only() > 0 && costs[i].of_count_only() <= room;
      if (counted[i]) room -= costs[i].of_count_only();
    }
  }
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const Section& section = sections[i];
    if (counted[i]) text += more_line(section, 0);
    if (section.shown == 0) continue;
    text += heading_line(section);
    for (std::size_t n = 0; n < section.shown; ++n) text += item_line(section, n);
    text += more_line(section, section.shown);
  }
}

std::string without_tags(std::string text) {
  if (text.find('<') == std::string::npos) return text;
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char next = at + 1 < text.size() ? text[at + 1] : ' ';
    const bool letter = (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z');
    if (text[at] == '<' && (letter || next == '/' || next == '!' || next == '?')) {
      out += "‹";
    } else {
      out += text[at];
    }
  }
  return out;
}

}  // namespace plankeep::render
