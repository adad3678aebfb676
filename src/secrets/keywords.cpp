#include "secrets/keywords.hpp"

#include <algorithm>
#include <cassert>

#include "secrets/characters.hpp"

namespace plankeep::secrets {

void Keywords::add(std::string_view word, bool exact, std::size_t rule) {
  assert(word.size() >= kShortest && words_.size() < kMost);
  words_.push_back({word, rule, 0, exact});
}

void Keywords::finish() {
  std::stable_sort(words_.begin(), words_.end(),
                   [](const Word& a, const Word& b) { return pair_of(a.text) < pair_of(b.text); });
  for (std::size_t i = 0; i < words_.size(); ++i) {
    std::uint16_t& bucket = buckets_[pair_of(words_[i].text)];
    if (bucket == 0) bucket = static_cast<std::uint16_t>(i + 1);
    words_[i].bucket = bucket;
  }
}

bool Keywords::stands_at(const Word& word, std::string_view text, std::size_t at) {
  if (text.size() - at < word.text.size()) return false;
  if (word.exact) {
    return text.compare(at, word.text.size(), word.text) == 0 && (at == 0 || !is_word(text[at - 1]));
  }
  for (std::size_t i = 0; i < word.text.size(); ++i) {
    if (lower(text[at + i]) != lower(word.text[i])) return false;
  }
  return true;
}

}  // namespace plankeep::secrets
