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

using WordClass = std::uint64_t;

namespace word {
inline constexpr WordClass kDoneAfter = WordClass{1} << 0;   // behind the id: "T1 is complete"
inline constexpr WordClass kDoneBefore = WordClass{1} << 1;  // before it: "finished T1"
inline constexpr WordClass kPlainDone = WordClass{1}
                                        << 2;           // says done, not only made: "done", not "implemented"
inline constexpr WordClass kDid = WordClass{1} << 3;    // says that something was made: "added", "wrote"
inline constexpr WordClass kIs = WordClass{1} << 4;     // is, are, was, ...
inline constexpr WordClass kLeft = WordClass{1} << 5;   // may stand between an id and "done" behind it
inline constexpr WordClass kRight = WordClass{1} << 6;  // may stand between "finished" and an id behind it
inline constexpr WordClass kNot = WordClass{1} << 7;    // before the pattern: not, will, could, please, ...
inline constexpr WordClass kTail = WordClass{1} << 8;   // behind the pattern: except, partially, once, ...
inline constexpr WordClass kIf = WordClass{1} << 9;     // makes the rest of its clause a condition
inline constexpr WordClass kOpen = WordClass{1} << 10;  // says of a task or a heading that it is not done
inline constexpr WordClass kBut = WordClass{1} << 11;   // begins a clause that may take back what was said
inline constexpr WordClass kJoin = WordClass{1} << 12;  // and
inline constexpr WordClass kRange = WordClass{1} << 13;  // through, to
inline constexpr WordClass kTask = WordClass{1} << 14;   // task, tasks
inline constexpr WordClass kFirst = WordClass{1} << 15;  // I, we
inline constexpr WordClass kOther = WordClass{1} << 16;  // somebody else, some other time
inline constexpr WordClass kOf = WordClass{1} << 17;     // before an id: something about it is meant, not it
inline constexpr WordClass kPart = WordClass{1} << 18;   // behind an id: "T1 tests", a part of it
inline constexpr WordClass kWork = WordClass{1} << 19;   // "work on T1", "implementation of T1" is T1
inline constexpr WordClass kArticle = WordClass{1} << 20;
inline constexpr WordClass kAll = WordClass{1} << 21;
inline constexpr WordClass kPlan = WordClass{1} << 22;
inline constexpr WordClass kPhase = WordClass{1} << 23;
inline constexpr WordClass kMine = WordClass{1} << 24;  // "assigned", "requested": which of all tasks
inline constexpr WordClass kAspect = WordClass{1}
                                     << 25;  // status, state, result: a label that a status follows
inline constexpr WordClass kTicked = WordClass{1} << 26;   // ticked, checked (the box of ...)
inline constexpr WordClass kBox = WordClass{1} << 27;      // box, checkbox
inline constexpr WordClass kAbout = WordClass{1} << 28;    // heading: "definition of done" is about it
inline constexpr WordClass kYes = WordClass{1} << 29;      // in a column that asks "done?"
inline constexpr WordClass kHeading = WordClass{1} << 30;  // a word of a heading that says nothing of its own
inline constexpr WordClass kExcept = WordClass{1} << 31;   // before an id: all but this one
inline constexpr WordClass kExceptAfter = WordClass{1} << 32;  // the same behind it (Japanese, Korean)
inline constexpr WordClass kSays = WordClass{1} << 33;     // what follows in the sentence is another's word
inline constexpr WordClass kRetract = WordClass{1} << 34;  // what was done is so no longer
inline constexpr WordClass kPronoun = WordClass{1} << 35;  // it, them
inline constexpr WordClass kThen = WordClass{1} << 38;     // then, later, since
inline constexpr WordClass kPercent = WordClass{1} << 37;
inline constexpr WordClass kFrom = WordClass{1} << 36;  // begins a range: "from T1 to T3"
inline constexpr WordClass kBoth = WordClass{1} << 39;
inline constexpr WordClass kSection = WordClass{1} << 40;  // a phase whose title is a number: "1. Basics"
inline constexpr WordClass kPoint = WordClass{1} << 41;    // before a number that is an id: "point 3"
inline constexpr WordClass kCounted = WordClass{1}
                                      << 42;             // a task, where their number is said: "all 3 items"
inline constexpr WordClass kAmong = WordClass{1} << 43;  // behind a phase (Korean, ...): out of it
inline constexpr WordClass kAlready = WordClass{1} << 45;  // of another's work, unless "I" goes before
inline constexpr WordClass kLast = WordClass{1} << 46;     // done, where no word follows: "T1 ist durch"
inline constexpr WordClass kCounter = WordClass{1} << 44;  // behind a number of or for tasks (Korean, ...)
inline constexpr WordClass kToo = WordClass{1} << 48;      // "T1 is done, and T2 is too"
inline constexpr WordClass kOnly = WordClass{1} << 49;     // only: "of phase 2 only T3 remains"
inline constexpr WordClass kRemains = WordClass{1} << 50;  // remains, is left
inline constexpr WordClass kAmount = WordClass{1} << 47;   // of them, which says how many
inline constexpr WordClass kCommand = WordClass{1} << 51;  // done, or a command: "Complete the tests"
inline constexpr WordClass kWhen = WordClass{1} << 52;     // what stands before it holds later, if at all
inline constexpr WordClass kUpTo = WordClass{1} << 54;     // "everything up to T3", T3 too
inline constexpr WordClass kHeard = WordClass{1} << 53;    // as kSays, also where it is said of "I"
inline constexpr WordClass kStage = WordClass{1} << 55;    // of what comes before a task is done: "analysed"
inline constexpr WordClass kGoal = WordClass{1} << 56;     // what stands behind this label is to come
inline constexpr WordClass kTime = WordClass{1} << 57;     // a day, or a part of it
}  // namespace word

/// What a word in lower case stands for; 0 when it is none of them. Words that mean something only together
/// are looked up with '_' between them: "rolled_back".
WordClass word_class(std::string_view lower);

/// Some entry of several words starts with this one.
bool starts_words(std::string_view lower);
inline constexpr std::size_t kMostWords = 6;  // of such an entry

/// "2" for "two", "zwei" or "二"; the word itself where it is no number in words.
std::string_view number_word(std::string_view lower);

/// The same for "second", "zweite".
std::string_view ordinal_word(std::string_view lower);

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
