#pragma once
// The columns of the tasks and criteria that the status shows: "▸ ✓ id  title  info". Private to
// render/progress.
//
//   const StatusColumns laid_out(items, style, columns, file);
//   for (const StatusItem& item : items) text += laid_out.row(item);
//
// Titles give way, also to ids that are wider than the others'; ids, and what is told of open items, never
// are cut: what has no room beside goes below.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "render/style.hpp"

namespace plankeep::render {

struct StatusItem {
  std::string mark;  // painted, one column
  std::string id;
  std::string title;
  std::string info;
  std::int64_t line = 0;
  bool current = false;
  bool finished = false;
};

class StatusColumns {
 public:
  /// For these items; `file`: the plan's, for the place of the current one. All have to outlive it.
  StatusColumns(const std::vector<StatusItem>& items, const Style& style, std::size_t columns,
                const std::string& file);

  /// With its line feed, and what goes below.
  std::string row(const StatusItem& item) const;

 private:
  const Style& style_;
  std::size_t columns_;
  const std::string& file_;
  std::size_t ids_ = 0;
  std::size_t titles_ = 0;
  std::size_t infos_ = 0;
};

struct StatusCell {
  std::string text;
  Paint paint = Paint::plain;
};
/// Joins cells; what would be blanks at the end of the line is left out, before the colours hide it.
std::string joined_cells(const Style& style, std::vector<StatusCell> cells);

}  // namespace plankeep::render
