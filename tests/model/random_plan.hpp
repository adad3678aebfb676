#pragma once
// Plans made at random, small enough that ids come and go, move between phases and meet again.

#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <vector>

#include "model/plan.hpp"

namespace plankeep::core {

inline BoxState random_box() {
  return *rc::gen::element(BoxState::open, BoxState::active, BoxState::done, BoxState::done);
}

/// Puts tasks below those before them, as lists do.
inline void nest(Phase& phase) {
  std::vector<std::size_t> around;  // the tasks around the last one, and itself
  for (std::size_t t = 0; t < phase.tasks.size(); ++t) {
    around.resize(static_cast<std::size_t>(*rc::gen::inRange<int>(0, static_cast<int>(around.size()) + 1)));
    phase.tasks[t].parent = around.empty() ? TaskId() : phase.tasks[around.back()].id;
    if (!around.empty() && phase.tasks[around.back()].optional) phase.tasks[t].optional = true;
    around.push_back(t);
  }
}

/// As parse_plan would give it: ids unique within a phase, phases unique, boxes in order.
inline Plan random_marked_plan() {
  Plan plan;
  std::int64_t line = 1;
  for (const char* phase_name : {"p1", "p2", "p3"}) {
    if (*rc::gen::inRange(0, 4) == 0) continue;
    Phase phase;
    phase.id = PhaseId(phase_name);
    phase.title = std::string("Phase ") + phase_name;
    phase.line = line++;
    for (const char* id : {"a", "b", "c", "d"}) {
      if (*rc::gen::inRange(0, 3) == 0) continue;
      Task task;
      task.id = TaskId(id);
      task.title = *rc::gen::element<std::string>("Task", "Other", "Third");
      task.marked = true;
      task.state = random_box();
      task.optional = *rc::gen::inRange(0, 6) == 0;
      task.line = line++;
      phase.tasks.push_back(std::move(task));
    }
    if (*rc::gen::arbitrary<bool>()) std::reverse(phase.tasks.begin(), phase.tasks.end());
    nest(phase);
    for (const char* id : {"x", "y"}) {
      if (*rc::gen::inRange(0, 2) == 0) continue;
      phase.acceptance.push_back({CriterionId(id), "Criterion", *rc::gen::arbitrary<bool>(), line++, "", {}});
    }
    plan.phases.push_back(std::move(phase));
  }
  for (const char* text : {"use it", "drop it"}) {
    if (*rc::gen::inRange(0, 2) == 0)
      plan.decisions.push_back({text, *rc::gen::element<std::string>("", "why"), line++});
  }
  for (const char* text : {"no key", "no time"}) {
    if (*rc::gen::inRange(0, 2) == 0) plan.blockers.push_back({text, line++});
  }
  return plan;
}

/// Titles from a small set, so that they repeat, are reworded and move; ids as a first reading would give
/// them.
inline Plan random_unmarked_plan() {
  Plan plan;
  std::vector<std::string> used;
  const auto unique = [&](const std::string& wanted) {
    std::string name = wanted;
    for (int n = 2; std::find(used.begin(), used.end(), name) != used.end(); ++n)
      name = wanted + "-" + std::to_string(n);
    used.push_back(name);
    return name;
  };
  for (const char* phase_name : {"setup", "build"}) {
    Phase phase;
    phase.id = PhaseId(phase_name);
    phase.title = phase_name;
    const int count = *rc::gen::inRange(0, 5);
    for (int i = 0; i < count; ++i) {
      static const std::vector<std::pair<std::string, std::string>> kTitles{
          {"Write the parser tests", "write-the-parser-tests"},
          {"Write the parser tests now", "write-the-parser-tests-now"},
          {"Write the lexer tests", "write-the-lexer-tests"},
          {"Ship it", "ship-it"},
          {"Commit", "commit"},
          {"Commit", "commit"},
          {"T001 Create the project", "T001"},
          {"T002 Create the projects", "T002"},
          {"Choose a database", "choose-a-database"}};
      const auto& [title, id] = *rc::gen::elementOf(kTitles);
      Task task;
      task.title = title;
      task.id_in_text = title.starts_with("T0");
      task.id = TaskId(unique(id));
      task.state = random_box();
      phase.tasks.push_back(std::move(task));
    }
    nest(phase);
    if (!phase.tasks.empty()) plan.phases.push_back(std::move(phase));
  }
  return plan;
}

/// Boxes numbered in order, through the plan or in each phase, with words that come again under other
/// numbers; some are without a number.
inline Plan random_numbered_plan() {
  Plan plan = random_unmarked_plan();
  const bool goes_on = *rc::gen::arbitrary<bool>();
  int number = 0;
  std::vector<std::string> used;
  for (Phase& phase : plan.phases) {
    if (!goes_on) number = 0;
    for (Task& task : phase.tasks) {
      task.parent = TaskId();
      if (task.id_in_text) task.title = task.title.substr(5);
      task.id_in_text = *rc::gen::inRange(0, 6) != 0;
      std::string wanted = std::to_string(++number);
      if (task.id_in_text) {
        task.title = wanted + ". " + task.title;
      } else {
        wanted = "words-" + std::to_string(task.title.size());
      }
      std::string name = wanted;
      for (int n = 2; std::find(used.begin(), used.end(), name) != used.end(); ++n)
        name = wanted + "-" + std::to_string(n);
      used.push_back(name);
      task.id = TaskId(name);
    }
    nest(phase);
  }
  return plan;
}

/// Some boxes with markers, some without.
inline Plan random_mixed_plan() {
  Plan plan = random_unmarked_plan();
  int marker = 0;
  for (Phase& phase : plan.phases) {
    for (Task& task : phase.tasks) {
      if (*rc::gen::inRange(0, 3) != 0) continue;
      const TaskId before = task.id;
      task.marked = true;
      task.id_in_text = false;
      task.id = TaskId("m" + std::to_string(++marker));
      for (Task& other : phase.tasks) {
        if (other.parent == before) other.parent = task.id;
      }
    }
  }
  return plan;
}

inline Plan random_plan() {
  switch (*rc::gen::inRange(0, 3)) {
    case 0:
      return random_marked_plan();
    case 1:
      return random_unmarked_plan();
    default:
      return random_mixed_plan();
  }
}

}  // namespace plankeep::core
