#pragma once
// Builds a plan from the outline of its text: phases, tasks, criteria, ids, diagnostics. Private to this
// room; used by plan_of (outline_uses). plan_assembler.cpp builds the plan; plan_checks.cpp adds the
// diagnostics that need the whole plan.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/index_table.hpp"
#include "markdown/headings/heading_phases.hpp"
#include "markdown/outline/outline.hpp"
#include "markdown/source_text.hpp"
#include "model/plan.hpp"

namespace plankeep::markdown {

class Assembler {
 public:
  Assembler(const SourceText& source, Outline outline) : source_(source), outline_(std::move(outline)) {}

  core::Plan assemble();

 private:
  // A phase while it is built.
  struct Draft {
    core::Phase phase;
    std::size_t offset = 0;
    bool from_marker = false;
  };

  // A box that counts. The numbers are indexes; -1 means none.
  struct Item {
    int box = -1;     // in the outline's boxes
    int around = -1;  // its nearest ancestor, in items_
    int task_marker = -1;
    int accept_marker = -1;
    int site = -1;  // in sites_, if it is a task
    bool optional = false;
  };

  // Where a CHECKPOINT marker opens or continues a phase.
  struct Opening {
    std::size_t offset = 0;
    std::size_t phase = 0;
    std::size_t sections_from = 0;  // headings at or after this offset make sections
  };

  // A box of a task. A marker with the same id in the same phase is another box of the same task.
  struct Site {
    std::size_t phase = 0;
    std::size_t task = 0;
    int item = -1;
    std::size_t offset = 0;  // of the marker; of the box if it has no marker
    bool first = true;       // whether it is the task's first box
  };
  struct CriterionSite {
    std::size_t phase = 0;
    std::size_t criterion = 0;
    int item = -1;
    bool first = true;
  };

  struct Place {
    std::size_t phase = 0;
    std::size_t sections_from = 0;
  };

  const OutlineMarker& marker(int index) const { return outline_.markers[static_cast<std::size_t>(index)]; }
  const OutlineHeading& heading(int index) const {
    return outline_.headings[static_cast<std::size_t>(index)];
  }
  OutlineBox& box(const Item& item) { return outline_.boxes[static_cast<std::size_t>(item.box)]; }
  const OutlineBox& box(const Item& item) const { return outline_.boxes[static_cast<std::size_t>(item.box)]; }
  Item& item_at(int index) { return items_[static_cast<std::size_t>(index)]; }
  core::Task& task_of(const Site& site) { return drafts_[site.phase].phase.tasks[site.task]; }
  static std::size_t hash_of(std::string_view id, std::size_t phase = 0) {
    return std::hash<std::string_view>()(id) + phase * 0x9E3779B97F4A7C15ULL;
  }
  void add(core::DiagnosticCode code, std::size_t offset, std::string message, std::string hint = {});

  // plan_assembler.cpp
  void unify_ids();
  void find_items();
  int marker_of(const OutlineBox& box, MarkerKind kind) const;
  void read_headings();
  void open_phases();
  std::size_t draft(const std::string& id, std::string title, std::size_t offset, bool from_marker);
  std::size_t unphased(std::size_t offset);
  void place_items();
  Place place_by_marker(std::size_t offset);
  Place place_by_heading(std::size_t item, std::size_t offset);
  void place_task(Item& item, int index, std::size_t phase, const std::vector<std::string>& section);
  void fill(core::Task& task, const Item& item, const std::vector<std::string>& section);
  void merge(core::Task& first, const Item& item);
  void place_criterion(Item& item, int index, std::size_t phase, const std::vector<std::string>& section);
  void order_phases();
  void give_ids();
  void give_parents();
  core::TaskId parent_of(int item, std::size_t phase);
  void place_records();
  void hand_over_phases();

  // plan_checks.cpp
  void check_items();
  const std::string& title_of(const Item& item);
  void check_done_parents();
  void check_tasks();
  void find_duplicates_within_phases();
  void find_duplicates_across_phases();
  void check_waiting();
  void check_phases();

  const SourceText& source_;
  Outline outline_;
  core::Plan plan_;
  std::vector<Item> items_;
  std::optional<HeadingPhases> headings_;
  std::vector<Draft> drafts_;
  std::vector<Opening> openings_;
  std::unordered_map<int, std::size_t> heading_phase_;
  std::vector<Site> sites_;
  std::vector<CriterionSite> criterion_sites_;
  base::IndexTable tasks_;     // from phase and id to an index in sites_
  base::IndexTable criteria_;  // from phase and id to an index in criterion_sites_
  int unphased_ = -1;
};

}  // namespace plankeep::markdown
