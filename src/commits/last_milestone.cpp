#include "commits/last_milestone.hpp"

#include <algorithm>
#include <utility>

#include "commits/successors.hpp"
#include "store/tracking_folder.hpp"

namespace plankeep::app {
namespace {

using base::Result;
using core::CheckpointSource;
using core::CommitCheckpoint;
using git::Reachability;

// The best of a run is nearly always among the first; git is asked about more only where it is not.
constexpr std::size_t kFirst = 16;
// So many commits that are not here are looked for among those that are.
constexpr std::size_t kMostElsewhere = 200;
constexpr std::size_t kMostOfRun = 2000;

// The sidecar behind an entry; nullopt when it is malformed, not what the index says, or another plan's.
std::optional<core::Sidecar> sidecar_of(store::Sidecars& sidecars, const store::SidecarEntry& entry,
                                        const core::RunQuery& query) {
  auto read = sidecars.read(entry.sha);
  if (!read || !*read || !core::answers(query, **read) || (*read)->milestone != entry.milestone)
    return std::nullopt;
  return std::move(**read);
}

class BestSidecar {
 public:
  BestSidecar(store::Sidecars& sidecars, PlanRepository& repository, const core::RunQuery& query)
      : sidecars_(sidecars), commits_(repository.commits()), query_(query) {}

  Result<CommitCheckpoint> find() {
    TRY_ASSIGN(const std::vector<git::CommitFacts> recent, commits_.recent());
    for (const git::CommitFacts& commit : recent) recent_.insert(commit.sha);
    for (const std::size_t count : {kFirst, kMostElsewhere, SIZE_MAX}) {
      TRY_ASSIGN(const store::SidecarSelection found, sidecars_.select({query_.run, query_.own, count, 0}));
      TRY(look_through(found.best));
      if (here_ || found.best.size() < count) break;
    }
    if (here_) {
      const std::set<std::string> replaced = replaced_by(sidecars_, *here_);
      rewritten_.erase(std::remove_if(rewritten_.begin(), rewritten_.end(),
                                      [&replaced](const core::Sidecar& rewritten) {
                                        return replaced.count(rewritten.sha) != 0;
                                      }),
                       rewritten_.end());
    }
    TRY_ASSIGN(const std::vector<Successor> successors,
               successors_of(commits_, rewritten_, sidecars_, query_.path));
    if (!successors.empty()) {  // in the order of the orphans: the first is the best
      CommitCheckpoint found = checkpoint_of(rewritten_[successors.front().rewritten]);
      found.sha = successors.front().commit.sha;
      return found;
    }
    return here_ ? checkpoint_of(*here_) : CommitCheckpoint();
  }

 private:
  // What was not looked at yet, up to the best whose commit is here. git is only asked about commits that are
  // not among the last of the branch.
  base::Status look_through(const std::vector<store::SidecarEntry>& entries) {
    while (inspected_ < entries.size() && !here_) {
      std::size_t end = inspected_;
      std::vector<std::string> unknown;
      for (; end < entries.size() && recent_.count(entries[end].sha) == 0; ++end)
        unknown.push_back(entries[end].sha);
      TRY_ASSIGN(const std::vector<Reachability> reachability, commits_.reachability(unknown));
      for (std::size_t i = 0; i < unknown.size() && !here_; ++i)
        take(entries[inspected_ + i], reachability[i] == Reachability::here);
      if (!here_ && end < entries.size()) take(entries[end++], true);
      inspected_ = end;
    }
    return {};
  }

  void take(const store::SidecarEntry& entry, bool here) {
    if (!here && rewritten_.size() >= kMostElsewhere) return;
    auto sidecar = sidecar_of(sidecars_, entry, query_);
    if (!sidecar) return;
    if (here) {
      here_ = std::move(sidecar);
    } else {
      rewritten_.push_back(std::move(*sidecar));
    }
  }

  store::Sidecars& sidecars_;
  git::Commits& commits_;
  const core::RunQuery& query_;
  std::set<std::string> recent_;
  std::size_t inspected_ = 0;
  std::vector<core::Sidecar> rewritten_;  // before `here`, in order
  std::optional<core::Sidecar> here_;     // the best whose commit HEAD comes from
};

// The best of git's log: newest first, so that the first of a milestone is the newest.
CommitCheckpoint best_of(const std::vector<git::CommitFacts>& commits, const core::RunQuery& query,
                         bool legacy) {
  CommitCheckpoint best;
  for (const git::CommitFacts& commit : commits) {
    for (core::CheckpointMessage& message : messages_of(commit)) {
      if (message.legacy != legacy || (!legacy && !core::answers(query, message))) continue;
      if (best.found() && message.milestone <= best.milestone) continue;
      best = {legacy ? CheckpointSource::git_log_legacy : CheckpointSource::git_log_run_specific,
              commit.sha,
              message.milestone,
              std::move(message.phase),
              {},
              commit.time};
    }
  }
  return best;
}

}  // namespace

std::vector<core::CheckpointMessage> messages_of(const git::CommitFacts& commit) {
  if (commit.parents.size() < 2) return core::read_checkpoint_messages(commit.message);
  // What a merge lists stands in the log itself.
  std::vector<core::CheckpointMessage> own;
  if (auto message = core::read_checkpoint_message(commit.message)) own.push_back(std::move(*message));
  return own;
}

std::set<std::string> replaced_by(store::Sidecars& sidecars, const core::Sidecar& sidecar) {
  std::set<std::string> replaced;
  std::string from = sidecar.relinked_from;
  while (!from.empty() && replaced.insert(from).second) {
    const auto before = sidecars.read(from);
    from = before && *before ? (*before)->relinked_from : std::string();
  }
  return replaced;
}

Result<CommitCheckpoint> last_milestone(system::Folder* tracking, PlanRepository* repository,
                                        const core::RunQuery& query) {
  if (tracking != nullptr) {
    store::Sidecars sidecars(*tracking);
    if (repository == nullptr) {
      TRY_ASSIGN(const auto found, sidecars.select({query.run, query.own, kFirst, 0}));
      for (const store::SidecarEntry& entry : found.best) {
        if (const auto sidecar = sidecar_of(sidecars, entry, query)) return checkpoint_of(*sidecar);
      }
      return CommitCheckpoint();
    }
    TRY_ASSIGN(const bool there, sidecars.exist());
    if (there) {
      TRY_ASSIGN(CommitCheckpoint found, BestSidecar(sidecars, *repository, query).find());
      if (found.found()) return found;
    }
  }
  if (repository == nullptr) return CommitCheckpoint();
  const std::string text = query.own ? std::string(core::kMessageStart) : core::message_start(query.run);
  TRY_ASSIGN(const auto of_run, repository->commits().saying(text, kMostOfRun));
  CommitCheckpoint found = best_of(of_run, query, false);
  if (found.found()) return found;
  TRY_ASSIGN(const auto legacy, repository->commits().saying(std::string(core::kLegacyStart), kMostOfRun));
  return best_of(legacy, query, true);
}

Result<CheckpointCheck> check_checkpoint(const Context& context, const PlanLocation& plan,
                                         const core::Plan& read, const std::string& run) {
  TRY_ASSIGN(const auto repository, PlanRepository::open(context, plan));
  TRY_ASSIGN(const auto folder, context.files.open_folder(plan.folder));
  auto tracking = store::open_tracking(*folder, plan.name);
  if (!tracking && tracking.error().kind != base::ErrorKind::not_found)
    return base::fail(std::move(tracking.error()));
  core::RunQuery query;
  query.run = run.empty() ? core::run_of_plan(plan.plan_id()) : run;
  query.own = run.empty();
  if (repository) {
    TRY_ASSIGN(query, repository->run_query(plan, run));
  }
  CheckpointCheck check;
  TRY_ASSIGN(check.last, last_milestone(tracking ? tracking->get() : nullptr, repository.get(), query));
  // Where nothing can be committed, nothing has to be.
  if (check.last.found() || repository) check.drift = core::drift_between(read, check.last);
  return check;
}

void ask_git_for_last_commit(const Context& context, Shown& shown) {
  if (!shown.plan || !shown.state || !shown.state->last_commit || context.processes == nullptr) return;
  const auto check = check_checkpoint(context, shown.location, *shown.plan);
  if (!check) return;
  std::optional<core::SavedCommit>& told = shown.state->last_commit;
  const CommitCheckpoint& last = check->last;
  if (!last.found()) {
    told.reset();
  } else if (told->sha != last.sha) {
    core::SavedCommit commit;
    commit.sha = last.sha;
    commit.milestone = last.milestone;
    commit.phase = last.phase;
    commit.phase_complete = last.phase_complete.value_or(false);
    commit.time = last.created_at.value_or(told->time);
    told = std::move(commit);
  }
}

}  // namespace plankeep::app
