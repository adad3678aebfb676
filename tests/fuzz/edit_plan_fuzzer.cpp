// markdown/edits/edit_plan and markdown/edits/annotate on any plan: an edit changes what it was asked to
// change and not one byte else, or is refused. The last two bytes of the input choose the edit and its
// target.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/law.hpp"
#include "fuzz/plan_laws.hpp"
#include "markdown/edits/annotate.hpp"
#include "markdown/edits/edit_plan.hpp"
#include "markdown/parse_plan.hpp"

namespace {

using namespace plankeep;
using fuzz::law;

core::Plan read_again(const std::string& text) {
  auto plan = markdown::parse_plan(text);
  law(plan.has_value(), "an edited plan can be read");
  fuzz::plan_laws(text, *plan);
  return *std::move(plan);
}

// Whether `text` is `bytes` but for the characters inside the boxes, each of which is as it was or `wanted`.
bool only_boxes_changed(std::string_view bytes, std::string_view text, std::vector<core::Box> boxes,
                        char wanted) {
  std::sort(boxes.begin(), boxes.end(), [](const auto& a, const auto& b) { return a.offset < b.offset; });
  std::size_t at = 0;
  std::size_t there = 0;
  for (const core::Box& box : boxes) {
    const std::size_t length = box.offset - at;
    if (text.substr(std::min(there, text.size()), length) != bytes.substr(at, length)) return false;
    there += length;
    if (there >= text.size()) return false;
    const std::string_view before = bytes.substr(box.offset, box.length);
    const bool left_alone = text.substr(there).starts_with(before) && before != std::string_view(&wanted, 1);
    there += left_alone ? box.length : 1;
    if (!left_alone && text[there - 1] != wanted) return false;
    at = box.offset + box.length;
  }
  return text.substr(there) == bytes.substr(at);
}

void set_boxes(std::string_view bytes, const core::Plan& plan, std::size_t target, core::BoxState wanted) {
  std::vector<core::Task> tasks;
  for (const auto& phase : plan.phases) tasks.insert(tasks.end(), phase.tasks.begin(), phase.tasks.end());
  if (tasks.empty()) return;
  const core::Task& task = tasks[target % tasks.size()];
  const auto edited = markdown::set_boxes(bytes, plan, task.boxes, wanted);
  if (!edited) return;
  const char sign = wanted == core::BoxState::done ? 'x' : wanted == core::BoxState::active ? '~' : ' ';
  law(only_boxes_changed(bytes, *edited, task.boxes, sign), "ticking a box changes only its box");
  const core::Plan after = read_again(*edited);
  law(after.phases.size() == plan.phases.size(), "ticking a box leaves the phases");
  for (std::size_t i = 0; i < after.phases.size(); ++i) {
    law(after.phases[i].tasks.size() == plan.phases[i].tasks.size(), "ticking a box leaves the tasks");
    for (std::size_t k = 0; k < after.phases[i].tasks.size(); ++k) {
      const core::Task& old_task = plan.phases[i].tasks[k];
      const core::Task& new_task = after.phases[i].tasks[k];
      law(new_task.id == old_task.id && new_task.title == old_task.title,
          "ticking a box leaves ids and titles");
      // A task that stands twice and shares one of its boxes with this one becomes what both boxes make of
      // it.
      const bool partly =
          old_task.boxes != task.boxes &&
          std::any_of(old_task.boxes.begin(), old_task.boxes.end(), [&](const core::Box& box) {
            return std::find(task.boxes.begin(), task.boxes.end(), box) != task.boxes.end();
          });
      law(partly || new_task.state == (old_task.boxes == task.boxes ? wanted : old_task.state),
          "ticking a box sets this box and no other");
    }
  }
}

void decide_or_block(std::string_view bytes, const core::Plan& plan, bool decide) {
  const auto edited = decide ? markdown::add_decision(bytes, plan, "Keep  it", "a reason, with -- dashes")
                             : markdown::add_blocker(bytes, plan, "waiting for keys");
  if (!edited) return;
  const core::Plan after = read_again(*edited);
  law(after.decisions.size() == plan.decisions.size() + (decide ? 1 : 0), "one decision more, or none");
  law(after.blockers.size() == plan.blockers.size() + (decide ? 0 : 1), "one blocker more, or none");
  law(core::progress_of(after) == core::progress_of(plan), "a note about the plan leaves its progress");
}

void unblock(std::string_view bytes, const core::Plan& plan, std::size_t target) {
  if (plan.blockers.empty()) return;
  const auto edited = markdown::remove_blocker(bytes, plan, target % plan.blockers.size());
  if (!edited) return;
  const core::Plan after = read_again(*edited);
  law(after.blockers.size() + 1 == plan.blockers.size(), "one blocker less");
  law(core::progress_of(after) == core::progress_of(plan), "resolving a blocker leaves the progress");
}

void annotate(std::string_view bytes, const core::Plan& plan) {
  const auto annotated = markdown::annotate(bytes, plan);
  if (!annotated) return;
  law(!annotated->added.empty() || annotated->text == bytes, "nothing added, nothing changed");
  const core::Plan after = read_again(annotated->text);
  const auto again = markdown::annotate(annotated->text, after);
  law(again && again->added.empty() && again->text == annotated->text, "annotating twice changes nothing");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size - 2);
  const std::size_t target = data[size - 2];
  const auto plan = markdown::parse_plan(bytes);
  if (!plan) return 0;
  switch (data[size - 1] % 7) {
    case 0:
      set_boxes(bytes, *plan, target, core::BoxState::open);
      break;
    case 1:
      set_boxes(bytes, *plan, target, core::BoxState::active);
      break;
    case 2:
      decide_or_block(bytes, *plan, true);
      break;
    case 3:
      decide_or_block(bytes, *plan, false);
      break;
    case 4:
      unblock(bytes, *plan, target);
      break;
    case 5:
      annotate(bytes, *plan);
      break;
    default:
      set_boxes(bytes, *plan, target, core::BoxState::done);
      break;
  }
  return 0;
}
