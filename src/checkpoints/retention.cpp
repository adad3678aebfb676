#include "checkpoints/retention.hpp"

#include <algorithm>
#include <utility>

#include "checkpoints/checkpoint.hpp"
#include "checkpoints/snapshots.hpp"
#include "project/plan_repository.hpp"
#include "store/capped_log.hpp"
#include "store/paths.hpp"
#include "store/sidecars.hpp"
#include "store/tracking_folder.hpp"

namespace plankeep::app {
namespace {

using base::Result;
using core::Sidecar;

constexpr std::int64_t kDay = std::int64_t{24} * 60 * 60 * 1000;

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

}  // namespace

Result<std::vector<std::string>> dead_sidecars(const Context& context, const PlanLocation& plan,
                                               base::Instant older_than) {
  std::vector<std::string> dead;
  TRY_ASSIGN(const auto folder, context.files.open_folder(plan.folder));
  TRY_ASSIGN(const auto tracking, store::open_tracking(*folder));
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
  TRY_ASSIGN(const auto tracking, store::open_tracking(*folder));
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
