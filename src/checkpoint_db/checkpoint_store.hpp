#pragma once
// Where checkpoints are kept: the contract that every engine holds (tests/checkpoint_db has it as a suite).
//
//   TRY_ASSIGN(auto store, records::open_sqlite(folder, "checkpoints.db", records::Access::write));
//   TRY_ASSIGN(core::Checkpoint made, store->add(std::move(checkpoint), plan_text));
//   TRY_ASSIGN(auto heads, store->list({.type = core::CheckpointType::turn, .limit = 10}));
//
// Rows are immutable: an engine refuses updates by itself, and deletion outside clean_up too. add and
// clean_up are transactions: killed anywhere they are there whole or not at all, and once they have returned
// they survive a power loss. Several processes may use one store at once; ids and turns are given under the
// engine's own lock, without gaps that matter and never twice, also not after a cleanup.
//
// Errors: not_found (no such checkpoint, turn, text); busy (another process held the store for longer than
// the engine's timeout of two seconds); corrupt (the store is no such store or is damaged: nothing was
// written; it is never put aside by itself, `plankeep doctor --repair` does that); conflict (it was written
// by a newer version: nothing is touched); io (disk full, permission).
//
// A row that cannot be read is passed over by latest, list, by_message and for_each, which take_warnings
// says; asked for by its id or turn it is corrupt.
//
// Not thread-safe; one object a thread. Memory: one checkpoint at a time, and as many heads as were asked
// for.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "model/checkpoint.hpp"

namespace plankeep::records {

/// All of what is set must hold.
struct CheckpointQuery {
  std::optional<core::CheckpointType> type{};
  std::optional<core::PhaseId> phase{};
  std::optional<std::string> instance{};  // the session
  std::optional<base::Instant> since{};   // not older than this
  bool with_snapshot = false;             // only those that hold the work tree
  bool turn_ends = false;                 // only ends of turns, which have a number
  std::size_t limit = 20;                 // of the newest; 0: none
};

struct CleanUp {
  base::Instant older_than;  // what was made before this goes
  /// Never deleted, however old.
  std::vector<core::CheckpointType> kept_types{core::CheckpointType::epic_completion};
  bool newest_of_sessions = false;  // nor the newest of each session; of one moment the last added
};

struct Deleted {
  core::CheckpointId id;
  std::optional<core::Snapshot> snapshot;  // whose ref is to be dropped, where no checkpoint left has it
};

struct CleanedUp {
  std::int64_t deleted_count = 0;
  std::int64_t freed_bytes = 0;  // what the rows and texts held; the file itself shrinks by as much or less
  std::vector<Deleted> deleted;  // oldest first
};

struct StoreStats {
  std::int64_t checkpoints = 0;
  std::int64_t texts = 0;  // plans and lists of tasks, each once
  std::int64_t bytes = 0;  // on disk, what belongs to the file included
  std::int64_t snapshots = 0;
  std::int64_t added = 0;  // ever, what cleanups deleted included
  std::optional<base::Instant> oldest;
  std::optional<base::Instant> newest;
};

/// One sentence each, at most 20 of each kind.
struct Examination {
  std::vector<std::string> damage;  // the store itself cannot be relied on
  std::vector<std::string>
      changed;  // rows that are not, or not all, what was recorded; the others can be used
};

class CheckpointStore {
 public:
  virtual ~CheckpointStore() = default;

  /// What was passed over or set aside since the last call, one sentence each.
  [[nodiscard]] virtual std::vector<std::string> take_warnings() { return {}; }

  /// Keeps a checkpoint and gives it back with what the store sets: head.id, metadata.size_bytes and, for
  /// the end of a turn (core::is_turn_end), moment.turn (one more than the last turn ever). A context window
  /// is at most 100 % full, the work state goes through core::fit; `plan_text` is kept under
  /// moment.plan_digest, which must be its SHA-256 (invalid_input otherwise); nullopt when the plan could not
  /// be read, then the digest must be empty.
  [[nodiscard]] virtual base::Result<core::Checkpoint> add(core::Checkpoint checkpoint,
                                                           std::optional<std::string_view> plan_text) = 0;

  /// Reserves the ids of this prefix (core::checkpoint_prefix) up to this number, because a lost store has
  /// used them. Engines that are never recreated need not override it.
  [[nodiscard]] virtual base::Status keep_number(const std::string& prefix, std::int64_t number) {
    static_cast<void>(prefix);
    static_cast<void>(number);
    return {};
  }

  [[nodiscard]] virtual base::Result<core::Checkpoint> get(const core::CheckpointId& id) = 0;
  /// The newest that matches; nullopt when none does. query.limit does not count.
  [[nodiscard]] virtual base::Result<std::optional<core::Checkpoint>> latest(
      const CheckpointQuery& query) = 0;
  /// Newest first; those of one millisecond in the order in which they were added, the last first.
  [[nodiscard]] virtual base::Result<std::vector<core::ListedCheckpoint>> list(
      const CheckpointQuery& query) = 0;

  /// The checkpoint of a turn, by its number within the plan.
  [[nodiscard]] virtual base::Result<core::Checkpoint> turn(std::int64_t number) = 0;
  /// The newest turn's with this message id: what was made behind a message and before its turn ended names
  /// it too, and stands for no end of anything. Without such a turn the newest of those.
  [[nodiscard]] virtual base::Result<core::Checkpoint> by_message(const std::string& message_id) = 0;

  /// A plan's text by Moment::plan_digest. corrupt when it is not what the digest says.
  [[nodiscard]] virtual base::Result<std::string> plan_text(const std::string& digest) = 0;

  /// Deletes what the rules let go, and texts that nothing refers to any more. `dry`: only says what would.
  [[nodiscard]] virtual base::Result<CleanedUp> clean_up(const CleanUp& rules, bool dry) = 0;

  /// Every checkpoint, in the order in which they were added; `each` returns false to stop. One that is added
  /// meanwhile may be missing.
  [[nodiscard]] virtual base::Status for_each(
      const std::function<bool(const core::Checkpoint& checkpoint)>& each) = 0;

  /// The refs of the snapshots that checkpoints have, sorted, each once: what is to stay in the repository.
  [[nodiscard]] virtual base::Result<std::vector<std::string>> snapshot_refs() = 0;

  [[nodiscard]] virtual base::Result<StoreStats> stats() = 0;
  /// Looks the whole store through. Nothing in it: sound.
  [[nodiscard]] virtual base::Result<Examination> examine() = 0;
};

}  // namespace plankeep::records
