#pragma once
// Whose a change is when several agents edit one plan at the same moment (spec 8, "who").
//
//   EditedLines lines(edits);                        // what the payload of one edit says it wrote
//   Reconciled r = reconcile(previous, plan, actor, now);
//   attribute(r, plan, text, actor, lines, now);
//
// Hooks overlap: when the hook of one agent looks at the file, the ticks of others may stand there already
// whose hooks are on their way, and a hook that only looks may have come before them all. So an announced
// edit gets what its own text explains and nothing else: the rest is `external` until the hook comes whose
// edit it was, which then takes it back with `task_attributed`.
//
// An edit explains a box when the line of the box is one that the edit wrote anew, and a tick when the line
// had none before: who rewords a ticked line ticks nothing. Lines are compared without what a formatter may
// change around them: indentation, bullets, quote signs, runs of white space. Where more lines may be meant
// than the edit wrote, and nothing tells which, it explains none of them: nobody is better than a wrong name.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/instant.hpp"
#include "model/plan.hpp"
#include "model/state.hpp"
#include "rules/edits/edited_lines.hpp"
#include "rules/reconcile.hpp"

namespace plankeep::core {

/// The plan as it was before the edits ticked what they show as ticked by them: for a plan that is seen for
/// the first time with an edit, which nobody recorded before it. `text` is what the plan was read from.
Plan before_ticks(const Plan& plan, std::string_view text, const EditedLines& lines);

/// A change that nobody announced may be taken back by its author's own hook for so long: longer than a hook
/// can wait, shorter than anybody's next edit of the same box is likely.
inline constexpr std::int64_t kAttributionMilliseconds = base::kMinute;

inline constexpr std::string_view kNobody = "external";

/// Whether some task was done by nobody known so short a time ago that its author's hook may still come.
bool awaits_author(const State& state, base::Instant now);

/// Corrects what reconcile() made for an edit that `actor` announced, in events and state: changes of boxes
/// that the edit does not explain are nobody's, and tasks that nobody was said to have done, and it explains,
/// are its author's from now on (event task_attributed); decisions and blockers alike. `text` is what the
/// plan was read from. Removed boxes stay the actor's: no line is left to tell by. `recorded`: the records
/// were of this very text before, so that whoever noticed the ticks had seen the edit. Else an edit that does
/// not say what it replaced may have come after the ticks, and takes none.
void attribute(Reconciled& result, const Plan& plan, std::string_view text, std::string_view actor,
               const EditedLines& lines, base::Instant now, bool recorded);

/// Of an edit of the main thread's or of a subagent's, announced while the plan cannot be read, this much is
/// kept: a tick or some, no whole files.
inline constexpr std::size_t kUnreadKept = 16;
inline constexpr std::size_t kUnreadBytes = 4096;  // of one

void note_unread(State& state, std::string_view actor, std::string_view agent,
                 std::span<const TextEdit> edits, base::Instant now);

/// When the plan can be read again: what is nobody's in `result` and one of these edits of the last minute
/// explains is its author's. Nothing is kept of them afterwards.
void give_unread(Reconciled& result, const Plan& plan, std::string_view text, base::Instant now);

}  // namespace plankeep::core
