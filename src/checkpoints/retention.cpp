#include "checkpoints/retention.hpp"

#include <algorithm>
#include <utility>

#include "checkpoints/find_checkpoint.hpp"
#include "checkpoints/snapshots.hpp"
#include "project/plan_repository.hpp"
#include "store/capped_log.hpp"
#include "store/paths.hpp"
#include "store/sidecars.hpp"
#include "store/tracking_folder.hpp"
#include "tracking/plan_work.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::kDay;
using base::Result;
using base::Status;
using core::Sidecar;

Result<bool> is_shallow(PlanRepository& repository) {
  TRY_ASSIGN(const system::Finished told,
             repository.git().run(repository.tree().top, {"rev-parse", "--is-shallow-repository"}));
  return told.status != 0 || !told.output.starts_with("false");
}

bool newer(const Sidecar& a, const Sidecar& b) {
  return std::pair(a.created_at, a.sha) > std::pair(b.created_at, b.sha);
}

// When it was last done, by the log's last line.
Result<std::optional<base::Instant>> last_time(system::Folder& tracking) {
  TRY_ASSIGN(const std::vector<std::string> lines, store::read_lines(tracking, store::kCleanUpLog));
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    if (const auto time = base::parse_iso8601(line->substr(0, line->find(' ')))) return time;
  }
  return std::optional<base::Instant>();
}

// Records, then refs.
Status clean_up_records(const Context& context, const PlanLocation& plan, const records::CleanUp& rules,
                        bool dry, const SnapshotDropper& drop, CleanUpAnswer& answer) {
  {
    // Opening for writing would make a store where there is none.
    const auto there = open_checkpoints(context, plan, records::Access::read);
    if (!there && there.error().kind == ErrorKind::not_found) {
      TRY_ASSIGN(const auto folder, context.files.open_folder(plan.folder));
      if (store::open_tracking(*folder, plan.name)) return {};
    }
    if (!there) return base::fail(there.error());
  }
  std::vector<std::string> refs;
  TRY_ASSIGN(const OpenedCheckpoints opened, open_checkpoints(context, plan, records::Access::write));
  TRY_ASSIGN(answer.cleaned, opened.store->clean_up(rules, dry));
  if (dry) return {};
  TRY_ASSIGN(refs, opened.store->snapshot_refs());
  const bool gone = std::any_of(answer.cleaned.deleted.begin(), answer.cleaned.deleted.end(),
                                [](const records::Deleted& deleted) { return deleted.snapshot.has_value(); });
  if (!drop) {
    if (gone) answer.warnings.emplace_back("the snapshots of deleted checkpoints remain in the repository");
    return {};
  }
  if (context.processes == nullptr) return {};
  git::Git git(*context.processes, context.files, kGitTimeout);
  const auto tree = work_tree_of(context, git, plan);
  if (!tree || !*tree) {
    if (gone) answer.warnings.emplace_back("the snapshots of deleted checkpoints could not be deleted");
    return {};
  }
  const auto dropped = drop((*tree)->top, refs, rules.older_than);
  if (dropped) {
    answer.dropped_snapshots = *dropped;
  } else {
    answer.warnings.push_back("some snapshots could not be deleted: " + dropped.error().message);
  }
  return {};
}

// Sidecars go under the lock, and the history says that something went.
Status record_clean_up(const Context& context, const PlanLocation& plan, CleanUpAnswer& answer) {
  PlanWork work(context, plan);
  TRY(work.open(PlanWork::Create::if_plan));
  TRY(work.lock(kTimeout));
  // In the background edits of the plan are not recorded: the next hook reports them.
  if (!work.records_whole()) TRY(work.sync(Edit{}));
  store::Sidecars sidecars(work.tracking());
  for (const std::string& sha : answer.sidecars) TRY(sidecars.remove(sha));
  core::Event event;
  event.time = work.now();
  event.name = "checkpoints_cleaned";
  TRY(work.save(work.state(), {event}));
  answer.events = work.take_outcome().events;
  return {};
}

}  // namespace

Result<std::vector<std::string>> dead_sidecars(const Context& context, const PlanLocation& plan,
                                               base::Instant older_than) {
  std::vector<std::string> dead;
  TRY_ASSIGN(const auto folder, context.files.open_folder(plan.folder));
  TRY_ASSIGN(const auto tracking, store::open_tracking(*folder, plan.name));
  store::Sidecars sidecars(*tracking);
  TRY_ASSIGN(const store::SidecarList list, sidecars.all());
  const auto& all = list.sidecars;
  if (std::none_of(all.begin(), all.end(), [&](const Sidecar& one) { return one.created_at < older_than; }))
    return dead;
  TRY_ASSIGN(const auto repository, PlanRepository::open(context, plan));
  if (repository == nullptr) return dead;
  TRY_ASSIGN(const bool shallow, is_shallow(*repository));
  if (shallow) return dead;
  std::vector<std::string> shas;
  shas.reserve(all.size());
  for (const Sidecar& one : all) shas.push_back(one.sha);
  TRY_ASSIGN(const std::vector<git::Reachability> reachability, repository->commits().reachability(shas));
  const auto gone = [&](std::size_t place) { return reachability[place] == git::Reachability::gone; };
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!gone(i) || !(all[i].created_at < older_than)) continue;
    for (std::size_t other = 0; other < all.size(); ++other) {
      const bool same =
          other != i && all[other].run == all[i].run && all[other].milestone == all[i].milestone;
      if (!same || (gone(other) && !newer(all[other], all[i]))) continue;
      dead.push_back(all[i].sha);
      break;
    }
  }
  return dead;
}

Result<CleanUpAnswer> clean_up_checkpoints(const Context& context, const PlanLocation& plan,
                                           const CleanUpRequest& request, const SnapshotDropper& drop) {
  const std::int64_t now = context.clock.now().milliseconds;
  const std::int64_t age = request.all ? request.older_than_ms : std::max(request.older_than_ms, kFreshFor);
  records::CleanUp rules;
  rules.older_than = base::Instant{now - age};
  rules.newest_of_sessions = !request.all;
  CleanUpAnswer answer;
  answer.plan = plan;
  answer.dry = request.dry;
  TRY(clean_up_records(context, plan, rules, request.dry, drop, answer));
  auto dead = dead_sidecars(context, plan, rules.older_than);
  if (dead) {
    answer.sidecars = std::move(*dead);
  } else {
    answer.warnings.push_back("sidecars of commits remain: " + dead.error().message);
  }
  if (request.dry || (answer.cleaned.deleted_count == 0 && answer.sidecars.empty())) return answer;
  const Status recorded = record_clean_up(context, plan, answer);
  if (!recorded)
    answer.warnings.push_back("it could not be recorded in the history: " + recorded.error().message);
  return answer;
}

Result<std::vector<core::Event>> retain(const Context& context, const PlanLocation& plan) {
  const base::Instant now = context.clock.now();
  {
    TRY_ASSIGN(const OpenedCheckpoints opened, open_checkpoints(context, plan, records::Access::read));
    TRY_ASSIGN(const records::StoreStats stats, opened.store->stats());
    if (!stats.oldest || now.milliseconds - stats.oldest->milliseconds < kCheckpointDays * kDay)
      return std::vector<core::Event>();
    TRY_ASSIGN(const auto last, last_time(*opened.tracking));
    // A clock that was put back does not put it off for ever.
    if (last && *last <= now && now.milliseconds - last->milliseconds < kDay)
      return std::vector<core::Event>();
  }
  TRY_ASSIGN(const CleanUpAnswer cleaned,
             clean_up_checkpoints(context, plan, CleanUpRequest{}, snapshot_dropper(context, plan)));
  TRY_ASSIGN(const auto folder, context.files.open_folder(plan.folder));
  TRY_ASSIGN(const auto tracking, store::open_tracking(*folder, plan.name));
  std::string line = base::to_iso8601(now);
  line += " checkpoints=" + std::to_string(cleaned.cleaned.deleted_count) +
          " bytes=" + std::to_string(cleaned.cleaned.freed_bytes) +
          " snapshots=" + std::to_string(cleaned.dropped_snapshots) +
          " sidecars=" + std::to_string(cleaned.sidecars.size());
  for (const std::string& warning : cleaned.warnings) line += "; " + warning;
  TRY(store::append_line(*tracking, store::kCleanUpLog, line));
  return cleaned.events;
}

}  // namespace plankeep::app
