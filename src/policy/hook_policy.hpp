#pragma once
// What one event of a client's session does to a plan's records (spec 10). Pure: no file, no clock, no
// client. hooks/ gathers the facts under the plan's lock, asks once, writes and answers.
//
//   HookFacts facts = ...;                                      // only what this kind of event asks for
//   HookDecision made = decide(event, std::move(state), facts);
//   made.keep: nothing, the state alone, or the state with its events and a recovery copy
//   made.answer goes behind what the look at the files had to say
//
// Facts that an event does not need stay as they are made here. Which event asks for which is said beside
// each. Total: a fact that could not be had (no transcript, no process) is empty, and what rests on it is
// not decided.

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/claimed_work.hpp"
#include "base/instant.hpp"
#include "model/event.hpp"
#include "model/hook_event.hpp"
#include "model/state.hpp"
#include "model/wanted_checkpoint.hpp"
#include "rules/notice.hpp"

namespace plankeep::core {

// Clients that run our hooks twice (two settings files, or another client's beside their own) do so at the
// same moment; what a person or a model does twice takes longer.
inline constexpr std::int64_t kSameMoment = 1000;
/// A session without a known process that was silent for so long is taken for dead.
inline constexpr std::chrono::milliseconds kSilence{10 * 60 * 1000};
/// Every so many prompts of a person a recovery copy is written (spec 5).
inline constexpr std::int64_t kPromptsPerRecovery = 5;

/// What is known of a subagent whose assignment was not known when it started.
struct AgentFacts {
  std::string agent;
  std::string tool_use;                   // the call that started it; empty: not known yet
  std::optional<Assignment> by_prompt{};  // what its prompt gives it; nullopt: the prompt is not known
};

/// What a session's process tells: whether it runs is asked of the system.
enum class ProcessFate { unknown, runs, ended };

struct SessionFate {
  std::string session;
  ProcessFate process = ProcessFate::unknown;
};

/// What the audit of a last message found (hooks/ asks audit/).
struct AuditFacts {
  std::vector<std::string> unverified{};  // claimed and not ticked
  std::vector<std::string> names{};       // the same tasks, named with their titles for a model
  std::vector<std::string> claimed{};     // subagent_stopped: all that is claimed, ticked or not
  std::string file{};                     // the plan that they are about, for a person or a model
  std::string plan{};       // subagent_stopped: absolute, where it is not the one with the records
  bool sends_back = false;  // the settings ask for it and the client honours it
  WorkDoubts doubts{};      // reported to the person, and to an agent that is sent back for a task; never a
                            // reason on their own
};

/// An edited prompt that began this turn and was not reported yet.
struct EditedPromptFacts {
  std::string id;      // of its message
  std::string report;  // for the model; empty: there is nothing to go back to
};

/// A plan beside the one that keeps the session's records.
struct OtherPlan {
  base::Instant saved;                          // last
  std::optional<base::Instant> kept_by_turn{};  // time of its latest checkpoint, if a turn made it
};

struct HookFacts {
  base::Instant now{};
  std::string process{};  // identity of the client's process; empty: not known, or known to the session
  std::string file{};     // the plan, for a model. Where something was rewound or claimed
  std::map<std::string, std::string> shown{};   // the plans of findings that wait, by path, for a model
  std::map<std::string, const State*> plans{};  // the same as they are now, where they could be read
  bool tells_model = false;                     // what is said in answer reaches a model
  bool start_tells_model = false;               // prompt_submitted: a session's start did so
  bool names_subagents = true;  // prompt_submitted: the client's events say which subagent acts

  /// How full the context window is, in per cent; nullopt: not known, never guessed.
  std::optional<int> context_percent{};
  /// prompt_submitted, turn_ended, settle: from where on a checkpoint is due. nullopt: it is far from full.
  std::optional<int> context_trigger{};

  /// turn_ended, before_compact, session_ended: the last message, as a note.
  std::string last_words{};

  /// session_start, prompt_submitted: the other sessions that have not ended, and where the state was found
  /// when the call began ("state.json").
  std::vector<SessionFate> sessions{};
  std::string last_known{};
  /// Running subagents whose assignment is not known: of sessions that may have crashed; the event's own
  /// (unassigned_agent).
  std::vector<AgentFacts> agents{};

  /// prompt_submitted: what was taken back since the session was active last.
  std::optional<Event> rewound{};
  bool head_detached = false;  // git's HEAD, where `rewound` moved it

  /// subagent_assigned, subagent_started: what the event's own prompt gives.
  Assignment given{};
  /// subagent_stopped: the last stop of this agent in the history of the plan that its claims are about,
  /// where it is known to have stopped.
  std::optional<Event> last_stop{};
  /// turn_ended, subagent_stopped: the audit of the last message; nullopt: none is wanted.
  std::optional<AuditFacts> audit{};
  /// settle, of a subagent: what its calls of our MCP server did.
  OwnCalls own_calls{};
  /// settle, of the main thread of a session that goes on.
  std::optional<EditedPromptFacts> edited{};
  /// The session as another plan knows it where it goes on, while this one does not know it: it has worked on
  /// that one so far.
  std::optional<SessionState> elsewhere{};
  /// session_ended: this plan knows the session, which has worked on another one since.
  bool worked_elsewhere = false;
  /// turn_ended: the other plans of the project.
  std::vector<OtherPlan> other_plans{};
};

struct HookJob {
  std::size_t plan = 0;  // 0: the one that keeps the session's records; i + 1: HookFacts::other_plans[i]
  WantedCheckpoint checkpoint;
  bool operator==(const HookJob&) const = default;
};

/// For the history of another plan than the one that keeps the session's records.
struct EventBeside {
  std::string plan;  // absolute
  Event event;
};

struct HookDecision {
  enum class Keep {
    nothing,      // answered before, or none of ours: `state` is not to be written
    bookkeeping,  // what no event tells
    save,
  };
  Keep keep = Keep::nothing;
  State state;
  std::vector<Event> events;
  std::optional<std::string> copy;  // the reason of a recovery copy
  HookAnswer answer;
  std::vector<HookJob> jobs;
  std::vector<EventBeside> beside;  // record_beside, after this was written
  bool resume = false;              // the answer begins with the plan's resume text
};

/// `event`: session_start, prompt_submitted, turn_ended, before_compact or session_ended, with a session;
/// subagent_assigned with a session; subagent_started and subagent_stopped with an agent's type.
HookDecision decide(const HookEvent& event, State state, const HookFacts& facts);

/// The state of the other plan with what concerns a subagent that works on it: its start, its end, or the end
/// of a session that this plan does not know.
HookDecision record_beside(Event event, State state);

/// The plan's sessions that are found dead, at a start of another one: as decide() records them in the plan
/// that keeps its records. HookFacts as for session_start.
HookDecision record_crashes(const HookEvent& event, State state, const HookFacts& facts);

/// What tools that came to their end, and prompts that are none, do to the records besides what the plan's
/// text says. Nothing unless something is due.
HookDecision settle(const HookEvent& event, State state, const HookFacts& facts);
/// Whether it is worth the lock: told from a state that was read without it.
bool anything_due(const HookEvent& event, const State& state, const HookFacts& facts);
/// Whether a tick or a claim of the main thread's is so fresh that it is a subagent's, should one have sent
/// the event: not every payload says so at its beginning.
bool sender_counts(const HookEvent& event, const State& state, base::Instant now);
/// The same of an event that a subagent has sent.
bool own_calls_may_wait(const HookEvent& event, const State& state, base::Instant now);
/// Those of the calls that a tick or a claim of the state waits for.
OwnCalls waiting_calls(const OwnCalls& calls, const HookEvent& event, const State& state, base::Instant now);
/// What a subagent's calls of our MCP server (`facts.own_calls`) did in a plan that does not keep the
/// session's records: it is the subagent's.
HookDecision credit_own_calls(const HookEvent& event, State state, const HookFacts& facts);
/// Whether a subagent's audit left something that the main thread is told with its next tool call.
bool findings_due(const HookEvent& event, const State& state);
/// Whether the finding waits: its agent was sent back for it and has not stopped again.
bool finding_held(const State& state, const AuditFinding& finding);

/// What a sync of a plan's file found (tracking/).
struct EditFacts {
  std::vector<Notice> notices{};
  std::vector<std::string> new_errors{};  // model/diagnostics error_lines
  bool readable = true;
  bool recorded = false;  // it recorded events
  std::string warning{};  // its last warning: why an unreadable plan cannot be read
};
/// Whether the edit is worth an answer. An unreadable plan is reported once, when its event is recorded.
bool worth_reporting(const EditFacts& facts);
/// The answer to an edit. `file`: the plan's path as it is shown; `tells_model`: the answer reaches the
/// model; otherwise it is a notice for the person.
HookAnswer report_edit(EditFacts facts, std::string file, bool tells_model);

/// Whether the answer to the event, where it reaches a model, reaches that of the main thread.
bool answers_main(const HookEvent& event);

/// What was lost and no agent was told of.
struct UnsaidNews {
  std::vector<Notice> notices{};
  bool unreadable = false;  // so it became then, and so it still is
};
/// kMostUnsaid events of these kinds tell of it. What was added tells what only has another id now.
inline constexpr std::size_t kMostUnsaid = 500;
const std::vector<EventKind>& kinds_behind_news();
/// `events`: of those kinds, oldest first. `now`: the plan as it is; what it has put right is left out.
UnsaidNews unsaid_news(const std::vector<Event>& events, const State& now, bool readable);

/// Whose commands in the shell are over with this event.
enum class ShellsOver { none, agents, sessions };
ShellsOver shells_over(const HookEvent& event);
/// The subagents that have ended according to this event. A subagent that was stopped by the user calls no
/// hook any more.
std::vector<std::string> agents_over(const HookEvent& event);

/// Of what the event's session holds (rules/lease), what is due to be renewed: half of its time has gone, so
/// that not every call is a save. `host`: where the client's process runs; empty: not known.
std::vector<Event> lease_renewals(const HookEvent& event, const State& state, const std::string& host,
                                  base::Instant now);

/// Whether the answer to a prompt begins with the plan's resume text. Asked before the plan is read: only
/// then does it take the plan itself, and not its state alone.
bool wants_resume(const HookEvent& event, const State& state, const HookFacts& facts);

/// Whether a session is to be taken for dead.
bool is_dead(const SessionState& session, ProcessFate process, base::Instant now);

/// Whether this start says that the session died: one that starts again without having ended. One that is
/// compacted, cleared or forked goes on.
bool starts_again(const HookEvent& event, const SessionState& session);

/// It is active now. `process`: as HookFacts::process.
void touch(SessionState& session, const HookEvent& event, const std::string& process, base::Instant now);

/// The event's own subagent, where it runs and its assignment was not known when it started; else nullptr.
const AgentState* unassigned_agent(const HookEvent& event, const State& state);

/// The subagent's assignment, as far as it is certain; one that waited in the session is taken out of it.
/// `just_begun`: it starts with this call, so that the only call that waits may be the one.
std::optional<Assignment> take_assignment(State& state, const AgentState& agent, const AgentFacts& facts,
                                          bool just_begun);
/// The subagent as it is when its assignment has been recorded: whom an audit asks.
AgentState with_assignment(const State& state, AgentState agent, const AgentFacts& facts);
/// Records the tasks that a running subagent was given in `made`, whose state it is; those of another plan
/// beside it.
void assign(HookDecision& made, const std::string& agent, Assignment assignment, base::Instant now);

/// Of what this session's subagents claimed: takes what is due now out of the state and says it to the
/// parent, as far as it is still open. `with_background`: also what ran beside it. Empty when nothing is due.
std::string deliver_findings(State& state, const HookEvent& event, const HookFacts& facts,
                             bool with_background);

}  // namespace plankeep::core
