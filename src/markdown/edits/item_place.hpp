#pragma once
// Where a new box goes in a plan, and how it is written there (add_item says by which rules). Private to this
// room.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "markdown/edits/add_item.hpp"
#include "markdown/places.hpp"
#include "markdown/source_text.hpp"
#include "model/plan.hpp"

namespace plankeep::markdown {

/// The text with `lines` put in behind `line` (0: before the first).
struct NewLines {
  std::int64_t line = 0;
  std::vector<std::string> lines;
  std::size_t box = 0;  // which of them holds it
};

/// An id in the text, taken apart: "T", 3, 4 and ": " of "T004: Title".
struct TextNumber {
  std::string stem;
  std::size_t width = 0;  // in digits, with leading zeros
  long value = 0;
  std::string separator;

  bool counts_per_list() const { return stem.empty() || stem.back() == '.'; }
  std::string id() const {
    std::string digits = std::to_string(value);
    if (digits.size() < width) digits.insert(0, width - digits.size(), '0');
    return stem + digits;
  }
};

/// Where the new box goes, without its words.
struct NewPlace {
  NewLines insertion;
  std::int64_t lazy_line = 0;  // the other line behind which it may go; 0: none
  std::string before_box;
  bool marked = false;  // neighbours have markers
  bool marker_first = false;
  std::optional<TextNumber> number;
};

/// not_found: the phase or the parent that `item` names is not in the plan. Whether the plan means the same
/// with the box there is for the caller to see.
[[nodiscard]] base::Result<NewPlace> place_of_item(const SourceText& source, const core::Plan& plan,
                                                   const NewItem& item, const Places& places);

}  // namespace plankeep::markdown
