#include "rules/attribution.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/text.hpp"

namespace plankeep::core {
namespace {

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

EditedLines::EditedLines(std::span<const TextEdit> edits) {
  for (const TextEdit& edit : edits) {
    std::unordered_map<std::string, std::size_t> known;
    if (!edit.before.empty()) {
      each_line(edit.before, [&known](std::string_view line) { ++known[normal(line)]; });
    }
    std::unordered_map<std::string, std::size_t> open = known;
    std::vector<std::string_view> fresh;
    std::vector<char> now_ticked;
    each_line(edit.after, [&](std::string_view line) {
      std::string plain = normal(line);
      if (plain.empty()) return;
      if (const auto old = known.find(plain); old != known.end() && old->second > 0) {
        --old->second;
        return;
      }
      const auto had = [&](char character) {
        const std::string other = with_box(plain, character);
        const auto old = other.empty() ? open.end() : open.find(other);
        if (old == open.end() || old->second == 0) return false;
        --old->second;
        return true;
      };
      const bool tick = had(' ') || had('~') || had('/') || had('-');
      fresh.push_back(line);
      now_ticked.push_back(tick ? 1 : 0);
      if (tick) ticked_.whole.insert(plain);
      wrote_.whole.insert(std::move(plain));
    });
    if (fresh.empty()) continue;
    // Only these can be parts of a line.
    const auto add_part = [this, &edit](std::string_view line, bool tick, bool edge) {
      const std::string_view part = base::trimmed(line);
      if (!edge || part.find('[') == std::string_view::npos || edit.before == edit.after) return;
      wrote_.parts.emplace_back(part);
      if (tick) ticked_.parts.emplace_back(part);
    };
    add_part(fresh.front(), now_ticked.front() != 0, fresh.front().data() == edit.after.data());
    const std::string_view last = fresh.back();
    if (fresh.size() > 1)
      add_part(last, now_ticked.back() != 0,
               last.data() + last.size() == edit.after.data() + edit.after.size());
  }
}

bool EditedLines::wrote(std::string_view line, std::size_t at) const {
  return wrote_.hold(line, at);
}

bool EditedLines::ticked(std::string_view line, std::size_t at) const {
  return ticked_.hold(line, at);
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
               const EditedLines& lines, base::Instant now) {
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
        if (wrote(lines, text, task.boxes)) continue;
        event->by = kNobody;
        if (event->kind == EventKind::task_completed) effective_state.completed_by = kNobody;
        continue;
      }
      if (!waits(effective_state, now) || !wrote(lines, text, task.boxes)) continue;
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
      if (event != nullptr && !wrote(lines, text, criterion.boxes)) event->by = kNobody;
    }
  }
  result.events.insert(result.events.end(), claimed.begin(), claimed.end());
}

}  // namespace plankeep::core
