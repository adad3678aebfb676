#include "render/progress/status_line.hpp"

#include <algorithm>

#include "base/utf8.hpp"
#include "model/find_task.hpp"
#include "render/progress/vanished.hpp"
#include "rules/listing/completion.hpp"
#include "rules/notice.hpp"

namespace plankeep::render {
namespace {

constexpr std::size_t kNameColumns = 24;
constexpr std::size_t kTitleColumns = 40;
constexpr std::size_t kBarColumns = 8;

const core::PhaseState* current_phase(const core::State& state) {
  return state.current_phase ? core::find_phase(state, *state.current_phase) : nullptr;
}

const core::TaskState* current_task(const core::State& state, const core::PhaseState& phase) {
  return state.current_task ? core::find_task_in(phase, *state.current_task) : nullptr;
}

std::string task_text(const core::TaskState& task) {
  std::string id = safe_line(task.id.text, kNameColumns);
  std::string title = safe_line(task.title, kTitleColumns);
  // A title that begins with the id says it already.
  if (title.empty()) return id;
  return title.starts_with(id) ? title : id + " " + title;
}

std::string_view words_of(PlanFileNow file) {
  switch (file) {
    case PlanFileNow::as_recorded:
      return {};
    case PlanFileNow::changed:
      return " · changes not recorded yet";
    case PlanFileNow::missing:
      return " · the file is missing";
    case PlanFileNow::unreadable:
      return " · the file cannot be read";
  }
  return {};
}

}  // namespace

std::string status_line(std::string_view plan_id, const core::State& state, const Style& style,
                        const BesideState& beside) {
  const core::Progress& progress = state.progress;
  std::string text = safe_line(plan_id, kNameColumns) + " " + std::to_string(progress.completed) + "/" +
                     std::to_string(progress.total) + " " + bar(progress.percent_tenths, kBarColumns) + " " +
                     percent(progress.percent_tenths) + "%";
  if (const core::PhaseState* phase = current_phase(state)) {
    if (const core::TaskState* task = current_task(state, *phase)) {
      text += " · " + task_text(*task);
    } else {
      text += " · " + safe_line(core::title_or_id(*phase), kTitleColumns);
    }
  } else if (core::is_complete(state) && beside.file == PlanFileNow::as_recorded && beside.vanished.empty()) {
    text += " · all done" + core::beside_done(progress, state.skipped);
  }
  if (!beside.vanished.empty())
    text += " · " + vanished_count(beside.vanished) + " vanished: plankeep restore --lost";
  if (!state.blockers.empty()) text += " · " + counted(state.blockers.size(), "blocker", "blockers");
  text += words_of(beside.file);
  return base::fit_to_width(text, std::max(style.columns, kNarrowest)) + "\n";
}

}  // namespace plankeep::render
