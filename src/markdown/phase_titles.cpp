#include "markdown/phase_titles.hpp"

namespace plankeep::markdown {

std::vector<int> headings_of_markers(const Outline& outline) {
  const std::vector<Landmark>& marks = outline.landmarks;
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
  const auto clings_above = [&](std::size_t i) {
    for (std::size_t at = i; at > 0; --at) {
      if (marks[at].first_line - marks[at - 1].last_line > 1) return false;
      if (marks[at - 1].kind == Landmark::Kind::heading) return true;
    }
    return false;
  };
  const auto clings_below = [&](std::size_t i) {
    for (std::size_t at = i; at + 1 < marks.size(); ++at) {
      if (marks[at + 1].first_line - marks[at].last_line > 1) return false;
      if (marks[at + 1].kind == Landmark::Kind::heading) return true;
    }
    return false;
  };
  std::vector<int> result(marks.size(), -1);
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (marks[i].kind != Landmark::Kind::marker) continue;
    const int up = above[i];
    const int down = below[i];
    const auto heading = [&](int landmark) { return marks[static_cast<std::size_t>(landmark)].index; };
    if (up < 0 || down < 0) {
      if (up >= 0 || down >= 0) result[i] = heading(up >= 0 ? up : down);
      continue;
    }
    const Landmark& up_mark = marks[static_cast<std::size_t>(up)];
    if (marks[i].first_line <= up_mark.last_line) {  // inside that heading
      result[i] = heading(up);
      continue;
    }
    const int up_level = outline.headings[static_cast<std::size_t>(heading(up))].level;
    const int down_level = outline.headings[static_cast<std::size_t>(heading(down))].level;
    const bool gives_way = up_level == 1 && down_level > 1;
    const bool clings_down_only = clings_below(i) && !clings_above(i);
    result[i] = heading(gives_way || clings_down_only ? down : up);
  }
  return result;
}

}  // namespace plankeep::markdown
