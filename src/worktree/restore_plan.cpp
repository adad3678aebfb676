#include "worktree/restore_plan.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "git/file_modes.hpp"
#include "git/folder_chain.hpp"
#include "git/git_output.hpp"
#include "worktree/tree_ignores.hpp"

namespace plankeep::git {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using system::FileInfo;
using system::FileKind;

constexpr std::size_t kDeepestPath = 64;

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
  Obstacles(FolderChain& chain, const std::set<std::string_view>& leaving, std::vector<std::string>& unheld)
      : chain_(chain), leaving_(leaving), unheld_(unheld) {}

  /// Why a new file cannot take its place; empty: it can. A file or link that is in the way goes to `unheld`.
  [[nodiscard]] Result<std::string> of(std::string_view path) {
    for (std::size_t slash = path.find('/'); slash != std::string_view::npos;
         slash = path.find('/', slash + 1)) {
      const std::string_view above = path.substr(0, slash);
      TRY_ASSIGN(const FileInfo info, chain_.info(above));
      if (info.kind == FileKind::missing) return std::string();
      if (info.kind != FileKind::directory) {
        if (leaving_.contains(above)) return std::string();
        note(above, info);
        return std::string(above) + " is in the way";
      }
      const std::string git = std::string(above) + "/.git";
      TRY_ASSIGN(const FileInfo nested, chain_.info(git));
      if (nested.kind != FileKind::missing) return std::string(above) + " is a separate repository";
    }
    TRY_ASSIGN(const FileInfo info, chain_.info(path));
    if (info.kind == FileKind::missing || leaving_.contains(path)) return std::string();
    if (info.kind != FileKind::directory) {
      note(path, info);
      return std::string("another file exists there that is in no snapshot");
    }
    TRY_ASSIGN(const bool goes, vanishes(std::string(path), 0));
    return goes ? std::string() : std::string("a folder with other files exists there");
  }

 private:
  // Whether nothing is in a folder but what is taken away.
  Result<bool> vanishes(const std::string& folder, std::size_t depth) {
    if (depth > kDeepestPath) return false;
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

  void note(std::string_view path, const FileInfo& info) {
    const bool can_be_held = info.kind == FileKind::regular || info.kind == FileKind::symlink;
    const bool known = !unheld_.empty() && unheld_.back() == path;
    if (can_be_held && !known) unheld_.emplace_back(path);
  }

  FolderChain& chain_;
  const std::set<std::string_view>& leaving_;
  std::vector<std::string>& unheld_;
};

// What git diff-tree says of one path.
struct Difference {
  std::string path;
  std::string_view old_mode;
  std::string_view new_mode;
  std::string_view old_id;
  std::string_view new_id;
};

// What git ls-tree says of one path.
struct TreeEntry {
  std::string_view path;
  std::string_view mode;
  std::string_view id;
};

// Takes one off the front: "100644 blob <id>" TAB path NUL.
TreeEntry take_entry(std::string_view& rest) {
  TreeEntry entry;
  entry.path = take_until(rest, '\0');
  entry.id = take_until(entry.path, '\t');
  entry.mode = take_until(entry.id, ' ');
  take_until(entry.id, ' ');
  return entry;
}

// Takes one off the front; gitdiff-core: ":100644 100755 <id> <id> M" NUL path NUL.
Result<Difference> take_difference(std::string_view& rest) {
  std::string_view facts = take_until(rest, '\0');
  Difference difference;
  difference.path = std::string(take_until(rest, '\0'));
  if (!facts.starts_with(':') || difference.path.empty())
    return base::fail(ErrorKind::io, "unexpected output from git diff-tree");
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
  if (difference.old_mode != kNoFileMode) {
    change.old_mode = std::string(difference.old_mode);
    change.old_id = std::string(difference.old_id);
  }
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

// Of sorted paths.
bool holds(const std::vector<std::string>& paths, std::string_view path) {
  return std::binary_search(paths.begin(), paths.end(), path, std::less<>());
}

bool by_path(const TreeChange& a, const TreeChange& b) {
  return a.path < b.path;
}

// Calls `each` with every folder on the way to a path, outermost first.
template <class Each>
void each_folder_above(std::string_view path, const Each& each) {
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/', slash + 1))
    each(path.substr(0, slash));
}

// What is to be done between the two, whatever stands in the way of it.
class Differences {
 public:
  Differences(Snapshots& snapshots, const Captured& now, const Snapshot& target, const LeaveOut& skip,
              const ComingIndex* coming, bool staging)
      : snapshots_(snapshots), now_(now), target_(target), skip_(skip), coming_(coming), staging_(staging) {}

  [[nodiscard]] Result<RestorePlan> find() {
    TRY_ASSIGN(const std::string output, git({"diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev",
                                              "--no-ext-diff", now_.tree, target_.tree}));
    std::set<std::string, std::less<>> seen;
    std::string_view rest = output;
    while (!rest.empty()) {
      TRY_ASSIGN(const Difference difference, take_difference(rest));
      seen.insert(difference.path);
      TRY(add(difference));
    }
    TRY(add_sparse(seen));
    TRY(add_permissions(seen));
    std::sort(plan_.changes.begin(), plan_.changes.end(), by_path);
    return std::move(plan_);
  }

 private:
  [[nodiscard]] Result<std::string> git(const std::vector<std::string>& words) {
    TRY_ASSIGN(system::Finished finished, snapshots_.run(words, {}, now_.seeing()));
    if (finished.status == 0) return std::move(finished.output);
    base::Error error = refused(finished);
    if (error.message.find("bad object") != std::string::npos ||
        error.message.find("unable to read") != std::string::npos)
      error.kind = ErrorKind::not_found;
    return base::fail(std::move(error));
  }

  // A sparse checkout leaves it out of the work tree.
  bool absent_now(std::string_view path) const { return holds(now_.sparse, path); }
  // What is one of its files now was a folder then: git would take it for there again.
  bool below_absent(std::string_view path) const {
    bool below = false;
    if (!now_.sparse.empty())
      each_folder_above(path, [&](std::string_view folder) { below = below || absent_now(folder); });
    return below;
  }
  bool absent_then(std::string_view path) const {
    if (coming_ == nullptr) return absent_now(path);
    if (coming_->absent) return holds(*coming_->absent, path);
    return absent_now(path) && holds(coming_->skipped, path);
  }

  [[nodiscard]] Status add(Difference difference) {
    const std::string& path = difference.path;
    if (!can_stand_in_work_tree(path))
      return base::fail(ErrorKind::corrupt, "the snapshot contains an invalid path: " + path);
    if (difference.old_mode == kGitlinkMode || difference.new_mode == kGitlinkMode) return {};
    if ((skip_ && skip_(path)) || (staging_ && path.starts_with(kStagingBeside))) return {};
    if (coming_ == nullptr && (absent_now(path) || below_absent(path))) {
      plan_.kept.push_back({path, "excluded by the sparse checkout"});
      return {};
    }
    if (absent_now(path)) difference.old_mode = kNoFileMode;
    if (absent_then(path)) difference.new_mode = kNoFileMode;
    if (difference.old_mode == kNoFileMode && difference.new_mode == kNoFileMode) return {};
    const LeftOut* left = covering(now_.left_out, path);
    const bool then = left == nullptr;
    if (then) left = covering(target_.left_out, path);
    if (left != nullptr) {
      // Its files may be thousands.
      const bool whole = left->why == LeftOut::Why::nested_repository;
      if (whole && !repositories_.insert(left->path).second) return {};
      plan_.kept.push_back(
          {whole ? left->path + "/" : path,
           std::string(name_of(left->why)) +
               (then ? ": not in the snapshot" : ": its current contents are in no snapshot")});
      return {};
    }
    TreeChange& change = plan_.changes.emplace_back(change_of(difference));
    change.permissions = target_.permissions.of(path, change.mode);
    change.old_permissions = now_.permissions.of(path, change.old_mode);
    return {};
  }

  // Files that both trees hold alike and only one of the two work trees does: the index that comes leaves
  // out other ones.
  [[nodiscard]] Status add_sparse(std::set<std::string, std::less<>>& seen) {
    if (coming_ == nullptr) return {};
    std::set<std::string_view> wanted;
    const auto want = [&](const std::string& path) {
      if (absent_now(path) != absent_then(path) && !seen.contains(path)) wanted.insert(path);
    };
    for (const std::string& path : now_.sparse) want(path);
    if (coming_->absent) {
      for (const std::string& path : *coming_->absent) want(path);
    }
    if (wanted.empty()) return {};
    TRY_ASSIGN(const std::string output, git({"ls-tree", "-r", "-z", target_.tree}));
    std::string_view rest = output;
    while (!rest.empty()) {
      const TreeEntry entry = take_entry(rest);
      if (!wanted.contains(entry.path)) continue;
      TRY(add({std::string(entry.path), entry.mode, entry.mode, entry.id, entry.id}));
      seen.emplace(entry.path);
    }
    return {};
  }

  // Files of the same content and executable bit whose other permission bits differ.
  [[nodiscard]] Status add_permissions(const std::set<std::string, std::less<>>& seen) {
    const Permissions& now = now_.permissions;
    const Permissions& then = target_.permissions;
    if (now == then || now.plain == 0 || then.plain == 0) return {};
    TRY_ASSIGN(const std::string output, git({"ls-tree", "-r", "-z", target_.tree}));
    std::string_view rest = output;
    while (!rest.empty()) {
      const auto [path, mode, id] = take_entry(rest);
      if (now.of(path, mode) == then.of(path, mode) || seen.contains(path) || absent_now(path)) continue;
      TRY(add({std::string(path), mode, mode, id, id}));
    }
    return {};
  }

  Snapshots& snapshots_;
  const Captured& now_;
  const Snapshot& target_;
  const LeaveOut& skip_;
  const ComingIndex* coming_;
  bool staging_;  // .plankeep-rewind is ours
  RestorePlan plan_;
  std::set<std::string> repositories_;  // in plan_.kept
};

// Files that go and whose place nothing of the snapshot takes.
std::vector<std::string_view> only_leaving(const RestorePlan& plan) {
  std::set<std::string_view> coming;
  std::set<std::string_view> folders;
  for (const TreeChange& change : plan.changes) {
    if (change.id.empty()) continue;
    coming.insert(change.path);
    each_folder_above(change.path, [&](std::string_view folder) { folders.insert(folder); });
  }
  std::vector<std::string_view> leaving;
  for (const TreeChange& change : plan.changes) {
    if (change.what != TreeChange::What::removed) continue;
    bool taken = folders.contains(change.path);
    each_folder_above(change.path,
                      [&](std::string_view folder) { taken = taken || coming.contains(folder); });
    if (!taken) leaving.push_back(change.path);
  }
  return leaving;
}

// Files that would go, but may have been there then: they go over to `kept`, a folder as one.
Status keep_ignored_then(Snapshots& snapshots, system::FileSystem& files, const std::string& target_tree,
                         const ComingIndex* coming, RestorePlan& plan) {
  std::vector<std::string_view> leaving = only_leaving(plan);
  // Of what a sparse checkout left out it is known that it was not.
  if (coming != nullptr && coming->absent)
    std::erase_if(leaving, [coming](std::string_view path) { return holds(*coming->absent, path); });
  if (leaving.empty()) return {};
  TRY_ASSIGN(const auto ignored, ignored_by_tree(snapshots, files, target_tree, leaving));
  if (ignored.empty()) return {};
  std::set<std::string> whole;
  std::vector<TreeChange> others;
  others.reserve(plan.changes.size());
  for (const TreeChange& change : plan.changes) {
    const auto found = ignored.find(change.path);
    if (found == ignored.end()) {
      others.push_back(change);
    } else {
      whole.insert(found->second);
    }
  }
  plan.changes = std::move(others);
  for (const std::string& path : whole) plan.kept.push_back({path, "the checkpoint's ignore rules cover it"});
  return {};
}

// What is not there now goes over to `gone`. A snapshot of strangers may name what can be no file.
void sort_out_gone(FolderChain& chain, RestorePlan& plan) {
  std::vector<LeftOut> there;
  for (LeftOut& left : plan.left_out) {
    const auto info = chain.info(left.path);
    const bool gone = info && info->kind == FileKind::missing;
    (gone ? plan.gone : there).push_back(std::move(left));
  }
  plan.left_out = std::move(there);
}

std::vector<LeftOut> in_either(const Captured& now, const Snapshot& target) {
  std::vector<LeftOut> all = now.left_out;
  all.insert(all.end(), target.left_out.begin(), target.left_out.end());
  const auto by = [](const LeftOut& a, const LeftOut& b) { return a.path < b.path; };
  const auto same = [](const LeftOut& a, const LeftOut& b) { return a.path == b.path; };
  std::stable_sort(all.begin(), all.end(), by);
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  return all;
}

// New files whose place is taken go over to `kept`.
Status keep_obstructed(FolderChain& chain, RestorePlan& plan) {
  std::set<std::string_view> leaving;
  for (const TreeChange& change : plan.changes) {
    if (change.what != TreeChange::What::added) leaving.insert(change.path);
  }
  Obstacles obstacles(chain, leaving, plan.unheld);
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

Result<bool> staging_beside(FolderChain& chain) {
  TRY_ASSIGN(const FileInfo mark, chain.info(std::string(kStagingBeside) + std::string(kStagingMark)));
  return mark.kind == FileKind::regular;
}

Result<RestorePlan> plan_restore(Snapshots& snapshots, system::FileSystem& files, const Captured& now,
                                 const Snapshot& target, const LeaveOut& skip, const ComingIndex* coming) {
  FolderChain chain(files, snapshots.place().top);
  TRY_ASSIGN(const bool staging, staging_beside(chain));
  TRY_ASSIGN(RestorePlan plan, Differences(snapshots, now, target, skip, coming, staging).find());
  TRY(keep_ignored_then(snapshots, files, target.tree, coming, plan));
  plan.left_out = in_either(now, target);
  sort_out_gone(chain, plan);
  TRY(keep_obstructed(chain, plan));
  return plan;
}

}  // namespace plankeep::git
