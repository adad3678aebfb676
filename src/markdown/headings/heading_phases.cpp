#include "markdown/headings/heading_phases.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/heading_number.hpp"
#include "base/utf8.hpp"
#include "markdown/generated_ids.hpp"

namespace plankeep::markdown {

HeadingPhases::HeadingPhases(const std::vector<OutlineHeading>& headings, std::span<const std::size_t> items)
    : headings_(headings), nodes_(headings.size()) {
  find_surroundings();
  place_items(items);
  find_title(items);
  read_numbers();
  choose();
}

void HeadingPhases::find_surroundings() {
  std::vector<int> around;
  for (std::size_t i = 0; i < headings_.size(); ++i) {
    if (headings_[i].in_container() || headings_[i].left_out) continue;
    while (!around.empty() && heading(around.back()).level >= headings_[i].level) around.pop_back();
    if (!around.empty()) nodes_[i].up = around.back();
    around.push_back(static_cast<int>(i));
    sections_.push_back(static_cast<int>(i));
  }
}

void HeadingPhases::place_items(std::span<const std::size_t> items) {
  innermost_.reserve(items.size());
  std::size_t next = 0;
  int here = -1;
  for (const std::size_t item : items) {
    while (next < sections_.size() && heading(sections_[next]).offset <= item) here = sections_[next++];
    innermost_.push_back(here);
    if (here >= 0) node(here).item = true;
  }
  for (std::size_t i = sections_.size(); i-- > 0;) {  // inner ones first
    const Node& inner = node(sections_[i]);
    if (inner.item && inner.up >= 0) node(inner.up).item = true;
  }
}

// The first of level 1, if it stands before any item and is around all of those that one of level 1 is
// around.
void HeadingPhases::find_title(std::span<const std::size_t> items) {
  const auto first = std::find_if(sections_.begin(), sections_.end(),
                                  [this](int index) { return heading(index).level == 1; });
  if (first == sections_.end() || heading(*first).title.empty()) return;
  if (!items.empty() && items.front() < heading(*first).offset) return;
  const bool parts = node(*first).item && std::any_of(first + 1, sections_.end(), [this](int index) {
                       return heading(index).level == 1 && node(index).item;
                     });
  if (!parts) title_ = *first;
}

// Which headings are numbered and not alone.
void HeadingPhases::read_numbers() {
  std::map<std::pair<int, std::string>, std::vector<int>> alike;
  for (const int index : sections_) {
    if (!node(index).item) continue;
    if (std::optional<std::string> words = base::words_before_number(lasting_heading(heading(index).title)))
      alike[{heading(index).level, std::move(*words)}].push_back(index);
  }
  for (const auto& [key, group] : alike) {
    if (group.size() < 2) continue;
    for (const int index : group) {
      node(index).numbered = true;
      node(index).by_words = !key.second.empty();
    }
  }
  for (std::size_t i = sections_.size(); i-- > 0;) {  // inner ones first
    const Node& inner = node(sections_[i]);
    if ((inner.by_words || inner.words_below) && inner.up >= 0) node(inner.up).words_below = true;
  }
}

void HeadingPhases::choose() {
  for (const int index : sections_) {  // outer ones first
    Node& here = node(index);
    const int around = here.up < 0 ? -1 : node(here.up).by_number;
    here.by_number = around;
    if (index == title_) {
      here.phase = index;
      continue;
    }
    // A number without words has no heading numbered by words below it, so the outermost of either is right.
    const bool takes = here.by_words || (here.numbered && !here.words_below);
    if (here.by_number < 0 && takes) here.by_number = index;
    here.phase = here.by_number >= 0 ? here.by_number : index;
  }
}

int HeadingPhases::phase_of(std::size_t item) const {
  const int here = innermost_[item];
  return here < 0 ? -1 : nodes_[static_cast<std::size_t>(here)].phase;
}

std::vector<std::string> HeadingPhases::section(int innermost, std::size_t from) const {
  std::vector<std::string> titles;
  for (int at = innermost; at >= 0 && heading(at).offset >= from;
       at = nodes_[static_cast<std::size_t>(at)].up) {
    if (at == title_ || heading(at).title.empty()) continue;
    titles.push_back(base::fit_to_bytes(heading(at).title, kLongestSection));
  }
  std::reverse(titles.begin(), titles.end());
  return titles;
}

}  // namespace plankeep::markdown
