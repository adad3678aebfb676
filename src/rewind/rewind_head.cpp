#include "rewind/rewind_head.hpp"

#include <algorithm>
#include <utility>

#include "base/sha256.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using git::HeadPosition;

constexpr std::string_view kBranches = "refs/heads/";

// The index file as it was before, from the safety snapshot.
Result<std::optional<std::string>> index_before(const Context& context, git::Snapshots& snapshots,
                                                const RewindNote& note) {
  TRY_ASSIGN(const git::Snapshot safety, snapshots.find(note.safety));
  if (!safety.index) return base::fail(ErrorKind::not_found, "the safety snapshot contains no index");
  return git::kept_index_file(snapshots, context.files, *safety.index);
}

}  // namespace

Status require_commit(git::Snapshots& snapshots, const std::string& commit) {
  if (commit.empty()) return base::fail(ErrorKind::not_found, "there was no commit at that time");
  TRY_ASSIGN(const bool there, git::has_commit(snapshots, commit));
  if (there) return {};
  return base::fail(ErrorKind::not_found, "the commit " + commit + " is no longer in the repository",
                    "without --head the files are restored from the checkpoint's own snapshot");
}

Result<HeadMove> prepare_head(const Context& context, git::Snapshots& snapshots,
                              const core::Checkpoint& target, const git::Snapshot& snapshot) {
  HeadMove move;
  TRY_ASSIGN(move.before, git::head_position(snapshots));
  if (move.before.commit.empty())
    return base::fail(ErrorKind::conflict, "there is no commit yet, so there is nothing to switch from");
  move.after.commit = target.moment.commit_sha;
  TRY(require_commit(snapshots, move.after.commit));
  const std::string& branch = target.work_state.git_status.branch;
  if (!branch.empty()) {
    TRY_ASSIGN(move.after.branch,
               git::branch_at(snapshots, std::string(kBranches) + branch, move.after.commit));
  }
  if (snapshot.index) {
    TRY_ASSIGN(move.index, git::kept_index_file(snapshots, context.files, *snapshot.index));
    TRY_ASSIGN(move.coming.absent, git::kept_absent(snapshots, *snapshot.index));
  } else {
    move.of_commit = true;
    TRY_ASSIGN(move.index, git::index_of_commit(snapshots, context.files, move.after.commit));
  }
  TRY_ASSIGN(git::IndexFacts facts, git::index_facts(snapshots, move.index));
  move.after.index = std::move(facts.digest);
  move.coming.skipped = std::move(facts.skipped);
  if (move.coming.absent) {
    std::erase_if(*move.coming.absent, [&move](const std::string& path) {
      return !std::binary_search(move.coming.skipped.begin(), move.coming.skipped.end(), path);
    });
  }
  return move;
}

void note_head(const HeadMove& move, const std::string& safety, RewindNote& note) {
  note.safety = safety;
  note.branch = move.before.branch;
  note.commit = move.before.commit;
  note.to_branch = move.after.branch;
  note.to_commit = move.after.commit;
  note.index = move.before.index;
  note.to_index = move.after.index;
  note.index_file = base::sha256_hex(move.index.value_or(std::string()));
}

Status move_head(const Context& context, git::Snapshots& snapshots, const HeadMove& move) {
  if (move.before.index != move.after.index)
    TRY(git::put_index(snapshots, context.files, move.before.index, move.index));
  return git::put_head(snapshots, move.before, move.after);
}

Result<std::vector<std::string>> move_head_back(const Context& context, git::Snapshots& snapshots,
                                                const RewindNote& note) {
  std::vector<std::string> stayed;
  HeadPosition before{note.branch, note.commit, note.index};
  const HeadPosition after{note.to_branch, note.to_commit, note.to_index};
  TRY_ASSIGN(const auto index, index_before(context, snapshots, note));
  TRY(git::remove_own_index_lock(snapshots, context.files, note.index_file,
                                 base::sha256_hex(index.value_or(std::string()))));
  TRY_ASSIGN(const HeadPosition now, git::head_position(snapshots));
  if (!now.same_head(before)) {
    if (!now.same_head(after)) {
      stayed.emplace_back("HEAD");
    } else {
      TRY_ASSIGN(const std::string branch, git::branch_at(snapshots, before.branch, before.commit));
      if (branch != before.branch) {
        before.branch.clear();
        stayed.push_back(note.branch);
      }
      TRY(git::put_head(snapshots, now, before));
    }
  }
  if (now.index == before.index) return stayed;
  if (now.index == after.index) {
    TRY(git::put_index(snapshots, context.files, now.index, index));
  } else {
    stayed.emplace_back("the index");
  }
  return stayed;
}

std::size_t left_behind(git::Snapshots& snapshots, const std::string& commit) {
  const auto count = git::commits_without_branch(snapshots, commit, "HEAD");
  return count ? *count : 0;
}

}  // namespace plankeep::app
