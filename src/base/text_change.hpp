#pragma once
// Where two versions of a text differ, as one piece.
//
// For what is known of a text by its lines and is to be found out again only where it changed. No record of
// the edits is needed, so nothing can be missed.

#include <cstddef>
#include <string_view>

namespace plankeep::base {

/// before[0, begin) is after[0, begin), and before[old_end, ...) is after[new_end, ...).
struct TextChange {
  std::size_t begin = 0;
  std::size_t old_end = 0;
  std::size_t new_end = 0;

  bool empty() const { return begin == old_end && begin == new_end; }
  bool operator==(const TextChange&) const = default;
};

/// The smallest such piece, the later one of several; of equal texts an empty one at their end. Bytes, not
/// characters.
TextChange change_between(std::string_view before, std::string_view after);

}  // namespace plankeep::base
