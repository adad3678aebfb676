#pragma once
// The pieces that several JSON outputs share. Private to this room.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_writer.hpp"
#include "model/plan.hpp"
#include "model/progress.hpp"
#include "project/plan_location.hpp"

namespace plankeep::render {

/// "plan": { id, path, title }, without a title where there is none
void write_plan_reference(base::JsonWriter& out, std::string_view id, std::string_view path,
                          std::string_view title = {});
void write_plan_reference(base::JsonWriter& out, const app::PlanLocation& plan);
/// "progress": { totalTasks, completedTasks, percentage }
void write_progress(base::JsonWriter& out, const core::Progress& progress);
/// The same with the optional tasks beside the totals, where they are known.
void write_progress_with_optional(base::JsonWriter& out, const core::Progress& progress);
/// "name": [ ... ]
void write_strings(base::JsonWriter& out, std::string_view name, const std::vector<std::string>& strings);
/// "section": [ ... ], left out when empty
void write_section(base::JsonWriter& out, const std::vector<std::string>& section);
/// "name": n, left out when it is 0 (a line that is not known)
void write_line(base::JsonWriter& out, std::int64_t line);
/// "name": text, left out when empty
void write_optional(base::JsonWriter& out, std::string_view name, std::string_view text);

/// Of a task as the plan's text has it, what follows its id, title and state: "optional" to "marked".
void write_task_place(base::JsonWriter& out, const core::Task& task);
/// All that the plan's text says of a criterion.
void write_criterion_fields(base::JsonWriter& out, const core::Criterion& criterion);

}  // namespace plankeep::render
