#pragma once
// state.json and its recovery generations: the loading chain of spec 6, steps 1 to 3, and the save of
// spec 16.
//
// Loading never writes. It says what it found; tracking/track turns that into events and repairs.
//
//   StateStore store(folder, plan_id, plan_path);
//   Loaded loaded = store.load();                     // state.json, else newest valid recovery, else nothing
//   ... reconcile ...
//   store.save(state, events, now);                   // under the lock
//
// Order of a save: events appended and synced (the promise), then state.json by rename without sync (a cache:
// torn copies are recognised), then, if asked, the recovery copy, synced. Killed anywhere: history is ahead
// of the state, and the next load folds what is behind `history_offset`.

#include <optional>
#include <string>
#include <vector>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "model/event.hpp"
#include "model/state.hpp"
#include "system/file_system.hpp"

namespace plankeep::store {

/// A file that was there and could not be used.
struct Damage {
  std::string name;    // "state.json"
  std::string reason;  // one line
};

struct Loaded {
  using Source = core::StateSource;
  Source source = Source::none;
  /// The name of the file it came from ("state.json", "recovery.1.json"); empty for history and none.
  std::string file;
  /// Absent when no file was usable: rebuild from the plan and the whole history.
  std::optional<core::State> state;
  /// Files that were there and could not be used, in the order they were tried.
  std::vector<Damage> damaged;
  /// state.json was missing though there is a history or a recovery copy.
  bool state_missing = false;
  /// The state has folded more of the history than there is: history.jsonl was cut, damaged at its end,
  /// replaced or restored from an older copy. The state is still usable (it is what was believed), but it can
  /// no longer be rebuilt from the history alone.
  bool history_short = false;
  /// What state.json was when it was read; `missing` when it was not there or could not be read.
  system::FileInfo state_file;
  std::uint64_t history_size = 0;
  /// Where the plan was when the state was saved, if its id was another one then: the folder was moved,
  /// copied or given another name. Empty otherwise.
  std::string moved_from;
};

class StateStore {
 public:
  /// `folder` is the tracking folder and must outlive the store.
  StateStore(system::Folder& folder, std::string plan_id, std::string plan_path);

  /// A state counts when it parses, has version 2 and belongs to this plan: it has the plan's id, or the id
  /// that the history beside it names, and a file of this name (folders get moved and copied; plan_path is
  /// taken over). Without a history that names an id, the state must be of another path than this one. So
  /// does one of the file that this plan was before: the history tells of the move, or `continued` names its
  /// path. The events behind its history_offset are NOT folded yet. A file that is no regular file or over
  /// the size limit is damaged like one that does not parse; one that the system refuses to read (permission,
  /// disk error) is an error, since what cannot be read must not be taken for lost. `read_before`: state.json
  /// as it was a moment ago, so that it is not read again.
  [[nodiscard]] base::Result<Loaded> load(const system::FileContent* read_before = nullptr,
                                          const std::string& continued = {});

  struct Save {
    core::State state;  // revision, checksum, stamp set by the caller; history_offset is set here
    std::vector<core::Event> events;  // may be empty: then nothing is appended and nothing synced
    std::optional<std::string> recovery_reason;
    /// The state took in events that stood behind its offset. Who wrote them died, perhaps before their sync:
    /// without `events` they are synced first, or after a power loss the state could be ahead of the history.
    bool found_events = false;
    /// Where the history's last whole line ends, if the caller knows it (journal.hpp, append_events).
    std::optional<std::uint64_t> history_end{};
  };
  /// Gives the state as it was written, history_offset set: all of the history that counts, so the caller has
  /// folded what was there before. Damaged files are to be set aside first. A recovery copy without tasks
  /// does not replace one with some: then none is written. After an error the events may be in the history
  /// already (if only the state or the copy could not be written); the next load folds them.
  /// The state's history_chain is the newest chain that is known, and afterwards that of this save.
  /// Afterwards `save` still has its events, as they were written.
  [[nodiscard]] base::Result<core::State> save(Save& save, base::Instant now);
  [[nodiscard]] base::Result<core::State> save(Save&& save, base::Instant now) {
    Save& kept = save;
    return this->save(kept, now);
  }

  /// Renames damaged files away (spec 6).
  [[nodiscard]] base::Status quarantine_damaged(const std::vector<Damage>& damaged, base::Instant now);

 private:
  struct Candidate;
  [[nodiscard]] base::Result<Candidate> read_candidate(const std::string& name);
  [[nodiscard]] base::Status judge(Candidate& candidate, std::string_view name, std::string_view text);
  [[nodiscard]] base::Status ask_history();
  [[nodiscard]] base::Result<bool> belongs(const core::State& state);
  [[nodiscard]] base::Status clear_the_way(const std::string& name, base::Instant now);
  [[nodiscard]] base::Status rotate(base::Instant now);
  [[nodiscard]] base::Status write_recovery(const core::State& state, const std::string& reason,
                                            base::Instant now);

  system::Folder& folder_;
  std::string plan_id_;
  std::string plan_path_;
  std::optional<std::vector<std::string>> told_ids_;  // the plan's ids that the history names, once asked for
  std::vector<std::string> told_places_;              // and the paths that it was moved from
  std::string continued_;
};

}  // namespace plankeep::store
