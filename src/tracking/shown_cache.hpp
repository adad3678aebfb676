#pragma once
// A large plan and its state as they were read last, for commands that only look (tracking/show).
//
//   if (auto known = read_shown_cache(context, *tracking, location, file)) ...   // nothing was parsed
//   write_shown_cache(context, *tracking, location, plan, as_written, state)     // after a look that parsed
//
// shown.bin: a header that names the moment, then both as tracking/packed_records has them. It counts only
// while all of this is as the header says: the plan's path; inode, size and both times (of modification and
// of change, which nobody can set back) of the plan, of state.json and of the program, since another version
// may read the same text in another way; and the size of the history. A checksum over the rest tells a torn
// file.
//
// Times are believed only where they are settled: the file is written no earlier than a second after plan
// and state.json changed last, so a change in the same tick of the clock cannot hide behind it, and nothing
// is written that the next tick of a box makes useless. No hook reads or writes it.
//
// Written by readers: under the plan's lock if nobody has it, else not. Missing, torn, of another moment or
// version it is passed over; safe to delete.

#include <optional>

#include "model/plan.hpp"
#include "model/state.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "store/plan_file.hpp"
#include "system/file_system.hpp"

namespace plankeep::app {

struct ShownRecords {
  core::Plan plan;  // with its ids kept
  core::State state;
  bool ids_as_written = false;  // the ids are those that the text alone gives
};

std::optional<ShownRecords> read_shown_cache(const Context& context, system::Folder& tracking,
                                             const PlanLocation& location, store::PlanFile& file);

/// Whether it is worth it: the state is large, and both files changed long enough ago. `state` was read from
/// `state_file`.
bool worth_caching_shown(const Context& context, const core::State& state, const system::FileInfo& plan,
                         const system::FileInfo& state_file);

/// `records.plan` was read from the file that was `plan` before and after, `records.state` from `state_file`.
void write_shown_cache(const Context& context, system::Folder& tracking, const PlanLocation& location,
                       const system::FileInfo& plan, const system::FileInfo& state_file,
                       const ShownRecords& records);

}  // namespace plankeep::app
