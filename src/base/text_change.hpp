#pragma once
// Where two versions of a text differ, as one range.
//
// For results that are kept per line and computed again only for the lines that changed. The two texts are
// compared, so no edit can be missed.

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

/// The smallest such range; of several, the last. For equal texts, an empty range at their end. In bytes.
TextChange change_between(std::string_view before, std::string_view after);

}  // namespace plankeep::base
