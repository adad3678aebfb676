#include "worktree/index_copy.hpp"

#include <set>
#include <utility>

#include "git/file_modes.hpp"
#include "git/folder_chain.hpp"
#include "git/git_output.hpp"

namespace plankeep::git {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

constexpr std::string_view kIndexName = "index";
constexpr std::string_view kCopy = "user-index";
constexpr std::string_view kShared = "sharedindex.";
constexpr std::uint64_t kLargestIndex = std::uint64_t{1} << 30;

Result<std::string> store_blob(View& view, std::string_view bytes) {
  TRY_ASSIGN(const std::string output, view.run({"hash-object", "-w", "--stdin"}, bytes, {}));
  return output.substr(0, output.find('\n'));
}

// The name of the file that a split index leans on; empty: it is not split.
Result<std::string> shared_name(Snapshots& snapshots, system::Folder& git_dir) {
  TRY_ASSIGN(const std::vector<std::string> names, git_dir.list());
  bool any = false;
  for (const std::string& name : names) any = any || name.starts_with(kShared);
  if (!any) return std::string();
  TRY_ASSIGN(const system::Finished found, snapshots.run({"rev-parse", "--shared-index-path"}));
  if (found.status != 0) return base::fail(refused(found));
  const std::string path = without_line_feed(found.output);
  return std::string(name_part(path));
}

// Every object that the index names, as one tree: the one that git would commit, or, while there are
// conflicts, the blobs side by side.
Result<std::string> tree_of_index(Snapshots& snapshots, View& view, const std::string& index) {
  GitRun how;
  how.variables = {"GIT_INDEX_FILE=" + index};
  TRY_ASSIGN(const system::Finished written,
             snapshots.run({"-c", "core.fsync=loose-object", "-c", "core.fsyncMethod=batch", "-c",
                            "core.splitIndex=false", "write-tree"},
                           {}, how));
  if (written.status == 0) return written.output.substr(0, written.output.find('\n'));
  TRY_ASSIGN(const system::Finished listed, snapshots.run({"ls-files", "-z", "--stage"}, {}, how));
  if (listed.status != 0) return base::fail(refused(listed));
  std::set<std::string_view> ids;
  std::string_view rest = listed.output;
  while (!rest.empty()) {
    std::string_view line = take_until(rest, '\0');
    if (take_until(line, ' ') != kGitlinkMode) ids.insert(take_until(line, ' '));
  }
  std::string entries;
  for (const std::string_view id : ids)
    entries.append("100644 blob ").append(id).append(1, '\t').append(id).append(1, '\0');
  TRY_ASSIGN(const std::string tree, view.run({"mktree", "-z", "--missing"}, entries, {}));
  return tree.substr(0, tree.find('\n'));
}

}  // namespace

Result<KeptIndex> copy_index(Snapshots& snapshots, View& view, system::FileSystem& files, system::Folder& own,
                             const std::vector<std::string>& absent) {
  KeptIndex kept;
  kept.copy.absent.emplace();
  TRY_ASSIGN(const auto git_dir, files.open_folder(snapshots.place().git_dir));
  const auto bytes = git_dir->read(kIndexName, kLargestIndex);
  if (!bytes && bytes.error().kind == ErrorKind::not_found) {
    TRY_ASSIGN(const std::string empty, view.run({"mktree"}, {}, {}));
    kept.tree = empty.substr(0, empty.find('\n'));
    return kept;
  }
  if (!bytes) return base::fail(bytes.error());
  TRY_ASSIGN(kept.copy.id, store_blob(view, *bytes));
  TRY_ASSIGN(kept.copy.shared_name, shared_name(snapshots, *git_dir));
  if (!kept.copy.shared_name.empty()) {
    TRY_ASSIGN(const std::string shared, git_dir->read(kept.copy.shared_name, kLargestIndex));
    TRY_ASSIGN(kept.copy.shared_id, store_blob(view, shared));
  }
  {
    TRY_ASSIGN(const auto copy, own.create(kCopy));
    TRY(copy->write(*bytes));
  }
  const auto named = tree_of_index(snapshots, view, own.path_of(kCopy));
  (void)own.remove(kCopy);
  if (!named) return base::fail(named.error());
  std::string entries = "100644 blob " + kept.copy.id + "\tindex\n";
  if (!absent.empty()) {
    std::string paths;
    for (const std::string& path : absent) paths.append(path).append(1, '\0');
    TRY_ASSIGN(*kept.copy.absent, store_blob(view, paths));
    entries += "100644 blob " + *kept.copy.absent + "\tabsent\n";
  }
  if (!kept.copy.shared_id.empty()) entries += "100644 blob " + kept.copy.shared_id + "\tsharedindex\n";
  entries += "040000 tree " + *named + "\tnamed\n";
  // What intent-to-add entries name.
  TRY_ASSIGN(const std::string empty, store_blob(view, {}));
  entries += "100644 blob " + empty + "\tempty\n";
  TRY_ASSIGN(const std::string tree, view.run({"mktree"}, entries, {}));
  kept.tree = tree.substr(0, tree.find('\n'));
  return kept;
}

}  // namespace plankeep::git
