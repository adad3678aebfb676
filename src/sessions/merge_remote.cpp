#include "sessions/merge_remote.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "git/git_output.hpp"
#include "session_rules/merge_checkpoint.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;

constexpr std::string_view kMergeMessage = "Merge remote session logs";
// Commits of one checkpoint are few; of a stranger's many only the newest keep their messages.
constexpr std::size_t kMostReplayed = 1000;
constexpr std::size_t kLargestRemoteList = std::size_t{32} << 20;
constexpr std::size_t kShardLength = 2;

git::GitRun quiet_run() {
  git::GitRun how;
  how.variables = {"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_NO_REPLACE_OBJECTS=1"};
  how.output_limit = kLargestRemoteList;
  return how;
}

base::Error unmerged(const std::string& id, std::string_view why) {
  return {ErrorKind::corrupt, "session checkpoint " + id + " cannot be merged: " + std::string(why), {}, {}};
}

std::size_t sessions_in(const core::CheckpointTree& tree) {
  std::set<std::size_t> slots;
  for (const auto& [path, blob] : tree) {
    if (const auto slot = core::session_slot(path.substr(0, path.find('/')))) slots.insert(*slot);
  }
  return slots.size();
}

// "<mode> <type> <id>" TAB path NUL, again and again.
Result<core::CheckpointTree> read_listing(const std::string& id, std::string_view told) {
  core::CheckpointTree tree;
  while (!told.empty()) {
    std::string_view line = git::take_until(told, '\0');
    const std::string_view mode = git::take_until(line, ' ');
    git::take_until(line, ' ');
    const std::string_view object = git::take_until(line, '\t');
    const std::string path(line);
    const bool known =
        !tree.emplace(path, core::CheckpointBlob{std::string(mode), std::string(object)}).second;
    if (known) return base::fail(unmerged(id, "a file is in it twice"));
    const auto slot = core::session_slot(path.substr(0, path.find('/')));
    if (slot && *slot >= core::kMostSessionSlots)
      return base::fail(unmerged(id, "the number of a session is above the limit (10,000)"));
  }
  return tree;
}

}  // namespace

struct SessionMerger::Commit {
  std::string id;
  std::string tree;
  std::string bytes;
  std::int64_t time = 0;  // of the committer
};

Result<SessionMerger::Commit> SessionMerger::commit_at(const std::string& id) {
  TRY_ASSIGN(auto found, objects_.read({id}));
  if (!found.front() || found.front()->kind != "commit")
    return base::fail(ErrorKind::corrupt, "git lacks the commit " + id);
  std::string& bytes = found.front()->bytes;
  const git::CommitHeader header = git::commit_header(bytes);
  return Commit{found.front()->id, header.tree, std::move(bytes), header.committed};
}

// Empty: they have none.
Result<std::string> SessionMerger::base_of(const std::string& local, const std::string& remote) {
  TRY_ASSIGN(const system::Finished finished,
             git_.run(objects_.tree().top, {"merge-base", local, remote}, {}, quiet_run()));
  if (finished.status == 1) return std::string();
  if (finished.status != 0) return base::fail(git::refused(finished));
  return git::without_line_feed(finished.output);
}

Result<RefMerge> SessionMerger::merge(const std::string& ref, const std::string& remote) {
  RefMerge done;
  const git::MakeCommit make = [&](const git::RefState& now, git::Pack& pack) -> Result<std::string> {
    done = {};
    if (now.tip.empty()) return std::string();
    TRY_ASSIGN(done.commit, merged_commit(ref, now.tip, remote, pack, done));
    return done.commit;
  };
  git::RefWriter refs(objects_, files_);
  TRY_ASSIGN([[maybe_unused]] const git::RefWritten written, refs.write({ref, {}, false}, make));
  return done;
}

Result<std::string> SessionMerger::merged_commit(const std::string& ref, const std::string& local,
                                                 const std::string& remote, git::Pack& pack, RefMerge& done) {
  if (local == remote) return local;
  TRY_ASSIGN(const std::string base, base_of(local, remote));
  if (base == remote) return local;
  if (base == local) return remote;
  TRY_ASSIGN(const Commit ours, commit_at(local));
  TRY_ASSIGN(const Commit theirs, commit_at(remote));
  const auto id = core::id_in_session_ref(ref);
  if (id && !base.empty()) return replayed(*id, ours, base, remote, theirs.tree, pack, done);
  std::string tree;
  if (id) {
    TRY_ASSIGN(tree, merged_checkpoint(core::SessionLayout::refs, *id, theirs.tree, ours.tree, pack, done));
  } else {
    TRY_ASSIGN(tree, merged_branch(theirs, ours, pack, done));
  }
  return pack.add(git::ObjectKind::commit,
                  git::commit_bytes({tree, {local, remote}, author_, author_, std::string(kMergeMessage)}));
}

Result<std::string> SessionMerger::replayed(const std::string& id, const Commit& local,
                                            const std::string& base, const std::string& remote,
                                            const std::string& remote_tree, git::Pack& pack, RefMerge& done) {
  TRY_ASSIGN(const system::Finished listed,
             git_.run(objects_.tree().top,
                      {"rev-list", "--first-parent", "--max-count=" + std::to_string(kMostReplayed), local.id,
                       "^" + base, "^" + remote},
                      {}, quiet_run()));
  if (listed.status != 0) return base::fail(git::refused(listed));
  std::vector<std::string> commits;
  for (std::string_view rest = listed.output; !rest.empty();)
    commits.emplace_back(git::take_until(rest, '\n'));
  std::reverse(commits.begin(), commits.end());

  std::string tip = remote;
  std::string tree = remote_tree;
  for (const std::string& one : commits) {
    TRY_ASSIGN(const Commit commit, commit_at(one));
    // What the last of them says of the merge counts: each holds what those before it hold.
    done.checkpoints = 0;
    done.conflicts = 0;
    // Each by itself onto the remote's: what a later one took out again would come back as a conflict.
    TRY_ASSIGN(std::string merged,
               merged_checkpoint(core::SessionLayout::refs, id, remote_tree, commit.tree, pack, done));
    if (merged == tree) continue;
    tree = std::move(merged);
    tip = pack.add(git::ObjectKind::commit, git::moved_commit(commit.bytes, tree, tip));
  }
  return tip;
}

Result<std::string> SessionMerger::merged_branch(const Commit& remote, const Commit& local, git::Pack& pack,
                                                 RefMerge& done) {
  if (remote.tree == local.tree) return remote.tree;
  git::KnownTrees known;
  const auto read = [&](const std::vector<std::string>& ids) -> base::Status {
    TRY_ASSIGN(auto found, objects_.read(ids));
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (!found[i] || found[i]->kind != "tree")
        return base::fail(ErrorKind::corrupt, "git lacks the tree " + ids[i]);
      known.emplace(ids[i], std::move(found[i]->bytes));
    }
    return {};
  };
  TRY(read({remote.tree, local.tree}));
  TRY_ASSIGN(const git::Tree theirs, git::read_tree(objects_.format(), known.at(remote.tree)));
  TRY_ASSIGN(const git::Tree ours, git::read_tree(objects_.format(), known.at(local.tree)));

  const auto local_counts = [&](const git::TreeEntry& there, const git::TreeEntry& here) {
    return std::pair(local.time, here.id) > std::pair(remote.time, there.id);
  };
  git::TreeChanges changes;
  std::vector<std::pair<git::TreeEntry, git::TreeEntry>> shards;
  std::vector<std::string> trees;
  for (const git::TreeEntry& here : ours) {
    const git::TreeEntry* there = git::find_entry(theirs, here.name);
    if (there != nullptr && there->id == here.id) continue;
    if (there != nullptr && git::is_folder(here) && git::is_folder(*there) &&
        here.name.size() == kShardLength) {
      shards.emplace_back(*there, here);
      trees.insert(trees.end(), {there->id, here.id});
    } else if (there == nullptr || local_counts(*there, here)) {
      changes.remove(here.name);
      changes.put(here.name, {here.mode, here.id});
    }
  }
  TRY(read(trees));
  for (const auto& [there, here] : shards) {
    TRY_ASSIGN(const git::Tree theirs_in, git::read_tree(objects_.format(), known.at(there.id)));
    TRY_ASSIGN(const git::Tree ours_in, git::read_tree(objects_.format(), known.at(here.id)));
    for (const git::TreeEntry& entry : ours_in) {
      const git::TreeEntry* same = git::find_entry(theirs_in, entry.name);
      if (same != nullptr && same->id == entry.id) continue;
      const std::string path = here.name + "/" + entry.name;
      const auto id = core::id_of_session_folder(here.name, entry.name);
      if (same != nullptr && id && git::is_folder(entry) && git::is_folder(*same)) {
        TRY_ASSIGN(const std::string tree,
                   merged_checkpoint(core::SessionLayout::branch, *id, same->id, entry.id, pack, done));
        changes.remove(path);
        changes.put(path, {std::string(git::kTreeFolder), tree});
      } else if (same == nullptr || local_counts(*same, entry)) {
        changes.remove(path);
        changes.put(path, {entry.mode, entry.id});
      }
    }
  }
  return git::change_tree(remote.tree, changes, known, pack);
}

Result<std::string> SessionMerger::merged_checkpoint(core::SessionLayout layout, const std::string& id,
                                                     const std::string& remote_tree,
                                                     const std::string& local_tree, git::Pack& pack,
                                                     RefMerge& done) {
  if (remote_tree == local_tree) return remote_tree;
  const auto list = [&](const std::string& tree) -> Result<core::CheckpointTree> {
    TRY_ASSIGN(const system::Finished listed,
               git_.run(objects_.tree().top, {"ls-tree", "-r", "-z", "--full-tree", tree}, {}, quiet_run()));
    if (listed.status != 0) return base::fail(unmerged(id, git::words_of(listed)));
    return read_listing(id, listed.output);
  };
  TRY_ASSIGN(const core::CheckpointTree remote, list(remote_tree));
  TRY_ASSIGN(const core::CheckpointTree local, list(local_tree));

  core::BlobTexts texts;
  const auto read = [&](const std::vector<std::string>& ids, bool needed) -> base::Status {
    std::vector<std::string> missing;
    for (const std::string& one : ids)
      if (!texts.contains(one)) missing.push_back(one);
    TRY_ASSIGN(auto found, objects_.read(missing));
    for (std::size_t i = 0; i < missing.size(); ++i) {
      if (found[i] && found[i]->kind == "blob")
        texts.emplace(missing[i], std::move(found[i]->bytes));
      else if (needed)
        return base::fail(unmerged(id, "git lacks " + missing[i]));
    }
    return {};
  };
  TRY(read(core::blobs_to_merge(remote, local), false));
  TRY(read(core::transcripts_to_merge(remote, local, texts), true));
  core::CheckpointMerge merged =
      core::merge_checkpoint({layout, id, objects_.format()}, remote, local, texts);
  ++done.checkpoints;
  done.conflicts += merged.conflicts;
  done.sessions_added += sessions_in(merged.files) - sessions_in(remote);
  if (merged.files == remote) return remote_tree;
  if (merged.files == local) return local_tree;
  for (const auto& [path, blob] : merged.files) {
    const auto below = merged.files.lower_bound(path + "/");
    if (below != merged.files.end() && below->first.starts_with(path + "/"))
      return base::fail(unmerged(id, path + " is a file on one side and a folder on the other"));
  }
  for (const auto& [blob, text] : merged.texts) pack.add(git::ObjectKind::blob, text);
  git::TreeChanges changes;
  for (const auto& [path, blob] : merged.files) changes.put(path, {blob.mode, blob.id});
  auto tree = git::change_tree("", changes, {}, pack);
  if (!tree) return base::fail(unmerged(id, tree.error().message));
  return tree;
}

}  // namespace plankeep::app
