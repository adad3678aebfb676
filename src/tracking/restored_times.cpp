#include "tracking/restored_times.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "markdown/parse_plan.hpp"
#include "model/item_key.hpp"
#include "model/removed.hpp"
#include "project/project.hpp"
#include "rules/matching/event_subject.hpp"
#include "rules/matching/undone_things.hpp"
#include "rules/replay.hpp"
#include "store/journal.hpp"
#include "tracking/loaded_state.hpp"

namespace plankeep::app {
namespace {

using base::Result;
using base::Status;
using core::Event;
using core::EventKind;

// Each costs a reading of the history; mostly there is one.
constexpr std::size_t kMostMoments = 8;

Event retold(EventKind kind, base::Instant time, const core::PhaseId& phase) {
  Event event;
  event.kind = kind;
  event.time = time;
  event.phase = phase;
  event.via = core::kGivenBack;
  return event;
}

bool tells(const core::Reconciled& result, EventKind kind, const core::PhaseId& phase) {
  return std::any_of(result.events.begin(), result.events.end(),
                     [&](const Event& event) { return event.kind == kind && event.phase == phase; });
}

const core::PhaseState& phase_in(const core::State& state, const core::PhaseId& id) {
  static const core::PhaseState none;
  const auto phase = std::find_if(state.phases.begin(), state.phases.end(),
                                  [&id](const core::PhaseState& one) { return one.id == id; });
  return phase == state.phases.end() ? none : *phase;
}

bool holds_later(const core::PhaseState& phase, base::Instant completed) {
  const auto later = [completed](const std::optional<base::Instant>& time) { return time > completed; };
  return std::any_of(phase.tasks.begin(), phase.tasks.end(),
                     [&](const core::TaskState& task) { return later(task.completed_at); }) ||
         std::any_of(phase.acceptance.begin(), phase.acceptance.end(),
                     [&](const core::CriterionState& one) { return later(one.verified_at); });
}

// A phase that git brought back with more than there was when it was completed is completed now.
void completed_anew(core::Reconciled& result, base::Instant now) {
  for (core::PhaseState& phase : result.state.phases) {
    if (!phase.completed_at || !holds_later(phase, *phase.completed_at)) continue;
    for (Event& event : result.events) {
      const bool told = event.kind == EventKind::phase_completed && event.phase == phase.id;
      if (!told || event.via != core::kGivenBack) continue;
      event.time = now;
      event.via.clear();
      phase.completed_at = now;
    }
  }
}

// Decisions and blockers of these names get the time and author of their last event.
Status give_back_remarks(system::Folder& tracking, std::unordered_set<std::string> names,
                         core::Reconciled& result) {
  if (names.empty()) return {};
  std::unordered_map<std::string, Event> told;
  const store::EventQuery query{.kinds = {EventKind::decision_recorded, EventKind::blocker_raised},
                                .matches = [&](const Event& event) {
                                  std::string name = core::came_undone(event);
                                  return names.erase(name) > 0 && told.emplace(std::move(name), event).second;
                                }};
  TRY(store::last_events(tracking, names.size(), query));
  for (Event& event : result.events) {
    const auto before = core::is_remark(event) ? told.find(core::came_undone(event)) : told.end();
    if (before == told.end()) continue;
    event.time = before->second.time;
    event.by = before->second.by;
    event.via = core::kGivenBack;
    for (core::DecisionState& decision : result.state.decisions) {
      if (event.kind == EventKind::decision_recorded && decision.decision == event.decision)
        decision.time = event.time;
    }
  }
  return {};
}

// Puts these events in the place of those of `now` that say the same.
void tell_instead(const std::vector<Event>& given, core::Reconciled& result, base::Instant now) {
  std::unordered_set<std::string> repeated;
  for (const Event& event : given) repeated.insert(core::what_of(event));
  std::erase_if(result.events, [&repeated, now](const Event& event) {
    return event.time == now && repeated.contains(core::what_of(event));
  });
  result.events.insert(result.events.end(), given.begin(), given.end());
}

// Whether this event of the save at `now` tells that a task was done.
bool tells_done(const Event& event, base::Instant now) {
  const bool came_done = event.kind == EventKind::task_added && event.done && event.from.empty();
  return (event.kind == EventKind::task_completed || came_done) && event.time == now;
}

// The tasks that are newly done, by their keys, with their titles; all that are done in a plan that is seen
// for the first time.
std::unordered_map<std::string, std::string> newly_done(const core::Reconciled& result, base::Instant now) {
  std::unordered_map<std::string, std::string> tasks;
  for (const Event& event : result.events) {
    if (tells_done(event, now)) tasks.emplace(core::key_of(event.phase, event.task), event.title);
    if (event.kind != EventKind::checkpoint_created) continue;
    for (const core::PhaseState& phase : result.state.phases) {
      for (const core::TaskState& task : phase.tasks)
        if (task.done) tasks.emplace(core::key_of(phase.id, task.id), task.title);
    }
  }
  return tasks;
}

bool any_newly_done(const core::Reconciled& result, base::Instant now) {
  return std::any_of(result.events.begin(), result.events.end(), [now](const Event& event) {
    return event.kind == EventKind::checkpoint_created || tells_done(event, now);
  });
}

// What other work trees have recorded of the tasks that are newly done.
class WorkTreeTicks {
 public:
  WorkTreeTicks(const std::unordered_map<std::string, std::string>& tasks, base::Instant now)
      : tasks_(tasks), now_(now) {}

  // Of several that have a task done, the last to do it did it.
  void take(const core::State& there) {
    for (const core::PhaseState& phase : there.phases) {
      bool taken = false;
      for (const core::TaskState& task : phase.tasks) {
        std::string key = core::key_of(phase.id, task.id);
        const auto wanted = tasks_.find(key);
        if (wanted == tasks_.end() || wanted->second != task.title) continue;
        if (!task.done || !task.completed_at || *task.completed_at > now_) continue;
        taken = true;
        core::TaskState& known = known_[std::move(key)];
        if (known.completed_at < task.completed_at) known = task;
      }
      if (!taken || !phase.started_at) continue;
      const auto first = started_.emplace(phase.id.text, *phase.started_at).first;
      first->second = std::min(first->second, *phase.started_at);
    }
  }

  // Whose task was reopened here later.
  Status forget_reopened(system::Folder& tracking) {
    std::unordered_set<std::string> keys;
    std::optional<base::Instant> first;
    for (const auto& [key, task] : known_) {
      keys.insert(key);
      if (!first || *task.completed_at < *first) first = task.completed_at;
    }
    if (!first) return {};
    TRY_ASSIGN(const auto reopened, last_reopened(tracking, std::move(keys), *first));
    for (const auto& [key, time] : reopened) {
      if (*known_.at(key).completed_at <= time) known_.erase(key);
    }
    return {};
  }

  // In the phases of this result, with the times of those that begin in it.
  core::State known_of(const core::Reconciled& result) const {
    core::State then;
    for (const core::PhaseState& phase : result.state.phases) {
      core::PhaseState& known = then.phases.emplace_back();
      known.id = phase.id;
      for (const core::TaskState& task : phase.tasks) {
        const auto one = known_.find(core::key_of(phase.id, task.id));
        if (one != known_.end()) known.tasks.push_back(one->second);
      }
      const auto started = started_.find(phase.id.text);
      if (started != started_.end() && tells(result, EventKind::phase_started, phase.id))
        known.started_at = started->second;
    }
    return then;
  }

 private:
  const std::unordered_map<std::string, std::string>& tasks_;
  base::Instant now_;
  std::unordered_map<std::string, core::TaskState> known_;  // as tasks_ names them
  std::unordered_map<std::string, base::Instant> started_;
};

// Of the events that stand before the first one that is not wanted.
Result<core::State> state_before(
    system::Folder& tracking, const PlanLocation& location, std::string_view text,
    const std::function<bool(const Event& event, const store::HistoryLine& line)>& wanted) {
  auto plan = markdown::parse_plan(text);
  if (!plan) return core::State{};
  core::Ledger ledger;
  TRY(store::read_events(tracking, 0, [&](const Event& event, const store::HistoryLine& line) {
    if (!wanted(event, line)) return false;
    ledger.apply(event);
    return true;
  }));
  return ledger.rebuild(*plan, location.plan_id(), location.path());
}

}  // namespace

std::vector<Event> give_back_times(const core::State& then, core::State& state) {
  std::vector<Event> events;
  for (core::PhaseState& phase : state.phases) {
    const auto known = std::find_if(then.phases.begin(), then.phases.end(),
                                    [&phase](const core::PhaseState& one) { return one.id == phase.id; });
    if (known == then.phases.end()) continue;
    std::unordered_map<std::string_view, const core::TaskState*> tasks;
    for (const core::TaskState& task : known->tasks) tasks.emplace(task.id.text, &task);
    for (core::TaskState& task : phase.tasks) {
      const auto one = tasks.find(task.id.text);
      if (one == tasks.end() || !task.done || !one->second->done || !one->second->completed_at) continue;
      const core::TaskState& before = *one->second;
      if (core::took_the_number(task.title, before.title, task.id)) continue;
      if (task.completed_at == before.completed_at && task.completed_by == before.completed_by) continue;
      Event& event = events.emplace_back(retold(EventKind::task_completed, *before.completed_at, phase.id));
      event.task = task.id;
      event.title = task.title;
      event.by = before.completed_by;
      task.completed_at = before.completed_at;
      task.completed_by = before.completed_by;
    }
    std::unordered_map<std::string_view, const core::CriterionState*> criteria;
    for (const core::CriterionState& criterion : known->acceptance)
      criteria.emplace(criterion.id.text, &criterion);
    for (core::CriterionState& criterion : phase.acceptance) {
      const auto one = criteria.find(criterion.id.text);
      if (one == criteria.end() || !criterion.met || !one->second->met || !one->second->verified_at) continue;
      if (criterion.verified_at == one->second->verified_at) continue;
      Event& event =
          events.emplace_back(retold(EventKind::acceptance_met, *one->second->verified_at, phase.id));
      event.criterion = criterion.id;
      event.evidence = one->second->evidence;
      criterion.verified_at = one->second->verified_at;
      if (one->second->evidence) criterion.evidence = one->second->evidence;
    }
    const bool begun = phase.status != core::PhaseStatus::pending;
    if (known->started_at && begun && known->started_at != phase.started_at) {
      events.push_back(retold(EventKind::phase_started, *known->started_at, phase.id));
      phase.started_at = known->started_at;
    }
    const bool completed = phase.status == core::PhaseStatus::completed;
    if (known->completed_at && completed && known->completed_at != phase.completed_at) {
      events.push_back(retold(EventKind::phase_completed, *known->completed_at, phase.id));
      phase.completed_at = known->completed_at;
    }
  }
  return events;
}

Status name_criteria_given_back(system::Folder& tracking, std::vector<Event>& events) {
  std::unordered_map<std::string, Event*> nameless;
  for (Event& event : events) {
    if (event.kind == EventKind::acceptance_met && event.by.empty())
      nameless.emplace(core::what_of(event), &event);
  }
  if (nameless.empty()) return {};
  const auto told = [&nameless](const Event& event) {
    const auto one = nameless.find(core::what_of(event));
    if (one == nameless.end() || one->second->time != event.time || event.by.empty()) return false;
    one->second->by = event.by;
    nameless.erase(one);
    return true;
  };
  TRY(store::last_events(tracking, nameless.size(), {.kinds = {EventKind::acceptance_met}, .matches = told}));
  for (const auto& [what, event] : nameless) event->by = "external";
  return {};
}

void give_back_times(const core::State& then, core::Reconciled& result, base::Instant now) {
  tell_instead(give_back_times(then, result.state), result, now);
}

Status give_back_earlier_times(system::Folder& tracking, const PlanLocation& location, std::string_view text,
                               GitWrote wrote, core::Reconciled& result, base::Instant now) {
  core::UndoneThings things;
  things.at(now);
  std::unordered_set<std::string> remarks;
  for (const Event& event : result.events) {
    const bool done = wrote != GitWrote::no && core::is_done_now(event);
    if (done || core::comes_back_done(event)) things.wait_for(core::came_undone(event), event.task.text);
    if (done && core::is_remark(event)) remarks.insert(core::came_undone(event));
    core::note_other_id(event, things);
  }
  if (!things.any_waiting()) return {};
  // The newest event about each of them decides.
  std::unordered_set<std::string> taken_remarks;
  const auto ends = [&](const Event& event) {
    things.at(event.time);
    if (things.over()) return true;
    core::note_other_id(event, things);
    std::string what = core::came_undone(event);
    if (event.kind == EventKind::task_removed && things.is_renamed(what)) return false;
    auto id = what.empty() ? std::nullopt : things.take(what);
    if (!id) return false;
    const bool removed = event.kind == EventKind::phase_removed ||
                         event.kind == EventKind::acceptance_removed || event.kind == EventKind::task_removed;
    const bool undone = core::undoes(event.kind) && (event.via == core::kByGit || wrote == GitWrote::alone);
    if (!removed && !undone) return false;
    if (remarks.contains(what)) {
      taken_remarks.insert(std::move(what));
    } else {
      things.undone(std::move(what), std::move(*id));
    }
    return false;
  };
  const store::EventQuery words{
      .kinds = {EventKind::task_completed, EventKind::task_reopened, EventKind::task_removed,
                EventKind::task_added, EventKind::acceptance_met, EventKind::acceptance_unmet,
                EventKind::acceptance_added, EventKind::acceptance_removed, EventKind::phase_added,
                EventKind::phase_removed, EventKind::phase_started, EventKind::phase_completed,
                EventKind::phase_reopened, EventKind::decision_recorded, EventKind::decision_removed,
                EventKind::blocker_raised, EventKind::blocker_resolved},
      .since = base::Instant{now.milliseconds - core::kRemovedKeptMilliseconds},
      .matches = ends};
  TRY(store::last_events(tracking, 1, words));
  const std::map<base::Instant, core::UndoneThings::Names> taken_at = things.settled();
  TRY(give_back_remarks(tracking, std::move(taken_remarks), result));
  std::size_t looked_at = 0;
  for (auto at = taken_at.rbegin(); at != taken_at.rend() && looked_at < kMostMoments; ++at, ++looked_at) {
    TRY_ASSIGN(core::State then, state_at(tracking, location, text, at->first));
    for (core::PhaseState& phase : then.phases) {
      const auto other = [&](EventKind kind, std::string_view item) {
        return !at->second.contains(core::what_of(kind, phase.id, item));
      };
      std::erase_if(phase.tasks, [&](core::TaskState& task) {
        const auto known = at->second.find(core::what_of(EventKind::task_completed, phase.id, task.id.text));
        if (known == at->second.end()) return true;
        task.id = core::TaskId(known->second);
        return false;
      });
      std::erase_if(phase.acceptance, [&](const core::CriterionState& criterion) {
        return other(EventKind::acceptance_met, criterion.id.text);
      });
      const bool taken = at->second.contains(core::what_of(phase.id));
      const core::PhaseState& here = phase_in(result.state, phase.id);
      // Another phase may have the id of one that is gone.
      const bool known = !phase.acceptance.empty() ||
                         std::any_of(here.tasks.begin(), here.tasks.end(), [](const core::TaskState& task) {
                           return task.completed_at.has_value();
                         });
      const bool added = known && tells(result, EventKind::phase_added, phase.id);
      // What was done in it before was not done before it began.
      const bool earlier =
          (!phase.tasks.empty() || !phase.acceptance.empty()) && phase.started_at < here.started_at;
      const bool started = taken && (added || tells(result, EventKind::phase_started, phase.id));
      if (!started && !earlier) phase.started_at.reset();
      const bool completed = taken && (added || tells(result, EventKind::phase_completed, phase.id));
      if (!completed) phase.completed_at.reset();
    }
    give_back_times(then, result, now);
  }
  completed_anew(result, now);
  return {};
}

Result<std::unordered_map<std::string, base::Instant>> last_reopened(system::Folder& tracking,
                                                                     std::unordered_set<std::string> tasks,
                                                                     base::Instant since) {
  std::unordered_map<std::string, base::Instant> reopened;
  const std::size_t most = tasks.size();
  const store::EventQuery by_somebody{
      .kinds = {EventKind::task_reopened}, .since = since, .matches = [&](const Event& event) {
        std::string key = core::key_of(event.phase, event.task);
        if (event.via == core::kByGit || tasks.erase(key) == 0) return false;
        return reopened.emplace(std::move(key), event.time).second;
      }};
  if (most > 0) TRY(store::last_events(tracking, most, by_somebody));
  return reopened;
}

void take_times_of_work_trees(const Context& context, system::Folder& tracking, const PlanLocation& location,
                              core::Reconciled& result, base::Instant now) {
  if (!any_newly_done(result, now)) return;
  const std::string top = Project(context, location.folder).root();
  const std::vector<PlanLocation> elsewhere = same_place_in(other_work_trees(context, top), top, location);
  if (elsewhere.empty()) return;
  const std::unordered_map<std::string, std::string> tasks = newly_done(result, now);
  if (tasks.empty()) return;
  WorkTreeTicks ticks(tasks, now);
  for (const PlanLocation& there : elsewhere) {
    if (const auto state = recorded_state(context, there)) ticks.take(*state);
  }
  if (!ticks.forget_reopened(tracking)) return;
  std::vector<Event> given = give_back_times(ticks.known_of(result), result.state);
  for (Event& event : given) event.via = core::kFromWorkTree;
  tell_instead(given, result, now);
}

Result<core::State> state_then(system::Folder& tracking, const PlanLocation& location, std::string_view text,
                               std::uint64_t history_offset) {
  return state_before(tracking, location, text,
                      [history_offset](const Event&, const store::HistoryLine& line) {
                        return line.offset < history_offset;
                      });
}

Result<core::State> state_at(system::Folder& tracking, const PlanLocation& location, std::string_view text,
                             base::Instant moment) {
  return state_before(tracking, location, text, [moment](const Event& event, const store::HistoryLine&) {
    return event.time < moment;
  });
}

}  // namespace plankeep::app
