#pragma once
// Headings that number what they stand for (spec 7.5): "Phase 1: Setup", "Week-2", "US-3", "Option B:",
// "第一阶段"; or with nothing but the number, "1.", "4.1 Schema", "一、".
//
// Before the number may stand up to three words, runs of letters and marks; before and between them white
// space, one of "- – — . : _ ·" and a "#". Signs, emoji and a box in front are passed over. Numbers are
// - digits of any script, whatever follows them ("Task 10a");
// - Chinese numerals behind 第, or when white space, one of ". : ) 、 ． ： ）" or nothing follows;
// - Roman numerals of I, V, X and one letter A to Z when one of these signs, white space and a dash, or
//   nothing follows: "Option B: build it", not "Vitamin C for the team".

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace plankeep::base {

/// The words before the number, in lower case with a blank between; empty where the number comes first.
/// nullopt for a title that is not numbered.
std::optional<std::string> words_before_number(std::string_view title);

/// The number, where it is of digits alone: 2 of "Phase 2: Build" and "2. Build", nullopt of "Phase 2a",
/// "2.1" and "Option B".
std::optional<std::uint64_t> number_of(std::string_view title);

/// What the number counts: "Setup" of "Phase 1: Setup", "Schema" of "4.1 Schema". All of a title whose number
/// is not set off from what follows ("Task 10 renames files"), that is not numbered, or has nothing behind.
std::string_view without_number(std::string_view title);

}  // namespace plankeep::base
