#include "rules/matching/gone_tasks.hpp"

namespace plankeep::core {

GoneTasks::GoneTasks(const State& previous, const PreviousItems& items) {
  for (std::size_t p = 0; p < previous.phases.size(); ++p) {
    const PhaseState& phase = previous.phases[p];
    for (std::size_t t = 0; t < phase.tasks.size(); ++t) {
      if (items.task_stays(p, t)) continue;
      if (const std::string& title = phase.tasks[t].title; !title.empty())
        by_title_[{phase.id.text, title}].push_back(tasks_.size());
      tasks_.push_back({p, t, false});
    }
  }
}

const GoneTask* GoneTasks::take(const PhaseId& phase, const std::string& title) {
  if (tasks_.empty()) return nullptr;
  const auto found = by_title_.find({phase.text, title});
  if (found == by_title_.end() || found->second.size() != 1) return nullptr;
  GoneTask& task = tasks_[found->second.front()];
  return std::exchange(task.taken, true) ? nullptr : &task;
}

std::vector<GoneTask> GoneTasks::left() const {
  std::vector<GoneTask> left;
  for (const GoneTask& task : tasks_) {
    if (!task.taken) left.push_back(task);
  }
  return left;
}

}  // namespace plankeep::core
