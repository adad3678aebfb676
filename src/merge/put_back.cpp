#include "merge/put_back.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "markdown/item_lines.hpp"
#include "markdown/parse_plan.hpp"
#include "merge/plan_lines.hpp"
#include "merge/put_back_check.hpp"
#include "merge/remembered.hpp"
#include "rules/matching/skipped_items.hpp"

namespace plankeep::markdown {
namespace {

using base::Result;

std::vector<bool> lost_items(const PlanLines& earlier, const std::vector<LostTask>& lost) {
  std::unordered_set<const void*> gone;
  for (const LostTask& one : lost) {
    const core::Phase& phase = earlier.plan().phases[one.phase];
    if (one.criterion) {
      gone.insert(&phase.acceptance[one.task]);
    } else {
      gone.insert(&phase.tasks[one.task]);
    }
  }
  std::vector<bool> items;
  for (const LineItem& item : earlier.items()) {
    const void* const at = item.task != nullptr ? static_cast<const void*>(item.task) : item.criterion;
    items.push_back(gone.contains(at));
  }
  return items;
}

void add_lost_criteria(const core::Plan& earlier, const core::Plan& now, std::vector<LostTask>& lost) {
  using Place = std::pair<std::string_view, std::string_view>;
  std::set<Place> known;
  for (const core::Phase& phase : earlier.phases) {
    for (const core::Criterion& one : phase.acceptance) known.emplace(phase.id.text, one.id.text);
  }
  std::set<Place> there;
  std::unordered_set<std::string_view> moved;  // ids
  std::map<std::string_view, std::size_t> reworded;
  for (const core::Phase& phase : now.phases) {
    for (const core::Criterion& one : phase.acceptance) {
      there.emplace(phase.id.text, one.id.text);
      if (known.contains({phase.id.text, one.id.text})) continue;
      moved.insert(one.id.text);
      if (!one.met) ++reworded[phase.id.text];
    }
  }
  for (std::size_t p = 0; p < earlier.phases.size(); ++p) {
    const core::Phase& phase = earlier.phases[p];
    for (std::size_t c = 0; c < phase.acceptance.size(); ++c) {
      const std::string_view id = phase.acceptance[c].id.text;
      if (there.contains({phase.id.text, id}) || moved.contains(id)) continue;
      if (const auto one = reworded.find(phase.id.text); one != reworded.end() && one->second > 0) {
        --one->second;
      } else {
        lost.push_back({p, c, true});
      }
    }
  }
}

// The boxes that SKIP markers leave out now, and did not in the earlier text.
std::vector<core::SkippedBox> skipped_since(const core::Plan& earlier, const core::Plan& now) {
  const auto key = [](const core::SkippedBox& box) {
    return box.title + '\0' + box.task.text + '\0' + box.criterion.text;
  };
  std::unordered_map<std::string, std::size_t> then;
  for (const core::SkippedBox& box : earlier.skipped_boxes) ++then[key(box)];
  std::vector<core::SkippedBox> since;
  for (const core::SkippedBox& box : now.skipped_boxes) {
    const auto known = then.find(key(box));
    if (known == then.end() || known->second == 0) {
      since.push_back(box);
    } else {
      --known->second;
    }
  }
  return since;
}

// The text of a skipped box is still in the plan.
void drop_skipped(const core::Plan& earlier, const core::Plan& now, std::vector<LostTask>& lost) {
  const std::vector<core::SkippedBox> boxes = skipped_since(earlier, now);
  if (boxes.empty()) return;
  std::vector<core::GoneItem> gone;
  for (const LostTask& one : lost) {
    const core::Phase& phase = earlier.phases[one.phase];
    gone.push_back({id_of(earlier, one),
                    one.criterion ? phase.acceptance[one.task].title : phase.tasks[one.task].title,
                    one.criterion});
  }
  const std::vector<bool> skipped = core::find_skipped(gone, boxes, boxes.size());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < lost.size(); ++i) {
    if (!skipped[i]) lost[kept++] = lost[i];
  }
  lost.resize(kept);
}

// Where a piece goes that has new text beside it.
enum class Beside {
  item,   // behind the line above it and what is nested there
  above,  // right behind the line above it
  below,  // right before the line below it
};

// Decides which lines of the earlier text come back, and where.
class Placing {
 public:
  Placing(const PlanLines& earlier, const PlanLines& now, const LineMatches& matches,
          const std::vector<bool>& lost)
      : earlier_(earlier), now_(now), matches_(matches), lost_(lost), owner_(earlier.size(), kNowhere) {
    find_owners();
    find_headings_around();
    mark_wanted();
  }

  PutBackLines lines(Beside beside) const {
    PutBackLines result;
    result.behind.resize(now_.size() + 1);
    std::size_t begin = 0;
    for (std::size_t line = 0; line <= earlier_.size(); ++line) {
      if (line < earlier_.size() && matches_.partner[line] == kNowhere) continue;
      if (line > begin) place(begin, line, beside, result);
      begin = line + 1;
    }
    return result;
  }

 private:
  // The box or heading that a line stands below.
  void find_owners() {
    std::size_t owner = kNowhere;
    bool joined = false;
    for (std::size_t line = 0; line < earlier_.size(); ++line) {
      const bool begins = earlier_.item_on(line) != kNowhere || earlier_.heading_on(line) != kNowhere;
      if (begins) owner = line;
      joined = begins || (joined && !is_blank(earlier_, line));
      owner_[line] = owner;
      joined_.push_back(joined);
    }
  }

  // Lost tasks, criteria that go with them, and the headings and markers they stand below.
  void mark_wanted() {
    wanted_.assign(earlier_.size(), false);
    whole_.assign(earlier_.size(), false);
    std::unordered_set<std::string_view> there;
    for (const core::Phase& phase : now_.plan().phases) there.insert(phase.id.text);
    std::vector<bool> gone;
    for (const core::Phase& phase : earlier_.plan().phases) gone.push_back(!there.contains(phase.id.text));
    // A phase that SKIP leaves out is gone from the plan, but nothing of it was lost.
    std::vector<bool> lost(gone.size());
    for (std::size_t i = 0; i < earlier_.items().size(); ++i)
      if (lost_[i]) lost[earlier_.items()[i].phase] = true;
    for (std::size_t p = 0; p < gone.size(); ++p) gone[p] = gone[p] && lost[p];
    for (std::size_t i = 0; i < earlier_.items().size(); ++i) {
      const LineItem& item = earlier_.items()[i];
      const bool below = item.parent_line != kNowhere && wanted_[item.parent_line];
      const bool criterion = item.criterion != nullptr && matches_.item_partner[i] == kNowhere;
      if (!lost_[i] && !(criterion && (below || gone[item.phase]))) continue;
      wanted_[item.line] = true;
      whole_[item.line] = gone[item.phase];
      want_headings(item.line);
      const std::size_t opening = earlier_.phase_line(item.phase);
      if (opening != kNowhere && matches_.partner[opening] == kNowhere) wanted_[opening] = true;
    }
  }

  // For each heading the one around it.
  void find_headings_around() {
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < earlier_.headings().size(); ++i) {
      while (!open.empty() && earlier_.headings()[open.back()].level >= earlier_.headings()[i].level)
        open.pop_back();
      around_.push_back(open.empty() ? kNowhere : open.back());
      open.push_back(i);
    }
  }

  void want_headings(std::size_t line) {
    const auto& headings = earlier_.headings();
    const auto behind = std::upper_bound(
        headings.begin(), headings.end(), line,
        [](std::size_t at, const auto& heading) { return at < static_cast<std::size_t>(heading.line) - 1; });
    std::size_t at =
        behind == headings.begin() ? kNowhere : static_cast<std::size_t>(behind - headings.begin()) - 1;
    for (; at != kNowhere; at = around_[at]) {
      const OutlineHeading& heading = headings[at];
      const auto first = static_cast<std::size_t>(heading.line) - 1;
      if (matches_.partner[first] != kNowhere) continue;
      if (wanted_[first]) break;  // and those around it
      for (std::int64_t part = heading.line; part <= heading.last_line; ++part)
        wanted_[static_cast<std::size_t>(part) - 1] = true;
      whole_[first] = true;
    }
  }

  bool is_blank(const PlanLines& lines, std::size_t line) const { return has_no_text(lines.line(line)); }

  // Beside new text: whether the line belongs to what comes back.
  bool belongs(std::size_t line) const {
    if (wanted_[line]) return true;
    const std::size_t owner = owner_[line];
    if (owner == kNowhere || !wanted_[owner] || is_blank(earlier_, line)) return false;
    if (whole_[owner] || earlier_.heading_on(owner) != kNowhere) return true;
    if (indent_of(earlier_.line(line)) > indent_of(earlier_.line(owner))) return true;
    return joined_[line];
  }

  // Lines `begin` to `end` of the earlier text no longer stand in the plan; those around them do.
  void place(std::size_t begin, std::size_t end, Beside beside, PutBackLines& result) const {
    bool any = false;
    for (std::size_t line = begin; line < end; ++line) any = any || wanted_[line];
    if (!any) return;
    const std::size_t above = begin == 0 ? 0 : matches_.partner[begin - 1] + 1;  // lines before the gap
    const std::size_t below = end == earlier_.size() ? now_.size() : matches_.partner[end];
    const bool in_order = below >= above;
    bool only_blanks = in_order;
    for (std::size_t line = above; only_blanks && line < below; ++line) only_blanks = is_blank(now_, line);
    if (only_blanks) {
      for (std::size_t line = begin; line < end; ++line) result.behind[above].push_back(line);
      return;
    }
    std::vector<std::size_t> lines;
    std::size_t last = kNowhere;
    for (std::size_t line = begin; line < end; ++line) {
      if (!belongs(line)) continue;
      if (last != kNowhere && line > last + 1 && is_blank(earlier_, line - 1)) lines.push_back(line - 1);
      lines.push_back(line);
      last = line;
    }
    const std::size_t at = place_of(lines.front(), above, in_order ? below : now_.size(), beside);
    // Apart from its neighbours as it was.
    const std::size_t first = lines.front();
    const bool loose_above = first > 0 && is_blank(earlier_, first - 1);
    const bool loose_below = last + 1 < earlier_.size() && is_blank(earlier_, last + 1);
    const bool heading =
        earlier_.heading_on(first) != kNowhere || (at < now_.size() && now_.heading_on(at) != kNowhere);
    if (loose_above && at > 0 && !is_blank(now_, at - 1)) lines.insert(lines.begin(), first - 1);
    if (loose_below && (loose_above || heading) && at < now_.size() && !is_blank(now_, at))
      lines.push_back(last + 1);
    result.behind[at].insert(result.behind[at].end(), lines.begin(), lines.end());
  }

  // New text behind a phase stays there: a heading that comes back does not take it.
  std::size_t place_of(std::size_t line, std::size_t above, std::size_t below, Beside beside) const {
    if (beside == Beside::above) return above;
    if (beside == Beside::below || earlier_.heading_on(line) != kNowhere) return below;
    return behind_item(above, below, line);
  }

  // Behind what is nested deeper than the line that comes back.
  std::size_t behind_item(std::size_t above, std::size_t below, std::size_t line) const {
    const std::size_t indent = indent_of(earlier_.line(line));
    std::size_t at = above;
    for (std::size_t next = above; next < below; ++next) {
      if (is_blank(now_, next)) continue;
      if (indent_of(now_.line(next)) <= indent) break;
      at = next + 1;
    }
    return at;
  }

  const PlanLines& earlier_;
  const PlanLines& now_;
  const LineMatches& matches_;
  const std::vector<bool>& lost_;
  std::vector<std::size_t> owner_;
  std::vector<bool> joined_;  // no blank line since the owner: its paragraph goes on
  std::vector<std::size_t> around_;
  std::vector<bool> wanted_;
  std::vector<bool> whole_;  // of a box or heading that is wanted: with all text up to the next
};

// Writes the plan with those lines, and notes where each line of either text is now.
std::string written(const PlanLines& earlier, const PlanLines& now, PutBackLines& lines) {
  const SourceText& source = now.source();
  const std::string end = line_end_at(source, 1);
  const auto first = static_cast<std::size_t>(source.lines_before_body());
  for (std::size_t line = 0; line < std::min(first, lines.behind.size() - 1); ++line) {
    auto& later = lines.behind[first];
    later.insert(later.begin(), lines.behind[line].begin(), lines.behind[line].end());
    lines.behind[line].clear();
  }
  std::string out;
  std::size_t count = 0;
  bool open_end = false;
  lines.of_now.assign(now.size(), kNowhere);
  lines.of_earlier.assign(earlier.size(), kNowhere);
  for (std::size_t line = 0; line <= now.size(); ++line) {
    if (line == 0) out = source.bytes().substr(0, first == 0 ? source.body_start() : 0);
    for (const std::size_t back : lines.behind[line]) {
      if (line == now.size() && count > 0 && !out.ends_with('\n') && !out.ends_with('\r'))
        out += end, open_end = true;
      out.append(earlier.line(back)).append(end);
      lines.of_earlier[back] = count++;
    }
    if (line == now.size()) break;
    lines.of_now[line] = count++;
    std::size_t start = source.line_start(static_cast<std::int64_t>(line) + 1);
    if (line == 0 && first == 0) start = source.body_start();
    const std::size_t next = line + 1 < now.size() ? source.line_start(static_cast<std::int64_t>(line) + 2)
                                                   : source.bytes().size();
    out.append(source.bytes().substr(start, next - start));
  }
  // A last line without a line end stays the only one without.
  if (open_end) out.resize(out.size() - end.size());
  return out;
}

}  // namespace

std::vector<LostTask> lost_tasks(const core::Plan& earlier, const core::Plan& present) {
  const core::Plan now = numbered_as(earlier, present);
  using Place = std::pair<std::string_view, std::string_view>;
  std::set<Place> known;
  std::unordered_set<std::string_view> known_ids;
  for (const core::Phase& phase : earlier.phases) {
    for (const core::Task& task : phase.tasks) {
      known.emplace(phase.id.text, task.id.text);
      known_ids.insert(task.id.text);
    }
  }
  std::set<Place> there;
  std::unordered_set<std::string_view> moved;    // ids
  std::unordered_set<std::string_view> renamed;  // titles
  for (const core::Phase& phase : now.phases) {
    for (const core::Task& task : phase.tasks) {
      there.emplace(phase.id.text, task.id.text);
      if (!known.contains({phase.id.text, task.id.text})) moved.insert(task.id.text);
      if (!task.title.empty() && !known_ids.contains(task.id.text)) renamed.insert(task.title);
    }
  }
  std::vector<LostTask> lost;
  for (std::size_t p = 0; p < earlier.phases.size(); ++p) {
    const core::Phase& phase = earlier.phases[p];
    for (std::size_t t = 0; t < phase.tasks.size(); ++t) {
      const core::Task& task = phase.tasks[t];
      const bool here = there.contains({phase.id.text, task.id.text}) || moved.contains(task.id.text) ||
                        renamed.contains(task.title);
      if (!here) lost.push_back({p, t, false});
    }
  }
  add_lost_criteria(earlier, now, lost);
  drop_skipped(earlier, now, lost);
  return lost;
}

const std::string& id_of(const core::Plan& earlier, const LostTask& lost) {
  const core::Phase& phase = earlier.phases[lost.phase];
  return lost.criterion ? phase.acceptance[lost.task].id.text : phase.tasks[lost.task].id.text;
}

Result<std::string> put_back(std::string_view bytes, const core::Plan& now, std::string_view earlier_bytes,
                             const core::Plan& earlier, const std::vector<LostTask>& lost) {
  if (lost.empty()) return std::string(bytes);
  TRY_ASSIGN(const PlanLines then, PlanLines::read(earlier_bytes, earlier));
  const core::Plan by_then = numbered_as(earlier, now);
  TRY_ASSIGN(const PlanLines present, PlanLines::read(bytes, by_then));
  const std::vector<bool> gone = lost_items(then, lost);
  const LineMatches matches = match_plan_lines(then, present, gone);
  const Placing placing(then, present, matches, gone);
  std::string why;
  for (const Beside beside : {Beside::item, Beside::below, Beside::above}) {
    PutBackLines lines = placing.lines(beside);
    std::string text = written(then, present, lines);
    TRY_ASSIGN(const core::Plan result, parse_plan(text));
    TRY_ASSIGN(const PlanLines read, PlanLines::read(text, result));
    const std::string wrong = wrong_after_put_back(then, present, matches, gone, lines, read);
    if (wrong.empty()) return text;
    if (why.empty()) why = wrong;
  }
  return base::fail(base::ErrorKind::conflict, "the lost tasks have no place in the current plan: " + why,
                    "restore the whole earlier version: omit --lost");
}

}  // namespace plankeep::markdown
