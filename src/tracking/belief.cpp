#include "tracking/belief.hpp"

#include "model/chain.hpp"
#include "rules/match.hpp"
#include "store/journal.hpp"

namespace plankeep::app {
namespace {

using Source = store::Loaded::Source;

// Where the history begins that a state does not hold whose file does not say it: behind the last line that
// is not younger than the save. What is told twice all the same does no harm (rules/replay).
base::Result<std::uint64_t> offset_by_time(system::Folder& tracking, const core::State& state) {
  std::uint64_t offset = 0;
  TRY(store::read_events(tracking, 0, [&](const core::Event& event, const store::HistoryLine& line) {
    if (event.time <= state.last_checkpoint) offset = line.offset + line.text.size() + 1;
    return true;
  }));
  return offset;
}

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
  belief.moved_from = std::move(loaded.moved_from);

  if (belief.state && !belief.state->history_offset_known) {
    TRY_ASSIGN(belief.state->history_offset, offset_by_time(tracking, *belief.state));
    belief.state->history_offset_known = true;
    belief.lint_errors_unknown = belief.state->lint_errors.empty();
    // The next save writes it down.
    belief.advanced = true;
  }
  const std::uint64_t from = belief.state ? belief.state->history_offset : 0;
  // One of a history that was longer says nothing of this one.
  if (belief.state && !belief.history_short) belief.chain = belief.state->history_chain;
  if (belief.state) {
    // The common case: the state is as long as the history, which then need not be opened.
    if (loaded.history_size <= from) {
      belief.history_end = loaded.history_size;
      return belief;
    }
  }
  if (belief.state) belief.ledger = core::Ledger(*belief.state);
  const auto each = [&belief](const core::Event& event, const store::HistoryLine& line) {
    belief.ledger.apply(event);
    if (const std::string_view chain = core::chain_of(line.text); !chain.empty()) belief.chain = chain;
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
