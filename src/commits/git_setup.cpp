#include "commits/git_setup.hpp"

#include <algorithm>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "clients/shell_words.hpp"
#include "commits/git_hook_files.hpp"
#include "commits/merge_attributes.hpp"
#include "git/attribute_line.hpp"
#include "git/config_section.hpp"
#include "git/git.hpp"
#include "project/listed/layout_plans.hpp"
#include "project/own_program.hpp"
#include "project/plan_location.hpp"
#include "project/project.hpp"
#include "project/project_plans.hpp"
#include "sessions/activity_files.hpp"
#include "sessions/export_sessions.hpp"
#include "sessions/own_folder.hpp"
#include "store/folder_list.hpp"
#include "system/atomic_file.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using Action = GitSetupRequest::Action;

constexpr std::uint64_t kAttributesLimit = base::kLargestSmallFile;
constexpr std::size_t kMostAsked = 200;  // plans in known layouts whose attribute is asked for
constexpr std::string_view kSection = "[merge \"plankeep\"]";
constexpr std::string_view kDriverName = "plankeep: plans, box by box";

// "%" begins a placeholder of git's.
std::string driver_line(const std::string& program) {
  std::string word;
  for (const char c : clients::shell_quoted(program))
    word += c == '%' ? std::string("%%") : std::string(1, c);
  return "command -v " + word +
         " >/dev/null || exec git merge-file --marker-size=%L -L ours -L base -L theirs %A %O %B; exec " +
         word + " merge-driver --marker-size %L -- %O %A %B %P";
}

class Setup {
 public:
  Setup(const Context& context, const GitSetupRequest& request)
      : context_(context), request_(request), git_(*context.processes, context.files) {}

  Result<GitSetupReport> run() {
    TRY_ASSIGN(const auto tree, git_.work_tree(context_.environment.working_directory()));
    if (!tree) {
      return base::fail(ErrorKind::not_found, "not in a git repository with a work tree",
                        "run it inside the repository that contains the plans");
    }
    report_.action = request_.action;
    report_.top = tree->top;
    std::string driver;
    std::string program;
    if (request_.action != Action::undo) {
      TRY_ASSIGN(program, program_for_hooks(context_, ProgramName::automatic));
      driver = driver_line(program);
      // What refuses does so before anything is written.
      if (request_.hooks || request_.sessions) TRY(hooks(program, false));
    }
    TRY_ASSIGN(const std::string config, git_.git_path(tree->top, "config"));
    TRY(set("merge.plankeep.name", std::string(kDriverName), config));
    TRY(set("merge.plankeep.driver", driver, config));
    if (request_.action == Action::undo && request_.write) TRY(remove_empty_section(config));
    common_dir_ = tree->common_dir;
    TRY(attributes());
    if (request_.hooks || request_.sessions || request_.action == Action::undo) TRY(hooks(program, true));
    if (request_.sessions || request_.action == Action::undo) TRY(mark(*tree));
    TRY(see_effective());
    return std::move(report_);
  }

 private:
  void step(std::string what, const std::string& where, bool there, bool wanted) {
    std::string state;
    if (request_.action != Action::undo) {
      state = wanted ? "present" : there ? "updated" : "added";
    } else {
      state = there ? "removed" : "missing";
    }
    if (state != "present" && state != "missing" && request_.write) report_.written = true;
    report_.steps.push_back({std::move(what), where, shown_path(context_, where), std::move(state)});
  }

  // In the repository's own configuration: what the user's says besides does not count.
  base::Status set(const std::string& key, const std::string& wanted, const std::string& where) {
    TRY_ASSIGN(const auto told, git_.run(report_.top, {"config", "--local", "--get", key}));
    std::optional<std::string> value;
    if (told.status == 0) {
      value = told.output;
      while (value->ends_with('\n')) value->pop_back();
    }
    const bool install = request_.action != Action::undo;
    step(key, where, value.has_value(), value == wanted);
    if (!request_.write || (install ? value == wanted : !value)) return {};
    return git_.set_config(report_.top, key, install ? std::optional(wanted) : std::nullopt);
  }

  // git leaves the section's header where a comment follows. Under git's own lock.
  base::Status remove_empty_section(const std::string& config) {
    TRY_ASSIGN(const auto folder, context_.files.open_folder(parent_of(config)));
    const std::string name = last_part(config);
    TRY_ASSIGN(const system::FileInfo info, folder->info(name));
    if (info.kind != system::FileKind::regular) return {};  // a link: what it leads to is left alone
    constexpr std::uint64_t kConfigLimit = base::kLargestForeignFile;
    TRY_ASSIGN(const std::string before, folder->read(name, kConfigLimit));
    if (core::without_empty_section(before, kSection) == before) return {};
    const std::string lock = name + ".lock";
    TRY_ASSIGN(const auto held, folder->create_shared(lock, false));
    const auto rewrite = [&]() -> base::Status {
      TRY_ASSIGN(const std::string now, folder->read(name, kConfigLimit));
      return system::write_file_like(*folder, name, core::without_empty_section(now, kSection), info,
                                     system::Durability::durable);
    };
    const base::Status done = rewrite();
    const base::Status unlocked = folder->remove(lock);
    return done ? unlocked : done;
  }

  // Paths from the top of the work tree.
  std::vector<std::string> tracked_plans(const std::string& top) const {
    std::vector<std::string> paths;
    const std::string start = top == "/" ? top : top + "/";
    const Project project(context_, top);
    for (const PlanLocation& plan : ProjectPlans(context_, project).all()) {
      const std::string path = plan.path();
      if (path.starts_with(start)) paths.push_back(path.substr(start.size()));
    }
    return paths;
  }

  // Plans that exist in the known layouts, and an example path for each layout: a nested .gitattributes may
  // override our lines there.
  std::vector<std::string> plans_to_come() const {
    std::vector<std::string> paths;
    for (const PlanLocation& plan : plans_in_known_layouts(context_, report_.top, kMostAsked))
      paths.push_back(path_below(plan.path(), report_.top));
    std::vector<std::string> examples = merge_attribute_examples();
    paths.insert(paths.end(), examples.begin(), examples.end());
    return paths;
  }

  base::Status see_effective() {
    std::vector<std::string> plans{"plan.md"};
    for (std::string& plan : tracked_plans(report_.top)) plans.push_back(std::move(plan));
    const std::size_t ours = plans.size();
    for (std::string& plan : plans_to_come()) plans.push_back(std::move(plan));
    std::vector<std::string> words{"check-attr", "-z", "merge", "--"};
    words.insert(words.end(), plans.begin(), plans.end());
    TRY_ASSIGN(const auto told, git_.run(report_.top, words));
    // For each plan its path, "merge" and the value, each followed by NUL.
    const std::vector<std::string> fields = base::parts_of(told.output, '\0');
    for (std::size_t i = 0; i + 2 < fields.size(); i += 3) {
      if (i > 0 && fields[i + 2] == "plankeep") continue;
      // One in a spelling that no line of ours has gets its own when it is tracked.
      if (i / 3 >= ours && fields[i + 2] == "unspecified") continue;
      report_.plan = fields[i];
      report_.effective = fields[i + 2];
      if (report_.effective != "plankeep") break;
    }
    return {};
  }

  // The lines to add, or with undo the lines to remove.
  std::vector<std::string> attribute_lines(const std::string& before) const {
    if (request_.action != Action::undo) return merge_attribute_lines(tracked_plans(report_.top));
    std::vector<std::string> lines;
    for (std::string& line : base::parts_of(before, '\n')) {
      if (is_merge_attribute_line(line) && std::find(lines.begin(), lines.end(), line) == lines.end())
        lines.push_back(std::move(line));
    }
    if (lines.empty()) lines.push_back(merge_attribute_lines({}).front());
    return lines;
  }

  base::Status attributes() {
    std::string path = report_.top + "/.gitattributes";
    if (request_.local) {
      TRY_ASSIGN(path, git_.git_path(report_.top, "info/attributes"));
    }
    TRY_ASSIGN(const auto folder, attributes_folder(path));
    std::string before;
    system::FileInfo info;
    if (folder) {
      TRY_ASSIGN(info, folder->info(last_part(path)));
      if (info.kind != system::FileKind::missing) {
        TRY_ASSIGN(before, folder->read(last_part(path), kAttributesLimit));
      }
    }
    const bool install = request_.action != Action::undo;
    const std::vector<std::string> lines = attribute_lines(before);
    std::string after = before;
    for (const std::string& line : lines) {
      const bool there = core::has_attribute_line(before, line);
      step(line, path, there, there);
      if (install) after = core::with_attribute_line(after, line, info.kind != system::FileKind::missing);
    }
    // Removed in reverse order: the last line knows how the file ended before.
    for (auto line = lines.rbegin(); !install && line != lines.rend(); ++line)
      after = core::without_attribute_line(after, *line);
    if (!request_.write || after == before) return {};
    // The file was made for these lines. In a file that was there and empty, the last line has no line end.
    if (after.empty() && before.ends_with('\n')) {
      TRY(folder->remove(last_part(path)));
      if (request_.local) remove_made(parent_of(path));
      return {};
    }
    // Made as git makes its files: for everybody whom the umask lets.
    constexpr std::uint32_t kReadable = 0644;
    if (info.kind == system::FileKind::missing) {
      TRY_ASSIGN(info, like_the_folder(path));
      info.mode = kReadable;
    }
    return system::write_file_like(*folder, last_part(path), after, info, system::Durability::durable);
  }

  base::Status hooks(const std::string& program, bool report) {
    const GitHookParts parts{request_.hooks, request_.sessions};
    TRY_ASSIGN(const std::string folder, git_.git_path(report_.top, "hooks"));
    const bool missing = is_missing(folder);
    TRY_ASSIGN(auto steps,
               set_git_hooks(context_, git_, report_.top, program, parts, report && request_.write));
    if (missing && !is_missing(folder)) TRY(remember_made(folder));
    if (report && request_.write && request_.action == Action::undo) remove_made(folder);
    for (GitSetupReport::Step& step : steps) {
      // Who never asked for hooks is not told that there are none.
      const bool asked = request_.hooks || request_.sessions;
      if (!report || (!asked && step.state == "missing")) continue;
      if (request_.write && step.state != "present" && step.state != "missing") report_.written = true;
      step.shown = shown_path(context_, step.where);
      report_.steps.push_back(std::move(step));
    }
    return {};
  }

  // What lets clients' hooks note what sessions touch, with the layout for new session checkpoints.
  base::Status mark(const git::WorkTree& tree) {
    const auto known = linking_mark(context_, tree.common_dir);
    const bool install = request_.action != Action::undo;
    if (!install && !known && !request_.sessions) return {};
    std::optional<core::SessionLayout> wanted;
    if (install) {
      TRY_ASSIGN(wanted, layout_here(context_, git_, tree));
    }
    step("session notes", linking_mark_path(tree.common_dir), known.has_value(), known == wanted);
    return request_.write ? mark_linking(context_, tree.common_dir, wanted) : base::Status();
  }

  bool is_missing(const std::string& folder) const {
    const auto info = context_.files.info(folder);
    return info && info->kind == system::FileKind::missing;
  }

  base::Status remember_made(const std::string& folder) const {
    TRY_ASSIGN(const auto own, make_own_folder(context_.files, common_dir_));
    return store::list_folder(*own, store::kMadeFolders, folder);
  }

  // One of ours goes when nothing is in it.
  void remove_made(const std::string& folder) const {
    const auto own = open_own_folder(context_.files, common_dir_);
    if (!own || !store::unlist_folder(**own, store::kMadeFolders, folder)) return;
    const auto above = context_.files.open_folder(parent_of(folder));
    if (above) (void)(*above)->remove_folder(last_part(folder));
  }

  // Owner and group as the folder has them.
  Result<system::FileInfo> like_the_folder(const std::string& path) const {
    return context_.files.info(parent_of(path));
  }

  // Null when info/ is not there and nothing is to be written.
  Result<std::unique_ptr<system::Folder>> attributes_folder(const std::string& path) {
    auto folder = context_.files.open_folder(parent_of(path));
    if (folder || folder.error().kind != ErrorKind::not_found) return folder;
    if (!request_.write || request_.action == Action::undo) return std::unique_ptr<system::Folder>();
    TRY_ASSIGN(const auto above, context_.files.open_folder(parent_of(parent_of(path))));
    auto made = above->make_folder(last_part(parent_of(path)));
    if (made) TRY(remember_made(parent_of(path)));
    return made;
  }

  const Context& context_;
  const GitSetupRequest& request_;
  git::Git git_;
  GitSetupReport report_;
  std::string common_dir_;
};

}  // namespace

Result<GitSetupReport> git_setup(const Context& context, const GitSetupRequest& request) {
  if (context.processes == nullptr) {
    return base::fail(ErrorKind::not_found, "cannot run git");
  }
  return Setup(context, request).run();
}

}  // namespace plankeep::app
