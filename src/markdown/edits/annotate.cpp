#include "markdown/edits/annotate.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "markdown/edits/edit_check.hpp"
#include "markdown/outline/outline.hpp"
#include "markdown/parse_plan.hpp"

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
  std::vector<Insertion> missing;
  for (const OutlineBox& box : outline.boxes) {
    const auto known = ids.find(box.box.offset);
    if (box.has_markers() || known == ids.end()) continue;
    missing.push_back({std::max(box.text_end, box.after_box),
                       box.after_box,
                       task_marker(known->second),
                       {box.line, "TASK", known->second}});
  }
  return missing;
}

bool has_checkpoint(const Outline& outline) {
  return std::any_of(outline.markers.begin(), outline.markers.end(),
                     [](const OutlineMarker& marker) { return marker.kind == MarkerKind::checkpoint; });
}

// Where a heading's text ends on its first line, a closing run of "#" left out.
std::size_t text_end_of(const SourceText& source, const OutlineHeading& heading) {
  const std::string_view line =
      source.bytes().substr(heading.offset, source.line_end(heading.line) - heading.offset);
  constexpr std::string_view kBlanks = " \t";
  std::size_t end = line.find_last_not_of(kBlanks) + 1;
  std::size_t closing = end;
  while (closing > 0 && line[closing - 1] == '#') --closing;
  if (closing > 0 && closing < end && kBlanks.find(line[closing - 1]) != std::string_view::npos)
    end = line.substr(0, closing).find_last_not_of(kBlanks) + 1;
  return heading.offset + end;
}

// A line below each heading that is a phase; in the line of a heading of level 1, which below it would give
// way to a deeper one.
std::vector<Insertion> missing_checkpoints(const SourceText& source, const core::Plan& plan,
                                           const Outline& outline) {
  std::vector<Insertion> missing;
  if (has_checkpoint(outline)) return missing;
  for (const core::Phase& phase : plan.phases) {
    const auto heading =
        std::find_if(outline.headings.begin(), outline.headings.end(), [&](const OutlineHeading& head) {
          return head.line == phase.line && !head.in_container() && !head.left_out;
        });
    if (heading == outline.headings.end()) continue;  // what stands before the first heading stays so
    const std::string marker = "<!-- CHECKPOINT: " + phase.id.text + " -->";
    const AddedMarker added{heading->line, "CHECKPOINT", phase.id.text};
    if (heading->level == 1) {
      const std::size_t at = text_end_of(source, *heading);
      missing.push_back({at, at, " " + marker, added});
      continue;
    }
    const std::size_t end = source.line_end(heading->last_line);
    const bool last = heading->last_line >= source.line_count();
    std::string line_end = "\n";
    if (!last) line_end = source.bytes().substr(end, source.line_start(heading->last_line + 1) - end);
    const std::size_t at = last ? source.bytes().size() : source.line_start(heading->last_line + 1);
    missing.push_back({at, at, last ? line_end + marker : marker + line_end, added});
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

// What annotating is to leave as it is: everything but where the ids come from.
core::Plan with_markers(core::Plan plan) {
  for (core::Phase& phase : plan.phases) {
    for (core::Task& task : phase.tasks) task.marked = true;
  }
  return plan;
}

bool says_the_same(const core::Plan& wanted, const core::Plan& after) {
  return same_phases(wanted, after) && same_decisions(wanted, after) && same_blockers(wanted, after);
}

}  // namespace

Result<Annotated> annotate(std::string_view bytes, const core::Plan& plan) {
  const SourceText source(bytes);
  TRY_ASSIGN(const Outline outline, read_outline(source));
  const std::vector<Insertion> tasks = missing_task_markers(plan, outline);
  std::vector<Insertion> insertions = missing_checkpoints(source, plan, outline);
  const std::size_t checkpoints = insertions.size();
  insertions.insert(insertions.end(), tasks.begin(), tasks.end());
  if (insertions.empty()) return Annotated{std::string(bytes), {}};

  const core::Plan wanted = with_markers(plan);
  std::vector<Insertion> sorted = insertions;
  sort_by_offset(sorted);
  Annotated result;
  result.text = with_insertions(bytes, sorted);
  TRY_ASSIGN(core::Plan after, parse_plan(result.text));
  if (!says_the_same(wanted, after)) {
    // A text that ends in an open comment, tag or link swallows what is put behind it: put it before the text
    // there.
    std::set<std::string> read;
    for (const core::Phase& phase : after.phases) {
      for (const core::Task& task : phase.tasks) {
        if (task.marked) read.insert(task.id.text);
      }
    }
    for (std::size_t i = checkpoints; i < insertions.size(); ++i) {
      if (!read.contains(insertions[i].added.id)) insertions[i].offset = insertions[i].fallback;
    }
    sorted = insertions;
    sort_by_offset(sorted);
    result.text = with_insertions(bytes, sorted);
    TRY_ASSIGN(after, parse_plan(result.text));
    if (!says_the_same(wanted, after)) {
      return fail(ErrorKind::conflict, "this plan cannot be expressed with markers",
                  "add the markers by hand, one phase at a time");
    }
  }
  for (const Insertion& insertion : sorted) result.added.push_back(insertion.added);
  std::stable_sort(result.added.begin(), result.added.end(),
                   [](const AddedMarker& a, const AddedMarker& b) { return a.line < b.line; });
  return result;
}

}  // namespace plankeep::markdown
