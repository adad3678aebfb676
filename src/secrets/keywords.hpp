#pragma once
// Finds many words in a text in one pass: a table of byte pairs says where a word may begin, and words are
// compared only there. Made in microseconds, so that a process pays little for one short text. Private to
// this room.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace plankeep::secrets {

class Keywords {
 public:
  static constexpr std::size_t kShortest = 2;   // bytes of a word
  static constexpr std::size_t kMost = 20'000;  // words

  std::size_t size() const { return words_.size(); }

  /// `word` outlives this and has kShortest bytes or more; at most kMost words are added. `exact`: letter
  /// case counts, and the word begins at a word boundary; else letter case (of ASCII) does not matter.
  void add(std::string_view word, bool exact, std::size_t rule);
  /// After the last add().
  void finish();

  /// Calls `hit` for each keyword that begins in text[begin, end), in order. A keyword may extend past `end`.
  template <class Hit>
  void each(std::string_view text, std::size_t begin, std::size_t end, const Hit& hit) const {
    if (begin >= text.size()) return;
    const std::size_t last = std::min(end, text.size() - 1);  // the last position of a second byte
    std::size_t before = class_of(text[begin]);
    for (std::size_t at = begin + 1; at <= last; ++at) {
      const std::size_t now = class_of(text[at]);
      const std::uint16_t bucket = buckets_[before * kClasses + now];
      before = now;
      if (bucket == 0) continue;
      for (std::size_t i = bucket - std::size_t{1}; i < words_.size() && words_[i].bucket == bucket; ++i) {
        if (stands_at(words_[i], text, at - 1)) hit(words_[i].rule, at - 1, words_[i].text.size());
      }
    }
  }

 private:
  static constexpr std::size_t kClasses = 64;

  struct Word {
    std::string_view text;
    std::size_t rule = 0;
    std::uint16_t bucket = 0;  // the index of its first word, from 1
    bool exact = false;
  };

  static constexpr std::array<std::uint8_t, 256> kClassOf = [] {
    std::array<std::uint8_t, 256> classes{};
    for (std::size_t c = 0; c < classes.size(); ++c) {
      if (c >= 'a' && c <= 'z') {
        classes[c] = static_cast<std::uint8_t>(1 + c - 'a');
      } else if (c >= 'A' && c <= 'Z') {
        classes[c] = static_cast<std::uint8_t>(1 + c - 'A');
      } else if (c >= '0' && c <= '9') {
        classes[c] = static_cast<std::uint8_t>(27 + c - '0');
      } else if (c > ' ' && c < 127) {
        classes[c] = static_cast<std::uint8_t>(37 + c % 27);
      }
    }
    return classes;
  }();
  static std::size_t class_of(char c) { return kClassOf[static_cast<unsigned char>(c)]; }
  static std::size_t pair_of(std::string_view word) {
    return class_of(word[0]) * kClasses + class_of(word[1]);
  }
  static bool stands_at(const Word& word, std::string_view text, std::size_t at);

  std::vector<Word> words_;
  std::array<std::uint16_t, kClasses * kClasses> buckets_{};
};

}  // namespace plankeep::secrets
