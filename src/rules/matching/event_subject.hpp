#pragma once
// What an event is about, as a name, and what it means for that thing: done, undone or back. The names are
// those by which UndoneThings tells things apart (rules/matching/undone_things). Pure.

#include <string>
#include <string_view>

#include "model/event.hpp"
#include "model/ids.hpp"
#include "rules/matching/undone_things.hpp"

namespace plankeep::core {

/// Two events have one name if they say the same of the same thing, whenever and by whom. Ids have no line
/// ends, so no name can be mistaken for another.
std::string what_of(EventKind kind, const PhaseId& phase, std::string_view item);
std::string what_of(const Event& event);
/// The same for every event about a phase.
std::string what_of(const PhaseId& phase);

/// The name of the thing that this event is about, by its being done: what_of() of the event that completes
/// it. Empty: it is about nothing that can be undone.
std::string came_undone(const Event& event);

/// A decision or a blocker was written down.
bool is_remark(const Event& event);

/// Something that was done is open again, or a remark is gone.
bool undoes(EventKind kind);

/// Something is done now that was not before this event. It may have been done earlier.
bool is_done_now(const Event& event);

/// A criterion or phase is back, and done or begun. Tasks that come back are found by reconciling
/// (model/removed).
bool comes_back_done(const Event& event);

/// Tells `things` that a task has another id. A save writes about the task under its old id first.
void note_other_id(const Event& event, UndoneThings& things);

}  // namespace plankeep::core
