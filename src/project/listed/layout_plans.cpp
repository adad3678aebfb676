#include "project/listed/layout_plans.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "project/known_folders.hpp"
#include "project/known_layouts.hpp"
#include "project/plan_id.hpp"
#include "store/tracking_folder.hpp"

namespace plankeep::app {
namespace {

using system::FileKind;

// What is looked at in one folder of a known layout, against folders that hold something else.
constexpr std::size_t kMostEntries = 10'000;
constexpr int kDeepestPlans = 3;

// A look along the patterns, all of them at once: each folder is listed once.
class LayoutLook {
 public:
  LayoutLook(const Context& context, std::size_t limit, const std::set<std::string>& known)
      : context_(context), limit_(limit), known_(known) {}

  std::vector<PlanLocation> run(const std::string& root) {
    std::vector<std::vector<std::string_view>> wanted;
    for (const KnownLayout& layout : known_layouts()) wanted.push_back(path_parts(layout.path));
    if (const auto folder = context_.files.open_folder(root)) look(root, "", **folder, wanted);
    return std::move(found_);
  }

 private:
  using Patterns = std::vector<std::vector<std::string_view>>;

  void look(const std::string& path, const std::string& relative, system::Folder& folder,
            const Patterns& wanted) {
    const auto entries = folder.entries();
    if (!entries) return;
    std::size_t left = kMostEntries;
    for (const system::FolderEntry& entry : *entries) {
      if (left-- == 0 || found_.size() >= limit_) return;
      Patterns below;
      bool file = false;
      for (const std::vector<std::string_view>& parts : wanted) {
        if (!matches_name(parts.front(), entry.name)) continue;
        file = file || parts.size() == 1;
        if (parts.size() > 1) below.emplace_back(parts.begin() + 1, parts.end());
      }
      if (!file && below.empty()) continue;
      const std::string name = relative.empty() ? entry.name : relative + "/" + entry.name;
      const bool one_file = std::all_of(below.begin(), below.end(), [](const auto& parts) {
        return parts.size() == 1 && parts.front().find('*') == std::string_view::npos;
      });
      if (entry.kind == FileKind::directory && !below.empty() && !(one_file && known_.contains(name))) {
        if (const auto opened = folder.open_folder(entry.name))
          look((path == "/" ? path : path + "/") + entry.name, name, **opened, below);
      } else if (file && entry.kind == FileKind::regular && known_layout(name) != nullptr) {
        found_.push_back({path, entry.name});
      }
    }
  }

  const Context& context_;
  std::size_t limit_;
  const std::set<std::string>& known_;
  std::vector<PlanLocation> found_;
};

void collect_tracked(const std::string& path, system::Folder& folder, int depth,
                     std::vector<PlanLocation>& plans) {
  if (const auto names = store::tracked_files(folder)) {
    for (const std::string& name : *names) plans.push_back({path, name});
  }
  if (depth == kDeepestPlans || plans.size() >= kMostKnownPlans) return;
  const auto entries = folder.entries();
  if (!entries) return;
  for (const system::FolderEntry& entry : *entries) {
    if (entry.kind != FileKind::directory || entry.name.starts_with('.')) continue;
    if (const auto below = folder.open_folder(entry.name))
      collect_tracked(path + "/" + entry.name, **below, depth + 1, plans);
  }
}

}  // namespace

std::vector<PlanLocation> plans_in_known_layouts(const Context& context, const std::string& root,
                                                 std::size_t limit, const std::set<std::string>& known) {
  std::vector<PlanLocation> plans = LayoutLook(context, limit, known).run(root);
  std::erase_if(plans, [&context](const PlanLocation& plan) {
    const auto info = context.files.info(plan.path());
    return !info || is_foreign(context, *info, plan.folder);
  });
  sort_by_path(plans);
  for (PlanLocation& plan : plans) identify(context, plan);
  return plans;
}

std::vector<PlanLocation> tracked_nearby(const Context& context, const std::string& root) {
  std::vector<PlanLocation> plans;
  const std::string start = root == "/" ? std::string() : root;
  if (const auto folder = context.files.open_folder(root)) {
    if (const auto names = store::tracked_files(**folder)) {
      for (const std::string& name : *names) plans.push_back({root, name});
    }
  }
  for (const char* below : {"/plans", "/docs/plans"}) {
    if (const auto folder = context.files.open_folder(start + below))
      collect_tracked(start + below, **folder, 0, plans);
  }
  for (const PlanLocation& plan : plans_in_known_layouts(context, root)) {
    const auto folder = context.files.open_folder(plan.folder);
    if (folder && store::open_tracking(**folder, plan.name)) plans.push_back(plan);
  }
  sort_by_path(plans);
  return plans;
}

}  // namespace plankeep::app
