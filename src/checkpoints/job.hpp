#pragma once
// Checkpoints of the work that hooks and commands ask for and do not wait for (spec 12, 14).
//
//   spawn_job(context, asked);      // the last thing before the process ends; returns at once
//   ... and in the process that it started: run_job(context, words) (cli/commands/clients/after_hook)
//
// What a checkpoint needs (git, the work tree, a database) takes many times as long as a hook may. So the
// hook answers, starts the program once more, in a session of its own and with nothing open but the plan's
// text as it was then, and ends: the plan may have gone on by the time that process looks at it. That process
// may be killed at any moment: checkpoints/checkpoint says what is left. What it cannot do goes into
// errors.log of the plan's folder.
//
// PLANKEEP_CHECKPOINTS=off in the environment: nothing is started. =wait: it is done before the process goes
// on, for scripts and tests that look at what is there afterwards. The setting "checkpoints": false switches
// them off for a project or a user.

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/instant.hpp"
#include "checkpoints/checkpoint.hpp"
#include "model/checkpoint.hpp"
#include "model/ids.hpp"
#include "model/wanted_checkpoint.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "tracking/outcome.hpp"

namespace plankeep::app {

using core::WantedCheckpoint;

/// What is asked for of one plan, in one call.
struct CheckpointJob {
  PlanLocation plan;
  std::string event;       // as the client calls what happened; or the command
  std::string session;     // empty: none
  std::string transcript;  // of the session; empty: none
  std::vector<WantedCheckpoint> checkpoints;
  std::optional<PlanThen> then{};  // the plan as it was when this was asked for
  base::Instant time{};            // spawn_job sets it: messages that were made later are no part of this
  bool operator==(const CheckpointJob&) const = default;
};

/// For every phase that these events complete.
std::vector<WantedCheckpoint> completions_in(const std::vector<core::Event>& events);

/// Never fails: what cannot be started is not made. Only what the project's settings allow.
void spawn_job(const Context& context, const std::vector<CheckpointJob>& asked);
/// What a command did or found done: phases that came to be completed.
void spawn_job(const Context& context, const Outcome& outcome, const std::string& command);
void spawn_job(const Context& context, const PlanLocation& plan, const std::vector<core::Event>& events,
               const std::string& command);
/// What a way back did (`restore`, `rewind`). A phase that comes back complete had its checkpoint when it was
/// completed: one is made only of a phase that is complete now and never was before, as far as the history
/// knows (the last tick was an edit that nobody had seen yet).
void spawn_job_after_return(const Context& context, const Outcome& outcome, const std::string& command);

/// The words behind `after-hook`, and what they say: the plan's path, event, session, transcript, the
/// hook's time (ISO 8601), "<history offset>:<revision>:<checksum>" of `then` (empty: none), then each
/// checkpoint as "turn", "before_prompt", "context_window:83" or "epic_completion:<phase>". nullopt when they
/// say nothing of the kind. `then` has no text yet: it stands on standard input, since words have no room for
/// it. A text with another checksum counts for nothing (give_text).
std::vector<std::string> job_arguments(const CheckpointJob& asked);
std::optional<CheckpointJob> read_job_arguments(const std::vector<std::string>& words);
void give_text(CheckpointJob& asked, std::string text);

/// Clients write their transcripts after they have called the hooks, Claude Code about a tenth of a second.
inline constexpr std::chrono::milliseconds kTranscriptTimeout{1500};

/// Makes them, one after the other, and those of phases whose last tick is seen only now. Never fails: one
/// that cannot be made is a line in errors.log, and the next is tried. `timeout`: so long it waits, once the
/// files are kept, for the message that ended a turn to stand in the transcript.
void run_job(const Context& context, const CheckpointJob& asked, std::chrono::milliseconds timeout);

inline constexpr std::string_view kAfterHook = "after-hook";

}  // namespace plankeep::app
