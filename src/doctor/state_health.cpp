#include "doctor/state_health.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "base/sha256.hpp"
#include "markdown/parse_plan.hpp"
#include "rules/recovery_policy.hpp"
#include "rules/replay.hpp"
#include "store/journal.hpp"
#include "store/paths.hpp"
#include "store/plan_file.hpp"
#include "store/state_store.hpp"
#include "tracking/loaded_state.hpp"

namespace plankeep::app {
namespace {

using base::Result;

std::string when(const std::optional<base::Instant>& time) {
  return time ? " at " + base::to_iso8601(*time) : std::string();
}

std::string done_words(const core::TaskState& task) {
  if (!task.done) return "open";
  return "done" + when(task.completed_at) + (task.completed_by.empty() ? "" : " by " + task.completed_by);
}

std::string met_words(const core::CriterionState& criterion) {
  return criterion.met ? "met" + when(criterion.verified_at) : std::string("not met");
}

template <class Item>
const Item* same_item(const std::vector<Item>& items, const Item& item) {
  const auto found =
      std::find_if(items.begin(), items.end(), [&item](const Item& one) { return one.id == item.id; });
  return found == items.end() ? nullptr : &*found;
}

std::optional<std::string> first_difference(const core::State& recorded, const core::State& folded) {
  const auto differ = [](const std::string& id, const std::string& here,
                         const std::string& there) -> std::optional<std::string> {
    if (here == there) return std::nullopt;
    return id + " is " + here + "; the history says " + there;
  };
  for (const core::PhaseState& phase : recorded.phases) {
    const core::PhaseState* const other = same_item(folded.phases, phase);
    if (other == nullptr) continue;
    for (const core::TaskState& task : phase.tasks) {
      const core::TaskState* const same = same_item(other->tasks, task);
      if (same == nullptr) continue;
      if (auto found = differ(task.id.text, done_words(task), done_words(*same))) return found;
    }
    for (const core::CriterionState& criterion : phase.acceptance) {
      const core::CriterionState* const same = same_item(other->acceptance, criterion);
      if (same == nullptr) continue;
      if (auto found = differ(criterion.id.text, met_words(criterion), met_words(*same))) return found;
    }
  }
  return std::nullopt;
}

bool tells_inventory(const core::Event& event) {
  return event.kind == core::EventKind::checkpoint_created && !event.phases.empty();
}

}  // namespace

Result<std::optional<std::string>> state_disagreement(system::Folder& tracking, const PlanLocation& location,
                                                      const core::State& state, core::Plan plan) {
  core::Ledger ledger;
  bool whole = false;
  TRY_ASSIGN(const store::HistoryScan scan,
             store::read_events(tracking, 0, [&](const core::Event& event, const store::HistoryLine& line) {
               if (line.number == 1) whole = tells_inventory(event);
               ledger.apply(event);
               return whole;
             }));
  if (!whole || scan.damaged_count > 0 || scan.end < scan.file_size) return std::optional<std::string>();
  return first_difference(state, ledger.rebuild(plan, location.plan_id(), location.path()));
}

Result<bool> set_aside_wrong_state(const Context& context, const PlanLocation& location,
                                   system::Folder& tracking) {
  TRY_ASSIGN(const auto folder, context.files.open_folder(location.folder));
  const auto text = store::PlanFile(context.files, *folder, location.name).read();
  if (!text) return false;
  auto plan = markdown::parse_plan(text->bytes);
  TRY_ASSIGN(const LoadedState loaded, load_state(tracking, location));
  const bool as_recorded = plan && loaded.state && loaded.sound() && !loaded.advanced &&
                           !loaded.history_short &&
                           loaded.state->checksum == base::short_checksum(text->bytes);
  if (!as_recorded) return false;
  TRY_ASSIGN(const auto wrong, state_disagreement(tracking, location, *loaded.state, std::move(*plan)));
  if (!wrong) return false;
  std::vector<store::Damage> damaged{{std::string(store::kState), *wrong}};
  for (int generation = 0; generation < core::kRecoveryGenerations; ++generation) {
    const std::string name = store::recovery_name(generation);
    const auto info = tracking.info(name);
    if (info && info->kind == system::FileKind::regular) damaged.push_back({name, *wrong});
  }
  store::StateStore states(tracking, location.plan_id(), location.path());
  TRY(states.quarantine_damaged(damaged, context.clock.now()));
  return true;
}

}  // namespace plankeep::app
