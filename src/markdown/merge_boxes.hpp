#pragma once
// The boxes of three versions of a plan, and which of them are the same box. Private to this room.
//
// A task or criterion is the same by its id in its phase, else by its id where that stands once; in unmarked
// plans ids are kept through rewording and moving as everywhere (core/match). A box without an id, a step, is
// the same by its title below the same task, else by a title that stands once, else by the most similar title
// below the same task. What both sides put in is the same by id or, for steps, title; never by likeness.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "markdown/outline.hpp"
#include "markdown/source_text.hpp"

namespace plankeep::markdown {

/// In rising order: where both sides changed a box, each in its own way, the higher one holds, so that no
/// tick is lost. `other` is a character that is no state of ours.
enum class MergeState { none, open, other, active, done };

struct MergeBox {
  core::Box box;
  std::size_t line = 0;       // from 0
  std::size_t last_line = 0;  // of its text and markers
  MergeState state = MergeState::open;
  std::string id;     // of its task or criterion, "" for a step
  std::string place;  // the same with its phase
  std::string title;
  int above = -1;              // the box of the task that it is a step of
  std::uint32_t identity = 0;  // from 1; equal on two sides: the same box
};

struct MergeVersion {
  bool is_plan = false;  // it could be read as one; else all below is empty
  core::PlanMode mode = core::PlanMode::unmarked;
  Outline outline;
  std::vector<MergeBox> boxes;  // document order
  std::vector<std::string> errors;
};

/// Base, ours, theirs.
std::array<MergeVersion, 3> read_versions(const std::array<const SourceText*, 3>& sources);

/// One version by itself, without identities.
MergeVersion read_version(const SourceText& source);

}  // namespace plankeep::markdown
