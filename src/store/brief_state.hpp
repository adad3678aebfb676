#pragma once
// A large state.json without its tasks. Hooks read it for plans that the call is not about: it says whether
// anything changed, which sessions, agents and leases there are, and how far the plan is.
//
//   write_brief(tracking, saved, state_size);          // right after state.json was written, under the lock
//   if (const auto brief = read_brief(tracking)) ...   // no tasks were read
//
// brief.json: { version: 2, state: { mtimeNs, size, inode }, brief: <a state.json without phases> }. It is
// valid only while state.json is the file that `state` describes, and history.jsonl is as long as
// `historyOffset` says; otherwise read state.json. The id of the current phase is there, because it tells
// whether the plan is complete (rules/listing/completion). Left out are phases, blockers, decisions, notes,
// removed tasks and the errors of the plan's text.
//
// A cache: not synced, safe to delete. It is not written for a state of at most kSmallState bytes, which is
// read whole, nor if it would exceed 64 KiB. A crash between the two writes leaves the brief of an earlier
// state, which read_brief ignores.

#include <cstdint>
#include <optional>

#include "model/state.hpp"
#include "system/file_system.hpp"

namespace plankeep::store {

/// Bytes: the state.json of a few hundred tasks. Up to this size it is always read whole.
inline constexpr std::uint64_t kSmallState = std::uint64_t{64} << 10;

/// `saved` is what state.json now holds, in `state_size` bytes. Failures are not reported: a brief left
/// behind belongs to another state.json and is ignored.
void write_brief(system::Folder& tracking, const core::State& saved, std::uint64_t state_size);

/// nullopt if it is missing, damaged, or does not belong to the current state.json and history.
std::optional<core::State> read_brief(system::Folder& tracking);

/// Call when the plan's bytes are unchanged but its stamp is not: the next hook then need not read them.
/// `brief` comes from read_brief. Does nothing if the lock is held.
void note_plan_stamp(system::Folder& tracking, const core::State& brief, const core::PlanStamp& stamp);

}  // namespace plankeep::store
