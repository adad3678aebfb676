#pragma once
// The lines of several replicas as one history: what a single machine would have recorded that saw them all.
// Pure.

#include <string>
#include <vector>

#include "model/event.hpp"

namespace plankeep::fleet {

/// `events`: of all replicas of one plan, in any order. By event time; of what several machines saw of one
/// change (a tick that came along by git is recorded once on each) the first stays. Lines of history.jsonl,
/// each a save of its own.
std::string merged_history(std::vector<core::Event> events);

}  // namespace plankeep::fleet
