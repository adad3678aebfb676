#pragma once
// The boxes of three versions of a plan, and which of them are the same box. Private to this room.
//
// A box is the same by the id of its marker in its phase, else by a written id (a marker's, or "T001") or a
// title (or the first line of one) that stands once; after that ids are kept through rewording and moving as
// everywhere (rules/match); what is left is the same by its title below the same task, else by the most
// similar title there. What both sides put in is the same by a written id or by its title below the same
// task; never by likeness, nor by an id that only its title gave it.
//
// Likeness takes a box for an earlier one reworded, which may be wrong: "Add tests for billing" is not
// "Add tests for login". So it never carries a tick from one wording to another (same_words).

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "markdown/outline/outline.hpp"
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
  std::string id;     // of its task or criterion, "" for a box that a SKIP leaves out
  std::string phase;  // where it stands, "" likewise
  std::string phase_title;
  std::string title;
  std::string first_line;  // of the title; the rest may be a note that another box leaves behind
  std::string own_id;      // the id if it is written there: in a marker, or in front of the title ("T001")
  bool marked = false;     // own_id is that of a marker
  bool took_id = false;  // a marker that stood at another title in the base, where this title had another one
  int above = -1;        // the box of the nearest task around it
  std::uint32_t identity = 0;  // from 1; equal on two sides: the same box
};

struct MergeVersion {
  bool is_plan = false;  // it could be read as one and has no conflict markers; else all below is empty
  Outline outline;
  std::vector<MergeBox> boxes;  // document order
  std::vector<std::string> errors;
};

/// Base, ours, theirs.
std::array<MergeVersion, 3> read_versions(const std::array<const SourceText*, 3>& sources);

/// One version by itself, without identities.
MergeVersion read_version(const SourceText& source);

/// Whether a tick of one is a tick of the other: the same title, or the same id written there, unless one
/// side gave the id to another task.
bool same_words(const MergeBox& a, const MergeBox& b);

/// Returns a box that is ticked in `merged` but in none of the versions, or nullptr. Boxes with the same
/// title are told apart by the task or heading above them: "Commit" below "Write parser" is not "Commit"
/// below "Write lexer".
const MergeBox* find_false_tick(const MergeVersion& merged, const std::array<MergeVersion, 3>& versions);

}  // namespace plankeep::markdown
