#pragma once
// Two texts of one plan line by line: what each line is, and which lines of the earlier text still stand in
// the present one. Private to this room.
//
// Boxes and headings of both are found by what they are, wherever they stand now: a task by its id and phase,
// else by its id or title where that stands once; a heading by its phase, else by its title where that stands
// once. The lines between them are matched as in a merge (merge/line_merge), ticks left aside. A box that the
// present plan does not have matches only a line that is no box there.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "markdown/outline/outline.hpp"
#include "markdown/source_text.hpp"
#include "model/plan.hpp"

namespace plankeep::markdown {

inline constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

/// A task or criterion of the plan, and the line of its first box, from 0.
struct LineItem {
  std::size_t line = 0;
  std::size_t phase = 0;
  const core::Task* task = nullptr;
  const core::Criterion* criterion = nullptr;  // exactly one of the two
  std::size_t parent_line = kNowhere;          // of the task around it
};

class PlanLines {
 public:
  [[nodiscard]] static base::Result<PlanLines> read(std::string_view bytes, const core::Plan& plan);

  const SourceText& source() const { return source_; }
  const core::Plan& plan() const { return *plan_; }
  /// Without the empty one behind the last line end.
  std::size_t size() const { return size_; }
  std::string_view line(std::size_t line) const;
  const std::vector<LineItem>& items() const { return items_; }
  const std::vector<OutlineHeading>& headings() const { return headings_; }
  /// The item with its first box on this line, the heading that begins there; kNowhere.
  std::size_t item_on(std::size_t line) const { return item_on_[line]; }
  std::size_t heading_on(std::size_t line) const { return heading_on_[line]; }
  /// The line on which the phase begins: its heading or marker; kNowhere for `unphased`.
  std::size_t phase_line(std::size_t phase) const;

 private:
  PlanLines(std::string_view bytes, const core::Plan& plan) : source_(bytes), plan_(&plan) {}

  SourceText source_;
  const core::Plan* plan_;
  std::size_t size_ = 0;
  std::vector<LineItem> items_;           // by line
  std::vector<OutlineHeading> headings_;  // outside of quotes, items and footnotes
  std::vector<std::size_t> item_on_;
  std::vector<std::size_t> heading_on_;
};

struct LineMatches {
  std::vector<std::size_t> partner;       // of each line of the earlier text: the line now; kNowhere
  std::vector<std::size_t> item_partner;  // of each item of the earlier text: the item now
};

/// `lost`: for each item of the earlier text whether the present plan does not have it.
LineMatches match_plan_lines(const PlanLines& earlier, const PlanLines& now, const std::vector<bool>& lost);

}  // namespace plankeep::markdown
