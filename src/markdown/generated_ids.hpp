#pragma once
// Ids for boxes and headings that have no marker (spec 7.7). Private to this room.

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/index_table.hpp"

namespace plankeep::markdown {

/// The id that a title begins with: letters and digits ("T001", "US-001", "FR-3"), numbers with dots ("1.2",
/// "2.3.1"), or one number with "." or ")" ("1." and "2)" give "1" and "2"). Capital letters only, and
/// letters with a single digit and no dash ("S3", "H2") are names of things, not ids. Empty when there is
/// none.
std::string leading_id(std::string_view title);

/// A heading without what some tools put around its words while its phase is worked on: a box in front ("[x]
/// Phase 1"), and the commit behind it when it is done ("Phase 1 [checkpoint: 4f2a9c1]").
std::string_view lasting_heading(std::string_view title);

/// Makes ids unique: the first keeps its name, later ones get "-2", "-3", ...
class UniqueIds {
 public:
  /// `expected`: about how many ids there will be.
  explicit UniqueIds(std::size_t expected = 0) : used_(expected) {}

  std::string take(std::string wanted);
  void reserve(std::string_view id) { (void)add(id); }

 private:
  bool add(std::string_view id);
  std::string_view name(std::size_t index) const;

  base::IndexTable used_;
  std::string names_;  // all of them in one text, which is much faster than a string for each
  std::vector<std::size_t> ends_;
  std::unordered_map<std::string, int> next_;
};

}  // namespace plankeep::markdown
