#include "markdown/edits/put_back.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

#include "markdown/edits/edit_check.hpp"
#include "markdown/item_lines.hpp"
#include "markdown/parse_plan.hpp"
#include "markdown/source_text.hpp"
#include "model/find_task.hpp"
#include "model/progress.hpp"

namespace plankeep::markdown {
namespace {

using base::Result;

std::set<std::int64_t> lines_of_boxes(const SourceText& source, const core::Plan& plan) {
  std::set<std::int64_t> lines;
  const auto add = [&](const std::vector<core::Box>& boxes) {
    for (const core::Box& box : boxes) lines.insert(source.position(box.offset).line);
  };
  for (const core::Phase& phase : plan.phases) {
    for (const core::Task& task : phase.tasks) add(task.boxes);
    for (const core::Criterion& criterion : phase.acceptance) add(criterion.boxes);
  }
  return lines;
}

// The last line that belongs to the item whose box stands on `first`: what is indented deeper, up to the next
// task or criterion.
std::int64_t last_line(const SourceText& source, const std::set<std::int64_t>& boxes, std::int64_t first) {
  const std::size_t indent = indent_of(source.line(first));
  std::int64_t last = first;
  for (std::int64_t line = first + 1; line <= source.line_count(); ++line) {
    const std::string_view text = source.line(line);
    if (boxes.contains(line)) break;
    if (has_no_text(text)) continue;
    if (indent_of(text) <= indent) break;
    last = line;
  }
  return last;
}

std::int64_t box_line(const SourceText& source, const core::Task& task) {
  return task.boxes.empty() ? task.line : source.position(task.boxes.front().offset).line;
}

// Whether CHECKPOINT markers make the phases of the text: then such a marker stands where the phase begins.
bool opened_by_marker(const SourceText& source, const core::Phase& phase) {
  return source.line(std::min(phase.line, source.line_count())).find("CHECKPOINT") != std::string_view::npos;
}

// Where the tasks of missing phases go: below headings that are still there without boxes, or new headings.
enum class Headings { kept, fresh };

// Collects what is to be put in behind which line of the plan; line 0 is before the first.
class Insertions {
 public:
  Insertions(std::string_view bytes, const core::Plan& now, std::string_view earlier_bytes,
             const core::Plan& earlier, Headings headings)
      : headings_(headings),
        source_(bytes),
        now_(now),
        boxes_(lines_of_boxes(source_, now)),
        earlier_source_(earlier_bytes),
        earlier_(earlier),
        earlier_boxes_(lines_of_boxes(earlier_source_, earlier)),
        end_(line_end_at(source_, 1)) {}

  void add(const LostTask& lost) {
    const core::Phase& phase = earlier_.phases[lost.phase];
    const std::string block = lines_of(phase.tasks[lost.task]);
    const core::Phase* const there = core::find_phase(now_, phase.id);
    if (there == nullptr) {
      if (const std::int64_t heading = heading_of(phase); heading > 0) {
        std::string& below = behind_[heading];
        const bool blank = heading < source_.line_count() && has_no_text(source_.line(heading + 1));
        if (below.empty() && blank) below = end_;
        below += block;
      } else {
        gone_[lost.phase] += block;
      }
      return;
    }
    behind_[place_of(lost, *there)] += block;
  }

  std::string text() const {
    std::string out;
    const std::string_view bytes = source_.bytes();
    std::size_t at = 0;
    for (const auto& [line, block] : behind_) {
      const std::size_t next = line < source_.line_count() ? source_.line_start(line + 1) : bytes.size();
      out.append(bytes.substr(at, next - at));
      at = next;
      finish_line(out);
      out += block;
    }
    out.append(bytes.substr(at));
    for (const auto& [index, block] : gone_) {
      finish_line(out);
      const core::Phase& phase = earlier_.phases[index];
      out += end_ + "## " + core::title_or_id(phase) + end_;
      if (opened_by_marker(earlier_source_, phase))
        out += "<!-- CHECKPOINT: " + phase.id.text + " -->" + end_;
      out += end_ + block;
    }
    return out;
  }

 private:
  std::string lines_of(const core::Task& task) const {
    const std::int64_t first = box_line(earlier_source_, task);
    std::string block;
    for (std::int64_t line = first; line <= last_line(earlier_source_, earlier_boxes_, first); ++line)
      block.append(earlier_source_.line(line)).append(end_);
    return block;
  }

  std::int64_t place_of(const LostTask& lost, const core::Phase& there) const {
    const core::Phase& phase = earlier_.phases[lost.phase];
    for (std::size_t t = lost.task; t-- > 0;) {
      if (const core::Task* before = core::find_task_in(there, phase.tasks[t].id))
        return last_line(source_, boxes_, box_line(source_, *before));
    }
    std::int64_t first = 0;  // of the phase's own tasks and criteria
    for (const core::Task& task : there.tasks) {
      const std::int64_t line = box_line(source_, task);
      if (first == 0 || line < first) first = line;
    }
    if (first > 0) return first - 1;
    // A phase without any task: behind its heading and marker.
    std::int64_t line = there.line;
    while (line < source_.line_count() && source_.line(line + 1).starts_with("<!--")) ++line;
    return line;
  }

  // The line of the plan's only heading that is that of the earlier phase; 0: there is none, or several.
  std::int64_t heading_of(const core::Phase& phase) const {
    if (headings_ == Headings::fresh || phase.line > earlier_source_.line_count()) return 0;
    const std::string_view heading = earlier_source_.line(phase.line);
    if (!heading.starts_with("#")) return 0;
    std::int64_t found = 0;
    for (std::int64_t line = 1; line <= source_.line_count(); ++line) {
      if (source_.line(line) != heading) continue;
      if (found > 0) return 0;
      found = line;
    }
    return found;
  }

  void finish_line(std::string& out) const {
    if (!out.empty() && out.back() != '\n' && out.back() != '\r') out += end_;
  }

  Headings headings_;
  SourceText source_;
  const core::Plan& now_;
  std::set<std::int64_t> boxes_;
  SourceText earlier_source_;
  const core::Plan& earlier_;
  std::set<std::int64_t> earlier_boxes_;
  std::string end_;
  std::map<std::int64_t, std::string> behind_;
  std::map<std::size_t, std::string> gone_;
};

// A task in its phase, as done as it is; by titles where the id follows from the text.
std::string key_of(const core::Phase& phase, const core::Task& task) {
  std::string key = task.marked ? phase.id.text : phase.title;
  key.append("\n")
      .append(task.marked ? task.id.text : task.title)
      .append("\n")
      .append(core::name_of(task.state));
  return key;
}

// Exactly the tasks of `now` and those put back are there.
bool says_so(const core::Plan& result, const core::Plan& now, const core::Plan& earlier,
             const std::vector<LostTask>& lost) {
  const auto keys = [](const core::Plan& plan) {
    std::vector<std::string> all;
    for (const core::Phase& phase : plan.phases) {
      for (const core::Task& task : phase.tasks) all.push_back(key_of(phase, task));
    }
    return all;
  };
  std::vector<std::string> wanted = keys(now);
  for (const LostTask& one : lost) {
    const core::Phase& phase = earlier.phases[one.phase];
    wanted.push_back(key_of(phase, phase.tasks[one.task]));
  }
  std::vector<std::string> there = keys(result);
  std::sort(wanted.begin(), wanted.end());
  std::sort(there.begin(), there.end());
  return there == wanted && same_decisions(result, now) && same_blockers(result, now);
}

}  // namespace

std::vector<LostTask> lost_tasks(const core::Plan& earlier, const core::Plan& now) {
  using Place = std::pair<std::string_view, std::string_view>;
  std::set<Place> known;
  std::unordered_set<std::string_view> known_ids;
  for (const core::Phase& phase : earlier.phases) {
    for (const core::Task& task : phase.tasks) {
      known.emplace(phase.id.text, task.id.text);
      known_ids.insert(task.id.text);
    }
  }
  std::set<Place> there;
  std::unordered_set<std::string_view> moved;    // ids
  std::unordered_set<std::string_view> renamed;  // titles
  for (const core::Phase& phase : now.phases) {
    for (const core::Task& task : phase.tasks) {
      there.emplace(phase.id.text, task.id.text);
      if (!known.contains({phase.id.text, task.id.text})) moved.insert(task.id.text);
      if (!task.title.empty() && !known_ids.contains(task.id.text)) renamed.insert(task.title);
    }
  }
  std::vector<LostTask> lost;
  for (std::size_t p = 0; p < earlier.phases.size(); ++p) {
    const core::Phase& phase = earlier.phases[p];
    for (std::size_t t = 0; t < phase.tasks.size(); ++t) {
      const core::Task& task = phase.tasks[t];
      const bool here = there.contains({phase.id.text, task.id.text}) || moved.contains(task.id.text) ||
                        renamed.contains(task.title);
      if (!here) lost.push_back({p, t});
    }
  }
  return lost;
}

Result<std::string> put_back(std::string_view bytes, const core::Plan& now, std::string_view earlier_bytes,
                             const core::Plan& earlier, const std::vector<LostTask>& lost) {
  if (lost.empty()) return std::string(bytes);
  for (const Headings headings : {Headings::kept, Headings::fresh}) {
    Insertions insertions(bytes, now, earlier_bytes, earlier, headings);
    for (const LostTask& one : lost) insertions.add(one);
    std::string text = insertions.text();
    TRY_ASSIGN(const core::Plan result, parse_plan(text));
    if (says_so(result, now, earlier, lost)) return text;
  }
  return base::fail(base::ErrorKind::conflict, "the lost tasks have no place in the current plan",
                    "restore the whole earlier version: omit --lost");
}

}  // namespace plankeep::markdown
