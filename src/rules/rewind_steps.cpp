#include "rules/rewind_steps.hpp"

#include "model/checkpoint.hpp"

namespace plankeep::core {

RewindSteps rewind_steps(const std::vector<Event>& events) {
  std::vector<RewindStep> undos;
  std::vector<RewindStep> redos;
  for (const Event& event : events) {
    if (event.kind != EventKind::rewound || !is_checkpoint_id(event.from)) continue;
    const RewindStep back{event.from, event.what};
    if (!undos.empty() && undos.back().checkpoint == event.to) {
      undos.pop_back();
      redos.push_back(back);
    } else if (!redos.empty() && redos.back().checkpoint == event.to) {
      redos.pop_back();
      undos.push_back(back);
    } else {
      redos.clear();
      undos.push_back(back);
    }
  }
  RewindSteps steps;
  if (!undos.empty()) steps.undo = undos.back();
  if (!redos.empty()) steps.redo = redos.back();
  return steps;
}

}  // namespace plankeep::core
