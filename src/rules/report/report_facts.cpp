#include "rules/report/report_facts.hpp"

#include <algorithm>
#include <utility>

#include "rules/replay.hpp"

namespace plankeep::core {
namespace {

// Names the task of an event as it was called before: of another phase (task_moved), or by another id
// (task_added).
Event before_move(const Event& event) {
  Event before;
  before.task = event.kind == EventKind::task_moved ? event.task : TaskId(event.from);
  before.phase = event.kind == EventKind::task_moved ? PhaseId(event.from) : event.phase;
  return before;
}

void add_title(std::vector<std::string>& titles, const std::string& earlier, const std::string& now) {
  if (earlier.empty() || earlier == now || (!titles.empty() && titles.back() == earlier)) return;
  if (titles.size() == kMostEarlierTitles) titles.erase(titles.begin());
  titles.push_back(earlier);
}

}  // namespace

void Marks::add(const Event& event) {
  if (newest.size() == kMostMarks) {
    newest.pop_front();
    ++earlier;
  }
  newest.push_back({event.time, event});
}

ActorFacts& ReportRecorder::actor(const std::string& name) {
  const auto [at, is_new] = actor_at_.try_emplace(name, actors_.size());
  if (is_new) actors_.emplace_back().name = name;
  return actors_[at->second];
}

ReportRecorder::Holder& ReportRecorder::holder_of(std::size_t task) {
  if (task >= holders_.size()) holders_.resize(task + 1);
  return holders_[task];
}

void ReportRecorder::take_back(const Event& event, bool may_be_given_back) {
  const auto task = work_.number_of(event);
  if (!task || holder_of(*task).done_by == kNobody) return;
  Holder& holder = holder_of(*task);
  ++actors_[holder.done_by].taken_back;
  holder = {kNobody, may_be_given_back ? holder.done_by : kNobody};
}

void ReportRecorder::apply_to_actors(const Event& event) {
  switch (event.kind) {
    case EventKind::task_completed:
    case EventKind::task_attributed: {
      const auto task = work_.number_of(event);
      const bool corrected = event.kind == EventKind::task_attributed;
      if (!task || event.by.empty() || (corrected && (event.from.empty() || event.by == event.from))) return;
      (void)actor(event.by);
      if (corrected) --actor(event.from).done;
      Holder& holder = holder_of(*task);
      const std::size_t by = actor_at_[event.by];
      // Nobody took back what git reopened and then completed again by switching branches.
      const bool given_back = event.via == kGivenBack;
      if (!given_back) ++actors_[by].done;
      if (given_back && holder.taken_from != kNobody) --actors_[holder.taken_from].taken_back;
      holder = {by, kNobody};
      break;
    }
    case EventKind::task_reopened: {
      take_back(event, event.via == kByGit);
      break;
    }
    case EventKind::acceptance_met: {
      if (event.by.empty() || event.via == kGivenBack) return;
      ActorFacts& who = actor(event.by);
      ++who.criteria;
      who.proven += static_cast<int>(event.evidence && event.evidence->passed());
      break;
    }
    case EventKind::subagent_stopped: {
      if (event.unverified.empty()) return;
      const std::string& type = event.agent_type.empty() ? event.agent : event.agent_type;
      actor("subagent:" + type).refused += static_cast<std::int64_t>(event.unverified.size());
      break;
    }
    case EventKind::task_moved:
    case EventKind::task_added: {
      if (work_.came_back_open()) return take_back(event, true);
      const auto before = work_.number_of(before_move(event));
      const auto after = work_.number_of(event);
      if (event.from.empty() || !before || !after || *before == *after) return;
      const Holder moved = take_holder(*before);
      before_.holders.emplace(*after, holder_of(*after));
      holder_of(*after) = moved;
      break;
    }
    default:
      break;
  }
}

ReportRecorder::Holder ReportRecorder::take_holder(std::size_t task) {
  if (auto before = before_.holders.extract(task)) return before.mapped();
  return std::exchange(holder_of(task), {});
}

void ReportRecorder::move_names(const Event& event) {
  const Event from = before_move(event);
  const std::string old_key = report_key(from.phase, from.task);
  const std::string key = report_key(event.phase, event.task);
  std::vector<std::string> titles;
  if (auto before = before_.titles.extract(old_key)) {
    titles = std::move(before.mapped());
  } else if (auto known = facts_.earlier_titles.extract(old_key)) {
    titles = std::move(known.mapped());
  }
  if (const auto removed = before_.removed.find(old_key); removed != before_.removed.end())
    add_title(titles, removed->second, event.title);
  if (auto known = facts_.earlier_titles.extract(key)) {
    before_.titles.emplace(key, std::move(known.mapped()));
  } else {
    before_.titles.try_emplace(key);
  }
  if (!titles.empty()) facts_.earlier_titles.emplace(key, std::move(titles));
}

// Names are kept by phase and id, so they follow both.
void ReportRecorder::apply_to_names(const Event& event) {
  if (event.kind == EventKind::task_removed)
    before_.removed.insert_or_assign(report_key(event.phase, event.task), event.title);
  if (event.from.empty()) return;
  if (event.kind == EventKind::task_moved || event.kind == EventKind::task_added) {
    move_names(event);
  } else if (event.kind == EventKind::task_renamed) {
    add_title(facts_.earlier_titles[report_key(event.phase, event.task)], event.from, event.title);
  }
}

void ReportRecorder::apply_to_blockers(const Event& event) {
  if (event.kind == EventKind::blocker_raised) {
    const auto [at, is_new] = open_blockers_.try_emplace(event.blocker, facts_.blockers.size());
    if (is_new) facts_.blockers.push_back({event.blocker, event.time, std::nullopt});
    return;
  }
  const auto open = open_blockers_.find(event.blocker);
  if (open == open_blockers_.end()) return;
  facts_.blockers[open->second].to = std::max(event.time, facts_.blockers[open->second].from);
  open_blockers_.erase(open);
}

void ReportRecorder::apply_to_marks(const Event& event) {
  switch (event.kind) {
    case EventKind::checkpoint_saved:
      facts_.checkpoints.add(event);
      break;
    case EventKind::checkpoint_complete:
    case EventKind::checkpoint_linked:
      facts_.commits.add(event);
      break;
    case EventKind::session_started:
      facts_.sessions.add(event);
      break;
    case EventKind::session_crash:
    case EventKind::session_recovered:
    case EventKind::state_corrupted:
    case EventKind::full_recovery:
    case EventKind::parse_error:
    case EventKind::drift_detected:
    case EventKind::rewound:
      facts_.incidents.add(event);
      break;
    default:
      break;
  }
}

void ReportRecorder::apply(const Event& event) {
  if (!facts_.first) facts_.first = event.time;
  ++facts_.events;
  if (event.time != before_.time) before_ = BeforeSave{event.time};
  work_.apply(event);
  apply_to_actors(event);
  apply_to_marks(event);
  if (event.kind == EventKind::blocker_raised || event.kind == EventKind::blocker_resolved)
    apply_to_blockers(event);
  apply_to_names(event);
}

ReportFacts ReportRecorder::facts() const {
  ReportFacts facts = facts_;
  facts.actors = actors_;
  std::sort(facts.actors.begin(), facts.actors.end(), [](const ActorFacts& a, const ActorFacts& b) {
    return a.done != b.done ? a.done > b.done : a.name < b.name;
  });
  return facts;
}

std::vector<BurnSample> burn_samples(const WorkRecorder& work, std::optional<base::Instant> since,
                                     base::Instant now, std::size_t most) {
  const std::vector<WorkStep>& steps = work.steps();
  std::vector<BurnSample> samples;
  if (steps.empty()) return samples;
  const base::Instant from = std::min(now, since ? std::max(*since, steps.front().time) : steps.front().time);
  const std::int64_t span = std::max<std::int64_t>(1, now.milliseconds - from.milliseconds);
  const auto slots = static_cast<std::int64_t>(std::max<std::size_t>(most, 4) - 1);
  const auto slot_of = [&](const WorkStep& step) {
    const std::int64_t after = std::clamp(step.time, from, now).milliseconds - from.milliseconds;
    return after == 0 ? 0 : 1 + after * (slots - 2) / span;
  };
  std::vector<std::int64_t> done_in(work.phases().size(), 0);
  auto change = work.phase_changes().begin();
  for (auto step = steps.begin(); step != steps.end(); ++step) {
    // The last step of a slot stands for it: what came and went within it does not show.
    const auto next = std::next(step);
    if (next != steps.end() && slot_of(*next) == slot_of(*step)) continue;
    for (; change != work.phase_changes().end() && change->time <= step->time; ++change)
      done_in[change->phase] += change->done;
    samples.push_back({std::clamp(step->time, from, now), step->total, step->done, done_in});
  }
  return samples;
}

}  // namespace plankeep::core
