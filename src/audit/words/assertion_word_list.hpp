#pragma once
// How the word tables of assertion_words.cpp, assertion_languages.cpp and assertion_phrases.cpp are written
// down. For these alone.

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <unordered_map>

#include "audit/words/assertion_words.hpp"

namespace plankeep::core {

struct WordList {
  WordClass classes;
  std::string_view words;  // separated by spaces
};

namespace word {
inline constexpr WordClass kDone = kDoneAfter | kDoneBefore | kPlainDone;
inline constexpr WordClass kMade = kDoneAfter | kDoneBefore;
inline constexpr WordClass kNever = kNot | kTail;
inline constexpr WordClass kUndone = kNot | kTail | kOpen;
}  // namespace word

using WordTable = std::unordered_map<std::string_view, WordClass>;

/// Of words that are separated by spaces.
template <class Take>
void for_each_word(std::string_view words, Take take) {
  for (std::size_t start = 0; start < words.size();) {
    const std::size_t end = std::min(words.find(' ', start), words.size());
    if (end > start) take(words.substr(start, end - start));
    start = end + 1;
  }
}

template <std::size_t N>
void add_to(WordTable& table, const WordList (&lists)[N]) {
  for (const WordList& list : lists) {
    for_each_word(list.words, [&](std::string_view word) { table[word] |= list.classes; });
  }
}

/// The words of assertion_languages.cpp.
void add_languages(WordTable& table);

/// The words of assertion_doubts.cpp.
void add_doubts(WordTable& table);

}  // namespace plankeep::core
