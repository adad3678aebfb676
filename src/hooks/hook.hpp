#pragma once
// One call of a client's hook (spec 10): an event in, an answer out.
//
//   HookResult result = answer_hook(context, *client, payload);
//   print(client->reply(payload.event(), result.answer));
//   spawn_job(context, result.jobs);
//   ... and spawn_link_work(context, job, version) for each of result.links
//   ... result.problems to standard error and, with log_problems, into errors.log
//
// Never fails: what could not be done stands in `problems`, and the answer is silent about it. Idempotent,
// and safe beside other calls: everything is decided under the plan's lock, from what is there then. It waits
// for the lock at most kHookTimeout (kEndTimeout at a session's end, where clients give little time).
//
// Who ticked what: an edit that a payload tells of is its actor's, so far as the payload says what was
// written (rules/attribution). A change that no hook announced is credited to the only agent whose shell
// command was running and began before it (store/running_shells); otherwise it is `external`, whoever's turn
// it is.
//
// What is recorded where: one plan keeps the session, its subagents and their claims, see plan_of_session.
// Every tracked plan of the project that is not over is checked for changes. For a large plan its stamps and
// its brief (store/brief_state) are enough; its tasks are read only if something changed, or if a claim may
// be about it. A shell command is noted once for the project, and only the few plans that it is most likely
// about are checked before it runs (hooks/hook_plans, nearest_plans).
//
// Where git-setup --sessions ran, what a session touches is noted beside git's index
// (sessions/activity_files), so that a commit can be linked to it; elsewhere that costs a look for the mark.
//
// After a crash at any point: the plan's files are as tracking/plan_work says; a session that was not
// recorded as ended is found dead by the next one.

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checkpoints/job.hpp"
#include "clients/client.hpp"
#include "clients/payload.hpp"
#include "commits/link_work.hpp"
#include "model/hook_event.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "system/file_system.hpp"

namespace plankeep::app {

inline constexpr std::chrono::milliseconds kHookTimeout{2000};
inline constexpr std::chrono::milliseconds kEndTimeout{500};

struct HookResult {
  core::HookAnswer answer;
  std::vector<std::string> problems;  // one line each
  std::vector<CheckpointJob>
      jobs{};                    // checkpoints to be made when the answer has been given (checkpoints/job)
  std::vector<LinkJob> links{};  // commits of sessions to be written up, likewise (commits/link_work)
  std::optional<PlanLocation> plan;  // a tracked plan that the call was about
  /// Its tracking folder, where it is open still.
  std::shared_ptr<system::Folder> tracking{};
  /// What was read for it. A process that ends next need not take it apart: that takes as long as making it.
  std::shared_ptr<const void> kept{};
};

/// Reads on in the payload only where it matters: a plan was written, or there is something to say to the
/// main thread alone.
HookResult answer_hook(const Context& context, const clients::Client& client, clients::Payload& payload);

/// Writes how long a call took into hooks.log of the tracking folder of `result.plan`, and what went wrong
/// into errors.log there. Does nothing without a plan. Failing is nobody's business.
void log_hook(const Context& context, const core::HookEvent& event, std::chrono::microseconds took,
              const HookResult& result);

/// The same for a call whose payload cannot be read: it is about the plan of the working folder, if one is
/// tracked there.
void log_broken_call(const Context& context, const core::HookEvent& event, std::chrono::microseconds took,
                     const std::string& problem);

}  // namespace plankeep::app
