// A hook call about commands in an agent's shell: who runs one, and what one says it is going to write.

#include <algorithm>
#include <utility>

#include "hooks/hook_call.hpp"
#include "hooks/hook_plans.hpp"
#include "policy/hook_policy.hpp"
#include "project/project_shells.hpp"
#include "rules/attribution.hpp"
#include "store/running_shells.hpp"
#include "tracking/edit_author.hpp"

namespace plankeep::app {
namespace {

using core::HookKind;

// The agent's id may come after the command's text, or after its output: so many bytes are read to find it.
constexpr std::size_t kCommandLimit = std::size_t{1} << 20;

}  // namespace

// What changed before this command starts is not its doing, so it is recorded first.
void HookCall::shell_started() {
  NearestPlans nearest = nearest_plans(context_, event_);
  const bool others = nearest.others;
  (void)look_around(std::move(nearest));
  if (found_moved()) (void)look_around(hook_plans(context_, event_));
  report_seen();
  if (!event_.paths.empty()) return expect_patch();
  if (seen_.empty() && !others) return;
  if (event_.agent_id.empty() && client_.names_subagents) know_sender(kCommandLimit);
  const store::RunningShell shell{event_.session_id, event_.agent_id,         event_.agent_type,
                                  event_.team,       client_.names_subagents, context_.clock.now()};
  for (const std::string& folder : shell_folders(context_, event_)) {
    // Only a hint: if it cannot be written, the change is recorded as external.
    if (const auto shells = open_shells(context_, folder, true)) (void)store::note_shell(**shells, shell);
  }
}

// Nobody reports the end of a command that is a patch. What it says it writes is its agent's when it turns
// up.
void HookCall::expect_patch() {
  know_sender();
  const std::vector<core::TextEdit>& edits = payload_.edits();
  if (edits.empty()) return;
  for (SeenPlan& seen : seen_) seen.work->unlock();
  for (const std::string& path : event_.paths) {
    auto written = written_plan(context_, path, event_.cwd);
    if (!written || !require_tracked(context_, written->found.plan)) continue;
    const PlanLocation plan = written->found.plan;
    PlanWork work(context_, std::move(written->found));
    base::Status done = work.open(PlanWork::Create::if_plan);
    if (done) done = lock_work(work);
    if (done && !work.state().checksum.empty()) {
      core::State state = work.state();
      const core::Author author = core::author_of(event_, state, client_.names_subagents);
      core::note_unread(state, author.actor, author.agent, edits, work.now());
      done = work.keep_bookkeeping(std::move(state));
    }
    take(done, plan);
  }
}

bool HookCall::names_nobody_beside(system::Folder& shells) const {
  const bool tools = event_.kind == HookKind::shell_ran || event_.kind == HookKind::tools_settled;
  if (!tools || !event_.agent_id.empty()) return false;
  const std::vector<store::RunningShell> running = store::running_shells(shells, context_.clock.now());
  return std::any_of(running.begin(), running.end(), [this](const store::RunningShell& shell) {
    return shell.session == event_.session_id && !shell.agent.empty();
  });
}

void HookCall::end_shells() {
  const core::ShellsOver over = core::shells_over(event_);
  if (over == core::ShellsOver::none || seen_.empty()) return;
  for (const std::string& folder : shell_folders(context_, event_)) {
    const auto shells = open_shells(context_, folder, false);
    if (!shells) continue;
    if (names_nobody_beside(**shells)) know_sender(kCommandLimit);
    store::end_shells(**shells, event_.session_id, event_.agent_id, over == core::ShellsOver::sessions);
    for (const std::string& agent : core::agents_over(event_))
      store::end_shells(**shells, event_.session_id, agent, false);
  }
}

}  // namespace plankeep::app
