#pragma once
// Where `rewind --undo` and `rewind --redo` go: as in an editor, several steps back and forth, told from the
// `rewound` events alone. Pure.
//
//   rewind A, rewind B, undo, undo        back where it was before A
//   rewind A, undo, redo                  at A again
//   rewind A, undo, rewind B, undo        before B; what could be redone is forgotten with a new rewind
//   rewind A, undo --files, undo          before A: the first took back the files, the second the plan
//
// An event is an undo when it goes to where a rewind that still stands came from, a redo when it goes to
// where an undo came from; going there by the checkpoint's own id is the same. One that passes newer steps
// over takes them along. One that brings back only a part leaves the rest of the step to be undone: of `head`
// without the plan files and HEAD, without the files all of it, since some files come back with HEAD only
// (ignored ones, those of a sparse checkout). Where only some paths came back the whole step stays. Work done
// between two steps is no step of its own: it is in the safety checkpoint that the later one takes, so an
// undo of that one brings it back.

#include <string>
#include <string_view>
#include <vector>

#include "model/event.hpp"

namespace plankeep::core {

struct RewindStep {
  std::string checkpoint;  // to go to
  std::string what;        // of it is still to come back: as the event has it
  bool operator==(const RewindStep&) const = default;
};

struct RewindSteps {
  std::vector<RewindStep> undos;  // the newest last
  std::vector<RewindStep> redos;  // likewise
};

/// Event::what of a rewind that brought back some files only.
inline constexpr std::string_view kSomePaths = "paths";
/// Of the undo of what is left of one of `head` after its plan came back.
inline constexpr std::string_view kFilesAndHead = "files_and_head";
/// Whether a rewind of this Event::what moved HEAD.
bool moves_head(std::string_view what);

/// `events` oldest first; those that are no rewind to a checkpoint are passed over (`restore` writes texts'
/// checksums).
RewindSteps rewind_steps(const std::vector<Event>& events);

/// Whether going to `checkpoint` is a step back, so that --redo returns.
bool is_undo(const RewindSteps& steps, std::string_view checkpoint, std::string_view what);

}  // namespace plankeep::core
