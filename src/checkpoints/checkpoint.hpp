#pragma once
// Checkpoints of the work (spec 12): making, showing, listing, cleaning up.
//
// create_checkpoint gathers (git, the transcript's end, the plan and its state) without the plan's lock, then
// writes. Order of effects: what changed in the plan is recorded; the snapshot is taken (git objects and a
// ref); the record is written and synced; history gets checkpoint_saved. Killed anywhere: a snapshot without
// a record (clean_up_checkpoints drops its ref), or a record without its event; never an event without its
// record. clean_up_checkpoints: the records go first, then refs, sidecars and the event; killed behind the
// records, refs that no checkpoint has, which the next one drops, and no event.
//
// What cannot be gathered (no git, no transcript, a plan that cannot be read) is left out and said in
// `warnings`: a checkpoint is worth more than its completeness. Errors: those of PlanWork and of
// checkpoint_db/checkpoint_store; not_found when the plan is not tracked (create_checkpoint begins that,
// where tracking may begin by itself).
//
// Snapshots are made and dropped by whoever knows how (worktree/snapshot); the two doors are SnapshotTaker
// and SnapshotDropper.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "checkpoint_db/checkpoint_store.hpp"
#include "checkpoint_db/sqlite_store.hpp"
#include "model/checkpoint.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "tracking/outcome.hpp"
#include "worktree/snapshot.hpp"

namespace plankeep::app {

/// Makes a snapshot of this work tree. Called once, before the record is written, where there is one. An
/// error becomes a warning: the checkpoint has no snapshot then.
using SnapshotTaker = std::function<base::Result<core::Snapshot>(const git::SnapshotPlace& place)>;

/// Drops the refs of the plan's snapshots that are older than `older_than` and not among `kept` (those that
/// checkpoints have, sorted), so that git can reclaim them: those of deleted checkpoints, and those whose
/// record was never written. Gives how many. Called once, after the records are gone. `work_tree_top`: of the
/// repository around the plan.
using SnapshotDropper = std::function<base::Result<std::int64_t>(
    const std::string& work_tree_top, const std::vector<std::string>& kept, base::Instant older_than)>;

/// The plan at the moment that a checkpoint is about, where it is made later.
struct PlanThen {
  std::string text;
  std::string checksum;              // of the text (base::short_checksum)
  std::uint64_t history_offset = 0;  // bytes of the history that had been written
  std::int64_t revision = 0;         // of the state
  bool operator==(const PlanThen&) const = default;
};
/// After a use case; nullopt: the plan was not read, could not be, or was changed since it was recorded.
std::optional<PlanThen> plan_then(const core::State& state, const std::string& text);

struct CheckpointRequest {
  core::CheckpointType type = core::CheckpointType::manual;
  std::string trigger = "manual";
  std::string event_id{};
  std::string note{};
  std::optional<core::PhaseId> phase{};          // that the checkpoint is of; else the one that is worked on
  std::string instance{core::kOutsideSessions};  // the client's session; manual: else the one around us
  std::function<std::string()> message_id{};     // asked once the files are kept, with no lock; empty: none
  std::function<std::string()> prompt{};         // likewise, behind it: the prompt that began the turn
  std::optional<int> context_percent{};  // absent: what the session's status line or transcript said last
  std::string transcript{};              // the session's, absolute; empty: none
  /// What the checkpoint says of the plan (text, tasks, phase, its status and criteria) is of then; absent:
  /// of now. Files and git are looked at now all the same.
  std::optional<PlanThen> then{};
  bool manual = false;             // made by a command; false: by an event
  SnapshotTaker take_snapshot{};   // empty: no snapshot
  std::function<bool()> wanted{};  // asked behind the snapshot, before anything is recorded; empty: yes
};

struct CheckpointAnswer {
  core::Checkpoint checkpoint;
  core::RecoveryInstructions instructions;  // held against how things stand now
  std::vector<std::string> warnings;
  std::vector<core::Event>
      events;  // create: what was recorded, edits of the plan that nobody had seen among it
};

/// `then` of a history that was cut or replaced since counts for nothing. Long texts of the request are cut
/// (the note at 2,000 bytes, names at 200). invalid_input when the note is not UTF-8; conflict when the plan
/// cannot be read and nothing is known of it. Where the event cannot be written the record stands already.
/// Not wanted: nothing is recorded, and the checkpoint has no id.
[[nodiscard]] base::Result<CheckpointAnswer> create_checkpoint(const Context& context,
                                                               const PlanLocation& plan,
                                                               const CheckpointRequest& asked);

/// The store of a tracked plan and the folder that it stands in, which it needs as long as it is open.
struct OpenedCheckpoints {
  std::unique_ptr<system::Folder> tracking;
  std::unique_ptr<records::CheckpointStore> store;
};
/// not_found when the plan is not tracked, or, for reading, has no checkpoints yet.
[[nodiscard]] base::Result<OpenedCheckpoints> open_checkpoints(const Context& context,
                                                               const PlanLocation& plan,
                                                               records::Access access);

/// By its id, with or without "cp_"; "last"; or the beginning or the end of an id that only one has.
/// not_found, ambiguous. Reads only.
[[nodiscard]] base::Result<core::Checkpoint> find_checkpoint(records::CheckpointStore& store,
                                                             const std::string& which);
/// The same, held against how things stand now.
[[nodiscard]] base::Result<CheckpointAnswer> get_checkpoint(const Context& context, const PlanLocation& plan,
                                                            const std::string& which);

struct CheckpointList {
  std::vector<core::ListedCheckpoint> listed;  // newest first
  std::vector<std::string> warnings;           // of rows that cannot be read
};

/// None when there is no store yet.
[[nodiscard]] base::Result<CheckpointList> list_checkpoints(const Context& context, const PlanLocation& plan,
                                                            const records::CheckpointQuery& query);

/// For how long checkpoints are kept where nothing else is said.
inline constexpr std::int64_t kCheckpointDays = 30;

/// What was made in the last so many milliseconds stays, however little older_than_ms says.
inline constexpr std::int64_t kFreshFor = std::int64_t{60} * 60 * 1000;

struct CleanUpRequest {
  std::int64_t older_than_ms = kCheckpointDays * 24 * 60 * 60 * 1000;
  bool all = false;  // also what was made in the last hour, and the newest of each session
  bool dry = false;  // only say what would be deleted
};

struct CleanUpAnswer {
  PlanLocation plan;
  bool dry = false;  // nothing was deleted
  records::CleanedUp cleaned;
  std::int64_t dropped_snapshots = 0;
  std::vector<std::string> sidecars;  // that went, or would: the ids of their commits (checkpoints/retention)
  std::vector<std::string> warnings;
  std::vector<core::Event> events;  // what was recorded
};

/// Deletes checkpoints that are older than so many milliseconds; epic_completion and, unless `all` is asked
/// for, the newest of each session stay for ever. Sidecars of commits that git has no more go by the same
/// time. The history gets an event `checkpoints_cleaned`, a name that readers of the history pass over, where
/// something went. `drop` may be empty: then refs stay, and a warning says so where there are some. Nothing
/// is deleted, and no store made, where there is none.
[[nodiscard]] base::Result<CleanUpAnswer> clean_up_checkpoints(const Context& context,
                                                               const PlanLocation& plan,
                                                               const CleanUpRequest& request,
                                                               const SnapshotDropper& drop);

/// Every checkpoint, oldest first; `each` returns false to stop. None when there is no store yet. Gives
/// warnings of rows that cannot be read.
[[nodiscard]] base::Result<std::vector<std::string>> export_checkpoints(
    const Context& context, const PlanLocation& plan,
    const std::function<bool(const core::Checkpoint& checkpoint)>& each);

}  // namespace plankeep::app
