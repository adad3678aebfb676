#pragma once
// What holds for every plan that was read, whatever its bytes.

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.hpp"
#include "fuzz/law.hpp"
#include "model/plan.hpp"
#include "model/progress.hpp"

namespace plankeep::fuzz {

/// How many lines an editor shows, and how long each is in bytes, without its line end.
inline std::vector<std::size_t> line_lengths(std::string_view bytes) {
  std::vector<std::size_t> lengths;
  std::size_t start = 0;
  for (std::size_t at = 0; at <= bytes.size(); ++at) {
    const bool end = at == bytes.size() || bytes[at] == '\n' || bytes[at] == '\r';
    if (!end) continue;
    lengths.push_back(at - start);
    if (at + 1 < bytes.size() && bytes[at] == '\r' && bytes[at + 1] == '\n') ++at;
    start = at + 1;
  }
  return lengths;
}

inline void box_laws(std::string_view bytes, const std::vector<core::Box>& boxes) {
  law(!boxes.empty(), "a task and a criterion has a box");
  for (const core::Box& box : boxes) {
    law(box.offset > 0 && box.offset + box.length < bytes.size(), "a box lies inside the file");
    law(box.length >= 1 && box.length <= 4, "a box holds one character");
    law(bytes[box.offset - 1] == '[' && bytes[box.offset + box.length] == ']',
        "a box stands between brackets");
  }
}

inline void plan_laws(std::string_view bytes, const core::Plan& plan) {
  const auto lengths = line_lengths(bytes);
  const auto lines = static_cast<std::int64_t>(lengths.size());
  const auto inside = [&](std::int64_t line) { return line >= 1 && line <= lines; };
  std::set<std::string> phase_ids;
  for (const core::Phase& phase : plan.phases) {
    law(!phase.id.empty() && phase_ids.insert(phase.id.text).second, "phase ids are given and unique");
    law(inside(phase.line), "a phase's line is inside the file");
    std::set<std::string> task_ids;
    for (const core::Task& task : phase.tasks) {
      law(!task.id.empty() && task_ids.insert(task.id.text).second,
          "task ids are given and unique in a phase");
      law(inside(task.line), "a task's line is inside the file");
      law(base::find_invalid_utf8(task.title) == std::string_view::npos, "a title is UTF-8");
      box_laws(bytes, task.boxes);
    }
    for (const core::Criterion& criterion : phase.acceptance) {
      law(!criterion.id.empty(), "a criterion has an id");
      law(inside(criterion.line), "a criterion's line is inside the file");
      box_laws(bytes, criterion.boxes);
    }
  }
  for (const core::Decision& decision : plan.decisions)
    law(inside(decision.line), "a decision is inside the file");
  for (const core::Blocker& blocker : plan.blockers)
    law(inside(blocker.line), "a blocker is inside the file");
  for (const core::Diagnostic& diagnostic : plan.diagnostics) {
    law(inside(diagnostic.line), "a diagnostic's line is inside the file");
    // One behind the last byte is where something that is missing would stand.
    law(diagnostic.column >= 1 && static_cast<std::size_t>(diagnostic.column) <=
                                      lengths[static_cast<std::size_t>(diagnostic.line - 1)] + 1,
        "a diagnostic's column is inside its line");
    law(diagnostic.message.find('\n') == std::string::npos, "a message is one line");
  }
  const core::Progress progress = core::progress_of(plan);
  law(progress.completed >= 0 && progress.completed <= progress.total, "done tasks are at most all");
  law((progress.percent_tenths == 1000) == (progress.total > 0 && progress.completed == progress.total),
      "100 percent means all, and all means 100 percent");
  const core::Current current = core::current_of(plan);
  law(!current.phase || *current.phase < plan.phases.size(), "the current phase exists");
  law(!current.task || (current.phase && *current.task < plan.phases[*current.phase].tasks.size()),
      "the current task exists");
}

}  // namespace plankeep::fuzz
