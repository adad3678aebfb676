#pragma once
// A large plan and its state as they were last read, for commands that only read (tracking/show).
//
//   if (auto known = read_shown_cache(context, *tracking, location, file)) ...      // nothing was parsed
//
//   if (worth_caching_shown(context, state, plan, state_file))                      // after parsing both
//     write_shown_cache(context, *tracking, location, plan, state_file, records);
//
// shown.bin: a header; a table of the boxes (tracking/cache/packed_table), which is all that `list`, `search`
// and mostly `show` read; then plan and state (tracking/cache/packed_records). It is valid only while
// everything in the header matches: the plan's path; inode, size, modification time and change time (which
// cannot be set back) of the plan, of state.json and of the program, since another version may read the same
// text differently; and the size of the history. A checksum over each part detects a torn file.
//
// It is written only if plan and state.json have not changed for a second: a younger stamp may not tell two
// versions apart, and a plan that is being worked on would outdate the cache at once. No hook reads or writes
// it.
//
// Reading commands write it, under the plan's lock; if the lock is held, they do not. A file that is missing,
// torn or outdated is ignored. Safe to delete.

#include <optional>

#include "model/plan.hpp"
#include "model/state.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "store/plan_file.hpp"
#include "system/file_system.hpp"
#include "tracking/cache/packed_table.hpp"

namespace plankeep::app {

struct ShownRecords {
  core::Plan plan;  // with its ids kept
  core::State state;
  bool ids_as_written = false;  // the ids are those that the text alone gives
};

/// What write_shown_cache() writes. Lent: a copy of a large plan would take as long as the rest.
struct RecordsToKeep {
  const core::Plan& plan;
  const core::State& state;
  bool ids_as_written = false;
};

/// nullopt: missing, damaged or outdated.
std::optional<ShownRecords> read_shown_cache(const Context& context, system::Folder& tracking,
                                             const PlanLocation& location, store::PlanFile& file);

/// The table alone; without `plan_id`, `path`, `file`, `now` and claims. nullopt as above; a file whose table
/// is torn is removed, so that the next look writes it anew. Found: the history ends where `state` says.
std::optional<TableRecords> read_table_cache(const Context& context, system::Folder& tracking,
                                             const PlanLocation& location, store::PlanFile& file);

/// Whether the state is large, and both files changed long enough ago. `state` was read from `state_file`.
bool worth_caching_shown(const Context& context, const core::State& state, const system::FileInfo& plan,
                         const system::FileInfo& state_file);

/// `records.plan` was read from a file whose stamp was `plan` before and after, `records.state` from
/// `state_file`; `table` is made of both. Errors are ignored.
void write_shown_cache(const Context& context, system::Folder& tracking, const PlanLocation& location,
                       const system::FileInfo& plan, const system::FileInfo& state_file,
                       const RecordsToKeep& records, core::TaskTable table);

}  // namespace plankeep::app
