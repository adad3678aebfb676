#include "markdown/dependencies.hpp"

#include <algorithm>
#include <unordered_set>

#include "model/dependencies.hpp"

namespace plankeep::markdown {
namespace {

constexpr std::size_t kNamesShown = 8;

void check_names(const core::Dependencies& graph, const DependencySite& site,
                 std::vector<core::Diagnostic>& diagnostics) {
  std::unordered_set<std::string_view> unknown;
  for (const core::TaskId& id : site.task->after) {
    if (!graph.called(id).empty() || !unknown.insert(id.text).second) continue;
    diagnostics.push_back({site.line, site.column, core::DiagnosticCode::unknown_dependency,
                           "task \"" + site.task->id.text + "\" waits for \"" + id.text +
                               "\", which is not a task of this plan",
                           "correct the id, or remove it from `after`"});
  }
}

}  // namespace

void check_dependencies(const std::vector<DependencySite>& tasks,
                        std::vector<core::Diagnostic>& diagnostics) {
  const bool any =
      std::any_of(tasks.begin(), tasks.end(), [](const auto& site) { return !site.task->after.empty(); });
  if (!any) return;
  std::vector<const core::Task*> nodes;
  nodes.reserve(tasks.size());
  for (const DependencySite& site : tasks) nodes.push_back(site.task);
  const core::Dependencies graph(std::move(nodes));
  for (const DependencySite& site : tasks) {
    if (!site.task->after.empty()) check_names(graph, site, diagnostics);
  }
  for (const std::vector<std::size_t>& circle : graph.cycles()) {
    std::string names;
    for (std::size_t i = 0; i < circle.size() && i < kNamesShown; ++i) {
      names += (i == 0 ? "" : ", ") + tasks[circle[i]].task->id.text;
    }
    if (circle.size() > kNamesShown)
      names += ", and " + std::to_string(circle.size() - kNamesShown) + " more";
    const DependencySite& first = tasks[circle.front()];
    diagnostics.push_back({first.line, first.column, core::DiagnosticCode::dependency_cycle,
                           circle.size() == 1 ? "task \"" + names + "\" waits for itself"
                                              : "these tasks wait for each other: " + names,
                           "remove one `after`"});
  }
}

}  // namespace plankeep::markdown
