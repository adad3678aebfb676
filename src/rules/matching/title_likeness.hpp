#pragma once
// How alike two titles are (rules/match says why it is measured like this).
//
//   const CharacterPairs before = pairs_of("Write parser tests");   // once for each title
//   dice(before, pairs_of("Write lexer tests"))                     // about 0.6

#include <cstdint>
#include <string_view>
#include <vector>

namespace plankeep::core {

/// The pairs of neighbouring characters of a lower-case text, sorted. Two characters in each number.
using CharacterPairs = std::vector<std::uint64_t>;

CharacterPairs pairs_of(std::string_view title);

/// Dice's coefficient: 1 for the same pairs, 0 for none in common, or if there are none.
double dice(const CharacterPairs& a, const CharacterPairs& b);

/// Whether the later title is the earlier one with something behind it: a note, a date, who did it.
bool continues(std::string_view earlier, std::string_view later);

}  // namespace plankeep::core
