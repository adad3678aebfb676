#include "git/restore_plan.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "git/file_modes.hpp"
#include "git/folder_chain.hpp"
#include "git/git_words.hpp"

namespace plankeep::git {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using system::FileInfo;
using system::FileKind;

constexpr std::size_t kDeepest = 64;

bool is_git_folder(std::string_view name) {
  if (name.size() != 4) return false;
  constexpr std::string_view kGit = ".git";
  for (std::size_t i = 0; i < kGit.size(); ++i) {
    const char c = name[i];
    if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c) != kGit[i]) return false;
  }
  return true;
}

bool within(std::string_view path, std::string_view top) {
  return path == top || (path.starts_with(top) && path.size() > top.size() && path[top.size()] == '/');
}

// The entry that `path` is, or lies in.
const LeftOut* covering(const std::vector<LeftOut>& left_out, std::string_view path) {
  const auto one = std::find_if(left_out.begin(), left_out.end(),
                                [path](const LeftOut& left) { return within(path, left.path); });
  return one == left_out.end() ? nullptr : &*one;
}

// Which paths can be put back when these are taken away.
class Obstacles {
 public:
  Obstacles(FolderChain& chain, const std::set<std::string_view>& leaving)
      : chain_(chain), leaving_(leaving) {}

  /// Why a new file cannot take its place; empty: it can.
  [[nodiscard]] Result<std::string> of(std::string_view path) {
    for (std::size_t slash = path.find('/'); slash != std::string_view::npos;
         slash = path.find('/', slash + 1)) {
      const std::string_view above = path.substr(0, slash);
      TRY_ASSIGN(const FileInfo info, chain_.info(above));
      if (info.kind == FileKind::missing) return std::string();
      if (info.kind != FileKind::directory) {
        if (leaving_.contains(above)) return std::string();
        return std::string(above) + " is in the way";
      }
      const std::string git = std::string(above) + "/.git";
      TRY_ASSIGN(const FileInfo nested, chain_.info(git));
      if (nested.kind != FileKind::missing) return std::string(above) + " is a repository of its own";
    }
    TRY_ASSIGN(const FileInfo info, chain_.info(path));
    if (info.kind == FileKind::missing || leaving_.contains(path)) return std::string();
    if (info.kind != FileKind::directory)
      return std::string("another file stands there that no snapshot holds");
    TRY_ASSIGN(const bool goes, vanishes(std::string(path), 0));
    return goes ? std::string() : std::string("a folder with other files stands there");
  }

 private:
  // Whether nothing is in a folder but what is taken away.
  Result<bool> vanishes(const std::string& folder, std::size_t depth) {
    if (depth > kDeepest) return false;
    TRY_ASSIGN(system::Folder* const parent, chain_.folder_of(folder + "/x"));
    TRY_ASSIGN(const std::vector<system::FolderEntry> entries, parent->entries());
    if (entries.empty()) return false;  // it was empty before: somebody wants it
    for (const system::FolderEntry& entry : entries) {
      const std::string path = folder + "/" + entry.name;
      bool goes = leaving_.contains(path);
      if (!goes && entry.kind == FileKind::directory) {
        TRY_ASSIGN(goes, vanishes(path, depth + 1));
      }
      if (!goes) return false;
    }
    return true;
  }

  FolderChain& chain_;
  const std::set<std::string_view>& leaving_;
};

// What git diff-tree says of one path.
struct Difference {
  std::string path;
  std::string_view old_mode;
  std::string_view new_mode;
  std::string_view old_id;
  std::string_view new_id;
};

// Takes one off the front; gitdiff-core: ":100644 100755 <id> <id> M" NUL path NUL.
Result<Difference> take_difference(std::string_view& rest) {
  std::string_view facts = take_until(rest, '\0');
  Difference difference;
  difference.path = std::string(take_until(rest, '\0'));
  if (!facts.starts_with(':') || difference.path.empty())
    return base::fail(ErrorKind::io, "git diff-tree says something else than files");
  facts.remove_prefix(1);
  difference.old_mode = take_until(facts, ' ');
  difference.new_mode = take_until(facts, ' ');
  difference.old_id = take_until(facts, ' ');
  difference.new_id = take_until(facts, ' ');
  return difference;
}

TreeChange change_of(const Difference& difference) {
  TreeChange change;
  change.path = difference.path;
  if (difference.new_mode == kNoFileMode) {
    change.what = TreeChange::What::removed;
    return change;
  }
  change.mode = std::string(difference.new_mode);
  change.id = std::string(difference.new_id);
  const bool link = difference.old_mode == kLinkMode || difference.new_mode == kLinkMode;
  if (difference.old_mode == kNoFileMode) {
    change.what = TreeChange::What::added;
  } else if (difference.old_mode != difference.new_mode && link) {
    change.what = TreeChange::What::type;
  } else if (difference.old_id == difference.new_id) {
    change.what = TreeChange::What::mode;
  }
  return change;
}

// What git sees between the two, but for what is to stay whatever stands in its way.
Result<RestorePlan> differences(Snapshots& snapshots, const Captured& now, const Snapshot& target,
                                const LeaveOut& skip) {
  RestorePlan plan;
  TRY_ASSIGN(const system::Finished finished,
             snapshots.run({"diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--no-ext-diff",
                            now.tree, target.tree}));
  if (finished.status != 0) {
    base::Error error = refused(finished);
    if (error.message.find("bad object") != std::string::npos ||
        error.message.find("unable to read") != std::string::npos)
      error.kind = ErrorKind::not_found;
    return base::fail(std::move(error));
  }
  TRY_ASSIGN(const std::vector<std::string> sparse, snapshots.sparse_paths());
  std::string_view rest = finished.output;
  while (!rest.empty()) {
    TRY_ASSIGN(const Difference difference, take_difference(rest));
    const std::string& path = difference.path;
    if (!can_stand_in_work_tree(path))
      return base::fail(ErrorKind::corrupt, "the snapshot holds a path that no work tree can have: " + path);
    if (difference.old_mode == kGitlinkMode || difference.new_mode == kGitlinkMode) continue;
    if (skip && skip(path)) continue;
    if (path.starts_with(kStagingBeside)) continue;
    if (std::binary_search(sparse.begin(), sparse.end(), path)) {
      plan.kept.push_back({path, "a sparse checkout leaves it out"});
      continue;
    }
    const LeftOut* left = covering(now.left_out, path);
    const bool then = left == nullptr;
    if (then) left = covering(target.left_out, path);
    if (left != nullptr) {
      plan.kept.push_back({path, std::string(name_of(left->why)) +
                                     (then ? ": not in the snapshot" : ": no snapshot holds it as it is")});
      continue;
    }
    plan.changes.push_back(change_of(difference));
  }
  std::sort(plan.changes.begin(), plan.changes.end(),
            [](const TreeChange& a, const TreeChange& b) { return a.path < b.path; });
  return plan;
}

// New files whose place is taken go over to `kept`.
Status keep_obstructed(FolderChain& chain, RestorePlan& plan) {
  std::set<std::string_view> leaving;
  for (const TreeChange& change : plan.changes) {
    if (change.what != TreeChange::What::added) leaving.insert(change.path);
  }
  Obstacles obstacles(chain, leaving);
  std::vector<TreeChange> possible;
  possible.reserve(plan.changes.size());
  for (const TreeChange& change : plan.changes) {
    std::string why;
    if (change.what == TreeChange::What::added) {
      TRY_ASSIGN(why, obstacles.of(change.path));
    }
    if (why.empty()) {
      possible.push_back(change);
    } else {
      plan.kept.push_back({change.path, std::move(why)});
    }
  }
  plan.changes = std::move(possible);
  std::sort(plan.kept.begin(), plan.kept.end(),
            [](const KeptPath& a, const KeptPath& b) { return a.path < b.path; });
  return {};
}

}  // namespace

bool can_stand_in_work_tree(std::string_view path) {
  if (path.empty() || path.starts_with('/') || path.ends_with('/')) return false;
  while (!path.empty()) {
    const std::string_view part = take_until(path, '/');
    if (part.empty() || part == "." || part == ".." || is_git_folder(part)) return false;
  }
  return true;
}

Result<RestorePlan> plan_restore(Snapshots& snapshots, system::FileSystem& files, const Captured& now,
                                 const Snapshot& target, const LeaveOut& skip) {
  TRY_ASSIGN(RestorePlan plan, differences(snapshots, now, target, skip));
  FolderChain chain(files, snapshots.place().top);
  TRY(keep_obstructed(chain, plan));
  return plan;
}

}  // namespace plankeep::git
