#pragma once
// Looking at a plan without touching anything: what `status`, `next`, `resume`, `parse` and `lint` show.
//
// The files are loaded and the plan reconciled as a sync would, in memory: nothing is written, nothing
// repaired, no lock taken. What a sync would do stands in `warnings` ("3 changes are not recorded yet: run
// plankeep sync").

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/event.hpp"
#include "model/plan.hpp"
#include "model/state.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "rules/lease.hpp"
#include "rules/listing/task_table.hpp"
#include "rules/view.hpp"
#include "store/state_store.hpp"
#include "tracking/outcome.hpp"

namespace plankeep::app {

struct Shown {
  PlanLocation location;
  std::string file;                         // for people: as short as possible
  bool ids_as_written = false;              // the plan's ids are known to be those that its text alone gives
  std::optional<core::Plan> plan;           // absent: its file cannot be read as a plan, or it was emptied
  std::optional<core::State> state;         // as a sync now would leave it; absent: not tracked
  std::optional<base::Instant> saved_at{};  // the time of the newest save, where `state` is later
  store::Loaded::Source source = store::Loaded::Source::none;
  std::vector<std::string> warnings;
  std::string unreadable{};                 // where `plan` is absent, the warning that says why
  std::string why{};                        // the same without what is shown instead
  std::string remedy{};                     // what to do about it; empty: doctor knows more
  std::vector<core::Event> recent;          // the newest of the history, oldest first
  std::vector<core::LeaseStatus> statuses;  // of the state's leases
  std::optional<core::Holder> self{};       // the reader as a holder of claims, where the caller says so
  base::Instant now;
  core::TreeNow tree;  // filled in only on demand (tracking/project_tree)
  /// Tasks that the newest save of a changed plan recorded as removed, or that a sync now would; without
  /// those that are back in the plan.
  std::vector<core::VanishedTask> vanished{};
};

/// `recent` at most so many. not_found when there is neither a readable plan nor a state.
[[nodiscard]] base::Result<Shown> load_shown(const Context& context, const PlanLocation& location,
                                             std::size_t recent);

/// The same as if the plan's file held `text`, such as the unsaved text of an editor. No cache is used or
/// written.
[[nodiscard]] base::Result<Shown> load_shown_of_text(const Context& context, const PlanLocation& location,
                                                     std::string_view text);

/// The error of a command that cannot do without the plan's text, which is absent. `consequence`: "nothing
/// was exported".
base::Error without_plan(const Shown& shown, std::string_view consequence);

/// The tasks and criteria that the newest save of a changed plan recorded as removed (State::vanished_at) and
/// that are not back, from the end of the history; none where that save is more than 20,000 lines back, and
/// none of a state that has no task left: that was accepted.
[[nodiscard]] base::Result<std::vector<core::VanishedTask>> lately_vanished(system::Folder& tracking,
                                                                            const core::State& state);

/// What to say of a rewind of the plan's work tree that was broken off (worktree/restore_tree); empty: there
/// is none.
std::string interrupted_rewind_words(const Context& context, const PlanLocation& location);

/// The same after a command that recorded everything: what it read, not read again. `outcome` must have its
/// plan.
[[nodiscard]] base::Result<Shown> shown_after(const Context& context, Outcome outcome);

/// The rows of what was found.
core::StatusView view_of(const Shown& shown);
/// The same without the rows of tasks, for callers that only count (rules/view, ViewInput::tasks).
core::StatusView counts_of(const Shown& shown);

/// The boxes of what was found as a table.
core::TaskTable table_of(Shown shown);

struct LoadedTable {
  core::TaskTable table;
  std::optional<std::uint64_t> history_end{};  // if it is known without a look at the history
};
/// The boxes of a plan as load_shown() finds them. From the cache of a large plan this takes a fraction of
/// the time.
[[nodiscard]] base::Result<LoadedTable> load_table(const Context& context, const PlanLocation& location);
/// From the cache only; nullopt: it has none that is valid.
std::optional<LoadedTable> known_table(const Context& context, const PlanLocation& location);

struct ReadFile {
  PlanLocation location;
  std::string checksum;
  core::Plan plan;
  std::string text;  // its bytes
};
/// A file as it reads, whether it is tracked or not; ids as its text alone gives them.
[[nodiscard]] base::Result<ReadFile> read_plan(const Context& context, const PlanLocation& location);

/// The phase's own notes: "phase-02-api.md" in the plan's folder for the second phase, else the first file
/// whose name begins with "phase-02" (or "phase-2"); empty when there is none. `number` from 1.
std::string phase_note(const Context& context, const PlanLocation& location, std::size_t number);

/// The other plans below plans/ and docs/plans/ of the same project that are tracked and not complete.
struct OtherActive {
  PlanLocation location;
  core::Progress progress;
};
std::vector<OtherActive> other_active_plans(const Context& context, const PlanLocation& location);

}  // namespace plankeep::app
