#include "tracking/search_plans.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "git/git.hpp"
#include "markdown/parse_plan.hpp"
#include "model/progress.hpp"
#include "project/known_folders.hpp"
#include "project/known_layouts.hpp"
#include "project/plan_standing.hpp"
#include "project/project_plans.hpp"
#include "rules/listing/completion.hpp"
#include "store/plan_file.hpp"
#include "store/tracking_folder.hpp"
#include "system/progress.hpp"

namespace plankeep::app {
namespace {

constexpr std::uint64_t kLargestLookedAt = base::kLargestSmallFile;
constexpr std::string_view kCommentStart = "<!--";

// Whether a path from the project's root is none that a person would look at for a plan.
bool is_passed_over(std::string_view path) {
  const std::vector<std::string_view> parts = path_parts(path);
  return std::any_of(parts.begin(), parts.end() - 1, [](std::string_view folder) {
    return folder.starts_with('.') || folder == "node_modules";
  });
}

// Markdown files that git tracks or would add, from the root, sorted, each once.
std::vector<std::string> markdown_files(const Context& context, const std::string& root) {
  std::vector<std::string> paths;
  git::Git git(*context.processes, context.files);
  const auto told = git.run(root, {"ls-files", "-z", "--cached", "--others", "--exclude-standard", "--",
                                   ":(icase)*.md", ":(icase)*.markdown"});
  if (!told || told->status != 0) return paths;
  for (std::string& path : base::parts_of(told->output, '\0')) {
    // What the list of a project's plans cannot hold is left out, too.
    const bool text = base::find_invalid_utf8(path) == std::string::npos;
    if (!path.empty() && text && !is_passed_over(path)) paths.push_back(std::move(path));
  }
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  return paths;
}

// Whether no link leads to the folders of paths that come sorted.
class RealFolders {
 public:
  explicit RealFolders(const Context& context) : context_(context) {}

  bool has(const std::string& folder) {
    if (folder == last_) return real_;
    const auto real = context_.files.real_path(folder);
    last_ = folder;
    return real_ = real && *real == folder;
  }

 private:
  const Context& context_;
  std::string last_;
  bool real_ = false;
};

}  // namespace

std::optional<UntrackedFile> untracked_file(const Context& context, const PlanLocation& plan,
                                            WantedFile wanted) {
  const auto folder = context.files.open_folder(plan.folder);
  if (!folder || store::open_tracking(**folder, plan.name)) return std::nullopt;
  const auto info = context.files.info(plan.path());
  if (!info || info->size > kLargestLookedAt || is_foreign(context, *info, plan.folder)) return std::nullopt;
  store::PlanFile file(context.files, **folder, plan.name);
  const auto text = file.read();
  if (!text) return std::nullopt;
  // Most files have no comment, and need not be parsed to know that they have no marker.
  if (wanted == WantedFile::marked && text->bytes.find(kCommentStart) == std::string::npos)
    return std::nullopt;
  const auto read = markdown::parse_plan(text->bytes);
  if (!read || !core::has_boxes(*read) || (wanted == WantedFile::marked && !read->has_markers))
    return std::nullopt;
  return UntrackedFile{plan, read->has_markers, core::current_of(*read).phase.has_value()};
}

FoundFiles search_plans(const Context& context, const Project& project) {
  FoundFiles found;
  if (context.processes == nullptr || !project.in_git()) return found;
  const std::string& root = project.root();
  const std::vector<std::string> files = markdown_files(context, root);
  system::ProgressStage stage(context.progress, "looking for plans in files", files.size());
  RealFolders real(context);
  std::size_t searched = 0;
  for (const std::string& path : files) {
    stage.add(1);
    const std::string whole = root == "/" ? root + path : root + "/" + path;
    const PlanLocation plan{parent_of(whole), last_part(whole)};
    const bool named = known_layout(path) != nullptr || names_plan(project.settings(), plan.name);
    if (is_in_archive_folder(plan.folder) || (!named && ++searched > kMostSearchedFiles)) continue;
    if (found.paths.size() == kMostUntracked) break;
    if (!real.has(plan.folder)) continue;
    if (untracked_file(context, plan, named ? WantedFile::any : WantedFile::marked))
      found.paths.push_back(path);
  }
  if (searched > kMostSearchedFiles) {
    found.warnings.push_back("there are more than " + std::to_string(kMostSearchedFiles) +
                             " Markdown files: not all were searched for markers");
  }
  return found;
}

std::vector<std::string> note_untracked_plans(const Context& context, const std::string& folder) {
  const Project project(context, folder);
  FoundFiles found = search_plans(context, project);
  if (project.in_git()) ProjectPlans::note_untracked(context, project, std::move(found.paths));
  return std::move(found.warnings);
}

}  // namespace plankeep::app
