#pragma once
// The parts of one hook call. Private to app/hook*.cpp; app/hook.hpp is the door.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/file_end.hpp"
#include "app/hook.hpp"
#include "app/hook_plans.hpp"
#include "app/outcome.hpp"
#include "app/plan_work.hpp"
#include "app/settings.hpp"
#include "core/audit.hpp"
#include "core/event.hpp"
#include "core/state.hpp"

namespace plankeep::app {

// Clients that run our hooks twice (two settings files, or another client's beside their own) do so at the
// same moment; what a person or a model does twice takes longer.
inline constexpr std::int64_t kSameMoment = 1000;

class HookCall {
 public:
  HookCall(const Context& context, const clients::Client& client, const core::HookEvent& event,
           const ReadEdits& edits)
      : context_(context), client_(client), event_(event), edits_(edits) {}

  HookResult run();

 private:
  // hook.cpp
  void file_written();
  void settled();
  void take(const base::Status& done, const PlanLocation& plan);
  void tell(const Outcome& outcome);
  /// A checkpoint to be made when the answer has been given.
  void ask_for(const PlanLocation& plan, AskedCheckpoint checkpoint);
  /// The plan that the call is about, and its tracking folder.
  void be_about(const Outcome& outcome);
  /// Brings every plan of the project up to date and says what is worth it; `seen_` are those that are
  /// tracked.
  void look_around();
  /// Locks and brings up to date the plan that keeps this session's records, and the others beside it.
  /// nullptr when there is none, or nothing recorded to work with.
  std::unique_ptr<PlanWork> session_work(bool need_plan);
  std::unique_ptr<PlanWork> work_on(const PlanLocation& plan, bool need_plan);
  const Settings& settings(const PlanLocation& plan);
  std::chrono::milliseconds patience() const;
  core::Event made(core::EventKind kind, base::Instant now) const;

  // hook_session.cpp
  void session_start();
  void prompt();
  void turn_ended();
  void before_compact();
  void session_ended();
  core::SessionState& session_in(core::State& state, std::vector<core::Event>& events, base::Instant now);
  void touch(core::SessionState& session, base::Instant now) const;
  void bury_dead(const PlanWork& work, core::State& state, std::vector<core::Event>& events) const;
  bool dead(const core::SessionState& session, base::Instant now) const;
  /// Whether this was answered before, in the same save and at the same moment: the second call of a hook
  /// that is installed twice (spec 10.8).
  bool answered(const PlanWork& work, const core::SessionState* session, const std::string& what) const;
  /// The same, whatever was saved since: what the first call left to be done may have saved already.
  bool just_answered(const PlanWork& work, const core::SessionState& session, const std::string& what) const;
  /// Notes that it is answered now; keep() writes it down.
  void note_answer(const PlanWork& work, core::SessionState& session, const std::string& what);
  /// Writes down what was made of the work's state: an event or a copy is a save, all else bookkeeping.
  void keep(PlanWork& work, core::State state, std::vector<core::Event> events,
            std::optional<std::string> copy = std::nullopt);
  static void forget_context(core::SessionState& session);
  void see_context(core::SessionState& session, const PlanLocation& plan, bool& full);
  /// The last thing to do with the work.
  std::string resume_for(PlanWork& work);
  void note_message(core::State& state, std::vector<core::Event>& events, base::Instant now,
                    const std::string& why) const;
  std::string last_words();

  // hook_leases.cpp
  std::vector<core::Event> lease_renewals(const core::State& state, base::Instant now) const;
  /// Of what this session holds, where half of its time has gone: no save for each call.
  void renew_leases(PlanWork& work);

  // hook_agents.cpp
  void subagent_assigned();
  void subagent_started();
  void subagent_stopped();
  bool stop_is_recorded(PlanWork& work, const core::Audit& audit) const;
  bool claim_waits(const core::State& state) const;
  void add_claim(core::State& state, const std::vector<std::string>& unverified, base::Instant now) const;
  /// What the end of this turn is noted as.
  std::string turn_answer() const;
  void gate(const PlanWork& work, const core::State& state, core::SessionState& session);
  void close_notified(core::State& state, std::vector<core::Event>& events, base::Instant now) const;
  void deliver_claims(core::State& state, bool with_background);
  std::vector<core::TaskId> assigned_to_this(core::State& state);

  const Context& context_;
  const clients::Client& client_;
  const core::HookEvent& event_;
  const ReadEdits& edits_;
  std::optional<Settings> settings_;
  std::vector<SeenPlan> seen_;
  HookResult result_;
  bool answer_noted_ = false;
};

}  // namespace plankeep::app
