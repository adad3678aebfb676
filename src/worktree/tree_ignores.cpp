#include "worktree/tree_ignores.hpp"

#include <set>
#include <utility>

#include "git/file_modes.hpp"
#include "git/folder_chain.hpp"
#include "git/git_output.hpp"
#include "worktree/scratch.hpp"
#include "worktree/view.hpp"

namespace plankeep::git {
namespace {

using base::Result;
using base::Status;

constexpr std::string_view kRules = ".gitignore";

// An index with the tree's .gitignore files and nothing else. git reads those that a sparse checkout leaves
// out of the work tree from the index, so that is what they are made to be.
Status fill_index(Snapshots& snapshots, View& view, const std::string& tree, const View::Use& use) {
  TRY_ASSIGN(const system::Finished listed, snapshots.run({"ls-tree", "-r", "-z", tree}));
  if (listed.status != 0) return base::fail(refused(listed));
  std::string entries;
  std::string names;
  std::string_view rest = listed.output;
  while (!rest.empty()) {
    // "100644 blob <id>" TAB path NUL. git follows no link to rules.
    const std::string_view line = take_until(rest, '\0');
    std::string_view path = line;
    const std::string_view facts = take_until(path, '\t');
    if (name_part(path) != kRules || facts.starts_with(kLinkMode)) continue;
    entries.append(line).append(1, '\0');
    names.append(path).append(1, '\0');
  }
  if (entries.empty()) return {};
  TRY(view.run({"update-index", "-z", "--index-info"}, entries, use));
  TRY(view.run({"update-index", "-z", "--skip-worktree", "--stdin"}, names, use));
  return {};
}

}  // namespace

Result<std::map<std::string_view, std::string>> ignored_by_tree(Snapshots& snapshots,
                                                                system::FileSystem& files,
                                                                const std::string& tree,
                                                                const std::vector<std::string_view>& paths) {
  TRY_ASSIGN(auto own, snapshots.own_folder());
  TRY_ASSIGN(View view, View::open(snapshots, files, *own));
  TRY_ASSIGN(const auto scratch, Scratch::make(snapshots.place(), std::move(own)));
  View::Use use;
  use.index = scratch->index() + "-of-rules";
  use.objects = scratch->objects();
  use.work_tree = scratch->nothing();
  TRY(fill_index(snapshots, view, tree, use));
  // Folders too, to know what is ignored as a whole.
  std::set<std::string> asked;
  for (const std::string_view path : paths) {
    asked.emplace(path);
    for (std::size_t slash = path.find('/'); slash != std::string_view::npos;
         slash = path.find('/', slash + 1))
      asked.emplace(path.substr(0, slash + 1));
  }
  std::string input;
  for (const std::string& path : asked) input.append(path).append(1, '\0');
  TRY_ASSIGN(const std::string output, view.run({"check-ignore", "-z", "--stdin"}, input, use));
  std::set<std::string_view> covered;
  std::string_view rest = output;
  while (!rest.empty()) covered.insert(take_until(rest, '\0'));
  std::map<std::string_view, std::string> ignored;
  for (const std::string_view path : paths) {
    std::string_view whole;
    for (std::size_t slash = path.find('/'); slash != std::string_view::npos && whole.empty();
         slash = path.find('/', slash + 1)) {
      if (covered.contains(path.substr(0, slash + 1))) whole = path.substr(0, slash + 1);
    }
    if (whole.empty() && covered.contains(path)) whole = path;
    if (!whole.empty()) ignored.emplace(path, whole);
  }
  return ignored;
}

}  // namespace plankeep::git
