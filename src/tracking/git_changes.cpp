#include "tracking/git_changes.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "markdown/conflicts.hpp"
#include "project/git_directory.hpp"
#include "project/project.hpp"
#include "rules/replay.hpp"
#include "rules/sessions.hpp"
#include "store/journal.hpp"
#include "tracking/restored_times.hpp"

namespace plankeep::app {
namespace {

using base::Result;
using base::Status;
using core::Event;
using core::EventKind;

// Events that say nothing about the plan's text: they are recorded while it cannot be read, too.
bool happens_beside_plan(EventKind kind) {
  switch (kind) {
    case EventKind::recovery_saved:
    case EventKind::note_saved:
    case EventKind::checkpoint_saved:
    case EventKind::checkpoint_linked:
    case EventKind::drift_detected:
    case EventKind::task_claimed:
    case EventKind::task_released:
    case EventKind::replica_created:
      return true;
    default:
      return core::is_session_event(kind);
  }
}

// Marks what is open again, or gone, in a text that git wrote: nobody took it back, it may be as it was on
// another branch.
void name_git(core::Reconciled& result) {
  for (Event& event : result.events) {
    const bool undone = event.kind == EventKind::task_reopened || event.kind == EventKind::acceptance_unmet ||
                        event.kind == EventKind::phase_reopened ||
                        event.kind == EventKind::decision_removed ||
                        event.kind == EventKind::blocker_resolved;
    if (undone) event.via = core::kByGit;
  }
}

// Whoever resolves a conflict that git left puts together what git brought, also by an edit that is
// announced.
Result<GitWrote> who_wrote(const Context& context, system::Folder& tracking, const PlanLocation& location,
                           const ChangedText& changed, const core::Reconciled& result) {
  const std::string root = Project(context, location.folder).root();
  const GitWrote wrote =
      changed.announced ? GitWrote::no : git_wrote(context, root, location.path(), changed.since);
  const bool done = std::any_of(result.events.begin(), result.events.end(), [](const Event& event) {
    return event.kind == EventKind::task_completed || event.kind == EventKind::acceptance_met ||
           event.kind == EventKind::decision_recorded || event.kind == EventKind::blocker_raised;
  });
  if (wrote != GitWrote::no || !done) return wrote;
  TRY_ASSIGN(const auto newest, newest_of_plan(tracking, changed.history_end));
  const bool conflict = newest && newest->kind == EventKind::parse_error &&
                        newest->reason.find(markdown::kUnresolved) != std::string::npos;
  return conflict ? GitWrote::with_head : GitWrote::no;
}

}  // namespace

Result<std::optional<Event>> newest_of_plan(system::Folder& tracking, std::optional<std::uint64_t> end) {
  const store::EventQuery others{
      .matches = [](const Event& candidate) { return !happens_beside_plan(candidate.kind); },
      .parts = core::EventParts::times_of_inventories,
      .end = end};
  TRY_ASSIGN(auto newest, store::last_events(tracking, 1, others));
  return newest.empty() ? std::nullopt : std::optional(std::move(newest.front().event));
}

Status credit_git(const Context& context, system::Folder& tracking, const PlanLocation& location,
                  const ChangedText& changed, core::Reconciled& result, base::Instant now) {
  TRY_ASSIGN(const GitWrote wrote, who_wrote(context, tracking, location, changed, result));
  if (wrote != GitWrote::no) name_git(result);
  TRY(give_back_earlier_times(tracking, location, changed.text, wrote, result, now));
  if (wrote != GitWrote::no) take_times_of_work_trees(context, tracking, location, result, now);
  return {};
}

}  // namespace plankeep::app
