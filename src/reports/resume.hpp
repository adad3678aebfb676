#pragma once
// What goes into the text for a new session beside the plan and its state (spec 10.3).

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/event.hpp"
#include "model/progress.hpp"
#include "model/state.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "project/text_redactor.hpp"
#include "tracking/show.hpp"

namespace plankeep::app {

/// So many of the newest events are looked through for what happened since the last session.
inline constexpr std::size_t kEventsSince = 60;

/// Another active plan of the project.
struct OtherPlan {
  std::string id;
  std::string file;  // relative to the project
  core::Progress progress;
  bool missing = false;  // its file is gone
};

struct LostAgent {
  std::string type;
  std::vector<core::TaskId> open;  // assigned to it or claimed by it, and still open
  std::string plan{};              // that it worked on, as it is shown, where it is not this one
};

/// A checkpoint that was made because the context window filled up.
struct ResumeCheckpoint {
  std::string id;
  std::vector<std::string> steps;  // what to do, in order
};

struct ResumeInput {
  /// What happened since the last session began to rest, oldest first.
  std::vector<core::Event> since;
  /// Some of it was an edit that no session reported (a checksum_mismatch), by whomever it was and also while
  /// one ran; said in a line of its own.
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
  /// With the rules of the settings; nullopt: there are none, or they are not in force. The built-in ones
  /// always are.
  std::optional<TextRedactor> redactor;
};

/// `recent` are the newest events, oldest first. `session` is the one that is being told; empty: none (a
/// person asks). `phase` is the current phase's index. Reads the names in the plan's folder and the states of
/// the project's other plans; what cannot be read is left out. `with_others`: false where the caller knows
/// them.
ResumeInput resume_input(const Context& context, const PlanLocation& plan, const core::State& state,
                         std::vector<core::Event> recent, std::string_view session,
                         std::optional<std::size_t> phase, bool with_others = true);

}  // namespace plankeep::app
