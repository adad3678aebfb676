#pragma once
// What waits for what (`after:` of TASK, spec 7.1, 7.9). Pure; linear in the size of the plan.
//
//   DoneIds done(plan);                      // "is this id done?", for callers that ask no more
//   Dependencies graph(plan);                // the whole picture
//   for (std::size_t node : graph.order()) ...
//
// An id that stands in several phases names several tasks (spec 7.8): whoever comes after it waits for all of
// them. An id that names no task is never done. A child waits for what the tasks around it wait for.
//
// Both keep references into the plan, which must outlive them and stay as it is.

#include <cstddef>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/plan.hpp"

namespace plankeep::core {

/// The ids whose every task is done.
class DoneIds {
 public:
  explicit DoneIds(const Plan& plan);
  bool contains(const TaskId& id) const {
    const auto found = open_.find(id.text);
    return found != open_.end() && !found->second;
  }

 private:
  std::unordered_map<std::string_view, bool> open_;  // id -> some task of it is open
};

/// Whether any task of the plan comes after another: without one there is nothing to build.
bool has_dependencies(const Plan& plan);

/// Tasks are nodes, counted through the plan in document order.
class Dependencies {
 public:
  explicit Dependencies(const Plan& plan);
  /// Tasks given one by one, in document order; they must outlive this. Nothing is known of what is around
  /// them.
  explicit Dependencies(std::vector<const Task*> tasks);

  std::size_t size() const { return tasks_.size(); }
  const Task& task(std::size_t node) const { return *tasks_[node]; }

  /// Every task called so, in document order; empty when none is.
  std::span<const std::size_t> called(const TaskId& id) const;

  /// Every task called so is done; false when none is called so.
  bool done(const TaskId& id) const;

  /// Which ids of the task's `after` and of those of the tasks around it are not done, each once: its own
  /// first, in their order.
  std::vector<TaskId> waiting_for(std::size_t node) const;

  /// Not done itself, and nothing left that it waits for.
  bool ready(std::size_t node) const;

  /// Tasks that wait for each other, or for themselves: each circle's nodes in document order; circles by
  /// their first node. Circles that share a task are one.
  std::vector<std::vector<std::size_t>> cycles() const;

  /// All nodes, each behind everything that it comes after, otherwise in document order; those of a circle
  /// stand together, in document order.
  std::vector<std::size_t> order() const;

 private:
  struct Walk;

  std::size_t parent_of(std::size_t node) const;  // itself when it has none

  std::vector<const Task*> tasks_;
  std::vector<std::size_t> parents_;                            // empty: nobody has one
  std::unordered_map<std::string_view, std::size_t> group_at_;  // id -> group
  // The nodes of group g are members_[starts_[g]] up to starts_[g + 1].
  std::vector<std::size_t> starts_;
  std::vector<std::size_t> members_;
};

}  // namespace plankeep::core
