#pragma once
// Whether a rewind of a plan's work tree was broken off, by a kill or a power loss: a look at the names in
// git's directory, for whoever says so beside other things. What it was and how it ends: rewind/
// rewind_recovery.

#include <string>

#include "project/context.hpp"
#include "project/project.hpp"

namespace plankeep::app {

/// One line for people and models; empty: there is none, or it is at work right now.
std::string interrupted_rewind_words(const Context& context, const Project& project);

}  // namespace plankeep::app
