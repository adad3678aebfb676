#pragma once
// The table behind base/unicode/composed: which letters and marks Unicode 14 puts together. Others ask that.
//
// Made by tests/base/unicode_data.py, never by hand.

#include <span>

namespace plankeep::base {

/// Two characters that are one when they stand together: a letter and a mark.
struct Composition {
  char32_t first;
  char32_t mark;
  char32_t both;
};

/// Canonical compositions with the marks U+0300..U+036F and those of kana, sorted by letter and mark.
std::span<const Composition> compositions();

}  // namespace plankeep::base
