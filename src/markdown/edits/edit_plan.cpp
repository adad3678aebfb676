#include "markdown/edits/edit_plan.hpp"

#include <algorithm>
#include <optional>

#include "base/utf8.hpp"
#include "markdown/edits/edit_check.hpp"
#include "markdown/inline_scan.hpp"
#include "markdown/item_lines.hpp"
#include "markdown/marker.hpp"
#include "markdown/outline/outline.hpp"
#include "markdown/parse_plan.hpp"
#include "model/progress.hpp"

namespace plankeep::markdown {
namespace {

using base::ErrorKind;
using base::fail;
using base::Result;
using core::BoxState;

bool contains(const std::vector<core::Box>& boxes, const core::Box& box) {
  return std::find(boxes.begin(), boxes.end(), box) != boxes.end();
}

// What the plan must read like after `boxes` were set.
core::Plan with_boxes_set(core::Plan plan, const std::vector<core::Box>& boxes, BoxState state) {
  for (core::Phase& phase : plan.phases) {
    for (core::Task& task : phase.tasks) {
      const auto all = std::all_of(task.boxes.begin(), task.boxes.end(),
                                   [&](const core::Box& box) { return contains(boxes, box); });
      if (all) task.state = state;
    }
    for (core::Criterion& criterion : phase.acceptance) {
      const auto all = std::all_of(criterion.boxes.begin(), criterion.boxes.end(),
                                   [&](const core::Box& box) { return contains(boxes, box); });
      if (all) criterion.met = state == BoxState::done;
    }
  }
  return plan;
}

// A box shared by a task that has others too: what comes of it is the parser's to say.
void forget_partly_set(core::Plan& plan, const core::Plan& before, const std::vector<core::Box>& boxes) {
  for (std::size_t p = 0; p < before.phases.size() && p < plan.phases.size(); ++p) {
    const auto& tasks = before.phases[p].tasks;
    for (std::size_t t = 0; t < tasks.size() && t < plan.phases[p].tasks.size(); ++t) {
      const auto set = std::count_if(tasks[t].boxes.begin(), tasks[t].boxes.end(),
                                     [&](const core::Box& box) { return contains(boxes, box); });
      const bool partly = set > 0 && set < static_cast<std::ptrdiff_t>(tasks[t].boxes.size());
      if (partly) plan.phases[p].tasks[t].state = BoxState::open;
    }
  }
}

char letter_of(BoxState state) {
  switch (state) {
    case BoxState::done:
      return 'x';
    case BoxState::active:
      return '~';
    case BoxState::open:
      return ' ';
  }
  return ' ';
}

bool says(std::string_view inside, BoxState state) {
  switch (state) {
    case BoxState::done:
      return inside == "x" || inside == "X";
    case BoxState::active:
      return inside == "~" || inside == "/" || inside == "-";
    case BoxState::open:
      return inside == " ";
  }
  return false;
}

bool is_container_prefix(std::string_view text) {
  return text.find_first_not_of(" \t>") == kNone;
}

// Puts a line behind `line`, indented and quoted like the text at `like`; nullopt where that cannot be.
std::optional<std::string> insert_line(const SourceText& source, std::int64_t line, std::size_t like,
                                       std::string_view text) {
  const std::int64_t like_line = source.position(like).line;
  std::size_t start = source.line_start(like_line);
  if (like_line == 1) start = std::min(like, source.body_start());
  const std::string_view prefix = source.bytes().substr(start, like - start);
  if (!is_container_prefix(prefix)) return std::nullopt;
  const std::string end = line_end_at(source, line);
  std::string result(source.bytes());
  const bool last = line >= source.line_count();
  const std::size_t at = last ? source.bytes().size() : source.line_start(line + 1);
  std::string fresh;
  if (last && source.line_end(line) == source.bytes().size()) fresh += end;  // no final line end: keep it so
  fresh += prefix;
  fresh += text;
  if (fresh.front() != end.front() || !last) fresh += end;
  result.insert(at, fresh);
  return result;
}

std::string append_line(const SourceText& source, std::string_view text) {
  const std::string end = line_end_at(source, source.line_count());
  std::string result(source.bytes());
  const bool open = source.line_start(source.line_count()) != source.bytes().size();
  if (open) result += end;
  const bool blank_before =
      source.line_count() > 1 && source.line(open ? source.line_count() : source.line_count() - 1).empty();
  if (!source.bytes().empty() && !blank_before) result += end;
  result += text;
  if (!open) result += end;
  return result;
}

// Behind which line a record of the current phase belongs, and what it is to be indented like.
struct Place {
  std::int64_t line = 0;
  std::size_t like = 0;
};

std::optional<Place> place_under_current_phase(const SourceText& source, const core::Plan& plan,
                                               const Outline& outline) {
  if (plan.phases.empty()) return std::nullopt;
  const core::Current current = core::current_of(plan);
  const core::Phase& phase = plan.phases[current.phase.value_or(plan.phases.size() - 1)];
  std::optional<Place> place;
  for (const OutlineMarker& marker : outline.markers) {
    if (marker.kind != MarkerKind::checkpoint || marker.id != phase.id.text) continue;
    place = Place{source.position(marker.end - 1).line, marker.begin};
    break;
  }
  for (const OutlineHeading& heading : outline.headings) {
    if (place && heading.line <= place->line && place->line <= heading.last_line) {
      place = Place{heading.last_line, heading.offset};  // the marker stands in the heading
      break;
    }
    if (!place && heading.line == phase.line && heading.title == phase.title) {
      place = Place{heading.last_line, heading.offset};
      break;
    }
  }
  if (!place) return std::nullopt;
  // Behind the decisions and blockers that are there already, each on a line of its own.
  for (const OutlineMarker& marker : outline.markers) {
    const Position first = source.position(marker.begin);
    if (first.line != place->line + 1) continue;
    if (marker.kind != MarkerKind::decision && marker.kind != MarkerKind::blocker) break;
    if (!is_container_prefix(source.bytes().substr(source.line_start(first.line),
                                                   marker.begin - source.line_start(first.line))))
      break;
    place->line = source.position(marker.end - 1).line;
  }
  return place;
}

base::Status check_value(std::string_view value, std::string_view what) {
  if (value.find("-->") != kNone || value.find("<!--") != kNone) {
    return fail(ErrorKind::invalid_input, std::string(what) + " must not contain \"<!--\" or \"-->\"",
                "it is stored in an HTML comment; reword it");
  }
  return {};
}

// Tries each candidate text until one reads as wanted.
template <class Check>
Result<std::string> first_that_holds(std::vector<std::string> candidates, const Check& holds,
                                     std::string_view what) {
  for (std::string& candidate : candidates) {
    const Result<core::Plan> after = parse_plan(candidate);
    if (after && holds(*after)) return std::move(candidate);
  }
  return fail(ErrorKind::conflict,
              std::string(what) + " cannot be added to this plan without changing its meaning elsewhere",
              "edit the plan by hand; is a code fence or comment left open?");
}

Result<std::string> add_record(std::string_view bytes, const core::Plan& plan, const std::string& marker,
                               const core::Plan& wanted, std::string_view what) {
  const SourceText source(bytes);
  TRY_ASSIGN(const Outline outline, read_outline(source));
  std::vector<std::string> candidates;
  if (const auto place = place_under_current_phase(source, plan, outline)) {
    if (auto text = insert_line(source, place->line, place->like, marker))
      candidates.push_back(std::move(*text));
  }
  candidates.push_back(append_line(source, marker));
  const auto sorted_texts = [](const auto& records) {
    std::vector<std::string> texts;
    texts.reserve(records.size());
    for (const auto& record : records) texts.push_back(record.text);
    std::sort(texts.begin(), texts.end());
    return texts;
  };
  return first_that_holds(
      std::move(candidates),
      [&](const core::Plan& after) {
        if (!same_phases(after, plan)) return false;
        if (sorted_texts(after.decisions) != sorted_texts(wanted.decisions)) return false;
        if (sorted_texts(after.blockers) != sorted_texts(wanted.blockers)) return false;
        if (wanted.decisions.size() == plan.decisions.size()) return true;
        const core::Decision& added = wanted.decisions.back();
        return std::any_of(after.decisions.begin(), after.decisions.end(),
                           [&](const core::Decision& decision) {
                             return decision.text == added.text && decision.reason == added.reason;
                           });
      },
      what);
}

}  // namespace

Result<std::string> set_boxes(std::string_view bytes, const core::Plan& plan,
                              const std::vector<core::Box>& boxes, BoxState state) {
  std::vector<core::Box> todo;
  for (const core::Box& box : boxes) {
    if (box.offset + box.length > bytes.size()) return fail(ErrorKind::internal, "a box outside the plan");
    if (!says(bytes.substr(box.offset, box.length), state) && !contains(todo, box)) todo.push_back(box);
  }
  if (todo.empty()) return std::string(bytes);
  std::sort(todo.begin(), todo.end(), [](const auto& a, const auto& b) { return a.offset > b.offset; });
  std::string result(bytes);
  for (const core::Box& box : todo) result.replace(box.offset, box.length, 1, letter_of(state));
  TRY_ASSIGN(core::Plan after, parse_plan(result));
  core::Plan wanted = with_boxes_set(plan, boxes, state);
  forget_partly_set(wanted, plan, boxes);
  forget_partly_set(after, plan, boxes);
  if (!same_phases(after, wanted) || !same_decisions(after, plan) || !same_blockers(after, plan)) {
    return fail(ErrorKind::conflict, "the box cannot be set without changing the plan's meaning elsewhere",
                "edit the plan by hand");
  }
  return result;
}

Result<std::string> add_decision(std::string_view bytes, const core::Plan& plan, std::string_view text,
                                 std::string_view reason) {
  TRY(check_value(text, "a decision"));
  TRY(check_value(reason, "a reason"));
  const std::string value = fold_space(base::printable(text));
  const std::string why = fold_space(base::printable(reason));
  if (value.empty()) return fail(ErrorKind::invalid_input, "a decision needs a text");
  const std::string inside = " DECISION: " + value + (why.empty() ? "" : " | reason: " + why) + " ";
  const MarkerReading reading = read_marker(inside);
  if (reading.result != MarkerReading::Result::marker || reading.text != value || reading.reason != why) {
    return fail(ErrorKind::invalid_input, "the text looks like an attribute (\"| key: value\")",
                "remove the bar or the colon");
  }
  core::Plan wanted = plan;
  wanted.decisions.push_back({value, why, 1});
  return add_record(bytes, plan, "<!--" + inside + "-->", wanted, "the decision");
}

Result<std::string> add_blocker(std::string_view bytes, const core::Plan& plan, std::string_view text) {
  TRY(check_value(text, "a blocker"));
  const std::string value = fold_space(base::printable(text));
  if (value.empty()) return fail(ErrorKind::invalid_input, "a blocker needs a text");
  const std::string inside = " BLOCKER: " + value + " ";
  const MarkerReading reading = read_marker(inside);
  if (reading.result != MarkerReading::Result::marker || reading.text != value) {
    return fail(ErrorKind::invalid_input, "the text looks like an attribute (\"| key: value\")",
                "remove the bar or the colon");
  }
  core::Plan wanted = plan;
  wanted.blockers.push_back({value, 1});
  return add_record(bytes, plan, "<!--" + inside + "-->", wanted, "the blocker");
}

Result<std::string> remove_blocker(std::string_view bytes, const core::Plan& plan, std::size_t index) {
  if (index >= plan.blockers.size()) return fail(ErrorKind::not_found, "there is no such blocker");
  const SourceText source(bytes);
  TRY_ASSIGN(const Outline outline, read_outline(source));
  const OutlineMarker* marker = nullptr;
  std::size_t seen = 0;
  for (const OutlineMarker& candidate : outline.markers) {
    if (candidate.kind != MarkerKind::blocker) continue;
    if (seen++ == index) marker = &candidate;
  }
  if (marker == nullptr) return fail(ErrorKind::internal, "the blocker is no longer in its place");
  const std::int64_t first = source.position(marker->begin).line;
  const std::int64_t last = source.position(marker->end - 1).line;
  const std::string_view before =
      bytes.substr(source.line_start(first), marker->begin - source.line_start(first));
  const std::string_view behind = bytes.substr(marker->end, source.line_end(last) - marker->end);
  std::vector<std::string> candidates;
  if (is_container_prefix(before) && behind.find_first_not_of(" \t") == kNone) {
    const std::size_t end = last < source.line_count() ? source.line_start(last + 1) : bytes.size();
    std::string without(bytes);
    without.erase(source.line_start(first), end - source.line_start(first));
    candidates.push_back(std::move(without));
  } else {
    std::size_t begin = marker->begin;
    if (begin > source.line_start(first) && bytes[begin - 1] == ' ') --begin;
    std::string without(bytes);
    without.erase(begin, marker->end - begin);
    candidates.push_back(std::move(without));
  }
  std::string blank(bytes);
  blank.erase(marker->begin, marker->end - marker->begin);
  candidates.push_back(std::move(blank));
  core::Plan wanted = plan;
  wanted.blockers.erase(wanted.blockers.begin() + static_cast<std::ptrdiff_t>(index));
  return first_that_holds(
      std::move(candidates),
      [&](const core::Plan& after) {
        return same_phases(after, plan) && same_decisions(after, plan) && same_blockers(after, wanted);
      },
      "the removal of the blocker");
}

}  // namespace plankeep::markdown
