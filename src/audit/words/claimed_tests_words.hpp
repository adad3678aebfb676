#pragma once
// Words that tell whether a sentence claims that tests pass (audit/claimed_tests), in a dozen languages. A
// word can be of several classes.

#include <cstdint>
#include <string_view>

namespace plankeep::core::tests_word {

using Class = std::uint32_t;

inline constexpr Class kTests = 1U << 0;        // tests, suite
inline constexpr Class kPass = 1U << 1;         // pass, green
inline constexpr Class kAll = 1U << 2;          // all, whole
inline constexpr Class kStop = 1U << 3;         // anywhere in a sentence: not, should, except, ...
inline constexpr Class kOpen = 1U << 4;         // the same in quotations: "open"
inline constexpr Class kGoal = 1U << 5;         // before "tests", or in a heading: a goal
inline constexpr Class kMet = 1U << 6;          // and is: "the criterion is met: all tests pass"
inline constexpr Class kSays = 1U << 7;         // before "tests": a quotation, "CI says"
inline constexpr Class kRunner = 1U << 8;       // but a program's: "pytest reports"
inline constexpr Class kCheck = 1U << 9;        // "check that all tests pass"
inline constexpr Class kThat = 1U << 10;        // that, whether, which
inline constexpr Class kArticle = 1U << 11;     // begins an object: "pass the object"
inline constexpr Class kBehindPass = 1U << 12;  // may follow an English "pass" that has no object
inline constexpr Class kAs = 1U << 13;          // "pass as expected"

/// Of a word in lower case; 0: none.
Class classes_of(std::string_view word);
bool is(std::string_view word, Class classes);

}  // namespace plankeep::core::tests_word
