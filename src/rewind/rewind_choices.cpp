#include "rewind/rewind_choices.hpp"

#include <set>
#include <utility>

#include "checkpoints/find_checkpoint.hpp"
#include "checkpoints/snapshots.hpp"
#include "worktree/tree_diff.hpp"

namespace plankeep::app {
namespace {

using core::ListedCheckpoint;

// Whose snapshots git has no more. Where git cannot say, none are.
void mark_gone(git::Snapshots& snapshots, std::vector<ListedCheckpoint>& all,
               std::vector<RewindChoice>& choices) {
  std::vector<std::string> trees;
  for (const ListedCheckpoint& one : all) {
    if (!one.tree.empty()) trees.push_back(one.tree);
  }
  const auto there = git::which_exist(snapshots, trees);
  if (!there) return;
  std::set<std::string> gone;
  for (std::size_t i = 0; i < trees.size(); ++i) {
    if (!(*there)[i]) gone.insert(trees[i]);
  }
  for (RewindChoice& choice : choices) choice.gone = gone.contains(choice.checkpoint.tree);
  for (ListedCheckpoint& one : all) {
    if (gone.contains(one.tree)) one.tree.clear();
  }
}

// Each is held against the next older one that has a snapshot. How many files that are is nice to know: what
// cannot be told is left out.
void count_files(git::Snapshots& snapshots, const std::vector<ListedCheckpoint>& all,
                 std::vector<RewindChoice>& choices) {
  std::vector<std::pair<std::string, std::string>> pairs;
  std::vector<std::size_t> places;
  std::size_t older = 0;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const ListedCheckpoint& one = choices[i].checkpoint;
    while (older < all.size() && all[older].head.id != one.head.id) ++older;
    std::size_t before = older + 1;
    while (before < all.size() && all[before].tree.empty()) ++before;
    if (one.tree.empty() || choices[i].gone || before >= all.size()) continue;
    pairs.emplace_back(all[before].tree, one.tree);
    places.push_back(i);
  }
  if (pairs.empty()) return;
  const auto counts = git::changed_files(snapshots, pairs);
  if (!counts) return;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if ((*counts)[i]) choices[places[i]].files = static_cast<std::int64_t>(*(*counts)[i]);
  }
}

}  // namespace

base::Result<RewindChoices> rewind_choices(const Context& context, const PlanLocation& plan,
                                           std::size_t count) {
  RewindChoices found;
  records::CheckpointQuery query;
  // Some are left out, and the last one wants to know the one before it.
  constexpr std::size_t kMost = std::size_t{1} << 20;
  query.limit = 2 * std::min(count, kMost) + 1;
  TRY_ASSIGN(CheckpointList list, list_checkpoints(context, plan, query));
  found.warnings = std::move(list.warnings);
  for (const ListedCheckpoint& one : list.listed) {
    if (found.choices.size() == count) break;
    if (one.head.type == core::CheckpointType::pre_rewind) continue;
    found.choices.push_back({one, std::nullopt});
  }
  auto snapshots = open_work_tree(context, plan.folder);
  if (!snapshots || !*snapshots) return found;
  mark_gone(**snapshots, list.listed, found.choices);
  count_files(**snapshots, list.listed, found.choices);
  return found;
}

}  // namespace plankeep::app
