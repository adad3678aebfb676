#include "markdown/annotate.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/slug.hpp"
#include "markdown/outline/outline.hpp"
#include "markdown/parse_plan.hpp"
#include "markdown/unmarked_ids.hpp"

namespace plankeep::markdown {
namespace {

using base::ErrorKind;
using base::fail;
using base::Result;

struct Insertion {
  std::size_t offset = 0;
  std::size_t fallback = 0;  // where to put it when behind the text it is not read
  std::string text;
  AddedMarker added;
};

std::string task_marker(const std::string& id) {
  return " <!-- TASK: " + id + " -->";
}

// Ids of tasks by the place of their box.
std::map<std::size_t, std::string> known_ids(const core::Plan& plan) {
  std::map<std::size_t, std::string> ids;
  for (const core::Phase& phase : plan.phases) {
    for (const core::Task& task : phase.tasks) {
      for (const core::Box& box : task.boxes) ids.emplace(box.offset, task.id.text);
    }
  }
  return ids;
}

std::vector<Insertion> missing_task_markers(const core::Plan& plan, const Outline& outline) {
  const std::map<std::size_t, std::string> ids = known_ids(plan);
  UniqueIds unique;
  for (const auto& [offset, id] : ids) unique.reserve(id);
  std::vector<Insertion> missing;
  for (const OutlineBox& box : outline.boxes) {
    if (box.letter || box.has_markers()) continue;
    const auto known = ids.find(box.box.offset);
    std::string id;
    if (known != ids.end()) {
      id = known->second;
    } else {
      const std::string written = leading_id(box.title);
      id = unique.take(written.empty() ? base::slug(box.title, "task") : written);
    }
    missing.push_back(
        {std::max(box.text_end, box.after_box), box.after_box, task_marker(id), {box.line, "TASK", id}});
  }
  return missing;
}

// A line below each heading that is a phase.
Result<std::vector<Insertion>> missing_checkpoints(const SourceText& source, const core::Plan& plan,
                                                   const Outline& outline) {
  std::vector<Insertion> missing;
  const bool any = std::any_of(outline.landmarks.begin(), outline.landmarks.end(),
                               [](const Landmark& mark) { return mark.kind == Landmark::Kind::marker; });
  if (any || plan.mode == core::PlanMode::marked) return missing;
  for (const core::Phase& phase : plan.phases) {
    const auto heading = std::find_if(
        outline.headings.begin(), outline.headings.end(),
        [&](const OutlineHeading& head) { return head.line == phase.line && head.title == phase.title; });
    if (heading == outline.headings.end()) continue;  // what stands before the first heading stays so
    std::size_t start = source.line_start(heading->line);
    if (heading->line == 1) start = std::min(source.body_start(), heading->offset);
    const std::string prefix(source.bytes().substr(start, heading->offset - start));
    if (prefix.find_first_not_of(" \t>") != std::string::npos) {
      return fail(ErrorKind::conflict,
                  "line " + std::to_string(heading->line) +
                      ": this heading is a phase, but a marker cannot be placed below it",
                  "move the heading out of the list item");
    }
    const std::size_t end = source.line_end(heading->last_line);
    const bool last = heading->last_line >= source.line_count();
    std::string line_end = "\n";
    if (!last) {
      line_end = source.bytes().substr(end, source.line_start(heading->last_line + 1) - end);
    }
    const std::string marker = "<!-- CHECKPOINT: " + phase.id.text + " -->";
    const std::size_t at = last ? source.bytes().size() : source.line_start(heading->last_line + 1);
    missing.push_back({at,
                       at,
                       last ? line_end + prefix + marker : prefix + marker + line_end,
                       {heading->line, "CHECKPOINT", phase.id.text}});
  }
  return missing;
}

std::string with_insertions(std::string_view bytes, const std::vector<Insertion>& insertions) {
  std::string text;
  text.reserve(bytes.size() + insertions.size() * 40);
  std::size_t at = 0;
  for (const Insertion& insertion : insertions) {
    text.append(bytes.substr(at, insertion.offset - at));
    text.append(insertion.text);
    at = insertion.offset;
  }
  text.append(bytes.substr(at));
  return text;
}

void sort_by_offset(std::vector<Insertion>& insertions) {
  std::stable_sort(insertions.begin(), insertions.end(),
                   [](const Insertion& a, const Insertion& b) { return a.offset < b.offset; });
}

// Every task of before under its phase, as it was; and nothing without a marker left. A plan that is still
// unmarked swallowed every marker it was given, and would be read as before without them.
bool says_the_same(const core::Plan& before, const core::Plan& after, bool tasks_added) {
  if (tasks_added && after.mode == core::PlanMode::unmarked) return false;
  const bool unmarked_left =
      std::any_of(after.diagnostics.begin(), after.diagnostics.end(), [](const core::Diagnostic& diagnostic) {
        return diagnostic.code == core::DiagnosticCode::unmarked_checkbox;
      });
  if (unmarked_left) return false;
  std::map<std::pair<std::string, std::string>, const core::Task*> now;
  for (const core::Phase& phase : after.phases) {
    for (const core::Task& task : phase.tasks) now.emplace(std::pair(phase.id.text, task.id.text), &task);
  }
  for (const core::Phase& phase : before.phases) {
    for (const core::Task& task : phase.tasks) {
      const auto same = now.find({phase.id.text, task.id.text});
      if (same == now.end() || same->second->title != task.title || same->second->state != task.state ||
          same->second->optional != task.optional) {
        return false;
      }
    }
  }
  return before.decisions.size() == after.decisions.size() && before.blockers.size() == after.blockers.size();
}

}  // namespace

Result<Annotated> annotate(std::string_view bytes, const core::Plan& plan) {
  const SourceText source(bytes);
  TRY_ASSIGN(const Outline outline, read_outline(source));
  std::vector<Insertion> tasks = missing_task_markers(plan, outline);
  // A plan without a box has nothing to mark, and marking its phases would make it no plan either.
  if (tasks.empty() && plan.mode == core::PlanMode::unmarked) return Annotated{std::string(bytes), {}};
  TRY_ASSIGN(std::vector<Insertion> insertions, missing_checkpoints(source, plan, outline));
  const std::size_t checkpoints = insertions.size();
  insertions.insert(insertions.end(), tasks.begin(), tasks.end());
  if (insertions.empty()) return Annotated{std::string(bytes), {}};

  std::vector<Insertion> sorted = insertions;
  sort_by_offset(sorted);
  Annotated result;
  result.text = with_insertions(bytes, sorted);
  TRY_ASSIGN(core::Plan after, parse_plan(result.text));
  if (!says_the_same(plan, after, !tasks.empty())) {
    // A text that ends in an open comment, tag or link swallows what is put behind it: put it before the text
    // there.
    std::set<std::string> read;
    for (const core::Phase& phase : after.phases) {
      for (const core::Task& task : phase.tasks) read.insert(task.id.text);
    }
    const bool none_read = after.mode == core::PlanMode::unmarked;
    for (std::size_t i = checkpoints; i < insertions.size(); ++i) {
      if (none_read || !read.contains(insertions[i].added.id)) insertions[i].offset = insertions[i].fallback;
    }
    sorted = insertions;
    sort_by_offset(sorted);
    result.text = with_insertions(bytes, sorted);
    TRY_ASSIGN(after, parse_plan(result.text));
    if (!says_the_same(plan, after, !tasks.empty())) {
      return fail(
          ErrorKind::conflict, "this plan cannot be expressed with markers",
          "does a quote or list item contain a heading with boxes? move it out, or add the markers by hand");
    }
  }
  for (const Insertion& insertion : sorted) result.added.push_back(insertion.added);
  std::stable_sort(result.added.begin(), result.added.end(),
                   [](const AddedMarker& a, const AddedMarker& b) { return a.line < b.line; });
  return result;
}

}  // namespace plankeep::markdown
