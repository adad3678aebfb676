#pragma once
// Events and states for the tests of store, and the files they are read from.

#include <string>
#include <string_view>
#include <vector>

#include "base/sha256.hpp"
#include "model/event.hpp"
#include "model/json/event_json.hpp"
#include "model/state.hpp"
#include "store/journal.hpp"
#include "support/desk.hpp"
#include "support/fake_clock.hpp"
#include "support/memory_file_system.hpp"

namespace plankeep::test {

inline constexpr base::Instant kNow{FakeClock::kStart};

inline core::Event completed(const std::string& task) {
  core::Event event;
  event.time = kNow;
  event.kind = core::EventKind::task_completed;
  event.task = core::TaskId(task);
  event.phase = core::PhaseId("p1");
  event.by = "main";
  return event;
}

inline std::vector<core::Event> batch_of(const std::vector<std::string>& tasks) {
  std::vector<core::Event> events;
  for (const std::string& task : tasks) events.push_back(completed(task));
  return events;
}

/// The lines of one save.
inline std::string lines_of(const std::vector<std::string>& tasks) {
  std::string lines;
  std::vector<core::Event> events = batch_of(tasks);
  for (std::size_t i = 0; i < events.size(); ++i) {
    events[i].batch = {static_cast<std::int64_t>(i) + 1, static_cast<std::int64_t>(events.size())};
    lines += core::encode_event(events[i]);
  }
  return lines;
}

/// The ids of the tasks whose events count, in order.
inline std::vector<std::string> tasks_in(system::Folder& folder, std::uint64_t from = 0) {
  std::vector<std::string> tasks;
  const auto scan =
      store::read_events(folder, from, [&](const core::Event& event, const store::HistoryLine&) {
        tasks.push_back(event.task.text);
        return true;
      });
  if (!scan) return {"error: " + scan.error().message};
  return tasks;
}

/// A state with `tasks` tasks, the first `revision` of them done.
inline core::State state_with(std::int64_t revision, int tasks = 3) {
  core::State state;
  state.plan_id = "auth";
  state.plan_path = "/plans/auth/plan.md";
  state.last_saved = kNow;
  state.checksum = base::short_checksum("plan");
  state.revision = revision;
  if (tasks == 0) return state;
  core::PhaseState phase;
  phase.id = core::PhaseId("p1");
  phase.title = "One";
  phase.status = core::PhaseStatus::in_progress;
  for (int i = 1; i <= tasks; ++i) {
    core::TaskState task;
    task.id = core::TaskId("t" + std::to_string(i));
    task.title = "Task " + std::to_string(i);
    task.done = i <= revision && i < tasks;
    if (task.done) ++state.progress.completed;
    phase.tasks.push_back(task);
  }
  state.progress.total = tasks;
  state.progress.percent_tenths = core::percent_tenths(state.progress.completed, tasks);
  state.phases.push_back(phase);
  return state;
}

}  // namespace plankeep::test
