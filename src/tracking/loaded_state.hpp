#pragma once
// What the files say about a plan before its text is read: the loading chain of spec 6, steps 1 to 3,
// with the history behind the state folded in. Reads only; needs no lock (a reader sees the state before or
// after a save, and folds what is between).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/state.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "rules/replay.hpp"
#include "store/state_store.hpp"
#include "system/file_system.hpp"

namespace plankeep::app {

/// `state`: from state.json or a recovery copy, the events behind its offset folded in. Absent: rebuild from
/// the plan and `ledger`, or, when nothing was ever recorded, see the plan for the first time.
///
/// A history of another plan is `damaged`, nothing of it is folded in, and the state counts as if there were
/// none (history_short).
struct LoadedState : store::Loaded {
  /// `state` got events of a save that died before it wrote the state, or it did not say how much of the
  /// history is in it.
  bool advanced = false;
  bool lint_errors_unknown = false;  // `state` was written by a tool that keeps none
  std::string chain;                 // the newest that is known (model/chain); empty: none
  core::Ledger ledger;               // the whole history, filled only without `state`
  std::int64_t history_lines = 0;    // read, whole ones
  std::uint64_t history_end = 0;     // offset behind the last whole line read

  /// Something was recorded before.
  bool tracked() const { return state.has_value() || ledger.events() > 0; }
  /// state.json was fine: nothing to restore, nothing to say.
  bool sound() const { return source == Source::state && damaged.empty() && moved_from.empty(); }
  /// history_end, if a whole line certainly ended there when this was loaded: then a writer need not read the
  /// last lines (store/journal). A history that was cut may end anywhere.
  std::optional<std::uint64_t> known_end() const {
    return sound() && !history_short ? std::optional(history_end) : std::nullopt;
  }
};

/// What LoadedState::history_short means.
inline constexpr std::string_view kHistoryCut = "history.jsonl was truncated or replaced by an older copy";

/// `state_read_before`: state.json as it was a moment ago, if somebody read it already. `continued`: the path
/// of the missing file whose records these are (tracking/predecessor).
[[nodiscard]] base::Result<LoadedState> load_state(system::Folder& tracking, const PlanLocation& plan,
                                                   const system::FileContent* state_read_before = nullptr,
                                                   const std::string& continued = {});

/// What a plan's records say, without a lock: for a look at a plan that is not worked in. nullopt where there
/// are none that can be read, or none that are ours (project/known_folders).
std::optional<core::State> recorded_state(const Context& context, const PlanLocation& plan);

/// The state that counts: `loaded.state`, else what plan and history give. `plan` may get its ids back
/// (rules/replay).
core::State effective_state(const LoadedState& loaded, core::Plan& plan, const PlanLocation& location);
/// The same, and `loaded.state` is moved out of `loaded`: a large one is not copied.
core::State take_effective_state(LoadedState& loaded, core::Plan& plan, const PlanLocation& location);

}  // namespace plankeep::app
