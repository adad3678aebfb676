#pragma once
// Checkpoints of the work (spec 12): making one. Finding them: checkpoints/find_checkpoint; cleaning up:
// checkpoints/retention.
//
// create_checkpoint gathers (git, the transcript's end, the plan and its state) without the plan's lock, then
// writes. Order of effects: what changed in the plan is recorded, unless that is left to others; the snapshot
// is taken (git objects and a ref); the record is written and synced; history gets checkpoint_saved. Killed
// anywhere: a snapshot without a record (clean_up_checkpoints drops its ref), or a record without its event;
// never an event without its record.
//
// What cannot be gathered (no git, no transcript, a plan that cannot be read) is left out and said in
// `warnings`: a checkpoint is worth more than its completeness. Errors: those of PlanWork and of
// checkpoint_db/checkpoint_store; not_found when the plan is not tracked (create_checkpoint begins that,
// where tracking may begin by itself).
//
// Snapshots are made by whoever knows how (worktree/snapshot); the door is SnapshotTaker.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/checkpoint.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "tracking/outcome.hpp"
#include "worktree/snapshot.hpp"

namespace plankeep::app {

/// Makes a snapshot of this work tree. Called once, before the record is written, where there is one. An
/// error becomes a warning: the checkpoint has no snapshot then.
using SnapshotTaker = std::function<base::Result<core::Snapshot>(const git::SnapshotPlace& place)>;

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
  /// The files come from elsewhere (checkpoints/import_shadow), so nothing that git says of the work tree now
  /// is recorded; HEAD was this commit then, empty: not known.
  std::optional<std::string> commit_then{};
  /// Leaves edits of the plan to the next hook or command, which can report them. False: records them.
  bool leaves_edits = false;
  bool with_plan = true;           // false: the record has no text of the plan
  bool any_text = false;           // what stands under the plan's name is kept though it is no plan, or that
                                   // nothing does
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
/// Not wanted: nothing is recorded, and the checkpoint has no id. `any_text` of what cannot be read at all (a
/// folder, a file over the limit): the record has no digest, and says nothing of a missing plan.
[[nodiscard]] base::Result<CheckpointAnswer> create_checkpoint(const Context& context,
                                                               const PlanLocation& plan,
                                                               const CheckpointRequest& asked);

}  // namespace plankeep::app
