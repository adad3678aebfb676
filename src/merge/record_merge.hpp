#pragma once
// Three-way merging of a stretch that is a list of things rather than prose: tasks, decisions, headings.
// Where merge_lines (merge/line_merge) sees one conflict because changes touch each other, this takes each
// thing by itself. Pure.
//
// A line that is a `head` begins a thing, `rest` lines go on with the one above. Things are the same on two
// sides when they have the same key, or no key and the same first line (the n-th of several the n-th).
//
// - changed, or taken out, on one side: that side's; changed on both, or changed here and taken out there: a
//   conflict of that thing, and of those beside it that one side took out: it may be one of several now
// - put in on both sides at the same place: both, ours first (or theirs, if so asked), when all of them are
//   heads. But steps of the tasks above come first, the deepest before the others, and new phases last.
// - text: only where one side alone changed any; nothing is guessed about prose.
//
// nullopt where that gives no answer: the things stand in another order, or both sides changed prose.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "merge/line_merge.hpp"

namespace plankeep::core {

struct RecordLine {
  enum class Kind { text, blank, head, rest };
  LineSymbol symbol = 0;
  std::uint32_t key = 0;  // of a head; 0: none, its line is its name
  Kind kind = Kind::text;
  bool opens_phase = false;
  std::size_t indent = 0;  // of a head: characters in front of it
};

/// Pieces in the order in which they are to be written: `ours` and `theirs` are taken from that side,
/// `conflict` is left to a person. What is not named is not in the result. Lines count from the spans' begin.
std::optional<std::vector<MergePiece>> merge_records(std::span<const RecordLine> base,
                                                     std::span<const RecordLine> ours,
                                                     std::span<const RecordLine> theirs,
                                                     bool theirs_first = false);

}  // namespace plankeep::core
