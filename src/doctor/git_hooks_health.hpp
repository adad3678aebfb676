#pragma once
// The part of `doctor` about the hooks of git that git-setup --hooks and --sessions wrote: one that has
// plankeep's line but never runs it. Says nothing where all is well or nothing is installed.

#include <string>
#include <vector>

#include "doctor/doctor.hpp"
#include "project/context.hpp"

namespace plankeep::app {

/// Of the work tree around `folder`. Reads only. Starts git where there is a work tree.
std::vector<Finding> examine_git_hooks(const Context& context, const std::string& folder);

}  // namespace plankeep::app
