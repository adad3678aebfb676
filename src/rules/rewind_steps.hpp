#pragma once
// Where `rewind --undo` and `rewind --redo` go: as in an editor, several steps back and forth, told from the
// `rewound` events alone. Pure.
//
//   rewind A, rewind B, undo, undo        back where it was before A
//   rewind A, undo, redo                  at A again
//   rewind A, undo, rewind B, undo        before B; what could be redone is forgotten with a new rewind
//
// An event is an undo when it goes to where the newest rewind that still stands came from, a redo when it
// goes to where the newest undo came from; going there by the checkpoint's own id is the same. Work done
// between two steps is no step of its own: it is in the safety checkpoint that the later one takes, so an
// undo of that one brings it back.

#include <optional>
#include <string>
#include <vector>

#include "model/event.hpp"

namespace plankeep::core {

struct RewindStep {
  std::string checkpoint;  // to go to
  std::string what;        // of it, as the event has it
  bool operator==(const RewindStep&) const = default;
};

struct RewindSteps {
  std::optional<RewindStep> undo;  // nullopt: nothing to undo
  std::optional<RewindStep> redo;  // likewise
};

/// `events` oldest first; those that are no rewind to a checkpoint are passed over (`restore` writes texts'
/// checksums).
RewindSteps rewind_steps(const std::vector<Event>& events);

}  // namespace plankeep::core
