#pragma once
// What headings make of a plan (spec 7.5): its title, the phases where no CHECKPOINT marker makes them, the
// sections. Private to this room.
//
// The headings around an item are those in whose section it stands, up to the next heading of their level or
// above. Of them its phase is the outermost that is numbered by words ("Phase 1"), else the outermost that is
// numbered at all and has none numbered by words below it, else the innermost. A number counts only if
// another heading around items has the same level and the same words. The plan's title is not asked where
// there is another.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "markdown/outline/outline.hpp"

namespace plankeep::markdown {

class HeadingPhases {
 public:
  /// `headings` of the outline, which must outlive this; `items`: offsets of the boxes that count, ascending.
  HeadingPhases(const std::vector<OutlineHeading>& headings, std::span<const std::size_t> items);

  /// Index of the heading that is the plan's title, -1 for none.
  int title() const { return title_; }

  /// For the item of this place: the heading that is its phase, and the innermost around it; -1 for none.
  int phase_of(std::size_t item) const;
  int innermost(std::size_t item) const { return innermost_[item]; }

  /// The headings around that stand behind offset `from`, outermost first: titles, cut to kLongestSection
  /// bytes each; without the plan's title and empty ones.
  std::vector<std::string> section(int innermost, std::size_t from) const;

 private:
  /// A heading by what it is around.
  struct Node {
    int up = -1;  // the heading around it
    bool item = false;
    bool numbered = false;
    bool by_words = false;
    bool words_below = false;  // a phase numbered by words is below it
    int phase = -1;            // of the items right under it
    int by_number = -1;        // its phase, if that is one by number
  };

  const OutlineHeading& heading(int index) const { return headings_[static_cast<std::size_t>(index)]; }
  Node& node(int index) { return nodes_[static_cast<std::size_t>(index)]; }
  void find_surroundings();
  void place_items(std::span<const std::size_t> items);
  void find_title(std::span<const std::size_t> items);
  void read_numbers();
  void choose();

  const std::vector<OutlineHeading>& headings_;
  std::vector<Node> nodes_;     // of headings_
  std::vector<int> sections_;   // the headings that make some
  std::vector<int> innermost_;  // of the items
  int title_ = -1;
};

/// Bytes of a title in a section: it is repeated with every item below it.
inline constexpr std::size_t kLongestSection = 200;

}  // namespace plankeep::markdown
