#include "markdown/dependencies.hpp"

#include <utility>

#include "model/dependencies.hpp"

namespace plankeep::markdown {
namespace {

constexpr std::size_t kNamesShown = 8;

void check_names(const DependencySite& site, const std::unordered_set<std::string_view>& unknown,
                 std::vector<core::Diagnostic>& diagnostics) {
  std::unordered_set<std::string_view> told;
  for (const core::TaskId& id : site.task->after) {
    if (!unknown.contains(id.text) || !told.insert(id.text).second) continue;
    diagnostics.push_back({site.line, site.column, core::DiagnosticCode::unknown_dependency,
                           "task \"" + site.task->id.text + "\" waits for \"" + id.text +
                               "\", which is not a task of this plan",
                           "correct the id, or remove it from `after`"});
  }
}

}  // namespace

void check_dependencies(const std::vector<DependencySite>& waiting,
                        const std::unordered_set<std::string_view>& unknown,
                        std::vector<core::Diagnostic>& diagnostics) {
  if (waiting.empty()) return;
  std::vector<const core::Task*> nodes;
  nodes.reserve(waiting.size());
  for (const DependencySite& site : waiting) nodes.push_back(site.task);
  const core::Dependencies graph(std::move(nodes));
  if (!unknown.empty()) {
    for (const DependencySite& site : waiting) check_names(site, unknown, diagnostics);
  }
  for (const std::vector<std::size_t>& circle : graph.cycles()) {
    std::string names;
    for (std::size_t i = 0; i < circle.size() && i < kNamesShown; ++i) {
      names += (i == 0 ? "" : ", ") + waiting[circle[i]].task->id.text;
    }
    if (circle.size() > kNamesShown)
      names += ", and " + std::to_string(circle.size() - kNamesShown) + " more";
    const DependencySite& first = waiting[circle.front()];
    diagnostics.push_back({first.line, first.column, core::DiagnosticCode::dependency_cycle,
                           circle.size() == 1 ? "task \"" + names + "\" waits for itself"
                                              : "these tasks wait for each other: " + names,
                           "remove one `after`"});
  }
}

}  // namespace plankeep::markdown
