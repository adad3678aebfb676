#include "lsp/plan_view.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/error.hpp"
#include "rules/match.hpp"

namespace plankeep::lsp {
namespace {

std::vector<Item> items_of(const core::Plan& plan, const markdown::Places& places) {
  std::vector<Item> items;
  std::vector<std::size_t> of_box(places.boxes.size(), kNone);
  const auto item_for = [&](const core::Box& box) -> Item* {
    const auto at = std::lower_bound(
        places.boxes.begin(), places.boxes.end(), box.offset,
        [](const markdown::BoxPlace& place, std::size_t offset) { return place.character < offset; });
    if (at == places.boxes.end() || at->character != box.offset) return nullptr;
    const auto index = static_cast<std::size_t>(at - places.boxes.begin());
    if (of_box[index] == kNone) {
      of_box[index] = items.size();
      items.push_back({.box = index});
    }
    return &items[of_box[index]];
  };
  for (std::size_t p = 0; p < plan.phases.size(); ++p) {
    const core::Phase& phase = plan.phases[p];
    for (std::size_t t = 0; t < phase.tasks.size(); ++t) {
      for (const core::Box& box : phase.tasks[t].boxes) {
        if (Item* item = item_for(box)) item->phase = p, item->task = t;
      }
    }
    for (std::size_t c = 0; c < phase.acceptance.size(); ++c) {
      for (const core::Box& box : phase.acceptance[c].boxes) {
        if (Item* item = item_for(box)) item->phase = p, item->criterion = c;
      }
    }
  }
  std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.box < b.box; });
  // Behind everything below it: children come after their parents.
  std::vector<std::size_t> ends(places.boxes.size());
  for (std::size_t b = places.boxes.size(); b-- > 0;) {
    const markdown::BoxPlace& box = places.boxes[b];
    ends[b] = std::max(ends[b], std::max(box.text_end, box.after_box));
    if (box.parent >= 0) {
      std::size_t& around = ends[static_cast<std::size_t>(box.parent)];
      around = std::max(around, ends[b]);
    }
  }
  for (Item& item : items) item.end = ends[item.box];
  return items;
}

// For each heading the line of the next one that ends its section, or the number of lines.
std::vector<std::size_t> section_ends(const markdown::Places& places, std::size_t lines) {
  std::vector<std::size_t> ends(places.headings.size(), lines);
  std::vector<std::size_t> open;  // headings whose sections go on, the deepest last
  for (std::size_t h = 0; h < places.headings.size(); ++h) {
    const markdown::HeadingPlace& heading = places.headings[h];
    if (heading.in_container) continue;
    while (!open.empty() && places.headings[open.back()].level >= heading.level) {
      ends[open.back()] = static_cast<std::size_t>(heading.line - 1);
      open.pop_back();
    }
    open.push_back(h);
  }
  return ends;
}

// The heading that each phase begins with; kNone: none.
std::vector<std::size_t> headings_of(const core::Plan& plan, const markdown::Places& places) {
  std::unordered_map<std::string_view, std::size_t> named;  // by the id of the CHECKPOINT marker
  for (const markdown::MarkerPlace& marker : places.markers) {
    if (marker.kind == markdown::MarkerKind::checkpoint)
      named.try_emplace(marker.id, marker.heading < 0 ? kNone : static_cast<std::size_t>(marker.heading));
  }
  std::unordered_map<std::int64_t, std::size_t> by_line;
  for (std::size_t h = 0; h < places.headings.size(); ++h) by_line.try_emplace(places.headings[h].line, h);
  std::vector<std::size_t> headings;
  headings.reserve(plan.phases.size());
  for (const core::Phase& phase : plan.phases) {
    const auto marked = named.find(phase.id.text);
    const auto at = by_line.find(phase.line);
    headings.push_back(marked != named.end() ? marked->second : at != by_line.end() ? at->second : kNone);
  }
  return headings;
}

std::vector<PhaseLines> lines_of(const core::Plan& plan, const markdown::Places& places, const Text& text) {
  const std::vector<std::size_t> headings = headings_of(plan, places);
  const std::vector<std::size_t> ends = section_ends(places, text.line_count());
  std::vector<PhaseLines> lines(plan.phases.size());
  std::vector<std::size_t> firsts;
  for (std::size_t p = 0; p < plan.phases.size(); ++p) {
    lines[p].first = static_cast<std::size_t>(std::max<std::int64_t>(plan.phases[p].line, 1) - 1);
    if (headings[p] != kNone) {
      // A title may also be found below the marker.
      const auto line = static_cast<std::size_t>(places.headings[headings[p]].line - 1);
      lines[p].first = std::min(lines[p].first, line);
    }
    firsts.push_back(lines[p].first);
  }
  std::sort(firsts.begin(), firsts.end());
  for (std::size_t p = 0; p < plan.phases.size(); ++p) {
    const auto next = std::upper_bound(firsts.begin(), firsts.end(), lines[p].first);
    std::size_t end = next == firsts.end() ? text.line_count() : *next;
    if (headings[p] != kNone) end = std::min(end, std::max(ends[headings[p]], lines[p].first + 1));
    // Blank lines at the end belong to nobody.
    while (end > lines[p].first + 1 &&
           text.part(text.line(end - 1)).find_first_not_of(" \t") == std::string_view::npos)
      --end;
    lines[p].last = end - 1;
  }
  return lines;
}

}  // namespace

struct Document::Parts {
  markdown::Places places;
  std::vector<Item> items;
  std::vector<PhaseLines> phases;
  std::uint64_t age = 0;
  Records records;
  std::optional<PlanView> view;
};

Bytes PlanView::own_text(const Item& item) const {
  const markdown::BoxPlace& place = box(item);
  return {text.line(text.line_at(place.offset)).begin, std::max(place.text_end, place.after_box)};
}

const Item* PlanView::item_at(std::size_t offset) const {
  const auto after =
      std::upper_bound(items.begin(), items.end(), offset, [this](std::size_t at, const Item& item) {
        return at < text.line(text.line_at(box(item).offset)).begin;
      });
  if (after == items.begin()) return nullptr;
  const Item& item = *std::prev(after);
  const std::size_t last_line = text.line_at(own_text(item).end);
  return offset <= text.line(last_line).end ? &item : nullptr;
}

const Item* PlanView::item_of(const core::TaskId& id, const core::Phase* phase) const {
  const auto at = std::find_if(items.begin(), items.end(), [&](const Item& item) {
    const core::Task* one = task(item);
    return one != nullptr && one->id == id && (phase == nullptr || &this->phase(item) == phase);
  });
  return at == items.end() ? nullptr : &*at;
}

void Document::change(const Bytes* part, std::string_view with, std::int64_t version) {
  if (part == nullptr) {
    text_ = Text(std::string(with));
    in_sync_ = true;
  } else {
    text_.replace(*part, with);
  }
  version_ = version;
  changed = true;
  read_ = false;
  plan_.reset();
  known_.reset();
  parts_.reset();
}

const core::Plan* Document::plan() {
  if (!read_) {
    read_ = true;
    auto read = reader_.plan(text_.bytes());
    problem_ = read ? std::string() : read.error().message;
    if (read) plan_ = std::move(*read);
  }
  return plan_ ? &*plan_ : nullptr;
}

bool Document::is_plan(const Records& records) {
  if (!records.tracked && !markdown_) return false;
  if (records.plan_by_place) return true;
  const core::Plan* read = plan();
  return read != nullptr && read->has_markers;
}

const core::Plan* Document::known_plan(const Records& records) {
  const core::Plan* read = plan();
  if (read == nullptr || records.state == nullptr) return read;
  if (!known_ || known_age_ != records.age) {
    known_ = *read;
    core::keep_ids(*records.state, *known_);
    known_age_ = records.age;
  }
  return &*known_;
}

const PlanView* Document::view(const Records& records, Encoding encoding) {
  if (!in_sync_ || !is_plan(records)) return nullptr;
  const core::Plan* known = known_plan(records);
  if (known == nullptr) return nullptr;
  if (!parts_ || parts_->age != records.age) {
    auto places = reader_.places(text_.bytes());
    if (!places) return nullptr;
    parts_ = std::make_shared<Parts>();
    parts_->places = std::move(*places);
    parts_->items = items_of(*known, parts_->places);
    parts_->phases = lines_of(*known, parts_->places, text_);
    parts_->age = records.age;
  }
  parts_->records = records;
  parts_->view.emplace(PlanView{uri_, path_, version_, text_, encoding, *known, *plan_, parts_->places,
                                parts_->items, parts_->phases, parts_->records, tree});
  return &*parts_->view;
}

}  // namespace plankeep::lsp
