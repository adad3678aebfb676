#pragma once
// Whether the hooks would do their work: the part of `doctor` about clients (spec 9).
//
// For each client with hooks of ours, in the project's settings or the user's: are they complete, does the
// client run them (switches, trust), is the program found that they call, is it this one, are they there
// twice. Then how long the last calls took, and whether the text for a new session reaches a model whole.
// Reads only.

#include <vector>

#include "doctor/doctor.hpp"
#include "project/context.hpp"

namespace plankeep::app {

/// Clients deliver at most so many characters of a hook's text whole.
inline constexpr std::size_t kDeliveredWhole = 9'900;

std::vector<Finding> examine_hooks(const Context& context, const PlanLocation& plan);

}  // namespace plankeep::app
