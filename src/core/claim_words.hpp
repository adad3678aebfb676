#pragma once
// The words by which the claim audit tells what a sentence says of a task, in a dozen languages.
//
// Where words are set apart by spaces, a word is looked up whole, in lower case. Chinese, Japanese and Korean
// are read by the longest known phrase at each character. A word may stand for several things, and means in
// every language all that it means in any: "die" and "on" cost nothing, since a pattern has to match around
// them.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace plankeep::core {

using WordClass = std::uint32_t;

namespace word {
inline constexpr WordClass kDoneAfter = 1U << 0;   // behind the id: "T1 is complete"
inline constexpr WordClass kDoneBefore = 1U << 1;  // before it: "finished T1"
inline constexpr WordClass kPlainDone = 1U << 2;   // says done, not only made: "done", not "implemented"
inline constexpr WordClass kDid = 1U << 3;         // says that something was made: "added", "wrote"
inline constexpr WordClass kIs = 1U << 4;          // is, are, was, ...
inline constexpr WordClass kLeft = 1U << 5;        // may stand between an id and "done" behind it
inline constexpr WordClass kRight = 1U << 6;       // may stand between "finished" and an id behind it
inline constexpr WordClass kNot = 1U << 7;         // before the pattern: not, will, could, please, ...
inline constexpr WordClass kTail = 1U << 8;        // behind the pattern: except, partially, once, ...
inline constexpr WordClass kIf = 1U << 9;          // makes the rest of its clause a condition
inline constexpr WordClass kOpen = 1U << 10;       // says of a task or a heading that it is not done
inline constexpr WordClass kBut = 1U << 11;        // begins a clause that may take back what was said
inline constexpr WordClass kJoin = 1U << 12;       // and
inline constexpr WordClass kRange = 1U << 13;      // through, to
inline constexpr WordClass kTask = 1U << 14;       // task, tasks
inline constexpr WordClass kFirst = 1U << 15;      // I, we
inline constexpr WordClass kOther = 1U << 16;      // somebody else, some other time
inline constexpr WordClass kOf = 1U << 17;         // before an id: something about it is meant, not it
inline constexpr WordClass kPart = 1U << 18;       // behind an id: "T1 tests", a part of it
inline constexpr WordClass kWork = 1U << 19;       // "work on T1", "implementation of T1" is T1
inline constexpr WordClass kArticle = 1U << 20;
inline constexpr WordClass kAll = 1U << 21;
inline constexpr WordClass kPlan = 1U << 22;
inline constexpr WordClass kPhase = 1U << 23;
inline constexpr WordClass kMine = 1U << 24;     // "assigned", "requested": which of all tasks
inline constexpr WordClass kAspect = 1U << 25;   // status, state, result: a label that a status follows
inline constexpr WordClass kTicked = 1U << 26;   // ticked, checked (the box of ...)
inline constexpr WordClass kBox = 1U << 27;      // box, checkbox
inline constexpr WordClass kAbout = 1U << 28;    // heading: "definition of done" is about it
inline constexpr WordClass kYes = 1U << 29;      // in a column that asks "done?"
inline constexpr WordClass kHeading = 1U << 30;  // a word of a heading that says nothing of its own
}  // namespace word

/// What a word in lower case stands for; 0 when it is none of them.
WordClass word_class(std::string_view lower);

struct Phrase {
  std::size_t length = 0;  // bytes; 0 when no phrase starts there
  WordClass classes = 0;
};

/// The longest Chinese, Japanese or Korean phrase that starts at the front of the text.
Phrase phrase_at(std::string_view text);

/// Letters of the scripts that are read by phrases.
bool is_cjk(char32_t value);

enum class Sign { none, good, bad };

/// What a tick, a cross or another emoji says.
Sign sign_of(char32_t value);

}  // namespace plankeep::core
