#pragma once
// The parts of one hook call. Private to hooks/hook*.cpp; hooks/hook.hpp is the door.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "audit/audit.hpp"
#include "base/text.hpp"
#include "clients/transcripts/edited_prompt.hpp"
#include "hooks/hook.hpp"
#include "hooks/hook_plans.hpp"
#include "model/event.hpp"
#include "model/state.hpp"
#include "policy/hook_policy.hpp"
#include "project/settings.hpp"
#include "system/file_parts.hpp"
#include "tracking/outcome.hpp"
#include "tracking/plan_work.hpp"

namespace plankeep::app {

/// A plan that a claim may be about.
struct AskedPlan {
  PlanLocation plan;
  PlanLocation at_hand;  // the same in the work tree where the call ran, where it has a copy there
  std::string root;      // its project
  const core::State* state = nullptr;
  std::vector<const core::State*> copies;  // of the same plan in other work trees
  bool own = false;                        // it keeps the session's records
};

struct Verdict {
  core::Audit audit;
  std::string plan;  // the plan that was asked; empty: the one that keeps the session's records
  std::string file;  // the same for a person or a model
};

/// The tasks as the audit needs them. `agent`: whose they are.
std::vector<core::AuditTask> audit_tasks(const core::State& state, const core::AgentState* agent);

class HookCall {
 public:
  HookCall(const Context& context, const clients::Client& client, clients::Payload& payload)
      : context_(context), client_(client), payload_(payload), event_(payload.event()) {}

  HookResult run();

 private:
  // hook.cpp
  void file_written();
  base::Result<Outcome> track_edit(FoundPlan found, Edit edit);
  void settled();
  /// Whom the event names is from now on whom the payload names, wherever in it that stands.
  void know_sender();
  /// Some clients give a subagent's id alone, or do not say at all that one acts.
  void name_actor(const core::State& state, Edit& edit) const;
  void take(const base::Status& done, const PlanLocation& plan);
  void report(const Outcome& outcome);
  /// A checkpoint to be made when the answer has been given.
  void ask_for(const PlanLocation& plan, WantedCheckpoint checkpoint);
  /// The plan as it is now, for checkpoints of it that were asked for.
  void note_plan(const PlanLocation& plan, const core::State& state, const std::string& text);
  /// The plan that the call is about, and its tracking folder.
  void be_about(const Outcome& outcome);
  /// Brings every plan of the project up to date and says what is worth it; `seen_` are those that are
  /// tracked.
  void look_around();
  /// Locks and brings up to date the plan that keeps this session's records, and the others beside it.
  /// nullptr when there is none, or nothing recorded to work with.
  std::unique_ptr<PlanWork> session_work(bool need_plan);
  std::unique_ptr<PlanWork> work_on(const PlanLocation& plan, bool need_plan, OpenedPlan opened = {});
  const Settings& settings(const PlanLocation& plan);
  std::chrono::milliseconds timeout() const;

  // hook_session.cpp
  void session_start();
  void prompt();
  void turn_ended();
  void before_compact();
  void session_ended();
  /// The event's session, when it is known and has not ended; nullptr otherwise.
  const core::SessionState* going_on(const core::State& state) const;
  core::ProcessFate fate_of(const core::SessionState& session) const;
  /// Names the client's process, where its session does not know it yet.
  std::string process_for(const core::State& state) const;
  /// What the client alone tells.
  core::HookFacts facts() const;
  /// The same, with what every event of a session asks for.
  core::HookFacts facts_of(const PlanWork& work) const;
  void find_crashed(const PlanWork& work, core::HookFacts& facts) const;
  void name_file(const PlanWork& work, core::HookFacts& facts) const;
  /// Those that were seen beside the session's, in their order.
  std::vector<const PlanLocation*> other_plans(const PlanLocation& own) const;
  /// Says, asks for and writes what was decided.
  void carry_out(PlanWork& work, core::HookDecision made);
  /// Writes down what was made of the work's state: an event or a copy is a save, all else bookkeeping.
  void keep(PlanWork& work, core::State state, std::vector<core::Event> events,
            std::optional<std::string> copy = std::nullopt);
  /// How full the session's context window is, in per cent: as the event or a status line says, else by the
  /// transcript, in a window as large as `told`. nullopt: not known, never guessed.
  std::optional<int> context_used(const core::SessionState* session, const PlanLocation& plan,
                                  std::optional<std::int64_t> told = std::nullopt);
  /// Whether that calls for a checkpoint, which a session gets once until its context is compacted.
  bool fills_up(const core::SessionState& session, const PlanLocation& plan,
                const std::optional<int>& percent);
  void see_context(const core::State& state, const PlanLocation& plan, core::HookFacts& facts);
  /// The last thing to do with the work.
  std::string resume_for(PlanWork& work);
  /// What was taken back since the session was active last.
  std::optional<core::Event> rewound_since(PlanWork& work, const core::SessionState& earlier) const;
  std::string last_words();
  /// The end of the session's transcript (clients::kTranscriptTail), read once a call.
  const std::string& transcript_tail();

  // hook_edited_prompt.cpp
  /// The edited prompt that began this turn, if it was not reported yet and the model can be told.
  std::optional<clients::EditedPrompt> new_edited_prompt(const core::SessionState& session,
                                                         const PlanLocation& plan);
  /// What the model is told of it; empty: there is nothing to go back to. Reads the transcript and the
  /// checkpoints, so it is asked before the lock is taken.
  std::string edited_prompt_report(const PlanLocation& plan, const clients::EditedPrompt& edited);

  // hook_leases.cpp
  std::vector<core::Event> lease_renewals(const core::State& state, base::Instant now) const;
  /// Of what this session holds, where half of its time has gone: no save for each call.
  void renew_leases(PlanWork& work);

  // hook_assignments.cpp
  void subagent_assigned();
  void subagent_started();
  /// What a prompt gives to whom it is for.
  core::Assignment assigned_by(const std::string& prompt, const PlanLocation& own,
                               const core::State& state) const;
  /// The prompt that a subagent was started with, from its transcript; empty when that does not say.
  std::string prompt_of(const core::AgentState& agent, const std::string& session_transcript) const;
  core::AgentFacts agent_facts(const core::State& state, const PlanLocation& own,
                               const core::AgentState& agent) const;
  /// Of a running subagent whose assignment was not known when it started.
  void assign_late(core::State& state, std::vector<core::Event>& events, const PlanLocation& own,
                   const std::string& agent, base::Instant now) const;

  // hook_audit.cpp
  std::vector<AskedPlan> asked_plans(const PlanLocation& own, const core::State& state) const;
  /// The one plan that a text is about; nullptr when it names none, or several.
  static const AskedPlan* plan_meant(const std::string& text, const std::vector<AskedPlan>& plans);
  bool wrote_in(const AskedPlan& plan) const;
  const AskedPlan* plan_of(const core::AgentState* agent, const std::string& prompt,
                           const std::string& message, const std::vector<AskedPlan>& plans) const;
  /// `agent`: who says it; nullptr for the main thread and for a subagent that is not known.
  Verdict judge(const PlanLocation& own, const core::State& state, const core::AgentState* agent,
                const std::string& message, bool subagent) const;

  // hook_agents.cpp
  void subagent_stopped();
  std::optional<core::AuditFacts> audit_of(const PlanLocation& plan, const core::State& state,
                                           const core::AgentState* agent);
  std::optional<core::Event> last_stop(PlanWork& work) const;
  std::optional<core::AuditFacts> gate(const PlanLocation& plan, const core::State& state);

  const Context& context_;
  const clients::Client& client_;
  clients::Payload& payload_;
  core::HookEvent event_;
  std::optional<Settings> settings_;
  std::vector<SeenPlan> seen_;
  HookResult result_;
  std::optional<std::string> transcript_tail_{};
};

}  // namespace plankeep::app
