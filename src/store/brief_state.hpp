#pragma once
// What a state says without its tasks, kept beside a large state.json so that a hook learns of a plan that it
// is not about what it needs: whether anything changed, which sessions, agents and leases there are, how far
// it is.
//
//   write_brief(tracking, saved);                      // right after state.json was written, under the lock
//   if (const auto brief = read_brief(tracking)) ...   // no tasks were read
//
// brief.json: { version: 1, state: { mtimeNs, size, inode }, brief: <a state.json without phases> }. It
// counts only while state.json is the file that `state` describes and the history ends where that state says;
// whoever finds anything else reads state.json. Left out are phases, blockers, decisions, notes, removed
// tasks and the errors of the plan's text.
//
// A cache: not synced, safe to delete. Not written for a state that is small enough to be read at a first
// look (kSmallState), nor when it would be larger than 64 KiB. A crash between state.json and brief.json
// leaves one of an earlier state, which is passed over.

#include <cstdint>
#include <optional>

#include "model/state.hpp"
#include "system/file_system.hpp"

namespace plankeep::store {

/// A state.json of a few hundred tasks: up to this size it is read whole wherever a plan is met.
inline constexpr std::uint64_t kSmallState = std::uint64_t{64} << 10;

/// `saved` is what state.json holds, in so many bytes. Failing is left unsaid: what stands there is of
/// another state.
void write_brief(system::Folder& tracking, const core::State& saved, std::uint64_t state_size);

/// nullopt: there is none, or not of this state.json and this history.
std::optional<core::State> read_brief(system::Folder& tracking);

/// The plan's bytes were found to be those of `brief`, which read_brief gave, under another stamp: the next
/// look need not read them. Takes the lock if nobody has it, else does nothing.
void note_plan_stamp(system::Folder& tracking, const core::State& brief, const core::PlanStamp& stamp);

}  // namespace plankeep::store
