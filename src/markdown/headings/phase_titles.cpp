#include "markdown/headings/phase_titles.hpp"

namespace plankeep::markdown {

std::vector<MarkerHeading> headings_of_markers(const std::vector<Landmark>& marks,
                                               const std::vector<OutlineHeading>& headings) {
  std::vector<int> above(marks.size(), -1);  // landmark index of the heading in reach
  std::vector<int> below(marks.size(), -1);
  int reach = -1;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (marks[i].kind == Landmark::Kind::marker) above[i] = reach;
    if (marks[i].kind == Landmark::Kind::heading) reach = static_cast<int>(i);
    if (marks[i].kind == Landmark::Kind::text) reach = -1;
  }
  reach = -1;
  for (std::size_t i = marks.size(); i-- > 0;) {
    if (marks[i].kind == Landmark::Kind::marker) below[i] = reach;
    if (marks[i].kind == Landmark::Kind::heading) reach = static_cast<int>(i);
    if (marks[i].kind == Landmark::Kind::text) reach = -1;
  }
  // A marker clings to a heading over other comments too, as long as no line between is blank; markers know
  // their own lines, so a chain of them is followed from one to the next.
  const auto is_heading = [&](std::size_t i) { return marks[i].kind == Landmark::Kind::heading; };
  std::vector<bool> clings_above(marks.size());
  std::vector<bool> clings_below(marks.size());
  for (std::size_t i = 1; i < marks.size(); ++i) {
    const bool touches = marks[i].first_line - marks[i - 1].last_line <= 1;
    clings_above[i] = touches && (is_heading(i - 1) || clings_above[i - 1]);
  }
  for (std::size_t i = marks.size(); i-- > 1;) {
    const bool touches = marks[i].first_line - marks[i - 1].last_line <= 1;
    clings_below[i - 1] = touches && (is_heading(i) || clings_below[i]);
  }
  std::vector<MarkerHeading> result(marks.size());
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (marks[i].kind != Landmark::Kind::marker) continue;
    const int up = above[i];
    const int down = below[i];
    const auto heading = [&](int landmark) { return marks[static_cast<std::size_t>(landmark)].index; };
    if (up >= 0) result[i].above = heading(up);
    if (up < 0 || down < 0) {
      if (up >= 0 || down >= 0) result[i].heading = heading(up >= 0 ? up : down);
      continue;
    }
    const Landmark& up_mark = marks[static_cast<std::size_t>(up)];
    if (marks[i].first_line <= up_mark.last_line) {  // inside that heading
      result[i].heading = heading(up);
      continue;
    }
    const int up_level = headings[static_cast<std::size_t>(heading(up))].level;
    const int down_level = headings[static_cast<std::size_t>(heading(down))].level;
    const bool gives_way = up_level == 1 && down_level > 1;
    const bool clings_down_only = clings_below[i] && !clings_above[i];
    result[i].heading = heading(gives_way || clings_down_only ? down : up);
  }
  return result;
}

}  // namespace plankeep::markdown
