#include "rules/attribution.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/text.hpp"
#include "rules/match.hpp"

namespace plankeep::core {
namespace {

// Pairs of lines that are compared for their likeness: more are not looked at.
constexpr std::size_t kMostCompared = 2500;

constexpr std::string_view kBlank = " \t\r";

std::string_view without_bullet(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t\r>");
  if (begin == std::string_view::npos) return {};
  line.remove_prefix(begin);
  std::size_t mark = line.find_first_not_of("0123456789");
  if (mark == std::string_view::npos) return line;
  const bool numbered = mark > 0 && (line[mark] == '.' || line[mark] == ')');
  const bool bullet = mark == 0 && (line[0] == '-' || line[0] == '*' || line[0] == '+');
  if (!numbered && !bullet) return line;
  const std::size_t text = line.find_first_not_of(kBlank, mark + 1);
  if (text == mark + 1) return line;  // no white space: not a list item
  return text == std::string_view::npos ? std::string_view() : line.substr(text);
}

std::string normal(std::string_view line) {
  line = without_bullet(line);
  std::string text;
  text.reserve(line.size());
  bool gap = false;
  for (const char c : line) {
    if (kBlank.find(c) != std::string_view::npos) {
      gap = true;
      continue;
    }
    if (gap && !text.empty()) text += ' ';
    gap = false;
    text += c;
  }
  return text;
}

template <class Take>
void each_line(std::string_view text, Take take) {
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    take(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

// Whether the line of one of the boxes is so; a text that is not the one the plan was read from explains
// nothing.
template <class Is>
bool any_line(std::string_view text, const std::vector<Box>& boxes, const Is& is) {
  return std::any_of(boxes.begin(), boxes.end(), [&](const Box& box) {
    if (box.offset >= text.size()) return false;
    const std::size_t before = text.rfind('\n', box.offset);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    const std::size_t end = std::min(text.find('\n', box.offset), text.size());
    return begin <= box.offset && is(text.substr(begin, end - begin), box.offset - begin);
  });
}

bool wrote(const EditedLines& lines, std::string_view text, const std::vector<Box>& boxes) {
  return any_line(text, boxes,
                  [&lines](std::string_view line, std::size_t at) { return lines.wrote(line, at); });
}

bool set_box(const EditedLines& lines, std::string_view text, const std::vector<Box>& boxes) {
  return any_line(text, boxes,
                  [&lines](std::string_view line, std::size_t at) { return lines.set_box(line, at); });
}

// Whether an event about these boxes is the edit's.
bool explains(const EditedLines& lines, std::string_view text, const std::vector<Box>& boxes,
              EventKind kind) {
  const bool added = kind == EventKind::task_added || kind == EventKind::acceptance_added;
  return added ? wrote(lines, text, boxes) : set_box(lines, text, boxes);
}

// Whether the edit ticked these boxes before somebody else noticed it.
bool ticked_before(const EditedLines& lines, std::string_view text, const std::vector<Box>& boxes,
                   bool recorded) {
  return any_line(text, boxes, [&](std::string_view line, std::size_t at) {
    return lines.set_box(line, at) && (recorded || !lines.wrote_blindly(line, at));
  });
}

bool ticked(const EditedLines& lines, std::string_view text, const std::vector<Box>& boxes) {
  return any_line(text, boxes,
                  [&lines](std::string_view line, std::size_t at) { return lines.ticked(line, at); });
}

// A decision or blocker whose line the edit does not hold was written by somebody else.
class MarkerAuthors {
 public:
  MarkerAuthors(const Plan& plan, std::string_view text, const EditedLines& edited) {
    std::vector<std::string_view> lines;
    each_line(text, [&lines](std::string_view line) { lines.push_back(line); });
    const auto add = [&](auto& wrote, const auto& marker) {
      const auto line = static_cast<std::size_t>(marker.line) - 1;
      wrote.emplace(marker.text, line < lines.size() && edited.wrote_line(lines[line]));
    };
    for (const Decision& decision : plan.decisions) add(decisions_, decision);
    for (const Blocker& blocker : plan.blockers) add(blockers_, blocker);
  }

  bool wrote(const Event& event) const {
    const bool decided = event.kind == EventKind::decision_recorded;
    const auto& wrote = decided ? decisions_ : blockers_;
    const auto found = wrote.find(decided ? event.decision : event.blocker);
    return found == wrote.end() || found->second;
  }

 private:
  std::unordered_map<std::string_view, bool> decisions_;
  std::unordered_map<std::string_view, bool> blockers_;
};

// A line with a ticked box, normal, with another character in the box; empty when it has none.
std::string with_box(std::string_view line, char character) {
  for (const std::string_view box : {"[x]", "[X]"}) {
    const std::size_t at = line.find(box);
    if (at == std::string_view::npos) continue;
    std::string other(line);
    other[at + 1] = character;
    return other;
  }
  return {};
}

// Whether the box that such a line begins with is ticked; nullopt: it begins with none.
std::optional<bool> box_of(std::string_view plain) {
  if (plain.size() < 3 || plain[0] != '[' || plain[2] != ']') return std::nullopt;
  return plain[1] == 'x' || plain[1] == 'X';
}

// What is behind the box of a line that begins with one.
std::string_view behind_box(std::string_view plain) {
  return base::trimmed(plain.substr(3));
}

using Named = std::unordered_multimap<std::string_view, Event*>;

// The events of a box by its id.
Event* first_of(const Named& events, std::string_view id, const PhaseId& phase) {
  const auto [from, to] = events.equal_range(id);
  for (auto at = from; at != to; ++at) {
    if (at->second->phase == phase) return at->second;
  }
  return nullptr;
}

bool waits(const TaskState& task, base::Instant now) {
  return task.done && task.completed_at && task.completed_by == kNobody &&
         now.milliseconds - task.completed_at->milliseconds <= kAttributionMilliseconds;
}

}  // namespace

struct EditedLines::Fresh {
  std::string_view line;
  std::string plain;  // as normal() gives it
  bool ticked = false;
  bool kept = false;   // its box was so before
  bool known = false;  // it is known what its box was
};

// Which of the lines had their box before in other words: pairs them with the lines that are left of the text
// before, the most alike first. In doubt it had.
void EditedLines::find_kept(std::vector<Fresh>& fresh,
                            const std::unordered_map<std::string, std::size_t>& left) const {
  std::vector<std::string_view> olds;
  for (const auto& [line, count] : left) {
    if (box_of(line)) olds.insert(olds.end(), count, line);
  }
  std::sort(olds.begin(), olds.end());
  std::vector<std::size_t> news;
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    if (!fresh[i].known && box_of(fresh[i].plain)) news.push_back(i);
  }
  if (olds.empty() || news.empty()) return;
  if (news.size() > kMostCompared / olds.size()) {
    for (const std::size_t i : news) fresh[i].kept = true;
    return;
  }
  struct Pair {
    double likeness;
    bool same;  // box
    std::size_t fresh;
    std::size_t old;
  };
  std::vector<Pair> pairs;
  for (const std::size_t i : news) {
    for (std::size_t o = 0; o < olds.size(); ++o) {
      const bool same = box_of(olds[o]) == box_of(fresh[i].plain);
      pairs.push_back({similarity(behind_box(olds[o]), behind_box(fresh[i].plain)), same, i, o});
    }
  }
  std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
    return a.likeness != b.likeness ? a.likeness > b.likeness : a.same && !b.same;
  });
  std::vector<char> taken(olds.size(), 0);
  for (const Pair& pair : pairs) {
    Fresh& line = fresh[pair.fresh];
    if (line.known || taken[pair.old] != 0) continue;
    line.known = true;
    taken[pair.old] = 1;
    // What an earlier edit of the same call ticked, and this one rewords, is a tick of that call.
    line.kept = pair.same && !set_.whole.contains(std::string(olds[pair.old]));
  }
}

EditedLines::EditedLines(std::span<const TextEdit> edits) {
  for (const TextEdit& edit : edits) {
    std::unordered_map<std::string, std::size_t> left;
    if (!edit.before.empty()) {
      each_line(edit.before, [&left](std::string_view line) { ++left[normal(line)]; });
    }
    const auto take = [&left](const std::string& plain) {
      const auto old = plain.empty() ? left.end() : left.find(plain);
      if (old == left.end() || old->second == 0) return false;
      --old->second;
      return true;
    };
    std::vector<Fresh> fresh;
    each_line(edit.after, [&](std::string_view line) {
      std::string plain = normal(line);
      if (!plain.empty() && !take(plain)) fresh.push_back({line, std::move(plain)});
    });
    for (Fresh& line : fresh) {
      const auto had = [&](char character) { return take(with_box(line.plain, character)); };
      line.ticked = had(' ') || had('~') || had('/') || had('-');
      line.known = line.ticked;
    }
    find_kept(fresh, left);
    for (const Fresh& line : fresh) {
      wrote_.whole.insert(line.plain);
      if (line.ticked) ticked_.whole.insert(line.plain);
      if (!line.kept) set_.whole.insert(line.plain);
      if (edit.before.empty()) blind_.whole.insert(line.plain);
    }
    if (fresh.empty()) continue;
    // Only these can be parts of a line.
    const auto add_part = [this, &edit](const Fresh& line, bool edge) {
      const std::string_view part = base::trimmed(line.line);
      if (!edge || part.find('[') == std::string_view::npos || edit.before == edit.after) return;
      wrote_.parts.emplace_back(part);
      if (line.ticked) ticked_.parts.emplace_back(part);
      if (!line.kept) set_.parts.emplace_back(part);
      if (edit.before.empty()) blind_.parts.emplace_back(part);
    };
    const std::string_view last = fresh.back().line;
    add_part(fresh.front(), fresh.front().line.data() == edit.after.data());
    if (fresh.size() > 1)
      add_part(fresh.back(), last.data() + last.size() == edit.after.data() + edit.after.size());
  }
}

bool EditedLines::wrote(std::string_view line, std::size_t at) const {
  return wrote_.hold(line, at);
}

bool EditedLines::ticked(std::string_view line, std::size_t at) const {
  return ticked_.hold(line, at);
}

bool EditedLines::set_box(std::string_view line, std::size_t at) const {
  return set_.hold(line, at);
}

bool EditedLines::wrote_blindly(std::string_view line, std::size_t at) const {
  return blind_.hold(line, at);
}

bool EditedLines::wrote_line(std::string_view line) const {
  return wrote_.whole.contains(normal(line));
}

bool EditedLines::Lines::hold(std::string_view line, std::size_t at) const {
  if (whole.contains(normal(line))) return true;
  return std::any_of(parts.begin(), parts.end(), [line, at](const std::string& part) {
    for (std::size_t found = line.find(part); found != std::string_view::npos && found <= at;
         found = line.find(part, found + 1)) {
      if (at < found + part.size()) return true;
    }
    return false;
  });
}

bool awaits_author(const State& state, base::Instant now) {
  return std::any_of(state.phases.begin(), state.phases.end(), [now](const PhaseState& phase) {
    return std::any_of(phase.tasks.begin(), phase.tasks.end(),
                       [now](const TaskState& task) { return waits(task, now); });
  });
}

Plan before_ticks(const Plan& plan, std::string_view text, const EditedLines& lines) {
  Plan before = plan;
  for (Phase& phase : before.phases) {
    for (Task& task : phase.tasks) {
      if (task.done() && ticked(lines, text, task.boxes)) task.state = BoxState::open;
    }
    for (Criterion& criterion : phase.acceptance) {
      if (criterion.met && ticked(lines, text, criterion.boxes)) criterion.met = false;
    }
  }
  return before;
}

void attribute(Reconciled& result, const Plan& plan, std::string_view text, std::string_view actor,
               const EditedLines& lines, base::Instant now, bool recorded) {
  Named of_tasks;
  Named of_criteria;
  std::optional<MarkerAuthors> authors;
  for (Event& event : result.events) {
    switch (event.kind) {
      case EventKind::task_completed:
      case EventKind::task_reopened:
      case EventKind::task_added:
        of_tasks.emplace(event.task.text, &event);
        break;
      case EventKind::acceptance_met:
      case EventKind::acceptance_unmet:
      case EventKind::acceptance_added:
        of_criteria.emplace(event.criterion.text, &event);
        break;
      case EventKind::decision_recorded:
      case EventKind::blocker_raised:
        if (!authors) authors.emplace(plan, text, lines);
        if (!authors->wrote(event)) event.by = kNobody;
        break;
      default:
        break;
    }
  }
  std::vector<Event> claimed;
  for (std::size_t p = 0; p < plan.phases.size() && p < result.state.phases.size(); ++p) {
    const Phase& phase = plan.phases[p];
    PhaseState& state = result.state.phases[p];
    for (std::size_t t = 0; t < phase.tasks.size() && t < state.tasks.size(); ++t) {
      const Task& task = phase.tasks[t];
      TaskState& effective_state = state.tasks[t];
      if (Event* event = first_of(of_tasks, task.id.text, phase.id)) {
        if (explains(lines, text, task.boxes, event->kind)) continue;
        event->by = kNobody;
        if (event->kind == EventKind::task_completed) effective_state.completed_by = kNobody;
        continue;
      }
      if (!waits(effective_state, now) || !ticked_before(lines, text, task.boxes, recorded)) continue;
      Event& taken = claimed.emplace_back();
      taken.time = now;
      taken.kind = EventKind::task_attributed;
      taken.task = task.id;
      taken.phase = phase.id;
      taken.title = task.title;
      taken.by = actor;
      taken.from = kNobody;
      effective_state.completed_by = actor;
    }
    for (const Criterion& criterion : phase.acceptance) {
      Event* event = first_of(of_criteria, criterion.id.text, phase.id);
      if (event != nullptr && !explains(lines, text, criterion.boxes, event->kind)) event->by = kNobody;
    }
  }
  result.events.insert(result.events.end(), claimed.begin(), claimed.end());
}

}  // namespace plankeep::core
