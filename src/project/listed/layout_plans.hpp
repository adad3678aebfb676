#pragma once
// The plans that lie where the tools put them (project/known_layouts).

#include <set>
#include <string>
#include <vector>

#include "project/context.hpp"
#include "project/plan_list.hpp"
#include "project/plan_location.hpp"

namespace plankeep::app {

/// The files of a project that are in a known layout, tracked or not, by path: a look into the few folders
/// where they can be. Not those of another user in a folder that is not ours. At most `limit`. A folder of
/// `known` (from the root) in which a layout has one file only is not looked into.
std::vector<PlanLocation> plans_in_known_layouts(const Context& context, const std::string& root,
                                                 std::size_t limit = kMostKnownPlans,
                                                 const std::set<std::string>& known = {});

/// What is tracked where plans mostly are: in the project's root, in the known layouts, and below plans/ and
/// docs/plans/ three folders deep.
std::vector<PlanLocation> tracked_nearby(const Context& context, const std::string& root);

}  // namespace plankeep::app
