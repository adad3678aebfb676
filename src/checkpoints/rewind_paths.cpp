#include "checkpoints/rewind_paths.hpp"

#include <algorithm>
#include <utility>

#include "checkpoints/snapshots.hpp"
#include "git/file_modes.hpp"
#include "project/plan_location.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;

// Without links as far as it exists; a file may be gone, and its folder with it.
std::string real_as_far_as_it_is(const Context& context, const std::string& path) {
  if (const std::string last = last_part(path); last == "." || last == "..") {
    auto real = context.files.real_path(path);
    if (real) return std::move(*real);
  }
  for (std::string there = parent_of(path);; there = parent_of(there)) {
    auto real = context.files.real_path(there);
    const std::size_t start = there == "/" ? 1 : there.size() + 1;
    if (real) return (*real == "/" ? std::string() : *real) + "/" + path.substr(std::min(start, path.size()));
    if (there == "/") return path;
  }
}

// A submodule's commit is none of its files.
Result<bool> is_in(git::Snapshots& snapshots, const std::string& tree, const std::string& path,
                   const git::GitRun& how = {}) {
  TRY_ASSIGN(const std::string mode, mode_in_tree(snapshots, tree, path, how));
  return !mode.empty() && mode != git::kGitlinkMode;
}

// " (too large)"; empty: not known.
std::string why_left(git::Snapshots& snapshots, const std::vector<git::LeftOut>& left_out,
                     const std::string& path) {
  for (const git::LeftOut& left : left_out) {
    if (is_within(path, {left.path}) || is_within(left.path, {path}))
      return " (" + std::string(git::name_of(left.why)) + ")";
  }
  if (is_within(path, {".git"})) return " (part of git's own folder)";
  if (is_ours(path)) return " (part of plankeep's own folder)";
  const auto asked = snapshots.run({"check-ignore", "--quiet", "-z", "--stdin"}, path);
  return asked && asked->status == 0 ? " (git ignores it)" : "";
}

}  // namespace

Result<std::vector<std::string>> paths_in_tree(const Context& context, git::Snapshots& snapshots,
                                               const git::Snapshot& target,
                                               const std::vector<std::string>& named) {
  const std::string& top = snapshots.place().top;
  std::vector<std::string> paths;
  for (const std::string& name : named) {
    std::string path = absolute_path(context, name);
    while (path.size() > 1 && path.ends_with('/')) path.pop_back();
    if (path != top) path = real_as_far_as_it_is(context, path);
    if (path == top) {
      paths.emplace_back();
      continue;
    }
    if (!path.starts_with(top + "/"))
      return base::fail(ErrorKind::invalid_input, name + " is outside the work tree " + top);
    std::string relative = path.substr(top.size() + 1);
    TRY_ASSIGN(const system::FileInfo now, context.files.info(path));
    if (now.kind == system::FileKind::missing) {
      TRY_ASSIGN(const bool then, is_in(snapshots, target.tree, relative));
      if (!then)
        return base::fail(ErrorKind::not_found, name + " is neither in the checkpoint nor in the work tree");
    }
    paths.push_back(std::move(relative));
  }
  return paths;
}

base::Status require_held(git::Snapshots& snapshots, const git::Snapshot& target, const HeldNow& now,
                          const std::vector<std::string>& named, const std::vector<std::string>& paths) {
  for (std::size_t i = 0; i < paths.size() && i < named.size(); ++i) {
    if (paths[i].empty()) continue;
    TRY_ASSIGN(bool held, is_in(snapshots, target.tree, paths[i]));
    if (!held) {
      TRY_ASSIGN(held, is_in(snapshots, now.tree, paths[i], now.how));
    }
    if (held) continue;
    std::vector<git::LeftOut> left = target.left_out;
    if (now.left_out != nullptr) left.insert(left.end(), now.left_out->begin(), now.left_out->end());
    return base::fail(ErrorKind::not_found,
                      named[i] + " is in no checkpoint" + why_left(snapshots, left, paths[i]));
  }
  return {};
}

Result<std::string> mode_in_tree(git::Snapshots& snapshots, const std::string& tree, const std::string& path,
                                 const git::GitRun& how) {
  TRY_ASSIGN(
      const system::Finished found,
      snapshots.run({"--literal-pathspecs", "ls-tree", "-z", "--full-tree", tree, "--", path}, {}, how));
  if (found.status != 0)
    return base::fail(ErrorKind::io, "git refused: " + found.errors.substr(0, found.errors.find('\n')));
  return found.output.substr(0, found.output.find(' '));
}

bool is_within(std::string_view path, const std::vector<std::string>& paths) {
  return paths.empty() || std::any_of(paths.begin(), paths.end(), [path](const std::string& one) {
           return one.empty() || path == one ||
                  (path.starts_with(one) && path.size() > one.size() && path[one.size()] == '/');
         });
}

}  // namespace plankeep::app
