#include <algorithm>

#include "base/utf8.hpp"
#include "render/progress/status.hpp"

namespace plankeep::render {

std::string init_text(const core::StatusView& view, bool created, const std::string& continued,
                      const Style& style) {
  const std::size_t columns = std::max(style.columns, kNarrowest);
  std::int64_t phases = 0;
  std::int64_t criteria = 0;
  for (const core::PhaseRow& phase : view.phases) {
    ++phases;
    criteria += phase.acceptance_total;
  }
  std::string first =
      (created || !continued.empty() ? "tracking " : "already tracked: ") + safe_line(view.file);
  if (!continued.empty()) first += ", continued from " + safe_line(continued) + ", which no longer exists";
  std::string text = first + "\n";
  std::string found =
      "found " + counted(phases, "phase", "phases") + ", " + counted(view.progress.total, "task", "tasks") +
      " (" + std::to_string(view.progress.completed) + " done), " +
      counted(criteria, "criterion", "criteria") + beside_the_totals(view.progress, view.skipped);
  for (const std::string& line : wrap(found, columns, 3)) text += line + "\n";
  for (const std::string& warning : view.warnings) {
    for (const std::string& line : wrap("warning: " + safe_line(warning), columns, 3)) {
      text += paint(style, Paint::warning, line) + "\n";
    }
  }
  return text;
}

}  // namespace plankeep::render
