#include "tracking/loaded_state.hpp"

#include <utility>

#include "model/chain.hpp"
#include "project/known_folders.hpp"
#include "rules/match.hpp"
#include "store/journal.hpp"
#include "store/paths.hpp"
#include "store/tracking_folder.hpp"
#include "tracking/lost_history.hpp"

namespace plankeep::app {
namespace {

using Source = store::Loaded::Source;

// Where the history begins that a state does not hold whose file does not say it: behind the last line that
// is not younger than the save. What is told twice all the same does no harm (rules/replay).
base::Result<std::uint64_t> offset_by_time(system::Folder& tracking, const core::State& state) {
  std::uint64_t offset = 0;
  TRY(store::read_events(tracking, 0, [&](const core::Event& event, const store::HistoryLine& line) {
    if (event.time <= state.last_saved) offset = line.offset + line.text.size() + 1;
    return true;
  }));
  return offset;
}

// Whether what the state holds can still be read: behind it a line ended. Asked of the end of the file only
// where that is not so, which is one byte.
base::Result<bool> is_cut(system::Folder& tracking, std::uint64_t from) {
  if (from == 0) return false;
  TRY_ASSIGN(const std::string last, tracking.read_range(store::kHistory, from - 1, 1));
  if (last == "\n") return false;
  TRY_ASSIGN(const std::uint64_t end, store::history_end(tracking));
  return end < from;
}

// The state of a plan that may have moved; the plan gets back the ids that the state knows.
core::State fitted(core::State state, core::Plan& plan, const PlanLocation& location) {
  core::keep_ids(state, plan);
  state.plan_path = location.path();
  return state;
}

}  // namespace

base::Result<LoadedState> load_state(system::Folder& tracking, const PlanLocation& plan,
                                     const system::FileContent* state_read_before,
                                     const std::string& continued) {
  store::StateStore states(tracking, plan.plan_id(), plan.path());
  LoadedState loaded;
  TRY_ASSIGN(static_cast<store::Loaded&>(loaded), states.load(state_read_before, continued));

  const bool as_long = loaded.state && loaded.state->history_offset_known &&
                       loaded.state->history_offset == loaded.history_size;
  if (loaded.state && !as_long && loaded.history_size > 0) {
    TRY_ASSIGN(const std::string other, other_plan_of_history(tracking, *loaded.state, plan));
    if (!other.empty()) {
      loaded.damaged.push_back({std::string(store::kHistory), "belongs to another plan: " + other});
      loaded.history_short = true;
      loaded.history_end = loaded.history_size;
      return loaded;
    }
  }
  if (loaded.state && !loaded.state->history_offset_known) {
    TRY_ASSIGN(loaded.state->history_offset, offset_by_time(tracking, *loaded.state));
    loaded.state->history_offset_known = true;
    loaded.lint_errors_unknown = loaded.state->lint_errors.empty();
    // The next save writes it down.
    loaded.advanced = true;
  }
  const std::uint64_t from = loaded.state ? loaded.state->history_offset : 0;
  if (loaded.state && loaded.history_size >= from) {
    TRY_ASSIGN(loaded.history_short, is_cut(tracking, from));
  }
  // One of a history that was longer says nothing of this one.
  if (loaded.state && !loaded.history_short) loaded.chain = loaded.state->history_chain;
  if (loaded.state) {
    // The common case: the state is as long as the history, which then need not be opened.
    if (loaded.history_size <= from) {
      loaded.history_end = loaded.history_size;
      return loaded;
    }
  }
  if (loaded.state) loaded.ledger = core::Ledger(*loaded.state);
  const auto each = [&loaded](const core::Event& event, const store::HistoryLine& line) {
    loaded.ledger.apply(event);
    if (const std::string_view chain = core::chain_of(line.text); !chain.empty()) loaded.chain = chain;
    return true;
  };
  TRY_ASSIGN(const store::HistoryScan scan, store::read_events(tracking, from, each));
  loaded.history_lines = scan.lines;
  loaded.history_end = scan.end;
  if (loaded.state && loaded.ledger.events() > 0) {
    loaded.state = loaded.ledger.state();
    loaded.state->history_offset = scan.end;
    loaded.advanced = true;
  }
  if (!loaded.state && loaded.ledger.events() > 0) loaded.source = Source::history;
  return loaded;
}

std::optional<core::State> recorded_state(const Context& context, const PlanLocation& plan) {
  const auto folder = context.files.open_folder(plan.folder);
  if (!folder || !is_remembered(context, plan.folder, **folder)) return std::nullopt;
  const auto tracking = store::open_tracking(**folder, plan.name);
  if (!tracking) return std::nullopt;
  auto loaded = load_state(**tracking, plan);
  return loaded ? std::move(loaded->state) : std::nullopt;
}

core::State effective_state(const LoadedState& loaded, core::Plan& plan, const PlanLocation& location) {
  if (!loaded.state) return loaded.ledger.rebuild(plan, location.plan_id(), location.path());
  return fitted(*loaded.state, plan, location);
}

core::State take_effective_state(LoadedState& loaded, core::Plan& plan, const PlanLocation& location) {
  if (!loaded.state) return effective_state(loaded, plan, location);
  return fitted(*std::exchange(loaded.state, std::nullopt), plan, location);
}

}  // namespace plankeep::app
