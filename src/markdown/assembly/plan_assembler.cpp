#include "markdown/assembly/plan_assembler.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/slug.hpp"
#include "base/unicode/composed.hpp"
#include "markdown/generated_ids.hpp"

namespace plankeep::markdown {
namespace {

using core::BoxState;
using core::DiagnosticCode;

constexpr std::string_view kUnphased = "unphased";

// DECISION, BLOCKER and SKIP also occur in files that are not plans, such as design records.
bool makes_a_plan(const OutlineMarker& marker) {
  return marker.kind == MarkerKind::checkpoint || marker.kind == MarkerKind::task ||
         marker.kind == MarkerKind::accept;
}

}  // namespace

core::Plan Assembler::assemble() {
  plan_.diagnostics = std::move(outline_.diagnostics);
  plan_.has_markers = std::any_of(outline_.markers.begin(), outline_.markers.end(), makes_a_plan);
  plan_.skipped = outline_.skipped;
  plan_.skipped_boxes = std::move(outline_.skipped_boxes);
  unify_ids();
  find_items();
  read_headings();
  open_phases();
  place_items();
  order_phases();
  give_ids();
  give_parents();
  place_records();
  check_items();
  check_tasks();
  check_phases();
  hand_over_phases();
  core::sort_diagnostics(plan_.diagnostics);
  return std::move(plan_);
}

void Assembler::add(DiagnosticCode code, std::size_t offset, std::string message, std::string hint) {
  const Position at = source_.position(offset);
  plan_.diagnostics.push_back({at.line, at.column, code, std::move(message), std::move(hint)});
}

int Assembler::marker_of(const OutlineBox& box, MarkerKind kind) const {
  int index = box.first_marker;
  while (index >= 0 && marker(index).kind != kind) index = marker(index).next;
  return index;
}

// An accent may be a character of its own in one place and not in another (base/unicode/composed): ids that
// look the same are the same, written as the first of them is.
void Assembler::unify_ids() {
  std::unordered_map<std::string, std::string> forms;
  const auto unify = [&forms](std::string& id) {
    const bool plain =
        std::all_of(id.begin(), id.end(), [](char c) { return static_cast<signed char>(c) >= 0; });
    if (!plain) id = forms.try_emplace(base::composed(id), id).first->second;
  };
  for (OutlineMarker& marker : outline_.markers) unify(marker.id);
  if (forms.empty()) return;
  for (OutlineMarker& marker : outline_.markers) {
    for (std::string& id : marker.after) unify(id);
  }
}

// Collects the boxes that count, in document order: parents before their children.
void Assembler::find_items() {
  std::vector<int> item_of(outline_.boxes.size(), -1);  // the box's item, else its nearest ancestor's
  items_.reserve(outline_.boxes.size());
  for (std::size_t i = 0; i < outline_.boxes.size(); ++i) {
    const OutlineBox& box = outline_.boxes[i];
    const int around = box.parent < 0 ? -1 : item_of[static_cast<std::size_t>(box.parent)];
    item_of[i] = around;
    if (!box.counts()) continue;
    Item item;
    item.box = static_cast<int>(i);
    item.around = around;
    item.task_marker = marker_of(box, MarkerKind::task);
    item.accept_marker = marker_of(box, MarkerKind::accept);
    item.optional = box.optional || (around >= 0 && item_at(around).optional);
    item_of[i] = static_cast<int>(items_.size());
    items_.push_back(item);
  }
}

void Assembler::read_headings() {
  std::vector<std::size_t> offsets;
  offsets.reserve(items_.size());
  for (const Item& item : items_) offsets.push_back(box(item).offset);
  headings_.emplace(outline_.headings, offsets);
  if (headings_->title() >= 0) plan_.title = heading(headings_->title()).title;
}

std::size_t Assembler::draft(const std::string& id, std::string title, std::size_t offset, bool from_marker) {
  drafts_.push_back({});
  Draft& fresh = drafts_.back();
  fresh.phase.id = core::PhaseId(id);
  fresh.phase.title = std::move(title);
  fresh.phase.line = source_.position(offset).line;
  fresh.offset = offset;
  fresh.from_marker = from_marker;
  return drafts_.size() - 1;
}

void Assembler::open_phases() {
  std::unordered_map<std::string, std::size_t> by_id;
  const auto first = std::find_if(outline_.markers.begin(), outline_.markers.end(),
                                  [](const auto& mark) { return mark.kind == MarkerKind::checkpoint; });
  const bool any_before =
      first != outline_.markers.end() && !items_.empty() && box(items_.front()).offset < first->begin;
  if (any_before) by_id.emplace(kUnphased, unphased(box(items_.front()).offset));
  for (const OutlineMarker& mark : outline_.markers) {
    if (mark.kind != MarkerKind::checkpoint) continue;
    const bool named = mark.heading >= 0 && !heading(mark.heading).title.empty();
    const std::size_t sections_from = (named ? heading(mark.heading).offset : mark.begin) + 1;
    const auto known = by_id.find(mark.id);
    if (known != by_id.end()) {
      add(DiagnosticCode::phase_repeated, mark.begin,
          "phase \"" + mark.id + "\" appears a second time; what follows is added to it",
          "give the second phase its own id");
      openings_.push_back({mark.begin, known->second, sections_from});
      continue;
    }
    const std::size_t index = draft(mark.id, named ? heading(mark.heading).title : mark.id, mark.begin, true);
    by_id.emplace(mark.id, index);
    openings_.push_back({mark.begin, index, sections_from});
  }
}

// The phase of items before the first CHECKPOINT marker or phase heading.
std::size_t Assembler::unphased(std::size_t offset) {
  if (unphased_ < 0)
    unphased_ = static_cast<int>(draft(std::string(kUnphased), std::string(kUnphased), offset, false));
  return static_cast<std::size_t>(unphased_);
}

Assembler::Place Assembler::place_by_marker(std::size_t offset) {
  const auto after =
      std::upper_bound(openings_.begin(), openings_.end(), offset,
                       [](std::size_t at, const Opening& opening) { return at < opening.offset; });
  if (after == openings_.begin()) return {unphased(offset), 0};
  return {std::prev(after)->phase, std::prev(after)->sections_from};
}

Assembler::Place Assembler::place_by_heading(std::size_t item, std::size_t offset) {
  const int phase = headings_->phase_of(item);
  if (phase < 0) return {unphased(offset), 0};
  const OutlineHeading& head = heading(phase);
  const auto [place, fresh] = heading_phase_.try_emplace(phase, drafts_.size());
  if (fresh) draft(std::string(), head.title, head.offset, false);
  return {place->second, head.offset + 1};
}

void Assembler::place_items() {
  sites_.reserve(items_.size());
  tasks_ = base::IndexTable(items_.size());
  for (std::size_t i = 0; i < items_.size(); ++i) {
    Item& item = items_[i];
    const std::size_t offset = box(item).offset;
    const Place place = openings_.empty() ? place_by_heading(i, offset) : place_by_marker(offset);
    const std::vector<std::string> section = headings_->section(headings_->innermost(i), place.sections_from);
    if (item.accept_marker >= 0) place_criterion(item, static_cast<int>(i), place.phase, section);
    if (item.task_marker >= 0 || item.accept_marker < 0)
      place_task(item, static_cast<int>(i), place.phase, section);
  }
}

void Assembler::place_task(Item& item, int index, std::size_t phase,
                           const std::vector<std::string>& section) {
  std::vector<core::Task>& tasks = drafts_[phase].phase.tasks;
  item.site = static_cast<int>(sites_.size());
  if (item.task_marker < 0) {
    sites_.push_back({phase, tasks.size(), index, box(item).offset, true});
    fill(tasks.emplace_back(), item, section);
    return;
  }
  const OutlineMarker& mark = marker(item.task_marker);
  const std::size_t known =
      tasks_.find_or_add(hash_of(mark.id, phase), sites_.size(), [&](std::size_t other) {
        const Site& site = sites_[other];
        return site.phase == phase && tasks[site.task].marked && tasks[site.task].id.text == mark.id;
      });
  const bool first = known == sites_.size();
  sites_.push_back({phase, first ? tasks.size() : sites_[known].task, index, mark.begin, first});
  if (first) {
    core::Task& task = tasks.emplace_back();
    fill(task, item, section);
    task.marked = true;
    task.id = core::TaskId(mark.id);
    for (const std::string& id : mark.after) task.after.emplace_back(id);
    return;
  }
  merge(tasks[sites_[known].task], item);
}

// Sets everything except the id and what the marker says.
void Assembler::fill(core::Task& task, const Item& item, const std::vector<std::string>& section) {
  OutlineBox& box = this->box(item);
  task.title = std::move(box.title);  // not used again: place_criterion has already copied it
  task.state = box.state;
  task.optional = item.optional;
  task.line = box.line;
  task.boxes.push_back(box.box);
  task.section = section;
}

void Assembler::merge(core::Task& first, const Item& item) {
  const OutlineBox& box = this->box(item);
  if (first.state != box.state) {
    const bool active = first.state == BoxState::active || box.state == BoxState::active;
    first.state = active ? BoxState::active : BoxState::open;
  }
  first.optional = first.optional && item.optional;
  first.boxes.push_back(box.box);
}

void Assembler::place_criterion(Item& item, int index, std::size_t phase,
                                const std::vector<std::string>& section) {
  const OutlineBox& box = this->box(item);
  const OutlineMarker& mark = marker(item.accept_marker);
  std::vector<core::Criterion>& criteria = drafts_[phase].phase.acceptance;
  const std::size_t known =
      criteria_.find_or_add(hash_of(mark.id, phase), criterion_sites_.size(), [&](std::size_t other) {
        const CriterionSite& site = criterion_sites_[other];
        return site.phase == phase && criteria[site.criterion].id.text == mark.id;
      });
  const bool first = known == criterion_sites_.size();
  criterion_sites_.push_back(
      {phase, first ? criteria.size() : criterion_sites_[known].criterion, index, first});
  if (first) {
    criteria.push_back({core::CriterionId(mark.id),
                        box.title,
                        box.state == BoxState::done,
                        box.line,
                        mark.text,
                        {box.box},
                        item.optional,
                        {},
                        section,
                        box.state == BoxState::active});
    return;
  }
  core::Criterion& there = criteria[criterion_sites_[known].criterion];
  there.met = there.met && box.state == BoxState::done;
  there.active = there.active || box.state == BoxState::active;
  there.optional = there.optional && item.optional;
  there.boxes.push_back(box.box);
}

// Sorts the phases by their position in the document.
void Assembler::order_phases() {
  std::vector<std::size_t> order(drafts_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return drafts_[a].offset < drafts_[b].offset; });
  std::vector<std::size_t> place(order.size());
  std::vector<Draft> sorted;
  sorted.reserve(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    sorted.push_back(std::move(drafts_[order[i]]));
  }
  drafts_ = std::move(sorted);
  for (Site& site : sites_) site.phase = place[site.phase];
  for (CriterionSite& site : criterion_sites_) site.phase = place[site.phase];
}

void Assembler::give_ids() {
  UniqueIds phases;
  for (const Draft& draft : drafts_) {
    if (!draft.phase.id.empty()) phases.reserve(draft.phase.id.text);
  }
  for (Draft& draft : drafts_) {
    if (draft.phase.id.empty())
      draft.phase.id = core::PhaseId(phases.take(base::slug(lasting_heading(draft.phase.title), "phase")));
  }
  const bool any =
      std::any_of(sites_.begin(), sites_.end(), [this](const Site& site) { return !task_of(site).marked; });
  if (!any) return;
  UniqueIds tasks(sites_.size());
  for (const OutlineMarker& mark : outline_.markers) {
    if (mark.box >= 0) tasks.reserve(mark.id);
  }
  for (const Site& site : sites_) {  // in document order
    core::Task& task = task_of(site);
    if (task.marked) continue;
    std::string written = leading_id(task.title);
    task.id_in_text = !written.empty();
    task.id = core::TaskId(tasks.take(task.id_in_text ? std::move(written) : base::slug(task.title, "task")));
  }
}

// The item's nearest ancestor that is a task of this phase.
core::TaskId Assembler::parent_of(int item, std::size_t phase) {
  for (int at = item_at(item).around; at >= 0; at = item_at(at).around) {
    if (item_at(at).site < 0) continue;
    const Site& site = sites_[static_cast<std::size_t>(item_at(at).site)];
    if (site.phase == phase) return task_of(site).id;
  }
  return {};
}

void Assembler::give_parents() {
  for (const Site& site : sites_) {
    if (site.first) task_of(site).parent = parent_of(site.item, site.phase);
  }
  for (const CriterionSite& site : criterion_sites_) {
    if (!site.first) continue;
    drafts_[site.phase].phase.acceptance[site.criterion].parent = parent_of(site.item, site.phase);
  }
}

void Assembler::place_records() {
  const auto line_of = [&](const OutlineMarker& mark) { return source_.position(mark.begin).line; };
  for (const OutlineMarker& mark : outline_.markers) {
    if (mark.kind == MarkerKind::decision) {
      plan_.decisions.push_back({mark.text, mark.reason, line_of(mark)});
    } else if (mark.kind == MarkerKind::blocker) {
      plan_.blockers.push_back({mark.text, line_of(mark)});
    }
  }
}

void Assembler::hand_over_phases() {
  for (Draft& draft : drafts_) plan_.phases.push_back(std::move(draft.phase));
}

}  // namespace plankeep::markdown
