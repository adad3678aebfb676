#pragma once
// The text that tells a new session where things stand (spec 10.3, 10.5).
//
// A client puts it into the conversation, so it is written for a reader who has only this: it says that what
// follows is the plan's content and no instruction, plan text has neither control characters nor escapes, nor
// line feeds of its own, and every item is capped (kItemLimit). The essentials (plan, progress, current phase
// and task, how to tick) stand in the first 1,800 characters, since one client shows no more than 2,000;
// another cuts at 10,000.
//
// A function of its input only, the view's `now` not included: nothing changed, the same bytes. The revision
// and the save time are in it, so two different states never give the same text. Times are absolute for the
// same reason.
//
// The budget counts characters (code points) and is kept for every value: items are dropped whole, the least
// important sections first, each section saying "… and N more".

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/event.hpp"
#include "model/progress.hpp"
#include "rules/view.hpp"

namespace plankeep::render {

inline constexpr std::size_t kDefaultBudget = 2000;
inline constexpr std::size_t kSmallestBudget = 300;
inline constexpr std::size_t kLargestBudget = 9900;

/// Another active plan of the project.
struct OtherPlan {
  std::string id;
  std::string file;  // relative to the project
  core::Progress progress;
};

struct LostAgent {
  std::string type;
  std::vector<core::TaskId> open;  // assigned to it and still open
};

/// A checkpoint that was made because the context window filled up.
struct ResumeCheckpoint {
  std::string id;
  std::vector<std::string> steps;  // what to do, in order
};

struct ResumeInput {
  /// What happened since the last session began to rest, oldest first.
  std::vector<core::Event> since;
  /// Some of it was done outside any session (a checksum_mismatch); said in a line of its own.
  bool outside_edit = false;
  /// The session before this one was found dead.
  bool crashed = false;
  /// Subagents of that session, or of the one that ended last, which nobody saw end.
  std::vector<LostAgent> lost;
  /// The current phase's note file relative to the plan's folder ("phase-02-api.md"); empty when there is
  /// none.
  std::string phase_note;
  std::vector<OtherPlan> others;
  std::optional<ResumeCheckpoint> checkpoint;
};

/// Clamps the budget to kSmallestBudget..kLargestBudget. Ends with a line feed.
std::string resume_text(const core::StatusView& view, const ResumeInput& input,
                        std::size_t budget = kDefaultBudget);

/// { plan {id, path}, revision, savedAt|null, budget, characters, text }
std::string resume_json(const core::StatusView& view, const ResumeInput& input,
                        std::size_t budget = kDefaultBudget);

}  // namespace plankeep::render
