#pragma once
// Comparing and three-way merging texts line by line. Pure: a line is a symbol here, equal lines have equal
// symbols, whoever calls decides what equal means (merge/merge_plan: without the state of boxes).
//
// match_lines: which lines of `a` are which of `b`, the partners rising. Common head and tail first; then
// lines that stand once on either side, as far as they are in the same order (patience diff, B. Cohen 2005);
// between them Myers' greedy algorithm (E. Myers, "An O(ND) Difference Algorithm", 1986) up to kMostEdits
// edits. What is less alike than that has no partners: the answer is right, only coarser. Time n log n beside
// kMostEdits^2 for each stretch, memory linear.
//
// merge_lines: diff3 (Khanna, Kunal, Pierce, "A Formal Investigation of Diff3", 2007). The pieces cover all
// three texts in order. Changes that touch each other, without an unchanged line between, are one piece.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace plankeep::core {

using LineSymbol = std::uint32_t;

inline constexpr std::size_t kNoLine = static_cast<std::size_t>(-1);
inline constexpr std::size_t kMostEdits = 512;

/// For each line of `a` the number of its partner in `b` (from 0), or kNoLine.
std::vector<std::size_t> match_lines(std::span<const LineSymbol> a, std::span<const LineSymbol> b);

/// How many lines the two have in common, in order: the length of their longest common subsequence, exact
/// (M. Crochemore et al., "A fast and practical bit-vector algorithm for the longest common subsequence
/// problem", 2001). Time a line of `b` and 64 of `a`, but for lines that stand in one of them only; where
/// that would be more than kMostLineSteps it is the number of match_lines(), which may be smaller. Memory
/// linear.
std::size_t common_lines(std::span<const LineSymbol> a, std::span<const LineSymbol> b);

inline constexpr std::size_t kMostLineSteps = std::size_t{1} << 32;

struct LineRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t size() const { return end - begin; }
  bool empty() const { return begin == end; }
  bool operator==(const LineRange&) const = default;
};

struct MergePiece {
  enum class Kind {
    same,      // all three are equal
    ours,      // only ours changed
    theirs,    // only theirs changed
    both,      // both made the same change
    conflict,  // both changed, each in its own way
  };
  Kind kind = Kind::same;
  LineRange base;
  LineRange ours;
  LineRange theirs;
  bool operator==(const MergePiece&) const = default;
};

std::vector<MergePiece> merge_lines(std::span<const LineSymbol> base, std::span<const LineSymbol> ours,
                                    std::span<const LineSymbol> theirs);

}  // namespace plankeep::core
