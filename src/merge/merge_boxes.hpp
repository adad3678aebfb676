#pragma once
// The boxes of three versions of a plan, and which of them are the same box. Private to this room.
//
// A box is the same by the id of its marker in its phase, else by a marker's id that stands once. One with a
// number in front ("T001", "1.2") is the one that rules/match takes it for: numbers change when a task is put
// in before it, so the words behind them are compared first. Then by a title (or the first line of one) that
// stands once; after that ids are kept through rewording and moving as everywhere (rules/match); what is left
// is the same by its title below the same task, else by the most similar title there. What both sides put in
// is the same by a marker's id and its words, or by its title below the same task; never by likeness, nor by
// an id alone: each side may have given it to a task of its own.
//
// Likeness takes a box for an earlier one reworded, which may be wrong: "Add tests for billing" is not
// "Add tests for login". So it never carries a tick from one wording to another (same_words). Nor does a
// number where the tasks of the plan were numbered anew.

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
  // The id if it is written there: in a marker, or in front of the title ("T001"). Without those in titles
  // where tasks were numbered anew (MergeVersion::numbered_anew).
  std::string own_id;
  bool marked = false;   // own_id is that of a marker
  bool took_id = false;  // a marker that stood at another title in the base, where this title had another one
  std::string number;    // in front of the title, as it stands there: "T001", "1.2"; "" if marked
  std::string words;     // the title without it
  // Numbers do not tell, and neither do words: another numbered box below the same task has the same. If it
  // is below none, any other.
  bool has_twin = false;
  int above = -1;              // the box of the nearest task around it
  std::uint32_t identity = 0;  // from 1; equal on two sides: the same box
};

struct MergeVersion {
  bool is_plan = false;  // it could be read as one and has no conflict markers; else all below is empty
  Outline outline;
  std::vector<MergeBox> boxes;  // document order
  std::vector<std::string> errors;
  // A task has another number than in one of the other versions: numbers do not tell which task is which. The
  // same in all three.
  bool numbered_anew = false;
};

/// Base, ours, theirs.
std::array<MergeVersion, 3> read_versions(const std::array<const SourceText*, 3>& sources);

/// The merged text, without identities. `numbered_anew`: as in the versions that it was made of.
MergeVersion read_merged(const SourceText& source, bool numbered_anew);

/// Whether a tick of one is a tick of the other, which is the same box: the same words, or the same id
/// written there unless one side gave it to another task. Neither tells where both are doubtful (has_twin).
bool same_words(const MergeBox& a, const MergeBox& b);

/// The boxes that are ticked in `merged` but in none of the versions, in document order. Boxes with the same
/// words are told apart by the task or heading above them: "Commit" below "Write parser" is not "Commit"
/// below "Write lexer", and neither is "1.1 Commit".
std::vector<const MergeBox*> find_false_ticks(const MergeVersion& merged,
                                              const std::array<MergeVersion, 3>& versions);

/// Returns a box whose number ("T003") stands more often in `merged` than on either side, or nullptr.
const MergeBox* find_number_given_twice(const MergeVersion& merged, const MergeVersion& ours,
                                        const MergeVersion& theirs);

}  // namespace plankeep::markdown
