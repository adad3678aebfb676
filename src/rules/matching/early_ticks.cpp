#include "rules/matching/early_ticks.hpp"

#include <string>
#include <string_view>
#include <unordered_set>

#include "model/dependencies.hpp"

namespace plankeep::core {

std::optional<Notice> ticked_too_early(const std::vector<const Task*>& ticked, const Plan& plan) {
  if (ticked.empty()) return std::nullopt;
  const DoneIds done(plan);
  std::vector<std::string> early;
  std::vector<std::string> open;
  std::unordered_set<std::string_view> named;
  for (const Task* task : ticked) {
    bool waits = false;
    for (const TaskId& id : task->after) {
      if (done.contains(id)) continue;
      waits = true;
      if (named.insert(id.text).second) open.push_back(id.text);
    }
    if (waits) early.push_back(task_name(task->id, task->title));
  }
  if (early.empty()) return std::nullopt;
  return done_before_dependency(early, open);
}

}  // namespace plankeep::core
