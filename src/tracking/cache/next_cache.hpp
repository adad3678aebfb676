#pragma once
// What `next` shows, kept beside the state so that a large plan need not be read for it
// (tracking/cache/next_extract).
//
// A save of a large plan has just read it, so it keeps the extract; `next` looks here first, writes nothing,
// and reads the plan itself when the extract is not of this very moment. It is when all of this is as it was:
// the tracked file's path, state.json's inode, size and time, the history's size, and the plan's stamp or,
// where that is not to be trusted yet, its checksum. While a lease is there nothing is kept: it depends on
// the time and on other processes.
//
// A cache: written without a sync, under the plan's lock, after the state. A file that is missing, torn,
// outdated or from another version is ignored. Errors in writing it are ignored: what is left behind is
// outdated. Safe to delete.

#include <optional>
#include <string>

#include "model/plan.hpp"
#include "model/state.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "rules/view.hpp"
#include "system/file_system.hpp"

namespace plankeep::app {

/// Below so many tasks reading the plan costs less than three starts of a program, and nothing is kept.
inline constexpr std::int64_t kTasksWorthCaching = 100;

/// Whether anything is to be kept of this state.
bool worth_caching_next(const core::State& state);

/// `state` as it was saved just now from `plan`, whose checksum is the state's. Under the lock.
void write_next_cache(system::Folder& tracking, const core::State& state, const core::Plan& plan);

/// `state` was saved just now and nothing that `next` shows has changed: what was kept with state.json as it
/// was `before` and a history of that size goes on to count. Under the lock.
void revalidate_next_cache(system::Folder& tracking, const core::State& state, const system::FileInfo& before,
                           std::uint64_t history_before);

/// What `next` shows, with everything that names the plan; nullopt when the plan has to be read. Reads only.
std::optional<core::StatusView> read_next_cache(const Context& context, const PlanLocation& plan);

}  // namespace plankeep::app
