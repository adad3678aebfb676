#pragma once
// A checkpoint of the work (spec 12): an immutable record of where everything stood at a moment, and what
// going back to it needs (spec 14). Not the same as a save of the state.
//
// Values and pure functions only: no file, no clock, no git. Gathered by checkpoints/checkpoint, kept by
// checkpoint_db/checkpoint_store, written as JSON by model/json/checkpoint_json. The words for other tools
// are theirs: an epic is a phase, the prd is the plan.
//
// Size: work_state is at most kWorkStateLimit bytes as compact JSON. `fit` sees to it: long lists lose their
// last elements (commands: the oldest) and say how many beside them ("files_modified_more",
// "last_commands_more"), long texts are cut with "…". No key that other tools read ever goes away or changes
// its type. The rest of a checkpoint (the tasks, the plan's text) is not bound by that limit; it is kept
// content-addressed, so it costs nothing as long as the plan stays the same.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.hpp"
#include "model/ids.hpp"
#include "model/plan.hpp"
#include "model/state.hpp"

namespace plankeep::core {

/// "cp_1a2b3c_007".
using CheckpointId = Id<struct CheckpointKind>;

enum class CheckpointType {
  context_window,   // the client's context window fills up
  epic_completion,  // a phase or the plan came to be completed; kept for ever
  manual,           // somebody asked for it
  turn,             // the end of a turn: a person's prompt was answered
  pre_compact,      // before the client compacts its context
  session_end,
  pre_rewind,  // before something is taken back, so that it can be undone
};

/// "context_window", "epic_completion", ...; as it stands in files and options.
std::string_view name_of(CheckpointType type);
std::optional<CheckpointType> checkpoint_type(std::string_view name);
/// Every name, in the order of the enum.
std::vector<std::string_view> checkpoint_type_names();

// --- work_state: the keys are fixed, since other tools read them
// --------------------------------------------

/// How the criteria of the phase that have a command stood by their last evidence.
struct TestResults {
  std::int64_t passed = 0;
  std::int64_t failed = 0;
  std::optional<std::int64_t> coverage_tenths;  // percent; nobody tells it today
  bool operator==(const TestResults&) const = default;
};

/// The phase that was worked on. All empty when the plan has none or all are completed.
struct CurrentEpic {
  std::string epic_id;
  std::string feature_name;                           // its title
  std::string status;                                 // "pending", "in_progress", "completed"
  std::optional<std::int64_t> duration_tenths_hours;  // since it was started; unknown when nobody saw that
  std::optional<TestResults> test_results;            // absent when no criterion was ever verified
  bool operator==(const CurrentEpic&) const = default;
};

/// A file that differs from HEAD, or that git does not know yet.
struct FileChange {
  std::string path;    // relative to the work tree's top
  std::string status;  // "added", "modified", "deleted", "type_changed", "untracked", "unmerged"
  std::optional<std::int64_t> lines_changed;   // added and removed; unknown for binary and untracked files
  std::optional<base::Instant> last_modified;  // absent when it is gone
  bool operator==(const FileChange&) const = default;
};

struct GitStatus {
  std::string branch;  // empty: detached, or no repository
  // Numbers of files, whatever files_modified has room for.
  std::int64_t staged_files = 0;
  std::int64_t unstaged_files = 0;
  std::int64_t untracked_files = 0;
  /// Commits that the upstream lacks; without an upstream those made since the plan was tracked; absent when
  /// neither is known.
  std::optional<std::int64_t> commit_count;
  bool operator==(const GitStatus&) const = default;
};

/// One use of a tool, from the end of the session's transcript.
struct CommandUsed {
  std::string command_id;
  std::string type;     // the tool: "Bash", "Edit"
  std::string target;   // a file, folder or address; then `message` is empty
  std::string message;  // else what was run or said, in one line
  std::optional<base::Instant> timestamp;
  bool operator==(const CommandUsed&) const = default;
};

/// A commit that HEAD comes from, in one line.
struct CommitMade {
  std::string sha;      // full id
  std::string subject;  // the first line of its message
  bool operator==(const CommitMade&) const = default;
};
/// So many are looked for.
inline constexpr std::size_t kCommitsTaken = 20;

struct PrdStatus {
  std::int64_t version = 0;    // the state's revision
  std::string epic_status;     // of the same phase as current_epic; "completed" when all are
  std::string next_epic;       // the next phase behind it that is not completed, else before; empty: none
  base::Instant last_updated;  // of the newest event
  bool operator==(const PrdStatus&) const = default;
};

struct WorkEnvironment {
  std::string project;            // the name of the project's folder
  std::string working_directory;  // absolute
  std::string hostname;           // empty where the system does not tell
  bool operator==(const WorkEnvironment&) const = default;
};

struct WorkState {
  CurrentEpic current_epic;
  std::vector<FileChange> files_modified;  // by path
  std::int64_t files_more = 0;             // so many more there were no room for
  GitStatus git_status;
  std::vector<CommandUsed> last_commands;  // oldest first
  std::int64_t commands_more = 0;          // so many older ones there was no room for
  /// Of epic_completion: those made since the phase was started, newest first; so many more there were.
  std::vector<CommitMade> commits;
  std::int64_t commits_more = 0;
  PrdStatus prd_status;
  WorkEnvironment environment;
  bool operator==(const WorkState&) const = default;
};

/// Of work_state as compact JSON. The limit of spec 12 is 5 KB.
inline constexpr std::size_t kWorkStateLimit = 5000;
/// So many uses of tools are taken from a transcript (spec 12: 20 to 50), as far as they fit.
inline constexpr std::size_t kCommandsTaken = 50;

/// The work state within the limit: texts are cut (first to 200 bytes each, paths from their front), then the
/// lists are shortened: files down to three, commits down to five, commands down to 20, then files and
/// commits as far as it takes, commands last; texts are cut further before fewer than 20 commands are kept. A
/// work state of short texts and few elements comes back as it is. Idempotent. Ill-formed UTF-8 becomes
/// U+FFFD; a path keeps every other character, control characters and all, so whoever shows it to people has
/// to make it safe.
WorkState fit(WorkState work_state);

// --- the moment: what going back needs (spec 14) -----------------------------------------------------------

enum class WorkspaceState { none, clean, dirty };  // none: no repository
std::string_view name_of(WorkspaceState state);
std::optional<WorkspaceState> workspace_state(std::string_view name);

/// What stood under the plan's name. Only a `pre_rewind` checkpoint tells another than the first: it keeps
/// the bytes whatever they are, so that the way back exists.
enum class PlanReading { plan, not_a_plan, missing };
std::string_view name_of(PlanReading reading);
std::optional<PlanReading> plan_reading(std::string_view name);

struct TodoItem {
  PhaseId phase;
  TaskId id;
  std::string title;
  BoxState state = BoxState::open;
  bool optional = false;
  bool operator==(const TodoItem&) const = default;
};

/// The work tree as git objects (worktree/snapshot makes it).
struct Snapshot {
  std::string tree;
  std::string commit;                 // that holds the tree
  std::string ref;                    // "refs/plankeep/...": keeps the commit alive
  std::int64_t left_out_count = 0;    // files that are in the work tree and not in the tree
  std::vector<std::string> left_out;  // the first of them, at most kLeftOutNamed
  bool operator==(const Snapshot&) const = default;
};
inline constexpr std::size_t kLeftOutNamed = 20;

struct Moment {
  std::int64_t turn = 0;   // the number of the turn within the plan, from 1, given by the store; 0: none
                           // (is_turn_end)
  std::string message_id;  // of the client's last message; empty: not known
  std::string prompt;  // the first words of the prompt that began the turn (prompt_words); empty: not known
  std::string plan_digest;  // SHA-256 of the plan's bytes, 64 hexadecimal digits; the store has the text.
                            // Empty: the plan could not be read, or was missing
  PlanReading plan_reading = PlanReading::plan;
  std::vector<TodoItem>
      todo_snapshot;       // the plan's tasks, in its order; unless knows_tasks(), as last recorded
  std::string commit_sha;  // HEAD; empty: unborn, or no repository
  WorkspaceState workspace_state = WorkspaceState::none;
  std::string work_tree;              // its top, absolute; empty: no repository
  std::optional<Snapshot> snapshot;   // absent: none was taken
  std::int64_t criteria = 0;          // of the phase
  std::int64_t criteria_met = 0;      // likewise
  std::vector<std::string> blockers;  // at most kBlockersKept
  std::uint64_t history_offset = 0;   // bytes of the history that `sequence_num` counts

  bool knows_tasks() const { return !plan_digest.empty() && plan_reading == PlanReading::plan; }
  bool operator==(const Moment&) const = default;
};
inline constexpr std::size_t kBlockersKept = 10;

struct CheckpointMetadata {
  std::string trigger;          // what made it: "manual", "turn_end", "context_window", "pre_compact", ...
  std::string event_id;         // the client's name for that; empty: none
  bool manual = false;          // a person or an agent asked for it
  std::int64_t size_bytes = 0;  // of work_state as JSON; set by the store
  std::string note;             // in somebody's words; empty: none
  bool operator==(const CheckpointMetadata&) const = default;
};

/// What every list shows; the rest of a checkpoint is larger.
struct CheckpointHead {
  CheckpointId id;          // given by the store
  std::string instance_id;  // the client's session; kOutsideSessions for the command line
  CheckpointType type = CheckpointType::manual;
  std::int64_t sequence_num = 0;  // whole lines of the history at that moment
  std::optional<int> context_window_percent;
  base::Instant timestamp;
  PhaseId phase;  // current_epic's; empty: none
  CheckpointMetadata metadata;
  bool operator==(const CheckpointHead&) const = default;
};
inline constexpr std::string_view kOutsideSessions = "cli";

struct Checkpoint {
  CheckpointHead head;
  WorkState work_state;
  Moment moment;
  bool operator==(const Checkpoint&) const = default;
};

/// CheckpointMetadata::trigger of one that was made when a person sent a prompt, because the files or the
/// plan had changed since the checkpoint before. Its type is `turn`, and it ends none.
inline constexpr std::string_view kBeforePrompt = "before_prompt";
/// The same, but an agent had already changed files when the snapshot was taken, so not all of them are as
/// the person left them. The note names these files.
inline constexpr std::string_view kAfterPrompt = "after_prompt";
/// Whether it was made for a prompt, in time or not.
bool is_of_prompt(const CheckpointHead& head);
/// Whether it gets a number as the end of a turn.
bool is_turn_end(const CheckpointHead& head);

/// How many of the plan's tasks there were, optional ones left out.
struct TaskCount {
  std::int64_t tasks = 0;
  std::int64_t done = 0;
  bool operator==(const TaskCount&) const = default;
};
TaskCount count_of(const std::vector<TodoItem>& todo);

/// A line of a list: the head, and what people choose by. Read without the work's state and the tasks.
struct ListedCheckpoint {
  CheckpointHead head;
  // As in Moment:
  std::int64_t turn = 0;
  std::string message_id;
  std::string prompt;
  std::string commit_sha;
  std::string tree;                // of the snapshot; empty: it has none
  std::optional<TaskCount> count;  // nullopt: the plan could not be read, or an earlier version made it
  bool operator==(const ListedCheckpoint&) const = default;
};
ListedCheckpoint listed(const Checkpoint& checkpoint);

/// What of a prompt is looked at for prompt_words: more than what is kept, so that no secret is cut before it
/// is seen.
std::string_view prompt_beginning(std::string_view prompt);
/// The first words of a prompt, to know it by: one line of at most kPromptCharacters characters, a cut one
/// ending in "…". Secrets are taken out before, of prompt_beginning().
std::string prompt_words(std::string_view prompt);
inline constexpr std::size_t kPromptCharacters = 120;

/// "cp_<6 hexadecimal digits of the SHA-256 of the instance>"; ids of two instances that share them share
/// their numbers too.
std::string checkpoint_prefix(std::string_view instance_id);
/// "<prefix>_007"; at least three digits. `number` from 1.
CheckpointId checkpoint_id(std::string_view prefix, std::int64_t number);
inline constexpr std::string_view kCheckpointPrefix = "cp_";
/// Whether a text can be a checkpoint's id.
bool is_checkpoint_id(std::string_view text);

// --- parts that are made from what is known elsewhere ------------------------------------------------------

/// The phase that `state` works on: the current one, else the last of them all when everything is completed.
CurrentEpic epic_of(const State& state, base::Instant now);
/// This phase, whatever is worked on; all empty when `state` has none of that id.
CurrentEpic epic_of(const State& state, const PhaseId& phase, base::Instant now);
/// Of this phase; nullopt: the one that is worked on.
PrdStatus prd_status_of(const State& state, const std::optional<PhaseId>& phase = std::nullopt);
std::vector<TodoItem> todo_of(const Plan& plan);
/// As recorded: a state does not know which tasks are in progress.
std::vector<TodoItem> todo_of(const State& state);

// --- recovery instructions --------------------------------------------------------------------------------

/// What is known beyond the checkpoint itself when somebody wants to go on from it.
struct SinceThen {
  std::string plan{};                      // the plan's file as a person would name it
  std::optional<std::string> head{};       // HEAD now; nullopt: not looked at
  std::optional<bool> plan_changed{};      // other bytes than then
  std::optional<std::int64_t> done_now{};  // tasks that are done by now
  bool snapshot_gone = false;              // git has the files' snapshot no more
};

/// In plain words, each an own sentence or step, without control characters (they hold text of the plan).
struct RecoveryInstructions {
  std::vector<std::string> finished;  // what was finished by then
  std::vector<std::string> facts;     // branch, criteria met, time invested, open changes, blockers
  std::vector<std::string> steps;     // what to do, in order; each can be done as it stands
  bool operator==(const RecoveryInstructions&) const = default;
};

RecoveryInstructions recovery_instructions(const Checkpoint& checkpoint, const SinceThen& since);

}  // namespace plankeep::core
