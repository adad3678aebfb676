#pragma once
// A history with the authors that were found later (rules/attribution). Hooks overlap: a tick may be recorded
// as "external" just before the hook of its author arrives.

#include <vector>

#include "model/event.hpp"

namespace plankeep::core {

/// A part of a history with each task_attributed applied to the event that it corrects, and left out. A
/// checksum_mismatch is left out too if all changes of that edit have found their authors.
std::vector<Event> with_authors(std::vector<Event> events);

}  // namespace plankeep::core
