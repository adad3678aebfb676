#pragma once
// A history told with the authors that were found later (rules/attribution): hooks overlap, so a tick may be
// recorded as nobody's a moment before its author's own hook comes.

#include <vector>

#include "model/event.hpp"

namespace plankeep::core {

/// A part of a history as it would be if authors had always been known at once: a task that nobody was said
/// to have done is its author's, where a later event attributes it, and that event is left out. So is the
/// checksum_mismatch of an edit all of whose changes have found their authors: no edit from outside.
std::vector<Event> with_authors(std::vector<Event> events);

}  // namespace plankeep::core
