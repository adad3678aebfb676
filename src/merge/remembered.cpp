#include "merge/remembered.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "model/item_key.hpp"
#include "rules/match.hpp"

namespace plankeep::markdown {
namespace {

// Whether each box that has a number has the same words behind it as then.
bool same_numbers(const core::Plan& earlier, const core::Plan& now) {
  std::unordered_map<std::string_view, std::string_view> titles;
  for (const core::Phase& phase : earlier.phases) {
    for (const core::Task& task : phase.tasks) titles.emplace(task.id.text, task.title);
  }
  const auto same = [&titles](const core::Task& task) {
    if (!task.id_in_text) return true;
    const auto then = titles.find(task.id.text);
    return then != titles.end() && !core::took_the_number(task.title, then->second, task.id);
  };
  return std::all_of(now.phases.begin(), now.phases.end(), [&same](const core::Phase& phase) {
    return std::all_of(phase.tasks.begin(), phase.tasks.end(), same);
  });
}

}  // namespace

core::State remembered(const core::Plan& plan) {
  core::State state;
  state.skipped = plan.skipped;
  for (const core::Phase& phase : plan.phases) {
    core::PhaseState& known = state.phases.emplace_back();
    known.id = phase.id;
    known.title = phase.title;
    for (const core::Task& task : phase.tasks) {
      core::TaskState& box = known.tasks.emplace_back();
      box.id = task.id;
      box.title = task.title;
      box.done = task.done();
      box.parent = task.parent;
    }
  }
  return state;
}

core::Plan numbered_as(const core::Plan& earlier, const core::Plan& now) {
  core::Plan result = now;
  if (same_numbers(earlier, now)) return result;
  core::Plan same = now;
  core::keep_identities(remembered(earlier), same);
  for (std::size_t p = 0; p < result.phases.size(); ++p) {
    core::Phase& phase = result.phases[p];
    std::unordered_map<std::string_view, const core::TaskId*> names;
    for (std::size_t t = 0; t < phase.tasks.size(); ++t) {
      if (!phase.tasks[t].id_in_text) continue;
      names.emplace(now.phases[p].tasks[t].id.text, &same.phases[p].tasks[t].id);
      phase.tasks[t].id = same.phases[p].tasks[t].id;
    }
    const auto rename = [&names](core::TaskId& parent) {
      if (const auto name = names.find(parent.text); name != names.end()) parent = *name->second;
    };
    for (core::Task& task : phase.tasks) rename(task.parent);
    for (core::Criterion& criterion : phase.acceptance) rename(criterion.parent);
  }
  return result;
}

}  // namespace plankeep::markdown
