#include "markdown/dependencies.hpp"

#include <algorithm>
#include <unordered_map>

namespace plankeep::markdown {
namespace {

// Tarjan's strongly connected components with a stack of its own: a chain of 100,000 tasks is no recursion.
class Cycles {
 public:
  explicit Cycles(const std::vector<std::vector<std::size_t>>& edges)
      : edges_(edges), index_(edges.size(), 0), low_(edges.size(), 0), on_stack_(edges.size(), false) {}

  // Components that are circles, each sorted.
  std::vector<std::vector<std::size_t>> find() {
    for (std::size_t node = 0; node < edges_.size(); ++node) {
      if (index_[node] == 0) visit(node);
    }
    return std::move(found_);
  }

 private:
  struct Frame {
    std::size_t node;
    std::size_t edge;
  };

  void visit(std::size_t start) {
    open(start);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      const std::size_t node = frame.node;
      if (frame.edge < edges_[node].size()) {
        const std::size_t next = edges_[node][frame.edge++];
        if (index_[next] == 0) {
          open(next);
        } else if (on_stack_[next]) {
          low_[node] = std::min(low_[node], index_[next]);
        }
        continue;
      }
      frames_.pop_back();
      if (!frames_.empty()) low_[frames_.back().node] = std::min(low_[frames_.back().node], low_[node]);
      if (low_[node] == index_[node]) close(node);
    }
  }

  void open(std::size_t node) {
    index_[node] = low_[node] = ++counter_;
    stack_.push_back(node);
    on_stack_[node] = true;
    frames_.push_back({node, 0});
  }

  void close(std::size_t root) {
    std::vector<std::size_t> component;
    for (;;) {
      const std::size_t node = stack_.back();
      stack_.pop_back();
      on_stack_[node] = false;
      component.push_back(node);
      if (node == root) break;
    }
    const bool itself = std::find(edges_[root].begin(), edges_[root].end(), root) != edges_[root].end();
    if (component.size() == 1 && !itself) return;
    std::sort(component.begin(), component.end());
    found_.push_back(std::move(component));
  }

  const std::vector<std::vector<std::size_t>>& edges_;
  std::vector<std::size_t> index_;
  std::vector<std::size_t> low_;
  std::vector<bool> on_stack_;
  std::vector<std::size_t> stack_;
  std::vector<Frame> frames_;
  std::vector<std::vector<std::size_t>> found_;
  std::size_t counter_ = 0;
};

}  // namespace

void check_dependencies(const std::vector<DependencySite>& tasks,
                        std::vector<core::Diagnostic>& diagnostics) {
  const bool any =
      std::any_of(tasks.begin(), tasks.end(), [](const auto& site) { return !site.task->after.empty(); });
  if (!any) return;
  std::unordered_map<core::TaskId, std::vector<std::size_t>> by_id;
  for (std::size_t i = 0; i < tasks.size(); ++i) by_id[tasks[i].task->id].push_back(i);
  std::vector<std::vector<std::size_t>> edges(tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    std::vector<core::TaskId> unknown;
    for (const core::TaskId& id : tasks[i].task->after) {
      const auto named = by_id.find(id);
      if (named != by_id.end()) {
        // An id in several phases stands for all of them; the first is enough to close a circle.
        edges[i].push_back(named->second.front());
        if (named->second.size() > 1 &&
            std::find(named->second.begin(), named->second.end(), i) != named->second.end()) {
          edges[i].push_back(i);
        }
      } else if (std::find(unknown.begin(), unknown.end(), id) == unknown.end()) {
        unknown.push_back(id);
        diagnostics.push_back({tasks[i].line, tasks[i].column, core::DiagnosticCode::unknown_dependency,
                               "task \"" + tasks[i].task->id.text + "\" waits for \"" + id.text +
                                   "\", which no task of this plan is called",
                               "correct the id, or take it out of `after`"});
      }
    }
  }
  for (const std::vector<std::size_t>& circle : Cycles(edges).find()) {
    std::string names;
    for (std::size_t i = 0; i < circle.size() && i < 8; ++i) {
      names += (i == 0 ? "" : ", ") + tasks[circle[i]].task->id.text;
    }
    if (circle.size() > 8) names += ", and " + std::to_string(circle.size() - 8) + " more";
    const DependencySite& first = tasks[circle.front()];
    diagnostics.push_back({first.line, first.column, core::DiagnosticCode::dependency_cycle,
                           circle.size() == 1 ? "task \"" + names + "\" waits for itself"
                                              : "these tasks wait for each other: " + names,
                           "take one `after` out"});
  }
}

}  // namespace plankeep::markdown
