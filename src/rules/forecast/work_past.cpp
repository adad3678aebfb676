#include "rules/forecast/work_past.hpp"

#include <algorithm>

namespace plankeep::core {
namespace {

using base::kDay;
using base::kHour;

std::string key(const PhaseId& phase, const TaskId& task) {
  return phase.text + "\n" + task.text;
}

}  // namespace

WorkRecorder::WorkRecorder(const State& state) {
  for (const PhaseState& phase : state.phases) {
    for (const TaskState& task : phase.tasks) {
      if (task.optional) optional_.insert(key(phase.id, task.id));
    }
  }
}

std::optional<WorkRecorder::Key> WorkRecorder::key_of(const Event& event) const {
  if (event.task.empty()) return std::nullopt;
  if (!event.phase.empty()) return key(event.phase, event.task);
  const auto known = key_of_task_.find(event.task.text);
  return known == key_of_task_.end() ? key(event.phase, event.task) : known->second;
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

void WorkRecorder::count_done(const Key& key, int change) {
  if (change == 0) return;
  done_count_ += change;
  const std::string phase = key.substr(0, key.find('\n'));
  const auto [at, is_new] = phase_at_.try_emplace(phase, phases_.size());
  if (is_new) phases_.emplace_back(phase);
  phase_changes_.push_back({now_, at->second, change});
}

void WorkRecorder::add(const Key& key, bool done) {
  if (optional_.contains(key)) return;
  const auto [at, is_new] = done_.try_emplace(key, done);
  key_of_task_[key.substr(key.find('\n') + 1)] = key;
  const bool before = !is_new && at->second;
  at->second = done;
  count_done(key, static_cast<int>(done) - static_cast<int>(before));
}

// First sight, or a history that is told again after it was lost: what stands there is nobody's work.
void WorkRecorder::begin_anew(const Event& event) {
  if (event.phases.empty()) return;
  for (const auto& [key, done] : done_) {
    if (done) count_done(key, -1);
  }
  done_.clear();
  key_of_task_.clear();
  for (const PhaseInventory& phase : event.phases) {
    for (const TaskId& task : phase.tasks) add(key(phase.id, task), false);
    for (const TaskId& task : phase.done) add(key(phase.id, task), true);
  }
}

bool WorkRecorder::complete(const Event& event) {
  const auto at = key_of(event);
  if (!at || optional_.contains(*at)) return false;
  const bool completed = event.kind == EventKind::task_completed;
  const auto known = done_.find(*at);
  if (known != done_.end() && known->second == completed) return false;
  add(*at, completed);
  WorkStep& now = step();
  (completed ? now.completed : now.reopened) += 1;
  return true;
}

void WorkRecorder::move(const Event& event) {
  const Key from = event.from + "\n" + event.task.text;
  const auto known = done_.find(from);
  const auto to = key_of(event);
  if (known == done_.end() || !to || *to == from) return;
  const bool done = known->second;
  done_.erase(known);
  count_done(from, -static_cast<int>(done));
  add(*to, done);
}

void WorkRecorder::apply(const Event& event) {
  now_ = steps_.empty() ? event.time : std::max(event.time, steps_.back().time);
  switch (event.kind) {
    case EventKind::checkpoint_created:
      begin_anew(event);
      break;
    case EventKind::boxes_found:
      for (const GivenId& box : event.ids) add(key(box.phase, box.id), box.done);
      break;
    case EventKind::task_added: {
      const auto at = key_of(event);
      if (!at || optional_.contains(*at) || done_.contains(*at)) return;
      add(*at, event.done);
      WorkStep& now = step();
      ++now.added;
      now.completed += static_cast<int>(event.done);
      break;
    }
    case EventKind::task_removed: {
      const auto at = key_of(event);
      const auto known = at ? done_.find(*at) : done_.end();
      if (known == done_.end()) return;
      const bool done = known->second;
      done_.erase(known);
      count_done(*at, -static_cast<int>(done));
      step().removed += static_cast<int>(!done);
      break;
    }
    case EventKind::task_completed:
    case EventKind::task_reopened:
      if (!complete(event)) return;
      break;
    case EventKind::task_moved:
      move(event);
      return;
    case EventKind::task_started:
      step().started = true;
      return;
    default:
      return;
  }
  WorkStep& now = step();
  now.total = static_cast<std::int64_t>(done_.size());
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
