#pragma once
// Snapshots and broken-off rewinds as doctor sees them. Private to doctor/doctor.cpp.

#include <string>
#include <vector>

#include "doctor/doctor.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"

namespace plankeep::app {

/// What the plan's snapshots hold, and a rewind that was neither finished nor undone. Nothing where there is
/// neither, and where git cannot be asked. Writes nothing.
std::vector<Finding> inspect_snapshots(const Context& context, const PlanLocation& plan);

/// Removes the snapshots that git cannot read; a line for each.
std::vector<std::string> repair_snapshots(const Context& context, const PlanLocation& plan);

/// Finishes or undoes a broken-off rewind, or gives it up; what was done, or why it could not be, a line
/// each.
std::vector<std::string> repair_rewind(const Context& context, const PlanLocation& plan);

}  // namespace plankeep::app
