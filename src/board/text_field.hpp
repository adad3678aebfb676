#pragma once
// One line of text that is being typed.

#include <cstddef>
#include <string>

#include "board/input.hpp"

namespace plankeep::board {

class TextField {
 public:
  /// Longer text is not taken: use cases have tighter limits of their own.
  static constexpr std::size_t kMost = 2000;  // characters

  /// Whether the key was one for text. Enter and Escape are not.
  bool press(const Key& key);
  std::string text() const;
  bool empty() const { return characters_.empty(); }
  void clear();

  struct View {
    std::string text;        // simple, at most as wide as asked for
    std::size_t cursor = 0;  // column in it, below the width asked for
  };
  /// The part around the cursor that fits into `columns` (from 1).
  View view(std::size_t columns) const;

 private:
  void erase_word();

  std::u32string characters_;
  std::size_t at_ = 0;
};

}  // namespace plankeep::board
