#include "worktree/tree_diff.hpp"

#include <algorithm>
#include <charconv>
#include <map>

#include "git/file_modes.hpp"
#include "git/folder_chain.hpp"
#include "git/git_output.hpp"

namespace plankeep::git {
namespace {

using base::ErrorKind;
using base::Result;

constexpr std::int64_t kNanoseconds = 1'000'000;  // a millisecond

Result<std::string> diff_tree(Snapshots& snapshots, const TreeDiff& diff,
                              const std::vector<std::string>& options) {
  std::vector<std::string> words{"--literal-pathspecs", "diff-tree",     "-r",
                                 "--no-renames",        "--no-ext-diff", "--no-textconv"};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {diff.from, diff.to, "--"});
  for (const std::string& path : diff.paths) {
    // The top itself is all.
    if (path.empty()) return diff_tree(snapshots, {diff.from, diff.to, {}, diff.how, {}, {}}, options);
    words.push_back(path);
  }
  TRY_ASSIGN(system::Finished finished, snapshots.run(words, {}, diff.how));
  if (finished.status != 0 && finished.errors.find("bad object") != std::string::npos)
    return base::fail(ErrorKind::not_found, "git no longer has the snapshot");
  if (finished.status != 0) return base::fail(refused(finished));
  if (finished.cut) return base::fail(ErrorKind::io, "the difference is too large to show");
  return std::move(finished.output);
}

std::optional<std::int64_t> count_of(std::string_view text) {
  std::int64_t number = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || end.ec != std::errc{} || end.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

TreeChange::What what_of(std::string_view old_mode, std::string_view new_mode, bool same_content) {
  using What = TreeChange::What;
  if (old_mode == kNoFileMode) return What::added;
  if (new_mode == kNoFileMode) return What::removed;
  if ((old_mode == kLinkMode) != (new_mode == kLinkMode)) return What::type;
  return same_content ? What::mode : What::changed;
}

bool is_wanted(std::string_view path, const std::vector<std::string>& paths) {
  return paths.empty() || std::any_of(paths.begin(), paths.end(), [path](const std::string& one) {
           return one.empty() || path == one || (path.starts_with(one) && path[one.size()] == '/');
         });
}

// Files that both trees hold alike.
base::Status add_permissions(Snapshots& snapshots, const TreeDiff& diff,
                             std::map<std::string, FileDifference, std::less<>>& by_path) {
  const Permissions& from = diff.from_permissions;
  const Permissions& to = diff.to_permissions;
  if (from == to || from.plain == 0 || to.plain == 0) return {};
  TRY_ASSIGN(const system::Finished listed,
             snapshots.run({"ls-tree", "-r", "-z", "--full-tree", diff.to}, {}, diff.how));
  if (listed.status != 0) return base::fail(refused(listed));
  std::string_view rest = listed.output;
  while (!rest.empty()) {
    // "100644 blob <id>" TAB path NUL.
    std::string_view path = take_until(rest, '\0');
    std::string_view facts = take_until(path, '\t');
    const std::string_view mode = take_until(facts, ' ');
    if (from.of(path, mode) == to.of(path, mode) || by_path.contains(path)) continue;
    if (!is_wanted(path, diff.paths)) continue;
    const std::string name(path);
    by_path[name] = {name, TreeChange::What::mode, 0, 0, true};
  }
  return {};
}

}  // namespace

Result<std::vector<FileDifference>> differences(Snapshots& snapshots, const TreeDiff& diff) {
  TRY_ASSIGN(const std::string output,
             diff_tree(snapshots, diff, {"-z", "--raw", "--no-abbrev", "--numstat"}));
  // First ":<mode> <mode> <id> <id> <letter>" and the path of each, then "<added>\t<removed>\t<path>".
  std::map<std::string, FileDifference, std::less<>> by_path;
  std::string_view rest = output;
  while (!rest.empty()) {
    std::string_view record = take_until(rest, '\0');
    if (record.starts_with(':')) {
      record.remove_prefix(1);
      const std::string_view old_mode = take_until(record, ' ');
      const std::string_view new_mode = take_until(record, ' ');
      const std::string_view old_id = take_until(record, ' ');
      const std::string_view new_id = take_until(record, ' ');
      const std::string path(take_until(rest, '\0'));
      by_path[path] = {path, what_of(old_mode, new_mode, old_id == new_id), std::nullopt, std::nullopt,
                       false};
      continue;
    }
    const std::string_view added = take_until(record, '\t');
    const std::string_view removed = take_until(record, '\t');
    const auto known = by_path.find(record);
    if (known == by_path.end()) return base::fail(ErrorKind::io, "unexpected output from git diff-tree");
    known->second.added = count_of(added);
    known->second.removed = count_of(removed);
  }
  TRY(add_permissions(snapshots, diff, by_path));
  std::vector<FileDifference> all;
  all.reserve(by_path.size());
  for (auto& [path, difference] : by_path) all.push_back(std::move(difference));
  return all;
}

Result<std::vector<std::string>> differing_paths(Snapshots& snapshots, const TreeDiff& diff) {
  TRY_ASSIGN(const std::string output, diff_tree(snapshots, diff, {"-z", "--name-only"}));
  std::vector<std::string> paths;
  std::string_view rest = output;
  while (!rest.empty()) paths.emplace_back(take_until(rest, '\0'));
  return paths;
}

std::vector<std::string> changed_after(system::FileSystem& files, const std::string& top,
                                       std::vector<std::string> paths, base::Instant since) {
  FolderChain chain(files, top);
  const auto is_later = [since](const system::FileInfo& info) {
    // Anybody can set the other one.
    return (info.ctime_ns != 0 ? info.ctime_ns : info.mtime_ns) / kNanoseconds > since.milliseconds;
  };
  const auto is_unchanged = [&](std::string_view path) {
    auto info = chain.info(path);
    while (info && info->kind == system::FileKind::missing && !path.empty()) {
      path = folder_part(path);
      info = path.empty() ? files.info(top) : chain.info(path);
    }
    return info && !is_later(*info);
  };
  std::erase_if(paths, is_unchanged);
  return paths;
}

Result<std::string> patch(Snapshots& snapshots, const TreeDiff& diff) {
  return diff_tree(snapshots, diff, {"-p", "--no-color", "--src-prefix=a/", "--dst-prefix=b/"});
}

Result<std::vector<bool>> which_exist(Snapshots& snapshots, const std::vector<std::string>& ids) {
  std::vector<bool> there;
  if (ids.empty()) return there;
  std::string input;
  for (const std::string& id : ids) input.append(id).append(1, '\n');
  TRY_ASSIGN(const system::Finished finished, snapshots.run({"cat-file", "--batch-check"}, input));
  // A line for each: "<id> tree 123", or "<id> missing".
  std::string_view rest = finished.output;
  while (there.size() < ids.size() && !rest.empty())
    there.push_back(!take_until(rest, '\n').ends_with(" missing"));
  if (there.size() != ids.size())
    return base::fail(base::ErrorKind::io, "git did not say which snapshots it has");
  return there;
}

Result<std::vector<std::optional<std::size_t>>> changed_files(
    Snapshots& snapshots, const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::vector<std::optional<std::size_t>> counts(pairs.size());
  if (pairs.empty()) return counts;
  std::string input;
  for (const auto& [from, to] : pairs) input.append(from).append(1, ' ').append(to).append(1, '\n');
  TRY_ASSIGN(const system::Finished finished,
             snapshots.run({"diff-tree", "--stdin", "-r", "-z", "--name-only", "--no-renames"}, input));
  if (finished.status != 0 || finished.cut) return counts;
  // The pair, in a line, then the names.
  std::string_view rest = finished.output;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::string head = pairs[i].first + " " + pairs[i].second + "\n";
    if (!rest.starts_with(head)) return std::vector<std::optional<std::size_t>>(pairs.size());
    rest.remove_prefix(head.size());
    const std::string next =
        i + 1 < pairs.size() ? pairs[i + 1].first + " " + pairs[i + 1].second + "\n" : "";
    std::size_t count = 0;
    while (!rest.empty() && (next.empty() || !rest.starts_with(next))) {
      take_until(rest, '\0');
      ++count;
    }
    counts[i] = count;
  }
  return counts;
}

}  // namespace plankeep::git
