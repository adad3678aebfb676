#include "render/progress/vanished.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "model/item_key.hpp"
#include "render/json_parts.hpp"
#include "render/style.hpp"

namespace plankeep::render {

std::string vanished_count(const std::vector<core::VanishedTask>& gone) {
  const auto criteria = static_cast<std::size_t>(
      std::count_if(gone.begin(), gone.end(), [](const core::VanishedTask& one) { return one.criterion; }));
  const std::size_t tasks = gone.size() - criteria;
  std::string what = tasks > 0 ? counted(tasks, "task", "tasks") : "";
  if (criteria > 0) what += (tasks > 0 ? " and " : "") + counted(criteria, "criterion", "criteria");
  return what;
}

std::string vanished_words(const std::vector<core::VanishedTask>& gone, std::size_t longest) {
  constexpr std::size_t kNamed = 5;
  return vanished_count(gone) + (gone.size() == 1 ? " is" : " are") + " no longer in the plan: " +
         base::first_joined(gone, kNamed, [longest](const core::VanishedTask& task) {
           const std::string title(core::title_beside_id(task.title, task.id.text));
           return safe_line(task.id.text) + (title.empty() ? "" : " (" + safe_line(title, longest) + ")");
         });
}

std::string_view them(const std::vector<core::VanishedTask>& gone) {
  return gone.size() == 1 ? "it" : "them";
}

std::string vanished_line(const std::vector<core::VanishedTask>& gone, std::size_t longest,
                          const std::string& plan) {
  return vanished_words(gone, longest) + "; to put " + std::string(them(gone)) +
         " back: plankeep restore --lost" + (plan.empty() ? "" : " --plan " + plan);
}

void write_vanished(base::JsonWriter& out, const std::vector<core::VanishedTask>& gone) {
  out.key("vanished").begin_array();
  for (const core::VanishedTask& task : gone) {
    out.begin_object();
    out.key("id").value(task.id.text);
    out.key("phaseId").value(task.phase.text);
    write_optional(out, "title", task.title);
    out.key("done").value(task.done);
    if (task.criterion) out.key("criterion").value(true);
    out.end_object();
  }
  out.end_array();
}

}  // namespace plankeep::render
