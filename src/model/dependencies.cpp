#include "model/dependencies.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "model/parents.hpp"

namespace plankeep::core {
namespace {

std::vector<const Task*> tasks_of(const Plan& plan) {
  std::size_t count = 0;
  for (const Phase& phase : plan.phases) count += phase.tasks.size();
  std::vector<const Task*> tasks;
  tasks.reserve(count);
  for (const Phase& phase : plan.phases) {
    for (const Task& task : phase.tasks) tasks.push_back(&task);
  }
  return tasks;
}

}  // namespace

DoneIds::DoneIds(const Plan& plan) {
  for (const Phase& phase : plan.phases) {
    for (const Task& task : phase.tasks) {
      bool& open = open_[task.id.text];
      open = open || !task.done();
    }
  }
}

bool has_dependencies(const Plan& plan) {
  return std::any_of(plan.phases.begin(), plan.phases.end(), [](const Phase& phase) {
    return std::any_of(phase.tasks.begin(), phase.tasks.end(),
                       [](const Task& task) { return !task.after.empty(); });
  });
}

Dependencies::Dependencies(const Plan& plan) : Dependencies(tasks_of(plan)) {
  parents_.reserve(tasks_.size());
  for (const Phase& phase : plan.phases) {
    const std::size_t first = parents_.size();
    for (const std::size_t parent : parents_of(phase))
      parents_.push_back(parent == kNoParent ? parents_.size() : first + parent);
  }
}

Dependencies::Dependencies(std::vector<const Task*> tasks) : tasks_(std::move(tasks)) {
  group_at_.reserve(tasks_.size());
  std::vector<std::size_t> group_of(tasks_.size());
  std::vector<std::size_t> sizes;
  sizes.reserve(tasks_.size());
  for (std::size_t node = 0; node < tasks_.size(); ++node) {
    const auto [place, fresh] = group_at_.try_emplace(tasks_[node]->id.text, sizes.size());
    if (fresh) sizes.push_back(0);
    group_of[node] = place->second;
    ++sizes[place->second];
  }
  starts_.assign(sizes.size() + 1, 0);
  for (std::size_t group = 0; group < sizes.size(); ++group)
    starts_[group + 1] = starts_[group] + sizes[group];
  members_.resize(tasks_.size());
  std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
  for (std::size_t node = 0; node < tasks_.size(); ++node) members_[next[group_of[node]]++] = node;
}

std::span<const std::size_t> Dependencies::called(const TaskId& id) const {
  const auto group = group_at_.find(id.text);
  if (group == group_at_.end()) return {};
  return std::span(members_).subspan(starts_[group->second],
                                     starts_[group->second + 1] - starts_[group->second]);
}

bool Dependencies::done(const TaskId& id) const {
  const std::span<const std::size_t> nodes = called(id);
  return !nodes.empty() &&
         std::all_of(nodes.begin(), nodes.end(), [this](std::size_t node) { return tasks_[node]->done(); });
}

std::size_t Dependencies::parent_of(std::size_t node) const {
  return parents_.empty() ? node : parents_[node];
}

std::vector<TaskId> Dependencies::waiting_for(std::size_t node) const {
  std::vector<TaskId> open;
  std::unordered_set<std::string_view> seen;
  for (bool more = true; more; node = parent_of(node)) {
    for (const TaskId& id : tasks_[node]->after) {
      if (seen.insert(id.text).second && !done(id)) open.push_back(id);
    }
    more = parent_of(node) != node;
  }
  return open;
}

bool Dependencies::ready(std::size_t node) const {
  if (tasks_[node]->done()) return false;
  for (bool more = true; more; node = parent_of(node)) {
    const std::vector<TaskId>& after = tasks_[node]->after;
    if (!std::all_of(after.begin(), after.end(), [this](const TaskId& id) { return done(id); })) return false;
    more = parent_of(node) != node;
  }
  return true;
}

// Tarjan's strongly connected components over tasks and groups: a task leads to the groups that its `after`
// names, a group to its tasks. With the groups between them there are no more edges than names in the plan,
// however many tasks share an id. A stack of its own: a chain of 100,000 tasks is no recursion.
struct Dependencies::Walk {
  explicit Walk(const Dependencies& from)
      : graph(from),
        count(from.tasks_.size()),
        index(count + from.starts_.size() - 1, 0),
        low(index.size(), 0),
        on_stack(index.size(), false) {
    order.reserve(count);
    for (std::size_t node = 0; node < count; ++node) {
      if (index[node] == 0) visit(node);
    }
  }

  struct Frame {
    std::size_t node;
    std::size_t edge;
  };

  // Where the next edge leads; false behind the last one.
  bool next_of(Frame& frame, std::size_t& to) const {
    if (frame.node >= count) {
      const std::size_t group = frame.node - count;
      const std::size_t at = graph.starts_[group] + frame.edge;
      if (at >= graph.starts_[group + 1]) return false;
      ++frame.edge;
      to = graph.members_[at];
      return true;
    }
    const std::vector<TaskId>& after = graph.tasks_[frame.node]->after;
    while (frame.edge < after.size()) {
      const auto group = graph.group_at_.find(after[frame.edge++].text);
      if (group == graph.group_at_.end()) continue;
      to = count + group->second;
      return true;
    }
    return false;
  }

  void visit(std::size_t start) {
    open(start);
    while (!frames.empty()) {
      const std::size_t node = frames.back().node;
      std::size_t to = 0;
      if (next_of(frames.back(), to)) {
        if (index[to] == 0) {
          open(to);
        } else if (on_stack[to]) {
          low[node] = std::min(low[node], index[to]);
        }
        continue;
      }
      frames.pop_back();
      if (!frames.empty()) low[frames.back().node] = std::min(low[frames.back().node], low[node]);
      if (low[node] == index[node]) close(node);
    }
  }

  void open(std::size_t node) {
    index[node] = low[node] = ++counter;
    stack.push_back(node);
    on_stack[node] = true;
    frames.push_back({node, 0});
  }

  // A component of more than one is a circle: a task and a group never lead to themselves.
  void close(std::size_t root) {
    std::vector<std::size_t> nodes;
    std::size_t size = 0;
    for (bool more = true; more; ++size) {
      const std::size_t node = stack.back();
      stack.pop_back();
      on_stack[node] = false;
      if (node < count) nodes.push_back(node);
      more = node != root;
    }
    std::sort(nodes.begin(), nodes.end());
    // What it leads to was closed before.
    order.insert(order.end(), nodes.begin(), nodes.end());
    if (size == 1) return;
    circles.push_back(std::move(nodes));
  }

  const Dependencies& graph;
  std::size_t count;
  std::vector<std::size_t> index;
  std::vector<std::size_t> low;
  std::vector<bool> on_stack;
  std::vector<std::size_t> stack;
  std::vector<Frame> frames;
  std::size_t counter = 0;
  std::vector<std::size_t> order;
  std::vector<std::vector<std::size_t>> circles;
};

std::vector<std::vector<std::size_t>> Dependencies::cycles() const {
  std::vector<std::vector<std::size_t>> circles = Walk(*this).circles;
  std::sort(circles.begin(), circles.end(),
            [](const auto& a, const auto& b) { return a.front() < b.front(); });
  return circles;
}

std::vector<std::size_t> Dependencies::order() const {
  return Walk(*this).order;
}

}  // namespace plankeep::core
