#include "hooks/status_line.hpp"

#include <chrono>
#include <memory>
#include <vector>

#include "base/sha256.hpp"
#include "hooks/hook_plans.hpp"
#include "rules/listing/completion.hpp"
#include "rules/sessions.hpp"
#include "store/plan_file.hpp"
#include "store/tracking_folder.hpp"
#include "tracking/loaded_state.hpp"
#include "tracking/plan_work.hpp"
#include "tracking/show.hpp"

namespace plankeep::app {
namespace {

// A status line is asked for several times a second: it never waits for others.
constexpr std::chrono::milliseconds kShortTimeout{20};

// Null when there is none.
std::unique_ptr<system::Folder> tracking_of(const Context& context, const PlanLocation& plan) {
  auto folder = context.files.open_folder(plan.folder);
  if (!folder) return nullptr;
  auto tracking = store::open_tracking(**folder, plan.name);
  return tracking ? std::move(*tracking) : nullptr;
}

std::optional<core::State> state_of(const Context& context, const PlanLocation& plan) {
  const auto tracking = tracking_of(context, plan);
  if (!tracking) return std::nullopt;
  auto loaded = load_state(*tracking, plan);
  if (!loaded) return std::nullopt;
  return std::move(loaded->state);
}

// One look at the file, which is not opened. Without a stamp, because the last edit was too recent for one,
// nothing tells: the hook that comes next does.
render::PlanFileNow file_now(const Context& context, const PlanLocation& plan, const core::State& state) {
  const auto info = context.files.info(plan.path());
  if (!info) return render::PlanFileNow::unreadable;
  if (info->kind == system::FileKind::missing) return render::PlanFileNow::missing;
  if (info->kind != system::FileKind::regular) return render::PlanFileNow::unreadable;
  if (!state.plan_stamp) return render::PlanFileNow::as_recorded;
  const core::PlanStamp now{info->mtime_ns, info->size, info->inode};
  return now == *state.plan_stamp ? render::PlanFileNow::as_recorded : render::PlanFileNow::changed;
}

render::PlanFileNow text_now(const Context& context, const PlanLocation& plan, const core::State& state) {
  const auto folder = context.files.open_folder(plan.folder);
  if (!folder) return render::PlanFileNow::unreadable;
  const auto text = store::PlanFile(context.files, **folder, plan.name).read();
  if (!text) return render::PlanFileNow::unreadable;
  return base::short_checksum(text->bytes) == state.checksum ? render::PlanFileNow::as_recorded
                                                             : render::PlanFileNow::changed;
}

render::BesideState beside_state(const Context& context, const PlanLocation& plan, const core::State& state) {
  render::BesideState beside{file_now(context, plan, state), {}};
  if (state.vanished_at) {
    const auto tracking = tracking_of(context, plan);
    if (auto gone = tracking ? lately_vanished(*tracking, state) : std::vector<core::VanishedTask>())
      beside.vanished = std::move(*gone);
  }
  // "All done" is worth a look at the text where no stamp tells.
  const bool untold = beside.file == render::PlanFileNow::as_recorded && !state.plan_stamp;
  if (untold && core::is_complete(state)) beside.file = text_now(context, plan, state);
  return beside;
}

void record(const Context& context, const PlanLocation& plan, const clients::StatusLineInput& input) {
  PlanWork work(context, plan);
  if (!work.open(PlanWork::Create::if_plan) || !work.lock(kShortTimeout)) return;
  core::State state = work.state();
  core::SessionState* session = core::find_session(state, input.session_id);
  if (session == nullptr) return;
  if (input.context_percent) session->context_percent = input.context_percent;
  if (input.context_window) session->context_window = input.context_window;
  (void)work.keep_bookkeeping(std::move(state));
}

}  // namespace

std::optional<StatusLinePlan> look_for_status_line(const Context& context,
                                                   const clients::StatusLineInput& input) {
  core::HookEvent event;
  event.cwd = input.cwd;
  event.project = input.project;
  event.session_id = input.session_id;
  std::vector<SeenPlan> seen;
  const HookPlans found = hook_plans(context, event);
  for (const FoundPlan& one : found.plans) {
    auto state = state_of(context, one.plan);
    if (!state) continue;
    const bool only_seen = found.only_seen(one.plan, *state);
    seen.push_back({one.plan, nullptr, std::move(*state), only_seen});
  }
  const SeenPlan* plan = plan_of_session(context, seen, event, found.written);
  if (plan == nullptr) return std::nullopt;
  const core::SessionState* session = core::find_session(plan->state(), input.session_id);
  const bool news =
      session != nullptr && ((input.context_percent && input.context_percent != session->context_percent) ||
                             (input.context_window && input.context_window != session->context_window));
  if (news) record(context, plan->plan, input);
  return StatusLinePlan{plan->plan, plan->state(), beside_state(context, plan->plan, plan->state())};
}

}  // namespace plankeep::app
