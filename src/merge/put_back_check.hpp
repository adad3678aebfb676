#pragma once
// Whether a plan with lost tasks put back says what it should and nothing else. Private to this room.

#include <cstddef>
#include <string>
#include <vector>

#include "merge/plan_lines.hpp"

namespace plankeep::markdown {

/// Lines from 0.
struct PutBackLines {
  std::vector<std::vector<std::size_t>> behind;  // so many lines of the plan: those of the earlier text
  std::vector<std::size_t> of_now;               // where they are in the result; kNowhere
  std::vector<std::size_t> of_earlier;           // likewise, of those that came back
};

/// What is wrong with `result`, in words; empty: nothing. A line of the earlier text that still stands is in
/// the result where it is now.
std::string wrong_after_put_back(const PlanLines& earlier, const PlanLines& now, const LineMatches& matches,
                                 const std::vector<bool>& lost, const PutBackLines& lines,
                                 const PlanLines& result);

}  // namespace plankeep::markdown
