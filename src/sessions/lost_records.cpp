#include "sessions/lost_records.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/limits.hpp"
#include "git/ref_writer.hpp"
#include "git_objects/tree_change.hpp"
#include "model/session.hpp"
#include "sessions/session_remote.hpp"
#include "sessions/write_session.hpp"

namespace plankeep::app {
namespace {

using base::Result;

// No other ref is ever changed, whatever the list says.
bool holds_checkpoints(const std::string& ref) {
  return ref == kSessionBranchRef || core::id_in_session_ref(ref).has_value();
}

// In the tree of `ref`; empty: the whole tree.
std::string folder_of(const std::string& ref, const std::string& checkpoint) {
  return ref == kSessionBranchRef ? core::session_folder(checkpoint) : std::string();
}

// The checkpoints that these paths belong to, in a tree of `ref`.
std::vector<std::string> checkpoints_of(const std::string& ref, const std::vector<std::string>& paths) {
  if (const auto id = core::id_in_session_ref(ref)) return {*id};
  std::set<std::string> ids;
  for (const std::string& path : paths) {
    const std::size_t first = path.find('/');
    if (first == std::string::npos) continue;
    const std::size_t second = path.find('/', first + 1);
    if (second == std::string::npos) continue;
    if (const auto id =
            core::id_of_session_folder(path.substr(0, first), path.substr(first + 1, second - first - 1)))
      ids.insert(*id);
  }
  return {ids.begin(), ids.end()};
}

// The name by which git finds the tree of `folder` in a commit.
std::string tree_name(const std::string& commit, const std::string& folder) {
  return folder.empty() ? commit + "^{tree}" : commit + ":" + folder;
}

}  // namespace

Result<LostRecords::Sorted> LostRecords::sort() {
  Sorted sorted;
  TRY_ASSIGN(const auto written, git::WrittenRefs(files_, objects_.tree().common_dir).all());
  if (written.empty()) return sorted;
  std::vector<std::string> names;
  for (const git::WrittenRef& one : written) names.insert(names.end(), {one.ref, one.commit});
  TRY_ASSIGN(auto objects, objects_.read(names));

  std::set<std::string> tips;
  std::vector<Thrown> behind;
  std::vector<std::string> commits;
  for (std::size_t i = 0; i < written.size(); ++i) {
    const auto& tip = objects[2 * i];
    auto& commit = objects[2 * i + 1];
    if (!holds_checkpoints(written[i].ref) || !tip || tip->kind != "commit" || !commit ||
        commit->kind != "commit") {
      sorted.settled.push_back(written[i]);
      continue;
    }
    const git::CommitHeader header = git::commit_header(commit->bytes);
    const bool is_old = now_.milliseconds - header.committed * base::kSecond > base::kDay;
    if (tip->id == commit->id) {
      if (is_old) sorted.settled.push_back(written[i]);
      continue;
    }
    tips.insert(tip->id);
    commits.push_back(commit->id);
    behind.push_back({written[i],
                      std::move(commit->bytes),
                      header.parents.empty() ? std::string() : header.parents.front(),
                      {}});
  }
  TRY_ASSIGN(const auto unreached, objects_.unreached(commits, {tips.begin(), tips.end()}));
  const std::set<std::string> lost(unreached.begin(), unreached.end());
  TRY_ASSIGN(const auto changed, objects_.changed_paths(unreached));
  std::size_t at = 0;
  for (Thrown& one : behind) {
    if (!lost.contains(one.written.commit)) {
      const std::int64_t committed = git::commit_header(one.bytes).committed;
      if (now_.milliseconds - committed * base::kSecond > base::kDay) sorted.settled.push_back(one.written);
      continue;
    }
    one.checkpoints = checkpoints_of(one.written.ref, changed[at++]);
    sorted.thrown.push_back(std::move(one));
  }
  return sorted;
}

// The tree that the checkpoint's folder gets at this tip; empty: nothing is lost.
Result<std::string> LostRecords::tree_with(const Thrown& one, const std::string& checkpoint,
                                           const std::string& tip, git::Pack& pack) {
  const std::string folder = folder_of(one.written.ref, checkpoint);
  std::vector<std::string> names{tree_name(tip, folder), tree_name(one.written.commit, folder)};
  if (!one.parent.empty()) names.push_back(tree_name(one.parent, folder));
  TRY_ASSIGN(const auto trees, objects_.read(names));
  const auto id_of = [&](std::size_t i) {
    return i < trees.size() && trees[i] && trees[i]->kind == "tree" ? trees[i]->id : std::string();
  };
  const std::string now = id_of(0);
  const std::string ours = id_of(1);
  const std::string before = id_of(2);
  if (ours.empty() || now == ours) return std::string();
  if (now == before) return ours;
  if (now.empty()) return std::string();  // it was there before us: somebody took it away
  RefMerge merge;
  const core::SessionLayout layout = folder.empty() ? core::SessionLayout::refs : core::SessionLayout::branch;
  TRY_ASSIGN(std::string merged, merger_.merged_checkpoint(layout, checkpoint, now, ours, pack, merge));
  return merge.sessions_added > 0 ? std::move(merged) : std::string();
}

Result<std::vector<LostRecord>> LostRecords::find() {
  TRY_ASSIGN(const Sorted sorted, sort());
  std::vector<LostRecord> found;
  for (const Thrown& one : sorted.thrown) {
    for (const std::string& checkpoint : one.checkpoints) {
      git::Pack unused(objects_.format());
      TRY_ASSIGN(const std::string tree, tree_with(one, checkpoint, one.written.ref, unused));
      if (!tree.empty()) found.push_back({checkpoint, one.written.ref, one.written.commit});
    }
  }
  return found;
}

// The new commit; empty: nothing is lost.
Result<std::string> LostRecords::put_back_one(const Thrown& one, const std::string& checkpoint) {
  const std::string folder = folder_of(one.written.ref, checkpoint);
  git::RefWrite wanted{one.written.ref, {}, false};
  if (!folder.empty()) wanted.paths = {folder.substr(0, folder.find('/')), folder};
  const git::MakeCommit make = [&](const git::RefState& now, git::Pack& pack) -> Result<std::string> {
    if (now.tip.empty()) return std::string();
    TRY_ASSIGN(std::string tree, tree_with(one, checkpoint, now.tip, pack));
    if (tree.empty()) return std::string();
    if (!folder.empty()) {
      git::TreeChanges changes;
      changes.remove(folder);
      changes.put(folder, {std::string(git::kTreeFolder), std::move(tree)});
      TRY_ASSIGN(tree, git::change_tree(now.tree, changes, now.trees, pack));
    }
    return pack.add(git::ObjectKind::commit, git::moved_commit(one.bytes, tree, now.tip));
  };
  git::RefWriter refs(objects_, files_);
  TRY_ASSIGN(git::RefWritten written, refs.write(wanted, make));
  return std::move(written.commit);
}

Result<LostRepair> LostRecords::put_back() {
  LostRepair done;
  TRY_ASSIGN(Sorted sorted, sort());
  const std::string& common_dir = objects_.tree().common_dir;
  git::WrittenRefs list(files_, common_dir);
  std::set<std::string> ids;
  for (const Thrown& one : sorted.thrown) {
    bool settled = true;
    for (const std::string& checkpoint : one.checkpoints) {
      const auto commit = put_back_one(one, checkpoint);
      if (!commit) {
        settled = false;
        done.warnings.push_back(
            "session checkpoint " + checkpoint +
            " was thrown away by another program and could not be put back: " + commit.error().message);
      } else if (!commit->empty()) {
        ids.insert(checkpoint);
        // Before the old entry goes: it may be thrown away again.
        if (const auto noted = list.append({{one.written.ref, *commit}}); !noted)
          done.warnings.push_back(noted.error().message);
        if (one.written.ref != kSessionBranchRef) {
          if (const auto queued = git::PushQueue(files_, common_dir).append({one.written.ref}); !queued)
            done.warnings.push_back(queued.error().message);
        }
      }
    }
    if (settled) sorted.settled.push_back(one.written);
  }
  if (!sorted.settled.empty()) {
    if (const auto removed = list.remove(sorted.settled); !removed)
      done.warnings.push_back(removed.error().message);
  }
  done.checkpoints.assign(ids.begin(), ids.end());
  return done;
}

namespace {

bool nothing_written(const Context& context, const git::WorkTree& tree) {
  const auto written = git::WrittenRefs(context.files, tree.common_dir).all();
  return written && written->empty();
}

}  // namespace

LostRepair put_lost_records_back(const Context& context, git::Git& git, const git::WorkTree& tree) {
  if (nothing_written(context, tree)) return {};
  const auto put_back = [&]() -> Result<LostRepair> {
    const base::Instant now = context.clock.now();
    TRY_ASSIGN(auto objects, git::ObjectWriter::open(git, tree));
    TRY_ASSIGN(git::Signature author, session_author(git, tree.top, now));
    return LostRecords(git, context.files, objects, std::move(author), now).put_back();
  };
  auto done = put_back();
  if (done) return std::move(*done);
  LostRepair failed;
  failed.warnings.push_back("what other programs threw away cannot be looked for: " + done.error().message);
  return failed;
}

Result<std::vector<LostRecord>> find_lost_records(const Context& context, git::Git& git,
                                                  const git::WorkTree& tree) {
  if (nothing_written(context, tree)) return std::vector<LostRecord>();
  TRY_ASSIGN(auto objects, git::ObjectWriter::open(git, tree));
  return LostRecords(git, context.files, objects, {}, context.clock.now()).find();
}

}  // namespace plankeep::app
