#include "markdown/parse_plan.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <unordered_map>

#include "base/index_table.hpp"
#include "base/slug.hpp"
#include "markdown/dependencies.hpp"
#include "markdown/outline/outline.hpp"
#include "markdown/phase_titles.hpp"
#include "markdown/unmarked_ids.hpp"

namespace plankeep::markdown {
namespace {

using core::BoxState;
using core::DiagnosticCode;

constexpr std::uint64_t kLargest = 64ULL << 20;
constexpr std::size_t kBinaryProbe = 8000;  // as git: a NUL among the first bytes makes a file binary
constexpr std::string_view kUnphased = "unphased";

class Assembler {
 public:
  Assembler(const SourceText& source, Outline outline) : source_(source), outline_(std::move(outline)) {}

  core::Plan assemble() {
    plan_.diagnostics = std::move(outline_.diagnostics);
    plan_.has_markers = !outline_.markers.empty();
    find_valid_boxes();
    make_phases();
    place_boxes();
    place_records();
    check_boxes();
    check_phases();
    hand_over_phases();
    core::sort_diagnostics(plan_.diagnostics);
    return std::move(plan_);
  }

 private:
  // A phase while it is built.
  struct Draft {
    core::Phase phase;
    std::size_t offset = 0;
    bool from_marker = false;
  };

  void add(DiagnosticCode code, std::size_t offset, std::string message, std::string hint = {}) {
    const Position at = source_.position(offset);
    plan_.diagnostics.push_back({at.line, at.column, code, std::move(message), std::move(hint)});
  }

  const OutlineMarker& marker(int index) const { return outline_.markers[static_cast<std::size_t>(index)]; }
  OutlineBox& box(int index) { return outline_.boxes[static_cast<std::size_t>(index)]; }

  bool has(const OutlineBox& box, MarkerKind kind) const {
    for (int index = box.first_marker; index >= 0; index = marker(index).next) {
      if (marker(index).kind == kind) return true;
    }
    return false;
  }

  void find_valid_boxes() {
    valid_.resize(outline_.boxes.size());
    parent_.resize(outline_.boxes.size(), -1);
    for (std::size_t i = 0; i < outline_.boxes.size(); ++i) {
      const OutlineBox& item = outline_.boxes[i];
      valid_[i] = !item.letter || item.has_markers();
      // Parents come before their children, so theirs is settled.
      const int around = item.parent;
      if (around >= 0) {
        parent_[i] =
            valid_[static_cast<std::size_t>(around)] ? around : parent_[static_cast<std::size_t>(around)];
      }
      if (valid_[i] && has(item, MarkerKind::task)) plan_.mode = core::PlanMode::marked;
    }
  }

  std::size_t draft(const std::string& id, std::string title, std::size_t offset, bool from_marker) {
    drafts_.push_back({});
    Draft& fresh = drafts_.back();
    fresh.phase.id = core::PhaseId(id);
    fresh.phase.title = std::move(title);
    fresh.phase.line = source_.position(offset).line;
    fresh.offset = offset;
    fresh.from_marker = from_marker;
    return drafts_.size() - 1;
  }

  void make_phases() {
    const std::vector<int> headings = headings_of_markers(outline_);
    std::unordered_map<std::string, std::size_t> by_id;
    for (std::size_t i = 0; i < outline_.landmarks.size(); ++i) {
      const Landmark& mark = outline_.landmarks[i];
      if (mark.kind != Landmark::Kind::marker) continue;
      const std::string& id = marker(mark.index).id;
      const auto known = by_id.find(id);
      if (known != by_id.end()) {
        add(DiagnosticCode::phase_repeated, mark.offset,
            "phase \"" + id + "\" appears a second time; what follows is added to it",
            "give the second phase its own id");
        openings_.push_back({mark.offset, known->second});
        continue;
      }
      const int heading = headings[i];
      std::string title = heading >= 0 ? outline_.headings[static_cast<std::size_t>(heading)].title : id;
      if (title.empty()) title = id;
      const std::size_t index = draft(id, std::move(title), mark.offset, true);
      by_id.emplace(id, index);
      openings_.push_back({mark.offset, index});
    }
    by_marker_ = !openings_.empty();
  }

  // The phase for things before the first marker or heading; a CHECKPOINT of that name is the same phase.
  std::size_t unphased(std::size_t offset) {
    if (unphased_ < 0) {
      for (std::size_t i = 0; i < drafts_.size(); ++i) {
        if (drafts_[i].from_marker && drafts_[i].phase.id.text == kUnphased) unphased_ = static_cast<int>(i);
      }
      if (unphased_ < 0) {
        unphased_ = static_cast<int>(draft(std::string(kUnphased), std::string(kUnphased), offset, false));
      }
    }
    return static_cast<std::size_t>(unphased_);
  }

  std::size_t phase_at(std::size_t offset, int heading) {
    if (by_marker_) {
      const auto after =
          std::upper_bound(openings_.begin(), openings_.end(), offset,
                           [](std::size_t at, const Opening& opening) { return at < opening.offset; });
      return after == openings_.begin() ? unphased(offset) : (after - 1)->phase;
    }
    if (plan_.mode == core::PlanMode::marked || heading < 0) return unphased(offset);
    const auto [place, fresh] = heading_phase_.try_emplace(heading, 0);
    if (fresh) {
      const OutlineHeading& head = outline_.headings[static_cast<std::size_t>(heading)];
      place->second = draft(std::string(), head.title, head.offset, false);
    }
    return place->second;
  }

  void place_boxes() {
    sites_.reserve(outline_.boxes.size());
    if (plan_.mode == core::PlanMode::marked) tasks_ = base::IndexTable(outline_.boxes.size());
    for (std::size_t i = 0; i < outline_.boxes.size(); ++i) {
      if (!valid_[i]) continue;
      const OutlineBox& item = outline_.boxes[i];
      const bool is_criterion = has(item, MarkerKind::accept);
      if (plan_.mode == core::PlanMode::marked) {
        for (int index = item.first_marker; index >= 0; index = marker(index).next) {
          if (marker(index).kind == MarkerKind::task) place_task(static_cast<int>(i), index);
        }
      } else if (!is_criterion && parent_[i] < 0) {
        place_task(static_cast<int>(i), -1);
      }
      for (int index = item.first_marker; index >= 0; index = marker(index).next) {
        if (marker(index).kind == MarkerKind::accept) place_criterion(static_cast<int>(i), index);
      }
    }
    order_phases();
    if (plan_.mode == core::PlanMode::unmarked) give_ids();
    count_steps();
    find_duplicates_across_phases();
    check_waiting();
  }

  void check_waiting() {
    const bool any = std::any_of(outline_.markers.begin(), outline_.markers.end(),
                                 [](const OutlineMarker& mark) { return !mark.after.empty(); });
    if (!any) return;
    std::vector<DependencySite> sites;
    for (const Site& site : sites_) {
      if (!site.first) continue;
      const Position at = source_.position(site.offset);
      sites.push_back({&drafts_[site.phase].phase.tasks[site.task], at.line, at.column});
    }
    check_dependencies(sites, plan_.diagnostics);
  }

  static std::size_t hash_of(std::string_view id, std::size_t phase = 0) {
    return std::hash<std::string_view>()(id) + phase * 0x9E3779B97F4A7C15ULL;
  }

  void place_task(int index, int marker_index) {
    OutlineBox& item = box(index);
    const std::size_t phase = phase_at(item.offset, item.heading);
    std::vector<core::Task>& tasks = drafts_[phase].phase.tasks;
    if (marker_index < 0) {
      sites_.push_back({phase, tasks.size(), index, item.offset, true});
      fill(tasks.emplace_back(), item);
      return;
    }
    const OutlineMarker& mark = marker(marker_index);
    const std::size_t known =
        tasks_.find_or_add(hash_of(mark.id, phase), sites_.size(), [&](std::size_t other) {
          const Site& site = sites_[other];
          return site.phase == phase && tasks[site.task].id.text == mark.id;
        });
    const bool first = known == sites_.size();
    core::Task again;
    core::Task& task = first ? tasks.emplace_back() : again;
    fill(task, item);
    task.id = core::TaskId(mark.id);
    for (const std::string& id : mark.after) task.after.emplace_back(id);
    const std::size_t place = first ? tasks.size() - 1 : sites_[known].task;
    sites_.push_back({phase, place, index, mark.begin, first});
    if (first) return;
    add(DiagnosticCode::duplicate_id, mark.begin,
        "task \"" + mark.id + "\" appears twice in phase \"" + drafts_[phase].phase.id.text +
            "\": it is one task, done when both boxes are",
        "give the second one its own id");
    merge(tasks[place], task);
  }

  // All of a task but its id.
  static void fill(core::Task& task, OutlineBox& item) {
    // Nobody else needs the title of a box with one marker (or, in an unmarked plan, none).
    if (item.first_marker == item.last_marker && !item.title.empty()) {
      task.title = std::move(item.title);
    } else {
      task.title = item.title;
    }
    task.state = item.state;
    task.optional = item.optional;
    task.line = item.line;
    task.boxes.push_back(item.box);
  }

  static void merge(core::Task& first, const core::Task& second) {
    if (first.state != second.state) {
      const bool active = first.state == BoxState::active || second.state == BoxState::active;
      first.state = active ? BoxState::active : BoxState::open;
    }
    first.optional = first.optional && second.optional;
    for (const core::TaskId& id : second.after) {
      if (std::find(first.after.begin(), first.after.end(), id) == first.after.end())
        first.after.push_back(id);
    }
    for (const core::Box& box : second.boxes) add_box(first.boxes, box);
  }

  // Boxes come in the order of the text, so one that is known is the last.
  static void add_box(std::vector<core::Box>& boxes, const core::Box& box) {
    if (boxes.empty() || !(boxes.back() == box)) boxes.push_back(box);
  }

  void place_criterion(int index, int marker_index) {
    const OutlineBox& item = box(index);
    const OutlineMarker& mark = marker(marker_index);
    const std::size_t phase = phase_at(item.offset, item.heading);
    Draft& draft = drafts_[phase];
    core::Criterion criterion{core::CriterionId(mark.id),
                              item.title,
                              item.state == BoxState::done,
                              item.line,
                              mark.text,
                              {item.box}};
    const std::size_t known =
        criteria_.find_or_add(hash_of(mark.id, phase), criterion_sites_.size(), [&](std::size_t other) {
          const CriterionSite& site = criterion_sites_[other];
          return site.phase == phase && draft.phase.acceptance[site.criterion].id == criterion.id;
        });
    if (known == criterion_sites_.size()) {
      criterion_sites_.push_back({phase, draft.phase.acceptance.size()});
      draft.phase.acceptance.push_back(std::move(criterion));
      return;
    }
    add(DiagnosticCode::duplicate_id, mark.begin,
        "criterion \"" + criterion.id.text + "\" appears twice in phase \"" + draft.phase.id.text +
            "\": it is one criterion, met when both boxes are ticked",
        "give the second one its own id");
    core::Criterion& first = draft.phase.acceptance[criterion_sites_[known].criterion];
    first.met = first.met && criterion.met;
    if (first.verify.empty()) first.verify = criterion.verify;
    add_box(first.boxes, item.box);
  }

  // Document order; what came before the first phase stands first by itself.
  void order_phases() {
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
    for (Opening& opening : openings_) opening.phase = place[opening.phase];
  }

  void give_ids() {
    UniqueIds phases;
    for (const Draft& draft : drafts_) {
      if (!draft.phase.id.empty()) phases.reserve(draft.phase.id.text);
    }
    for (Draft& draft : drafts_) {
      if (draft.phase.id.empty())
        draft.phase.id = core::PhaseId(phases.take(base::slug(lasting_heading(draft.phase.title), "phase")));
    }
    UniqueIds tasks;
    for (const Site& site : sites_) {  // document order over the whole plan
      core::Task& task = drafts_[site.phase].phase.tasks[site.task];
      const std::string written = leading_id(task.title);
      task.id_in_text = !written.empty();
      task.id = core::TaskId(tasks.take(written.empty() ? base::slug(task.title, "task") : written));
    }
  }

  // Boxes without a marker (marked plans) or nested ones (unmarked plans) are steps of the task around them.
  void count_steps() {
    std::vector<int> task_of(outline_.boxes.size(), -1);  // site of a box that is a task
    for (std::size_t i = 0; i < sites_.size(); ++i)
      task_of[static_cast<std::size_t>(sites_[i].box)] = static_cast<int>(i);
    for (std::size_t i = 0; i < outline_.boxes.size(); ++i) {
      // An optional step is outside of every total, as an optional task is.
      if (!valid_[i] || task_of[i] >= 0 || outline_.boxes[i].optional ||
          has(outline_.boxes[i], MarkerKind::accept))
        continue;
      int around = parent_[i];
      while (around >= 0 && task_of[static_cast<std::size_t>(around)] < 0 &&
             !has(box(around), MarkerKind::accept)) {
        around = parent_[static_cast<std::size_t>(around)];
      }
      if (around < 0 || task_of[static_cast<std::size_t>(around)] < 0) continue;
      const Site& site = sites_[static_cast<std::size_t>(task_of[static_cast<std::size_t>(around)])];
      core::Steps& steps = drafts_[site.phase].phase.tasks[site.task].steps;
      ++steps.total;
      if (outline_.boxes[i].state == BoxState::done) ++steps.done;
    }
  }

  void find_duplicates_across_phases() {
    if (plan_.mode == core::PlanMode::unmarked) return;
    base::IndexTable first(sites_.size());
    const auto task_at = [&](std::size_t site) -> const core::Task& {
      return drafts_[sites_[site].phase].phase.tasks[sites_[site].task];
    };
    for (std::size_t i = 0; i < sites_.size(); ++i) {
      if (!sites_[i].first) continue;
      const std::string& id = task_at(i).id.text;
      const std::size_t known =
          first.find_or_add(hash_of(id), i, [&](std::size_t other) { return task_at(other).id.text == id; });
      if (known == i) continue;
      add(DiagnosticCode::duplicate_id, sites_[i].offset,
          "task \"" + id + "\" also appears in phase \"" + drafts_[sites_[known].phase].phase.id.text +
              "\": these are two tasks with the same id",
          "give one of them another id");
    }
  }

  void place_records() {
    const auto line_of = [&](const OutlineMarker& mark) { return source_.position(mark.begin).line; };
    for (const OutlineMarker& mark : outline_.markers) {
      if (mark.kind == MarkerKind::decision) {
        plan_.decisions.push_back({mark.text, mark.reason, line_of(mark)});
      } else if (mark.kind == MarkerKind::blocker) {
        plan_.blockers.push_back({mark.text, line_of(mark)});
      }
    }
  }

  void check_boxes() {
    std::vector<bool> told(outline_.boxes.size());
    for (std::size_t i = 0; i < outline_.boxes.size(); ++i) {
      if (!valid_[i]) continue;
      const OutlineBox& item = outline_.boxes[i];
      if (item.unknown_state) {
        add(DiagnosticCode::checkbox_unknown_state, item.offset,
            "\"" + std::string(source_.bytes().substr(item.offset, item.box.length + 2)) +
                "\" is not a known checkbox state; it counts as open",
            "known: [ ] open, [x] done, [~] [/] [-] active");
      }
      if (item.missing_space) {
        add(DiagnosticCode::checkbox_missing_space, item.offset,
            "no space after the checkbox; it still counts",
            "other Markdown tools do not see a checkbox here: put a space after the \"]\"");
      }
      if (plan_.mode == core::PlanMode::marked && !item.has_markers()) {
        add(DiagnosticCode::unmarked_checkbox, item.offset,
            "this box has no marker and is not counted: " + (item.title.empty() ? "(no text)" : item.title),
            "add <!-- TASK: id -->, or run plankeep annotate");
      }
      const int above = parent_[i];
      if (above >= 0 && box(above).state == BoxState::done && item.state != BoxState::done &&
          !item.optional && !told[static_cast<std::size_t>(above)]) {
        told[static_cast<std::size_t>(above)] = true;
        add(DiagnosticCode::done_parent_open_child, box(above).offset,
            "this box is ticked, but a box below it is not (line " + std::to_string(item.line) + ")",
            "tick the inner one, or untick this one");
      }
    }
  }

  void check_phases() {
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

  void hand_over_phases() {
    for (Draft& draft : drafts_) plan_.phases.push_back(std::move(draft.phase));
  }

  struct Opening {
    std::size_t offset = 0;
    std::size_t phase = 0;
  };
  struct Site {
    std::size_t phase = 0;
    std::size_t task = 0;
    int box = -1;
    std::size_t offset = 0;  // of the marker, or of the box when there is none
    bool first = true;       // false: another occurrence of a task that is there
  };
  struct CriterionSite {
    std::size_t phase = 0;
    std::size_t criterion = 0;
  };

  const SourceText& source_;
  Outline outline_;
  core::Plan plan_;
  std::vector<bool> valid_;
  std::vector<int> parent_;
  std::vector<Draft> drafts_;
  std::vector<Opening> openings_;
  std::map<int, std::size_t> heading_phase_;
  std::vector<Site> sites_;
  std::vector<CriterionSite> criterion_sites_;
  base::IndexTable tasks_;     // by phase and id, in sites_
  base::IndexTable criteria_;  // likewise, in criterion_sites_
  bool by_marker_ = false;
  int unphased_ = -1;
};

}  // namespace

base::Result<core::Plan> parse_plan(std::string_view bytes) {
  if (bytes.size() > kLargest) {
    return base::fail(
        base::ErrorKind::invalid_input,
        "the file has " + std::to_string(bytes.size() >> 20) + " MiB; the limit for a plan is 64 MiB",
        "is this a plan? split it");
  }
  if (bytes.substr(0, kBinaryProbe).find('\0') != std::string_view::npos) {
    return base::fail(base::ErrorKind::invalid_input, "the file is binary, not text",
                      "a plan is a Markdown file in UTF-8");
  }
  const SourceText source(bytes);
  TRY_ASSIGN(Outline outline, read_outline(source));
  return Assembler(source, std::move(outline)).assemble();
}

}  // namespace plankeep::markdown
