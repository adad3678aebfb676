#pragma once
// Which lines and boxes of a plan an edit explains, by what its payload says that it wrote. Pure, any bytes.
//
//   const EditedLines lines(edits);                 // once for each payload
//   EditedBoxes boxes(lines, text);                 // the plan's text as it is now
//   boxes.settle(changed);                          // the boxes that changed
//   if (boxes.set(task.boxes)) ...

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "model/plan.hpp"

namespace plankeep::core {

/// The lines of a text, without their ends; the last one may be empty.
std::vector<std::string_view> lines_of(std::string_view text);

/// One replacement of a text by another, as the payload of an edit tells it. `before` is empty when a whole
/// file was written, or nothing is known of what stood there.
struct TextEdit {
  std::string before;
  std::string after;
  /// The whole file before this edit and the ones behind it; empty: not known, or said by one before.
  std::string file{};
  bool everywhere = false;  // wherever `before` stood
  bool operator==(const TextEdit&) const = default;
};

/// The lines that are in `after` and not in `before` of some edits.
class EditedLines {
 public:
  explicit EditedLines(std::span<const TextEdit> edits);

  /// Whether they wrote this line, given without its line end, where it has no box.
  bool wrote_line(std::string_view line) const;

 private:
  friend class EditedBoxes;
  // A line that an edit wrote anew, with all that are the same in the edit.
  struct Fresh {
    std::string plain;      // what it is compared by
    std::string part;       // as it was written, where it may be a part of a line; else empty
    bool begins = true;     // the part begins with its line
    bool ends = true;       // and ends with it
    std::size_t count = 1;  // so often
    bool ticked = false;
    bool kept = false;   // its box was so before
    bool known = false;  // it is known what its box was
    bool blind = false;
  };
  struct Written {
    std::vector<Fresh> lines;
    std::string text;  // of the lines and what stands between them
  };
  // One edit. `whole`: widened to the ends of its lines, where the file before it is known.
  struct Group {
    Written whole;
    Written told;
    bool everywhere = false;
  };
  Written written(const TextEdit& edit, bool parts);
  void find_kept(std::vector<Fresh>& fresh, const std::unordered_map<std::string, std::size_t>& left) const;

  std::vector<Group> groups_;
  std::unordered_set<std::string> lines_;  // all that were written, normal
  std::unordered_set<std::string> set_;    // those of them whose box is theirs
  std::string file_;                       // before the first edit
};

/// The edits' lines where they stand in a text. Which of several lines is meant is told by, in this order:
/// the file before the edit; the lines around it in the edit; how much of the line the edit has. Both
/// arguments must outlive it.
class EditedBoxes {
 public:
  EditedBoxes(const EditedLines& lines, std::string_view text);

  /// The boxes that changed, those of one task together. Where an edit explains more of them than it wrote
  /// lines, it explains none of these any more.
  void settle(const std::vector<const std::vector<Box>*>& changed);

  /// Whether the edits wrote the line of any of these boxes. An edit may begin and end in the middle of a
  /// line and then has to contain the box; where it has the end or the beginning of a line, that has to
  /// match.
  bool wrote(const std::vector<Box>& boxes) const;
  /// Whether they wrote it and had the same line with an open box before: the tick was seen to happen. Not of
  /// a box that was ticked in the file before the edit.
  bool ticked(const std::vector<Box>& boxes) const;
  /// Whether they wrote it and its box is as it is through them: they did not have the line with the same box
  /// before, in these or in other words, and neither had the file.
  bool set(const std::vector<Box>& boxes) const;
  /// Set by an edit that says what stood there before.
  bool set_knowingly(const std::vector<Box>& boxes) const;

 private:
  struct Line {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string plain;
    bool stood = false;  // with this box in the file before the edits
  };
  struct Place {
    std::size_t line = 0;  // of lines_
    std::size_t from = 0;  // what the edit has of the line
    std::size_t to = 0;
    const EditedLines::Fresh* fresh = nullptr;
    int fit = 0;
    bool everywhere = false;
    bool unclear = false;
  };
  void read(std::string_view text);
  void find_stood(std::string_view file);
  bool find(const EditedLines::Written& written, bool everywhere);
  void find_parts(const EditedLines::Fresh& fresh, std::vector<Place>& found) const;
  void add_best(const std::vector<Place>& found);
  const Line* line_at(std::size_t offset) const;
  template <class Is>
  bool any(const std::vector<Box>& boxes, const Is& is) const;

  std::string_view text_;
  std::vector<Line> lines_;  // those with a bracket
  std::unordered_multimap<std::string_view, std::size_t> by_plain_;
  std::vector<Place> places_;  // by line
  std::size_t searched_ = 0;   // bytes
};

}  // namespace plankeep::core
