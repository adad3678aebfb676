#pragma once
// Earlier texts of a plan, and putting one back: `plankeep restore` (the way back from an edit that lost
// work).
//
// The texts stand in .checkpoint/plans/ (store/plan_texts); a text is kept when it differs from the one
// before in more than its ticks. Which boxes were ticked in the end is known from the history, and
// so the text that comes back is the last one of its kind, ticks included (marks of work in progress are
// those of the moment when it was kept).
//
// Restoring is an edit like any other (editing/edit_loop): what happened outside is recorded first, somebody
// else's save meanwhile is never overwritten, and the text that is replaced is kept too, so that a restore
// can be undone by another restore. It works where the plan is missing, empty or no longer a plan. Tasks and
// criteria that come back done get back when and by whom, as the history knows it; what nobody had seen being
// done is done by who restores it. The history says `rewound`.
//
// Killed in between: the text is back, and the next sync records it as `external`, without those times.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/progress.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "tracking/outcome.hpp"

namespace plankeep::app {

struct EarlierText {
  std::size_t number = 0;  // 1 is the newest one that differs from the current plan
  base::Instant time;      // seen first
  std::string digits;      // of its checksum when it was seen first
  std::uint64_t size = 0;  // bytes
  core::Progress progress;
  std::vector<std::string> lost;  // ids of its tasks that the plan does not have now
};

struct EarlierTexts {
  PlanLocation plan;
  std::vector<EarlierText> texts;  // newest first
  std::vector<std::string> warnings;
};

/// Reads only. `unsaved`: the plan's text, such as an editor has it; absent: that of its file. not_found when
/// the plan is not tracked.
[[nodiscard]] base::Result<EarlierTexts> earlier_texts(
    const Context& context, const PlanLocation& plan, std::optional<std::string_view> unsaved = std::nullopt);

/// The newest text with tasks or criteria that the plan no longer has; nullptr if none was lost.
const EarlierText* newest_with_lost(const EarlierTexts& texts);
/// The error for that: not_found.
base::Error nothing_lost();

/// `text`, such as an editor has it, with the lost tasks of the newest earlier text that has some. Reads
/// only. not_found when nothing was lost or the plan is not tracked; conflict as restore_text.
[[nodiscard]] base::Result<std::string> with_lost_tasks(const Context& context, const PlanLocation& plan,
                                                        std::string_view text);

enum class Restore { whole, lost_tasks };

struct Restored {
  Outcome outcome;  // of a dry run: what was recorded before, if anything
  EarlierText from;
  std::string before;  // the plan's text, for a diff
  std::string after;
  std::size_t back = 0;  // number of the text that was replaced, which restores it; 0: none, or of a dry run
};

/// `which`: a number as earlier_texts gives it, or the beginning of the checksum's digits (at least four) or
/// of the time ("2026-11-20T15:4"). not_found when there is no such text, ambiguous when several; conflict
/// when lost tasks have no place in the plan any more. `dry`: nothing is written but what a sync would
/// record.
[[nodiscard]] base::Result<Restored> restore_text(const Context& context, const PlanLocation& plan,
                                                  const std::string& which, Restore what,
                                                  const std::string& actor, bool dry);

}  // namespace plankeep::app
