#include "app/last_checkpoint.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/checkpoint_message.hpp"
#include "store/tracking_folder.hpp"

namespace plankeep::app {
namespace {

using base::Result;
using core::CheckpointSource;
using core::CommitCheckpoint;
using git::CommitStanding;

// The best of a run is nearly always among the first; git is asked about so many at once.
constexpr std::size_t kFirst = 16;
// So many commits that are not here are looked for among those that are.
constexpr std::size_t kMostOrphans = 200;
constexpr std::size_t kMostCommits = 2000;
// A rewritten commit is younger than the sidecar of the one before; clocks are not that exact.
constexpr std::int64_t kSlack = std::int64_t{24} * 3600 * 1000;

struct Sorted {
  std::vector<core::Sidecar> orphans;  // before `here`, in order
  std::optional<core::Sidecar> here;   // the best whose commit HEAD comes from
};

// The sidecar behind an entry; nullopt when it is malformed or not what the index says.
std::optional<core::Sidecar> sidecar_of(store::Sidecars& sidecars, const store::SidecarEntry& entry,
                                        const std::string& run) {
  auto read = sidecars.read(entry.sha);
  if (!read || !*read || (*read)->run != run || (*read)->milestone != entry.milestone) return std::nullopt;
  return std::move(**read);
}

// Commits that a sidecar takes the place of, however often they were rewritten.
std::set<std::string> replaced_by(store::Sidecars& sidecars, const core::Sidecar& sidecar) {
  std::set<std::string> replaced;
  std::string from = sidecar.relinked_from;
  while (!from.empty() && replaced.insert(from).second) {
    const auto before = sidecars.read(from);
    from = before && *before ? (*before)->relinked_from : std::string();
  }
  return replaced;
}

Result<Sorted> sort_out(store::Sidecars& sidecars, git::Commits& commits, const std::string& run) {
  Sorted sorted;
  TRY_ASSIGN(std::vector<store::SidecarEntry> entries, sidecars.of_run(run, kFirst));
  for (std::size_t from = 0; from < entries.size() && !sorted.here;) {
    std::vector<std::string> shas;
    for (std::size_t i = from; i < entries.size(); ++i) shas.push_back(entries[i].sha);
    TRY_ASSIGN(const std::vector<CommitStanding> standings, commits.standing(shas));
    for (std::size_t i = 0; i < shas.size() && !sorted.here; ++i) {
      const bool here = standings[i] == CommitStanding::here;
      if (!here && sorted.orphans.size() >= kMostOrphans) continue;
      auto sidecar = sidecar_of(sidecars, entries[from + i], run);
      if (!sidecar) continue;
      if (here) {
        sorted.here = std::move(sidecar);
      } else {
        sorted.orphans.push_back(std::move(*sidecar));
      }
    }
    from += shas.size();
    if (!sorted.here && from == kFirst) {
      TRY_ASSIGN(entries, sidecars.of_run(run, SIZE_MAX));
    }
  }
  return sorted;
}

Result<CommitCheckpoint> among_sidecars(store::Sidecars& sidecars, git::Commits& commits,
                                        const std::string& run) {
  TRY_ASSIGN(Sorted sorted, sort_out(sidecars, commits, run));
  if (sorted.here) {
    const std::set<std::string> replaced = replaced_by(sidecars, *sorted.here);
    sorted.orphans.erase(
        std::remove_if(sorted.orphans.begin(), sorted.orphans.end(),
                       [&replaced](const core::Sidecar& orphan) { return replaced.count(orphan.sha) != 0; }),
        sorted.orphans.end());
  }
  if (!sorted.orphans.empty()) {
    TRY_ASSIGN(const std::vector<Home> homes, homes_of(commits, sorted.orphans, sidecars));
    if (!homes.empty()) {  // in the order of the orphans: the first is the best
      CommitCheckpoint found = checkpoint_of(sorted.orphans[homes.front().orphan]);
      found.sha = homes.front().commit.sha;
      return found;
    }
  }
  return sorted.here ? checkpoint_of(*sorted.here) : CommitCheckpoint();
}

// The best of git's log: newest first, so that the first of a milestone is the newest.
CommitCheckpoint best_of(const std::vector<git::CommitFacts>& commits, const std::string& run, bool legacy) {
  CommitCheckpoint best;
  for (const git::CommitFacts& commit : commits) {
    auto message = core::read_checkpoint_message(commit.message);
    if (!message || message->legacy != legacy || (!legacy && message->run != run)) continue;
    if (best.found() && message->milestone <= best.milestone) continue;
    best = {legacy ? CheckpointSource::git_log_legacy : CheckpointSource::git_log_run_specific,
            commit.sha,
            message->milestone,
            std::move(message->phase),
            {},
            commit.time};
  }
  return best;
}

}  // namespace

Result<std::vector<Home>> homes_of(git::Commits& commits, const std::vector<core::Sidecar>& orphans,
                                   store::Sidecars& known) {
  std::vector<Home> homes;
  if (orphans.empty()) return homes;
  base::Instant since = orphans.front().created_at;
  for (const core::Sidecar& orphan : orphans) since = std::min(since, orphan.created_at);
  since.milliseconds = std::max<std::int64_t>(since.milliseconds - kSlack, 0);
  TRY_ASSIGN(const std::vector<git::CommitFacts> here, commits.since(since, kMostCommits));

  std::map<std::string_view, const git::CommitFacts*> by_tree;
  for (const git::CommitFacts& commit : here) by_tree.emplace(commit.tree, &commit);  // the newest
  std::map<std::string, std::string> patches;                                         // of commits
  std::map<std::string_view, const git::CommitFacts*> by_patch;
  const bool ask_patches = std::any_of(orphans.begin(), orphans.end(), [&](const core::Sidecar& orphan) {
    return !orphan.patch_id.empty() && by_tree.find(orphan.tree) == by_tree.end();
  });
  if (ask_patches) {
    std::vector<std::string> shas;
    shas.reserve(here.size());
    for (const git::CommitFacts& commit : here) shas.push_back(commit.sha);
    // Differences of hundreds of megabytes are not read: trees and messages have to do then.
    if (auto told = commits.patch_ids(shas)) patches = std::move(*told);
    for (const git::CommitFacts& commit : here) {
      const auto patch = patches.find(commit.sha);
      if (patch != patches.end()) by_patch.emplace(patch->second, &commit);
    }
  }
  const auto by_message = [&](const core::Sidecar& orphan) -> const git::CommitFacts* {
    for (const git::CommitFacts& commit : here) {
      const auto message = core::read_checkpoint_message(commit.message);
      if (!message || message->legacy || message->run != orphan.run || message->milestone != orphan.milestone)
        continue;
      const auto own = known.read(commit.sha);
      if (own && !*own) return &commit;
    }
    return nullptr;
  };

  for (std::size_t i = 0; i < orphans.size(); ++i) {
    const core::Sidecar& orphan = orphans[i];
    const git::CommitFacts* home = nullptr;
    bool same = true;
    if (const auto tree = by_tree.find(orphan.tree); tree != by_tree.end()) {
      home = tree->second;
    } else if (const auto patch = by_patch.find(orphan.patch_id); patch != by_patch.end()) {
      home = patch->second;
    } else {
      home = by_message(orphan);
      same = false;
    }
    if (home == nullptr) continue;
    const auto patch = patches.find(home->sha);
    homes.push_back({i, *home, patch == patches.end() ? std::string() : patch->second, same});
  }
  return homes;
}

Result<CommitCheckpoint> last_checkpoint(system::Folder* tracking, PlanRepository* repository,
                                         const std::string& run) {
  if (tracking != nullptr) {
    store::Sidecars sidecars(*tracking);
    if (repository == nullptr) {
      TRY_ASSIGN(const auto entries, sidecars.of_run(run, kFirst));
      for (const store::SidecarEntry& entry : entries) {
        if (const auto sidecar = sidecar_of(sidecars, entry, run)) return checkpoint_of(*sidecar);
      }
      return CommitCheckpoint();
    }
    TRY_ASSIGN(CommitCheckpoint found, among_sidecars(sidecars, repository->commits(), run));
    if (found.found()) return found;
  }
  if (repository == nullptr) return CommitCheckpoint();
  TRY_ASSIGN(const auto of_run, repository->commits().saying(core::message_start(run), kMostCommits));
  CommitCheckpoint found = best_of(of_run, run, false);
  if (found.found()) return found;
  TRY_ASSIGN(const auto legacy, repository->commits().saying(std::string(core::kLegacyStart), kMostCommits));
  return best_of(legacy, run, true);
}

Result<CheckpointCheck> check_checkpoint(const Context& context, const PlanLocation& plan,
                                         const core::Plan& read) {
  TRY_ASSIGN(const auto repository, PlanRepository::open(context, plan));
  TRY_ASSIGN(const auto folder, context.files.open_folder(plan.folder));
  auto tracking = store::open_tracking(*folder);
  if (!tracking && tracking.error().kind != base::ErrorKind::not_found)
    return base::fail(std::move(tracking.error()));
  CheckpointCheck check;
  TRY_ASSIGN(check.last, last_checkpoint(tracking ? tracking->get() : nullptr, repository.get(),
                                         core::run_of_plan(plan.plan_id())));
  check.drift = core::drift_between(read, check.last);
  return check;
}

}  // namespace plankeep::app
