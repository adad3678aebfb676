#include "app/belief.hpp"

#include "core/match.hpp"
#include "store/journal.hpp"

namespace plankeep::app {
namespace {

using Source = store::Loaded::Source;

}  // namespace

base::Result<Belief> read_belief(system::Folder& tracking, const PlanLocation& plan,
                                 const system::FileContent* state_read_before) {
  store::StateStore states(tracking, plan.plan_id(), plan.path());
  TRY_ASSIGN(store::Loaded loaded, states.load(state_read_before));
  Belief belief;
  belief.state = std::move(loaded.state);
  belief.source = loaded.source;
  belief.file = std::move(loaded.file);
  belief.damaged = std::move(loaded.damaged);
  belief.state_missing = loaded.state_missing;
  belief.history_short = loaded.history_short;
  belief.state_file = loaded.state_file;

  const std::uint64_t from = belief.state ? belief.state->history_offset : 0;
  if (belief.state) {
    // The common case: the state is as long as the history, which then need not be opened.
    if (loaded.history_size <= from) {
      belief.history_end = loaded.history_size;
      return belief;
    }
  }
  if (belief.state) belief.ledger = core::Ledger(*belief.state);
  const auto each = [&belief](const core::Event& event, const store::HistoryLine&) {
    belief.ledger.apply(event);
    return true;
  };
  TRY_ASSIGN(const store::HistoryScan scan, store::read_events(tracking, from, each));
  belief.history_lines = scan.lines;
  belief.history_end = scan.end;
  if (belief.state && belief.ledger.events() > 0) {
    belief.state = belief.ledger.state();
    belief.state->history_offset = scan.end;
    belief.advanced = true;
  }
  if (!belief.state && belief.ledger.events() > 0) belief.source = Source::history;
  return belief;
}

core::State believed(const Belief& belief, core::Plan& plan, const PlanLocation& location) {
  if (!belief.state) return belief.ledger.rebuild(plan, location.plan_id(), location.path());
  core::keep_ids(*belief.state, plan);
  core::State state = *belief.state;
  state.plan_path = location.path();
  return state;
}

}  // namespace plankeep::app
