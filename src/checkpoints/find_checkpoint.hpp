#pragma once
// Checkpoints that were made (spec 12): one of them, their list, all of them. Reads only.
//
// Errors: those of checkpoint_db/checkpoint_store; not_found when the plan is not tracked.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "checkpoint_db/checkpoint_store.hpp"
#include "checkpoint_db/sqlite_store.hpp"
#include "checkpoints/checkpoint.hpp"
#include "model/checkpoint.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"

namespace plankeep::app {

/// The store of a tracked plan and the folder that it stands in, which it needs as long as it is open.
struct OpenedCheckpoints {
  std::unique_ptr<system::Folder> tracking;
  std::unique_ptr<records::CheckpointStore> store;
};
/// not_found when the plan is not tracked, or, for reading, has no checkpoints yet.
[[nodiscard]] base::Result<OpenedCheckpoints> open_checkpoints(const Context& context,
                                                               const PlanLocation& plan,
                                                               records::Access access);

/// By its id, with or without "cp_"; the beginning or the end of an id that only one has; a number of one or
/// two digits, a row of `rewind --list`; "last", the newest that no rewind made; or a time
/// (base::read_until): the newest of those that was there then. not_found, ambiguous, invalid_input. Reads
/// only.
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

/// Every checkpoint, oldest first; `each` returns false to stop. None when there is no store yet. Gives
/// warnings of rows that cannot be read.
[[nodiscard]] base::Result<std::vector<std::string>> export_checkpoints(
    const Context& context, const PlanLocation& plan,
    const std::function<bool(const core::Checkpoint& checkpoint)>& each);

}  // namespace plankeep::app
