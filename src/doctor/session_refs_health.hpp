#pragma once
// Session checkpoints in the repository of a plan, as doctor sees them (spec 27.3): whether their refs slow
// git down, whether any wait for a push, and whether another program threw records of ours away. git is
// started only where records were written lately (sessions/lost_records).

#include <vector>

#include "doctor/doctor.hpp"
#include "project/context.hpp"

namespace plankeep::app {

/// From so many refs of their own on, each a file, git is told to pack them.
inline constexpr std::size_t kManyLooseRefs = 1000;

/// `folder`: absolute. Nothing where there is no repository around it, or no session checkpoint in it.
std::vector<Finding> examine_session_refs(const Context& context, const std::string& folder);

}  // namespace plankeep::app
