#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/sha256.hpp"
#include "git/file_modes.hpp"
#include "git/git.hpp"
#include "git/git_words.hpp"

namespace plankeep::git {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

constexpr std::string_view kGone = "000000";

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 ? "/" : path.substr(0, slash);
}

// git-status, porcelain format version 2: "1 <XY> <sub> <mH> <mI> <mW> <hH> <hI> <path>" and
// "u <XY> <sub> <m1> <m2> <m3> <mW> <h1> <h2> <h3> <path>".
std::optional<ChangedFile> read_change(std::string_view entry) {
  ChangedFile file;
  const std::string_view kind = take_until(entry, ' ');
  if (kind != "1" && kind != "u") return std::nullopt;
  file.unmerged = kind == "u";
  const std::string_view both = take_until(entry, ' ');
  take_until(entry, ' ');
  for (int modes = file.unmerged ? 3 : 2; modes > 0; --modes) take_until(entry, ' ');
  file.mode = std::string(take_until(entry, ' '));
  for (int ids = file.unmerged ? 3 : 2; ids > 0; --ids) take_until(entry, ' ');
  file.in_work_tree = file.unmerged || (both.size() == 2 && both[1] != '.');
  file.path = std::string(entry);
  if (both.size() != 2 || file.path.empty() || file.mode.size() != kGone.size()) return std::nullopt;
  return file;
}

}  // namespace

// A tracked file whose content in the work tree is not the one in the index.
struct Git::Changed {
  std::size_t entry = 0;  // its place in the list
  std::string mode;
  std::string path;
  std::string id;
};

Result<std::optional<Look>> Git::look(const std::string& folder) {
  TRY_ASSIGN(const system::Finished finished,
             run(folder, {"status", "--porcelain=v2", "--branch", "--no-ahead-behind", "-z",
                          "--untracked-files=no", "--no-renames", "--ignore-submodules=dirty"}));
  if (finished.status != 0) {
    if (no_work_tree(finished)) return std::optional<Look>();
    return base::fail(refused(finished));
  }
  Look look;
  std::string_view rest = finished.output;
  while (!rest.empty()) {
    // "# branch.oid <id>" or "(initial)".
    std::string_view entry = take_until(rest, '\0');
    constexpr std::string_view kHead = "# branch.oid ";
    if (entry.starts_with(kHead)) {
      entry.remove_prefix(kHead.size());
      if (is_id(entry)) look.head = std::string(entry);
      continue;
    }
    if (entry.starts_with('#')) continue;
    auto file = read_change(entry);
    if (!file) return base::fail(ErrorKind::io, "git status says something else than files");
    look.changed.push_back(std::move(*file));
  }
  return std::optional(std::move(look));
}

Result<std::string> Git::tracked_digest(const WorkTree& tree, const LeaveOut& leave_out) {
  TRY_ASSIGN(const auto seen, look(tree.top));
  if (!seen) return base::fail(ErrorKind::io, "the repository is gone");
  return digest_at(tree, *seen, leave_out);
}

Result<std::string> Git::digest_at(const WorkTree& tree, const Look& look, const LeaveOut& leave_out) {
  TRY_ASSIGN(const std::string output, good(tree.top, {"ls-files", "--stage", "-z"}));
  std::unordered_map<std::string_view, const ChangedFile*> changes;
  for (const ChangedFile& file : look.changed) {
    if (file.in_work_tree) changes.emplace(file.path, &file);
  }
  struct Entry {
    std::string_view mode;
    std::string_view id;
    std::string_view path;
  };
  std::vector<Entry> entries;
  std::vector<Changed> changed;
  std::string_view rest = output;
  while (!rest.empty()) {
    // git-ls-files: "<mode> <id> <stage>" TAB path NUL.
    std::string_view facts = take_until(rest, '\0');
    const std::string_view mode = take_until(facts, ' ');
    const std::string_view id = take_until(facts, ' ');
    take_until(facts, '\t');
    if (facts.empty() || !is_id(id))
      return base::fail(ErrorKind::io, "git ls-files says something else than files");
    if (leave_out && leave_out(facts)) continue;
    // An unmerged path comes once for each of its sides.
    if (!entries.empty() && entries.back().path == facts) continue;
    const auto found = changes.find(facts);
    if (found == changes.end()) {
      entries.push_back({mode, id, facts});
      continue;
    }
    const ChangedFile& file = *found->second;
    if (file.mode != kGone) changed.push_back({entries.size(), file.mode, file.path, {}});
    entries.push_back({file.mode, {}, facts});
  }
  TRY(identify(tree, changed));
  for (const Changed& file : changed) entries[file.entry].id = file.id;

  std::string list;
  list.reserve(output.size());
  for (const Entry& entry : entries) {
    if (entry.id.empty()) continue;  // it is gone, or went while we looked
    list.append(entry.mode).append(1, ' ').append(entry.id).append(1, ' ').append(entry.path).append(1, '\0');
  }
  return base::sha256_hex(list);
}

// The ids that git would give to the changed files.
Status Git::identify(const WorkTree& tree, std::vector<Changed>& changed) {
  std::string paths;
  std::vector<Changed*> together;
  together.reserve(changed.size());
  for (Changed& file : changed) {
    // hash-object follows links, reads a path a line, and stops at the first that is not there.
    const bool regular = file.mode.starts_with("100") && file.path.find('\n') == std::string::npos &&
                         !file.path.starts_with('"');
    if (regular) {
      paths += file.path + "\n";
      together.push_back(&file);
    } else {
      TRY_ASSIGN(file.id, identify_one(tree, file));
    }
  }
  if (together.empty()) return {};
  TRY_ASSIGN(const system::Finished finished, run(tree.top, {"hash-object", "--stdin-paths"}, paths));
  std::string_view rest = finished.output;
  if (finished.status == 0) {
    for (Changed* file : together) file->id = std::string(take_until(rest, '\n'));
    return {};
  }
  for (Changed* file : together) {
    TRY_ASSIGN(file->id, identify_one(tree, *file));
  }
  return {};
}

// Empty when the file is not there.
Result<std::string> Git::identify_one(const WorkTree& tree, const Changed& file) {
  const std::string path = tree.top + "/" + file.path;
  if (file.mode == kGitlinkMode) {
    TRY_ASSIGN(const auto submodule, work_tree(path));
    return submodule ? submodule->head : std::string();
  }
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
  TRY_ASSIGN(const Standing now, standing(tree, leave_out));
  return now.dirty;
}

Result<Standing> Git::standing(const WorkTree& tree, const LeaveOut& leave_out) {
  TRY_ASSIGN(auto seen, look(tree.top));
  if (!seen) return base::fail(ErrorKind::io, "the repository is gone");
  Standing now;
  now.dirty = std::any_of(seen->changed.begin(), seen->changed.end(),
                          [&](const ChangedFile& file) { return !leave_out || !leave_out(file.path); });
  now.head = std::move(seen->head);
  return now;
}

}  // namespace plankeep::git
