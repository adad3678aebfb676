#include "rules/rewind_steps.hpp"

#include <algorithm>
#include <cstddef>

#include "model/checkpoint.hpp"

namespace plankeep::core {
namespace {

// What is left of `step` when `done` of it came back; empty: nothing.
std::string left_of(const std::string& step, std::string_view done) {
  const bool part = done == "plan" || done == "files" || done == "all";
  if (done == kSomePaths || (step == kFilesAndHead && part)) return step;
  if (step == "head" && part) return done == "files" ? step : std::string(kFilesAndHead);
  if (done == step || done == "all" || !part) return {};
  if (step == "all") return done == "plan" ? "files" : "plan";
  return step == kSomePaths && done == "files" ? std::string() : step;
}

// The step that such an event takes; npos: none. Past newer ones only as a whole.
std::size_t taken(const std::vector<RewindStep>& steps, std::string_view checkpoint, std::string_view what) {
  const auto found = std::find_if(steps.rbegin(), steps.rend(), [checkpoint](const RewindStep& step) {
    return step.checkpoint == checkpoint;
  });
  if (found == steps.rend()) return std::string::npos;
  if (found != steps.rbegin() && !left_of(found->what, what).empty()) return std::string::npos;
  return steps.size() - 1 - static_cast<std::size_t>(found - steps.rbegin());
}

void take(std::vector<RewindStep>& steps, std::size_t at, std::string_view what) {
  std::string left = left_of(steps[at].what, what);
  if (!left.empty()) {
    steps[at].what = std::move(left);
    return;
  }
  steps.resize(at);
}

}  // namespace

bool moves_head(std::string_view what) {
  return what == "head" || what == kFilesAndHead;
}

RewindSteps rewind_steps(const std::vector<Event>& events) {
  RewindSteps steps;
  for (const Event& event : events) {
    if (event.kind != EventKind::rewound || !is_checkpoint_id(event.from)) continue;
    RewindStep back{event.from, event.what};
    if (const std::size_t undone = taken(steps.undos, event.to, event.what); undone != std::string::npos) {
      take(steps.undos, undone, event.what);
      steps.redos.push_back(std::move(back));
    } else if (const std::size_t redone = taken(steps.redos, event.to, event.what);
               redone != std::string::npos) {
      take(steps.redos, redone, event.what);
      steps.undos.push_back(std::move(back));
    } else {
      steps.redos.clear();
      steps.undos.push_back(std::move(back));
    }
  }
  return steps;
}

bool is_undo(const RewindSteps& steps, std::string_view checkpoint, std::string_view what) {
  return taken(steps.undos, checkpoint, what) != std::string::npos;
}

}  // namespace plankeep::core
