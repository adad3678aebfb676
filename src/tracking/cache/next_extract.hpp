#pragma once
// As much of a plan as `next` shows, small enough to be kept beside the state (store/paths, kNext).
//
// Of a plan with thousands of tasks `next` shows one, and the few that wait in its phase; to find it the
// whole text has to be read as Markdown. Whoever saves a state has just done that, so it takes out what
// `next` will need and keeps it. The law that a test holds: next_of over the extract says what next_of over
// the whole view says, to the byte, as long as nobody has claimed a task. With claims it depends on the time
// and on other processes, so then there is no extract.
//
// JSON, version 5: { title?, phases: [ { id, title, line, status, total, done, acceptanceTotal, tasks: [ {
// id, title, state, line, after[], waitingFor[], parent?, children {total, done}, workable, belowActive } ],
// acceptance: [ { id, title, line, verify? } ] } ], progress {total, completed, optionalOpen?},
// currentPhase?, currentTask? (indices into the above), blockers[], warnings[] }. Only open tasks that count
// are there, and of those only what `next` may show: the one that it offers (of a later phase where the
// current one has none, which version 4 left out while only criteria were open there), the current one, and
// in the current phase those that wait; only criteria that are not met.

#include <string>
#include <string_view>

#include "base/json_reader.hpp"
#include "base/json_writer.hpp"
#include "base/result.hpp"
#include "model/plan.hpp"
#include "rules/view.hpp"

namespace plankeep::app {

/// Without plan_id, path, file, source and times: those are the caller's. Linear in the size of the plan.
core::StatusView extract_for_next(const core::Plan& plan);

/// One JSON value.
void write_next_extract(base::JsonWriter& out, const core::StatusView& extract);
/// Errors: corrupt, with the path of what is wrong.
[[nodiscard]] base::Status read_next_extract(base::JsonReader& in, core::StatusView& extract);

}  // namespace plankeep::app
