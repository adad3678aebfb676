#include <algorithm>
#include <utility>

#include "git/file_modes.hpp"
#include "git/folder_chain.hpp"
#include "git/git.hpp"
#include "git/git_output.hpp"

namespace plankeep::git {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 ? "/" : path.substr(0, slash);
}

// git-status, porcelain format version 2: "1 <XY> <sub> <mH> <mI> <mW> <hH> <hI> <path>" and
// "u <XY> <sub> <m1> <m2> <m3> <mW> <h1> <h2> <h3> <path>".
std::optional<std::string> read_change(std::string_view entry) {
  const std::string_view kind = take_until(entry, ' ');
  if (kind != "1" && kind != "u") return std::nullopt;
  for (int fields = kind == "u" ? 9 : 7; fields > 0; --fields) take_until(entry, ' ');
  if (entry.empty()) return std::nullopt;
  return std::string(entry);
}

}  // namespace

// A tracked file as it stands in the work tree.
struct Git::Changed {
  std::string mode;
  std::string path;
  std::string id;
};

Result<std::optional<WorkTreeStatus>> Git::work_tree_status(const std::string& folder) {
  TRY_ASSIGN(const system::Finished finished,
             run(folder, {"status", "--porcelain=v2", "--branch", "--no-ahead-behind", "-z",
                          "--untracked-files=no", "--no-renames", "--ignore-submodules=dirty"}));
  if (finished.status != 0) {
    if (no_work_tree(finished)) return std::optional<WorkTreeStatus>();
    return base::fail(refused(finished));
  }
  WorkTreeStatus status;
  std::string_view rest = finished.output;
  while (!rest.empty()) {
    // "# branch.oid <id>" or "(initial)".
    std::string_view entry = take_until(rest, '\0');
    constexpr std::string_view kHead = "# branch.oid ";
    if (entry.starts_with(kHead)) {
      entry.remove_prefix(kHead.size());
      if (is_id(entry)) status.head = std::string(entry);
      continue;
    }
    if (entry.starts_with('#')) continue;
    auto file = read_change(entry);
    if (!file) return base::fail(ErrorKind::io, "unexpected output from git status");
    status.changed.push_back(std::move(*file));
  }
  return std::optional(std::move(status));
}

Result<std::vector<std::string>> Git::not_in_head(const WorkTree& tree, const LeaveOut& leave_out) {
  TRY_ASSIGN(GitRunning flags, start(tree.top, {"ls-files", "-v", "--stage", "-z"}));
  TRY_ASSIGN(const std::string output,
             good(tree.top, {"status", "--porcelain=v2", "-z", "--untracked-files=all", "--no-renames",
                             "--ignore-submodules=none"}));
  std::vector<std::string> paths;
  std::string_view rest = output;
  while (!rest.empty()) {
    const std::string_view entry = take_until(rest, '\0');
    if (entry.starts_with("? ")) {
      // A repository that is no submodule is none of the commit's business.
      if (!entry.ends_with('/')) paths.emplace_back(entry.substr(2));
      continue;
    }
    auto file = read_change(entry);
    if (!file) return base::fail(ErrorKind::io, "unexpected output from git status");
    paths.push_back(std::move(*file));
  }
  TRY_ASSIGN(const system::Finished flagged, flags.finish());
  if (flagged.status != 0) return base::fail(refused(flagged));
  TRY(find_flagged(tree, flagged.output, paths));
  if (leave_out) std::erase_if(paths, leave_out);
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  return paths;
}

// Files that git status takes to be as the index has them without a look: assume-unchanged ("h") and
// skip-worktree ("S", "s").
Status Git::find_flagged(const WorkTree& tree, std::string_view listing, std::vector<std::string>& differ) {
  while (!listing.empty()) {
    std::string_view path = take_until(listing, '\0');
    std::string_view facts = take_until(path, '\t');
    const std::string_view tag = take_until(facts, ' ');
    const std::string_view mode = take_until(facts, ' ');
    const std::string_view id = take_until(facts, ' ');
    if (tag.size() != 1 || !is_id(id) || path.empty())
      return base::fail(ErrorKind::io, "unexpected output from git ls-files");
    const bool skipped = tag == "S" || tag == "s";
    if ((!skipped && (tag[0] < 'a' || tag[0] > 'z')) || mode == kGitlinkMode) continue;
    TRY_ASSIGN(const system::FileInfo info, FolderChain(files_, tree.top).info(path));
    if (info.kind == system::FileKind::missing && skipped) continue;  // a sparse checkout
    Changed file;
    file.path = path;
    file.mode = mode_of(info);
    if (file.mode == mode) {
      TRY_ASSIGN(file.id, identify_one(tree, file));
    }
    if (file.id != id) differ.emplace_back(path);
  }
  return {};
}

// Empty when the file is not there.
Result<std::string> Git::identify_one(const WorkTree& tree, const Changed& file) {
  const std::string path = tree.top + "/" + file.path;
  if (file.mode == kLinkMode) {
    auto folder = files_.open_folder(parent_of(path));
    if (!folder) return std::string();
    auto target = (*folder)->read_link(path.substr(path.rfind('/') + 1));
    if (!target) return std::string();
    TRY_ASSIGN(std::string id, good(tree.top, {"hash-object", "--stdin", "--no-filters"}, *target));
    return without_line_feed(std::move(id));
  }
  TRY_ASSIGN(system::Finished finished, run(tree.top, {"hash-object", "--", file.path}));
  if (finished.status == 0) return without_line_feed(std::move(finished.output));
  const auto info = files_.info(path);
  if (info && info->kind == system::FileKind::missing) return std::string();
  return base::fail(refused(finished));
}

Result<bool> Git::dirty(const WorkTree& tree, const LeaveOut& leave_out) {
  TRY_ASSIGN(const HeadStatus now, head_status(tree, leave_out));
  return now.dirty;
}

Result<HeadStatus> Git::head_status(const WorkTree& tree, const LeaveOut& leave_out) {
  TRY_ASSIGN(auto seen, work_tree_status(tree.top));
  if (!seen) return base::fail(ErrorKind::io, "the repository no longer exists");
  HeadStatus now;
  now.dirty = std::any_of(seen->changed.begin(), seen->changed.end(),
                          [&](const std::string& path) { return !leave_out || !leave_out(path); });
  now.head = std::move(seen->head);
  return now;
}

}  // namespace plankeep::git
