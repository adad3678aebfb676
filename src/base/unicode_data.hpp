#pragma once
// The tables behind base/utf8: what Unicode 14 says of characters. Others ask that.
//
// Every table is sorted, ranges do not touch or overlap, both ends are inside. Surrogates are in none of
// them. Made by tests/base/unicode_data.py, never by hand.

#include <cstdint>
#include <span>

namespace plankeep::base {

struct CodePointRange {
  char32_t first;
  char32_t last;
};

/// first, first + stride, ... last have their lower case `delta` further.
struct CaseRange {
  char32_t first;
  char32_t last;
  std::int32_t delta;
  std::int32_t stride;
};

/// General categories L, M and N.
std::span<const CodePointRange> word_ranges();

/// East Asian Wide and Fullwidth (which holds the emoji that are shown as pictures) and the regional
/// indicators.
std::span<const CodePointRange> wide_ranges();

/// Mn, Me, Cf but those that are visible, and the Hangul vowels and finals that join the initial before them.
std::span<const CodePointRange> zero_width_ranges();

/// Simple lower-case mappings of all that have one.
std::span<const CaseRange> lower_case_ranges();

}  // namespace plankeep::base
