#include "reports/timeline.hpp"

#include <algorithm>
#include <utility>

#include "checkpoints/find_checkpoint.hpp"
#include "git/commit_log.hpp"
#include "store/journal.hpp"
#include "store/tracking_folder.hpp"
#include "tracking/plan_work.hpp"
#include "tracking/project_tree.hpp"

namespace plankeep::app {
namespace {

using core::Event;
using core::EventKind;

std::vector<core::ListedCheckpoint> checkpoints(const Context& context, const PlanLocation& plan,
                                                const TimelineRequest& request, Timeline& timeline) {
  records::CheckpointQuery query;
  query.limit = request.count;
  query.since = request.since;
  auto list = list_checkpoints(context, plan, query);
  if (!list) {
    timeline.warnings.push_back("checkpoints omitted: " + list.error().message);
    return {};
  }
  for (std::string& warning : list->warnings) timeline.warnings.push_back(std::move(warning));
  return std::move(list->listed);
}

std::vector<core::TimedCommit> commits(const Context& context, const PlanLocation& plan,
                                       const TimelineRequest& request, std::optional<base::Instant> since,
                                       Timeline& timeline) {
  std::vector<core::TimedCommit> timed;
  if (context.processes == nullptr) return timed;
  git::Git git(*context.processes, context.files);
  auto logged = git::newest_commits(git, command_root(context, plan), request.count, since);
  if (!logged) {
    // A machine without git has no commits to show.
    if (logged.error().kind != base::ErrorKind::not_found)
      timeline.warnings.push_back("commits omitted: " + logged.error().message);
    return timed;
  }
  timed.reserve(logged->size());
  for (git::LoggedCommit& commit : *logged) {
    core::TimelineCommit shown;
    shown.id = std::move(commit.id);
    shown.author = std::move(commit.author);
    shown.subject = std::move(commit.subject);
    timed.push_back({commit.time, std::move(shown)});
  }
  return timed;
}

base::Result<std::optional<base::Instant>> first_time(system::Folder& tracking) {
  std::optional<base::Instant> first;
  TRY(store::read_events(tracking, 0, [&first](const Event& event, const store::HistoryLine&) {
    first = event.time;
    return false;
  }));
  return first;
}

// A checkpoint's or commit's event is wanted though its own entry may stand further back.
bool is_shown(const Event& event, const TimelineRequest& request) {
  // As `log` has it: what happens to plankeep's own files tells nothing of the work.
  if (event.kind == EventKind::recovery_saved || event.kind == EventKind::checksum_mismatch ||
      event.kind == EventKind::tasks_ordered || event.kind == EventKind::boxes_skipped)
    return false;
  if (event.kind == EventKind::checkpoint_saved) return request.checkpoints;
  if (event.kind == EventKind::checkpoint_complete) return request.commits;
  return request.events;
}

}  // namespace

base::Result<Timeline> timeline(const Context& context, const PlanLocation& plan,
                                const TimelineRequest& request) {
  Timeline timeline;
  TRY_ASSIGN(auto folder, context.files.open_folder(plan.folder));
  auto tracking = store::open_tracking(*folder, plan.name);
  if (!tracking) {
    const bool none = tracking.error().kind == base::ErrorKind::not_found;
    return base::fail(none ? not_tracked(context, plan) : tracking.error());
  }
  const store::EventQuery query{.since = request.since,
                                .matches = [&](const Event& event) { return is_shown(event, request); }};
  TRY_ASSIGN(auto lines, store::last_events(**tracking, request.count, query));
  std::vector<Event> events;
  events.reserve(lines.size());
  for (store::TailLine& line : lines) events.push_back(std::move(line.event));
  std::vector<core::ListedCheckpoint> listed;
  if (request.checkpoints) listed = checkpoints(context, plan, request, timeline);
  std::vector<core::TimedCommit> timed;
  if (request.commits) {
    std::optional<base::Instant> since = request.since;
    if (!since) {
      TRY_ASSIGN(since, first_time(**tracking));
    }
    timed = commits(context, plan, request, since, timeline);
  }
  // Both come newest first, and what is of one moment stays in the order given.
  std::reverse(listed.begin(), listed.end());
  std::reverse(timed.begin(), timed.end());
  timeline.entries = core::timeline_of(std::move(events), std::move(listed), std::move(timed));
  if (timeline.entries.size() > request.count)
    timeline.entries.erase(timeline.entries.begin(),
                           timeline.entries.end() - static_cast<std::ptrdiff_t>(request.count));
  return timeline;
}

}  // namespace plankeep::app
