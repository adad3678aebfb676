#pragma once
// The parts of one hook call. Private to hooks/hook*.cpp; hooks/hook.hpp is the door.

#include <map>
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
#include "policy/claim_policy.hpp"
#include "policy/hook_policy.hpp"
#include "project/settings.hpp"
#include "sessions/activity_files.hpp"
#include "system/file_parts.hpp"
#include "tracking/edit_author.hpp"
#include "tracking/outcome.hpp"
#include "tracking/plan_work.hpp"

namespace plankeep::app {

class HookCall {
 public:
  HookCall(const Context& context, const clients::Client& client, clients::Payload& payload)
      : context_(context), client_(client), payload_(payload), event_(payload.event()) {}

  HookResult run();

 private:
  // hook.cpp
  void file_written();
  core::Author author_here(const core::State& state, const PlanLocation& plan) const;
  bool knows_session(const PlanLocation& but) const;
  base::Result<Outcome> track_edit(FoundPlan found, Edit edit, PlanWork::Create create);
  void say_untracked(const PlanLocation& plan, const base::Error& error);
  void note_writer(const PlanLocation& plan, const core::State& state);
  void shell_started();
  void expect_patch();
  void end_shells();
  /// Whom the event names is from now on whom the payload names, wherever in it that stands.
  void know_sender(std::size_t limit = clients::kPayloadLimit);
  /// Whether it says that the main thread acts, beside commands of its subagents.
  bool names_nobody_beside(system::Folder& shells) const;
  void take(const base::Status& done, const PlanLocation& plan);
  void report(const Outcome& outcome);
  /// An edit that nobody announced, as this call may find it.
  Edit found_edit() const;
  /// Whether losses wait that this call can tell the main thread of.
  bool unsaid_due(const core::State& state);
  /// Takes them out of the plan's records, for report().
  void take_unsaid(PlanWork& work);
  /// A checkpoint to be made when the answer has been given.
  void ask_for(const PlanLocation& plan, WantedCheckpoint checkpoint);
  /// The plan as it is now, for checkpoints of it that were asked for.
  void note_plan(const PlanLocation& plan, const core::State& state, const std::string& text);
  /// The same for a plan in `seen_`.
  void note_plan(const PlanLocation& plan);
  /// The plan that the call is about, and its tracking folder.
  void be_about(const Outcome& outcome);
  /// Brings every plan up to date, each opened once, and locked once where something has to be recorded;
  /// `seen_` are those that are tracked, in their order. Gives the one that keeps this session's records,
  /// which alone stays locked if it was; nullptr when there is none.
  std::shared_ptr<PlanWork> look_around(HookPlans found);
  base::Status bring_up_to_date(PlanWork& work);
  HookPlans plans_now();
  bool found_moved();
  /// Says what the look at the plans found.
  void report_seen();
  /// Locks and brings up to date the plan that keeps this session's records, and the others beside it.
  /// nullptr when there is none, or nothing recorded to work with.
  std::shared_ptr<PlanWork> session_work(bool need_plan);
  base::Status lock_work(PlanWork& work);
  std::shared_ptr<PlanWork> only_plan(FoundPlan found);
  /// Whether the prompt is answered with the resume text: then the plan itself has to be read.
  bool needs_resume(const PlanWork& work) const;
  /// False: nothing is recorded that a session could stand beside.
  bool be_about_session(const PlanWork& work);
  const Settings& settings(const PlanLocation& plan);
  std::chrono::milliseconds timeout() const;

  // hook_settled.cpp
  void settled();
  /// What `settle` asks for. Without the lock only what tells whether anything is due.
  core::HookFacts settled_facts(const PlanWork& work);
  bool may_name(const std::string& given, const PlanLocation& plan) const;
  core::OwnCalls own_calls_in(const PlanLocation& plan);
  struct CallsBeside {
    const SeenPlan* plan;  // of `seen_`
    core::OwnCalls calls;
  };
  std::vector<CallsBeside> calls_beside(const PlanWork& own);
  void credit_beside(const std::vector<CallsBeside>& beside, PlanWork& own);

  // hook_session.cpp
  /// The session as another plan knows it, while the work's own does not.
  void find_elsewhere(const PlanWork& work, core::HookFacts& facts) const;
  /// Ends the session in the plans that it worked on before.
  void end_elsewhere(const PlanLocation& own);
  void session_start();
  std::string news_of_records(const PlanWork& work);
  void prompt();
  void turn_ended();
  void before_compact();
  void session_ended();
  /// The event's session, when it is known and has not ended; nullptr otherwise.
  const core::SessionState* going_on(const core::State& state) const;
  base::Instant now_of(const PlanWork& work) const;
  core::ProcessFate fate_of(const core::SessionState& session) const;
  /// Names the client's process, where its session does not know it yet.
  std::string process_for(const core::State& state) const;
  /// What the client alone tells.
  core::HookFacts facts() const;
  /// The same, with what every event of a session asks for.
  core::HookFacts facts_of(const PlanWork& work) const;
  void find_crashed(const PlanWork& work, core::HookFacts& facts) const;
  /// Records crashes in the other plans. Own work is not to be locked.
  void find_crashed_elsewhere(const PlanLocation& own);
  bool lives_elsewhere(const std::string& session, const PlanLocation& own, base::Instant now) const;
  void name_file(const PlanWork& work, core::HookFacts& facts) const;
  /// Those that were seen beside the session's, in their order.
  std::vector<const PlanLocation*> other_plans(const PlanLocation& own) const;
  /// Says, asks for and writes what was decided. Gives the lock away if something is written beside.
  void carry_out(PlanWork& work, core::HookDecision made);
  void record_beside(std::vector<core::EventBeside> events);
  /// How full the session's context window is, in per cent: as the event or a status line says, else by the
  /// transcript, in a window as large as `told`. nullopt: not known, never guessed.
  std::optional<int> context_used(const core::SessionState* session, const PlanLocation& plan,
                                  std::optional<std::int64_t> told = std::nullopt);
  void see_context(const core::State& state, const PlanLocation& plan, core::HookFacts& facts);
  /// The last thing to do with the work.
  std::string resume_for(PlanWork& work);
  /// What was taken back since the session was active last.
  std::optional<core::Event> rewound_since(PlanWork& work, const core::SessionState& earlier) const;
  std::string last_words(const PlanLocation& plan);
  /// The end of the session's transcript (clients::kTranscriptTail), read once a call.
  const std::string& transcript_tail();

  // hook_edited_prompt.cpp
  /// The edited prompt that began this turn, if it was not reported yet and the model can be told.
  std::optional<clients::EditedPrompt> new_edited_prompt(const core::SessionState& session,
                                                         const PlanLocation& plan);
  /// What the model is told of it; empty: there is nothing to go back to. Reads the transcript and the
  /// checkpoints once a call, before the lock is taken where it is not taken anyway.
  const std::string& edited_prompt_report(const PlanLocation& plan, const clients::EditedPrompt& edited);

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

  // hook_audit.cpp
  std::vector<core::AskedPlan> asked_plans(const PlanLocation& own, const core::State& state) const;
  /// Reads the tasks of the other plans with these paths (relative to their projects). Returns whether any
  /// were read; then call asked_plans again, since its earlier result points into the old states.
  bool read_tasks(const PlanLocation& own, const std::vector<std::string>& below) const;
  bool wrote_in(const PlanLocation& plan) const;
  /// What the plan says in work trees that this call has not seen.
  std::vector<core::State> unseen_copies(const core::AskedPlan& plan, const core::State& records) const;
  /// `agent`: who says it; nullptr for the main thread and for a subagent that is not known.
  core::Verdict judge(const PlanLocation& own, const core::State& state, const core::AgentState* agent,
                      const std::string& message, bool subagent) const;

  // hook_claimed_work.cpp
  /// What a message says of files and tests and does not hold. `transcript`: where its tests would show.
  core::WorkDoubts doubts_of(const PlanLocation& plan, const core::State& state, const std::string& message,
                             const std::string& transcript) const;

  // hook_agents.cpp
  void subagent_stopped();
  std::optional<core::AuditFacts> audit_of(const PlanLocation& plan, const core::State& state,
                                           const core::AgentState* agent);
  /// The state of the plan that `verdict` is about.
  const core::State& asked_state(const core::Verdict& verdict, const core::State& own) const;
  /// The plan whose history has what is claimed.
  PlanWork& asked_work(const core::AuditFacts& claims, PlanWork& own) const;
  std::optional<core::Event> last_stop(PlanWork& work) const;
  std::optional<core::AuditFacts> gate(const PlanLocation& plan, const core::State& state);

  // hook_activity.cpp
  /// Notes what the session did, so that later commits can be linked to it, and asks for the linking of
  /// commits that waited for the end of this turn.
  void note_activity();
  base::Status note_paths(const std::vector<std::string>& paths);
  base::Status note_prompt(const ActivityFiles& files);
  base::Status note_end(const ActivityFiles& files);
  /// The first lines of a session's notes; empty if it has notes already.
  std::string first_lines(const ActivityFiles& files) const;

  const Context& context_;
  const clients::Client& client_;
  clients::Payload& payload_;
  core::HookEvent event_;
  std::optional<Settings> settings_;
  std::vector<SeenPlan> seen_;
  bool searched_ = false;  // for plans whose files are gone
  HookResult result_;
  std::map<std::string, core::UnsaidNews> unsaid_{};  // by the plan's path
  std::optional<std::string> transcript_tail_{};
  std::optional<std::string> edited_report_{};
};

}  // namespace plankeep::app
