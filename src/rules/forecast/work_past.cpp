#include "rules/forecast/work_past.hpp"

#include <algorithm>
#include <utility>

#include "rules/replay.hpp"

namespace plankeep::core {
namespace {

using base::kDay;
using base::kHour;

std::string key(const PhaseId& phase, const TaskId& task) {
  return phase.text + "\n" + task.text;
}

}  // namespace

WorkRecorder::WorkRecorder(const State& state, base::Instant now) : today_(now) {
  for (const PhaseState& phase : state.phases) {
    for (const TaskState& task : phase.tasks) {
      if (task.optional) tasks_[make(phase.id, task.id)].optional = true;
    }
  }
}

std::size_t WorkRecorder::make(const std::string& key) {
  const auto [at, is_new] = number_by_key_.try_emplace(key, tasks_.size());
  if (!is_new) return at->second;
  Task task;
  task.key = &at->first;
  task.last_of_id = &last_by_id_.try_emplace(key.substr(key.find('\n') + 1), kNone).first->second;
  tasks_.push_back(task);
  return at->second;
}

std::size_t WorkRecorder::make(const PhaseId& phase, const TaskId& task) {
  return make(key(phase, task));
}

std::size_t WorkRecorder::make(const Event& event) {
  if (event.phase.empty()) {
    const auto known = last_by_id_.find(event.task.text);
    if (known != last_by_id_.end() && known->second != kNone) return known->second;
  }
  return make(event.phase, event.task);
}

std::optional<std::size_t> WorkRecorder::number_of(const Event& event) const {
  if (event.task.empty()) return std::nullopt;
  if (event.phase.empty()) {
    const auto last = last_by_id_.find(event.task.text);
    if (last != last_by_id_.end() && last->second != kNone) return last->second;
  }
  const auto known = number_by_key_.find(key(event.phase, event.task));
  return known == number_by_key_.end() ? std::nullopt : std::optional(known->second);
}

WorkStep& WorkRecorder::step() {
  if (!steps_.empty() && steps_.back().time == now_) return steps_.back();
  WorkStep next;
  next.time = now_;
  if (!steps_.empty()) {
    next.total = steps_.back().total;
    next.done = steps_.back().done;
  }
  return steps_.emplace_back(next);
}

void WorkRecorder::count_done(Task& task, int change) {
  if (change == 0) return;
  done_count_ += change;
  if (task.phase == kNone) {
    const std::string phase = task.key->substr(0, task.key->find('\n'));
    const auto [at, is_new] = phase_at_.try_emplace(phase, phases_.size());
    if (is_new) phases_.emplace_back(phase);
    task.phase = at->second;
  }
  phase_changes_.push_back({now_, task.phase, change});
}

void WorkRecorder::add(Task& task, bool done) {
  if (task.optional) return;
  *task.last_of_id = static_cast<std::size_t>(&task - tasks_.data());
  const bool before = task.there && task.done;
  count_ += static_cast<int>(!task.there);
  task.there = true;
  task.done = done;
  count_done(task, static_cast<int>(done) - static_cast<int>(before));
}

void WorkRecorder::remove(Task& task) {
  --count_;
  task.there = false;
  count_done(task, -static_cast<int>(task.done));
  task.phase = kNone;  // its phase may get another id before the task is back
}

// First sight, or a history that is told again after it was lost: what stands there is nobody's work.
void WorkRecorder::begin_anew(const Event& event) {
  if (event.phases.empty()) return;
  for (Task& task : tasks_) {
    if (task.there) remove(task);
    *task.last_of_id = kNone;
  }
  for (const PhaseInventory& phase : event.phases) {
    for (const TaskId& task : phase.tasks) add(tasks_[make(phase.id, task)], false);
    for (const TaskId& task : phase.done) add(tasks_[make(phase.id, task)], true);
  }
}

// What was done in it stays done in it. Its tasks follow, each as one that moved.
void WorkRecorder::rename_phase(const Event& event) {
  const auto before = phase_at_.find(event.from);
  if (event.from.empty() || before == phase_at_.end()) return;
  const std::size_t at = before->second;
  if (phase_at_.try_emplace(event.phase.text, at).second) phases_[at] = event.phase;
}

// One of this id that comes later is another.
void WorkRecorder::remove_phase(const PhaseId& phase) {
  const auto known = phase_at_.find(phase.text);
  if (known != phase_at_.end() && phases_[known->second] != phase) phase_at_.erase(known);
}

bool WorkRecorder::complete(const Event& event) {
  if (event.task.empty()) return false;
  Task& task = tasks_[make(event)];
  const bool completed = event.kind == EventKind::task_completed;
  if (task.optional || (task.there && task.done == completed)) return false;
  add(task, completed);
  WorkStep& now = step();
  const std::size_t taken = std::exchange(task.taken_in, kNone);
  if (!completed) {
    ++now.reopened;
    if (event.via == kByGit) task.taken_in = static_cast<std::size_t>(&now - steps_.data());
  } else if (event.via == kGivenBack && taken != kNone) {
    --steps_[taken].reopened;
  } else {
    ++now.completed;
  }
  return true;
}

// Whether what is done in a phase has changed.
bool WorkRecorder::move(const Event& event) {
  const auto known = number_by_key_.find(event.from + "\n" + event.task.text);
  if (known == number_by_key_.end() || !tasks_[known->second].there || event.task.empty()) return false;
  const std::size_t to = make(event);
  if (to == known->second) return false;
  const bool done = tasks_[known->second].done;
  const std::size_t phase = tasks_[known->second].phase;
  remove(tasks_[known->second]);
  tasks_[known->second].done = false;
  add(tasks_[to], done);
  return done && tasks_[to].phase != phase;
}

// Its work is that of the new id: whatever gets this one later is another task.
void WorkRecorder::forget_other_id(const Event& event) {
  const auto known = number_by_key_.find(key(event.phase, TaskId(event.from)));
  if (known != number_by_key_.end() && !tasks_[known->second].there) tasks_[known->second].done = false;
}

void WorkRecorder::apply(const Event& event) {
  came_back_open_ = false;
  if (event.time > today_)
    now_ = steps_.empty() ? today_ : steps_.back().time;
  else
    now_ = steps_.empty() ? event.time : std::max(event.time, steps_.back().time);
  switch (event.kind) {
    case EventKind::checkpoint_created:
      begin_anew(event);
      break;
    case EventKind::boxes_found:
      for (const GivenId& box : event.ids) add(tasks_[make(box.phase, box.id)], box.done);
      break;
    case EventKind::task_added: {
      if (event.task.empty()) return;
      Task& task = tasks_[make(event)];
      if (task.optional || task.there) return;
      const bool was_done = task.done;
      add(task, event.done);
      WorkStep& now = step();
      const auto place = static_cast<std::size_t>(&now - steps_.data());
      if (!event.from.empty()) forget_other_id(event);
      // Another id, or back as it went: no more work.
      if (event.done && (was_done || !event.from.empty())) break;
      // What left in this save is another one that had the id.
      if (was_done && event.from.empty() && task.left_in != place) {
        came_back_open_ = true;
        ++now.reopened;
        task.taken_in = place;
        break;
      }
      ++now.added;
      now.completed += static_cast<int>(event.done);
      break;
    }
    case EventKind::task_removed: {
      const auto known = number_of(event);
      if (!known || !tasks_[*known].there) return;
      Task& task = tasks_[*known];
      remove(task);
      WorkStep& now = step();
      now.removed += static_cast<int>(!task.done);
      task.left_in = static_cast<std::size_t>(&now - steps_.data());
      break;
    }
    case EventKind::task_completed:
    case EventKind::task_reopened:
      if (!complete(event)) return;
      break;
    case EventKind::task_moved:
      if (!move(event)) return;
      break;
    case EventKind::phase_added:
      rename_phase(event);
      return;
    case EventKind::phase_removed:
      remove_phase(event.phase);
      return;
    case EventKind::task_started:
      step().started = true;
      return;
    default:
      return;
  }
  WorkStep& now = step();
  now.total = count_;
  now.done = done_count_;
}

WorkPast work_past(const std::vector<WorkStep>& steps, base::Instant now) {
  WorkPast past;
  const auto first = std::find_if(steps.begin(), steps.end(),
                                  [](const WorkStep& step) { return step.started || step.completed > 0; });
  if (first == steps.end()) return past;
  const auto age = [now](const WorkStep& step) {
    return std::max<std::int64_t>(0, now.milliseconds - step.time.milliseconds);
  };
  const std::int64_t days = std::min<std::int64_t>(age(*first) / kDay + 1, kMostDays);
  past.days.resize(static_cast<std::size_t>(days));
  std::int64_t hour = -1;
  std::int64_t date = -1;
  for (auto step = first; step != steps.end(); ++step) {
    const std::int64_t day = age(*step) / kDay;
    if (day >= days) continue;
    if (!past.since) past.since = std::min(step->time, now);
    WorkSpan& whole = past.days[static_cast<std::size_t>(days - 1 - day)];
    const bool active = step->started || step->completed > 0 || step->reopened > 0;
    if (active && age(*step) / kHour != hour) {
      hour = age(*step) / kHour;
      past.hours.push_back({0, 0, 1});
      ++whole.active_hours;
    }
    const std::int64_t done = step->completed - step->reopened;
    const std::int64_t added = step->added - step->removed;
    whole.done += done;
    whole.added += added;
    if (!past.hours.empty()) {
      past.hours.back().done += done;
      past.hours.back().added += added;
    }
    past.completed += step->completed;
    if (step->completed > 0 && step->time.milliseconds / kDay != date) {
      date = step->time.milliseconds / kDay;
      ++past.active_days;
    }
  }
  return past;
}

}  // namespace plankeep::core
