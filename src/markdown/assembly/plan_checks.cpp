// Adds the diagnostics that need the whole plan: boxes, duplicate ids, dependencies, empty phases. The
// outline already has those of single markers.

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "markdown/assembly/plan_assembler.hpp"
#include "markdown/dependencies.hpp"

namespace plankeep::markdown {

using core::BoxState;
using core::DiagnosticCode;

void Assembler::check_tasks() {
  find_duplicates_within_phases();
  find_duplicates_across_phases();
  check_waiting();
}

// Only the ids in `after` are looked up, since there are often none.
void Assembler::check_waiting() {
  std::vector<DependencySite> waiting;
  std::unordered_set<std::string_view> unknown;
  for (const Site& site : sites_) {
    if (!site.first || task_of(site).after.empty()) continue;
    const Position at = source_.position(site.offset);
    waiting.push_back({&task_of(site), at.line, at.column});
    for (const core::TaskId& id : waiting.back().task->after) unknown.insert(id.text);
  }
  for (std::size_t i = 0; i < sites_.size() && !unknown.empty(); ++i)
    unknown.erase(task_of(sites_[i]).id.text);
  check_dependencies(waiting, unknown, plan_.diagnostics);
}

void Assembler::find_duplicates_within_phases() {
  const auto tell = [this](std::size_t offset, std::size_t phase, const std::string& what,
                           std::string_view meaning) {
    add(DiagnosticCode::duplicate_id, offset,
        what + " appears twice in phase \"" + drafts_[phase].phase.id.text + "\": " + std::string(meaning),
        "give the second one its own id");
  };
  for (const Site& site : sites_) {
    if (site.first) continue;
    tell(site.offset, site.phase, "task \"" + task_of(site).id.text + "\"",
         "it is one task, done when both boxes are");
  }
  for (const CriterionSite& site : criterion_sites_) {
    if (site.first) continue;
    const OutlineMarker& mark = marker(item_at(site.item).accept_marker);
    tell(mark.begin, site.phase, "criterion \"" + mark.id + "\"",
         "it is one criterion, met when both boxes are ticked");
  }
}

void Assembler::find_duplicates_across_phases() {
  base::IndexTable first(sites_.size());
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    if (!sites_[i].first || !task_of(sites_[i]).marked) continue;
    const std::string& id = task_of(sites_[i]).id.text;
    const std::size_t known = first.find_or_add(
        hash_of(id), i, [&](std::size_t other) { return task_of(sites_[other]).id.text == id; });
    if (known == i) continue;
    add(DiagnosticCode::duplicate_id, sites_[i].offset,
        "task \"" + id + "\" also appears in phase \"" + drafts_[sites_[known].phase].phase.id.text +
            "\": these are two tasks with the same id",
        "give one of them another id");
  }
}

const std::string& Assembler::title_of(const Item& item) {
  return task_of(sites_[static_cast<std::size_t>(item.site)]).title;
}

void Assembler::check_items() {
  const bool any_marker =
      std::any_of(items_.begin(), items_.end(), [this](const Item& item) { return box(item).has_markers(); });
  for (const Item& item : items_) {
    const OutlineBox& box = this->box(item);
    if (box.unknown_state) {
      add(DiagnosticCode::checkbox_unknown_state, box.offset,
          "\"" + std::string(source_.bytes().substr(box.offset, box.box.length + 2)) +
              "\" is not a known checkbox state; it counts as open",
          "known: [ ] open, [x] done, [~] [/] [-] active");
    }
    if (box.missing_space) {
      add(DiagnosticCode::checkbox_missing_space, box.offset, "no space after the checkbox; it still counts",
          "other Markdown tools do not see a checkbox here: put a space after the \"]\"");
    }
    if (any_marker && !box.has_markers()) {
      add(DiagnosticCode::unmarked_checkbox, box.offset,
          "this box has no marker; its id comes from its text: " +
              (title_of(item).empty() ? "(no text)" : title_of(item)),
          "to give it an id of its own add <!-- TASK: id -->, or run plankeep annotate");
    }
  }
  check_done_parents();
}

void Assembler::check_done_parents() {
  std::vector<bool> told(items_.size());
  for (const Item& item : items_) {
    if (item.around < 0 || item.optional || box(item).state == BoxState::done) continue;
    const OutlineBox& above = box(item_at(item.around));
    if (above.state != BoxState::done || told[static_cast<std::size_t>(item.around)]) continue;
    told[static_cast<std::size_t>(item.around)] = true;
    add(DiagnosticCode::done_parent_open_child, above.offset,
        "this box is ticked, but a box below it is not (line " + std::to_string(box(item).line) + ")",
        "tick the inner one, or untick this one");
  }
}

void Assembler::check_phases() {
  std::size_t tasks = 0;
  for (const Draft& draft : drafts_) {
    tasks += draft.phase.tasks.size();
    if (draft.from_marker && draft.phase.tasks.empty() && draft.phase.acceptance.empty()) {
      add(DiagnosticCode::phase_empty, draft.offset,
          "phase \"" + draft.phase.id.text + "\" has no tasks and no criteria");
    }
  }
  if (tasks == 0) {
    plan_.diagnostics.push_back({1, 1, DiagnosticCode::no_tasks, "no tasks found",
                                 "a task is a list item with a box: - [ ] text <!-- TASK: id -->"});
  }
}

}  // namespace plankeep::markdown
