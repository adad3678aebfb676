#pragma once
// How the work on a plan went on, from its history: how many tasks there were and were done after each save,
// and the same by days and by hours. What forecasts (rules/forecast/forecast) and pictures are made of. Pure.
//
//   WorkRecorder recorder(state, now);
//   for (each event of the history, oldest first) recorder.apply(event);
//   const WorkPast past = work_past(recorder.steps(), now);
//
// An event that is later than now, of a clock that was ahead, counts at the time of the step before it: taken
// as it is, it would move all that followed it to now.
//
// A task that git reopened by switching branches, and completed again by switching back, counts as completed
// once and never reopened. One that was done when it left the plan and comes back open is reopened, no new
// work; likewise once and never when it gets its completion of before back.
//
// Only tasks that count are counted: not those that are optional in the state. A task that is gone and was
// optional counts all the same, since no event says that it was.
//
// Memory: a record for each task that there ever was, a step for each save that changed a number, and a
// record for each tick.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/instant.hpp"
#include "model/event.hpp"
#include "model/state.hpp"

namespace plankeep::core {

/// One save: what there is after it, and what it changed.
struct WorkStep {
  base::Instant time;  // never before that of the step before it, whatever the clock said
  std::int64_t total = 0;
  std::int64_t done = 0;
  std::int64_t completed = 0;  // ticked in this save; also those that came ticked
  std::int64_t reopened = 0;
  std::int64_t added = 0;
  std::int64_t removed = 0;  // that were open; one that was done is gone from `total` and `done` alone
  bool started = false;      // work on a task began
  bool operator==(const WorkStep&) const = default;
};

/// In a phase, more or fewer tasks are done than before.
struct PhaseChange {
  base::Instant time;     // of its step
  std::size_t phase = 0;  // index into WorkRecorder::phases()
  std::int64_t done = 0;
  bool operator==(const PhaseChange&) const = default;
};

class WorkRecorder {
 public:
  WorkRecorder(const State& state, base::Instant now);
  WorkRecorder(const WorkRecorder&) = delete;
  WorkRecorder& operator=(const WorkRecorder&) = delete;
  WorkRecorder(WorkRecorder&&) = default;
  WorkRecorder& operator=(WorkRecorder&&) = default;

  void apply(const Event& event);

  /// The task that an event is about, as a number that stays its own; an event need not name the phase
  /// (rules/replay). None: it names no task, or one that no event applied so far was about.
  std::optional<std::size_t> number_of(const Event& event) const;

  /// Whether the last event brought back, open, a task that was done when it left the plan.
  bool came_back_open() const { return came_back_open_; }

  /// Oldest first. A plan's first sight is one of them, with nothing completed or added.
  const std::vector<WorkStep>& steps() const { return steps_; }
  /// Oldest first; their sum is what is done now.
  const std::vector<PhaseChange>& phase_changes() const { return phase_changes_; }
  /// Every phase that ever had a task that was done, by the id that it had last.
  const std::vector<PhaseId>& phases() const { return phases_; }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  // A million events look up a hundred thousand tasks: each lookup by name misses the processor's caches a
  // few times, so there is one for an event, and all else is found from the record.
  struct Task {
    bool optional = false;
    bool there = false;
    bool done = false;                  // where it is gone: whether it was done
    std::size_t phase = kNone;          // index into phases_
    std::size_t taken_in = kNone;       // of one that git reopened or that came back open: index into steps_
    std::size_t left_in = kNone;        // of one that is gone: likewise
    const std::string* key = nullptr;   // phase, line feed, task: that of number_by_key_
    std::size_t* last_of_id = nullptr;  // the value of last_by_id_ that is its id's
  };

  WorkStep& step();
  void begin_anew(const Event& event);
  std::size_t make(const std::string& key);
  std::size_t make(const PhaseId& phase, const TaskId& task);
  std::size_t make(const Event& event);
  void add(Task& task, bool done);
  void remove(Task& task);
  void count_done(Task& task, int change);
  bool complete(const Event& event);
  bool move(const Event& event);
  void rename_phase(const Event& event);
  void remove_phase(const PhaseId& phase);
  void forget_other_id(const Event& event);

  std::vector<Task> tasks_;
  std::unordered_map<std::string, std::size_t> number_by_key_;  // of all of tasks_
  std::unordered_map<std::string, std::size_t> last_by_id_;  // the task that last had it, in whatever phase
  std::int64_t count_ = 0;
  std::int64_t done_count_ = 0;
  bool came_back_open_ = false;
  base::Instant today_;  // now
  base::Instant now_;    // the time of the event, but never before the last step
  std::vector<WorkStep> steps_;
  std::vector<PhaseChange> phase_changes_;
  std::vector<PhaseId> phases_;
  std::unordered_map<std::string, std::size_t> phase_at_;  // index into phases_
};

/// A day or an hour of the past.
struct WorkSpan {
  std::int64_t done = 0;          // completed less reopened; may be negative
  std::int64_t added = 0;         // added less removed; may be negative
  std::int64_t active_hours = 0;  // of a day: the hours in which anything was done. Of an hour: 1
  bool operator==(const WorkSpan&) const = default;
};

/// What lies more than these days back is left out.
inline constexpr std::size_t kMostDays = 3650;

struct WorkPast {
  /// 24 hours each, oldest first; the last ends now. They begin with the first task that was started or
  /// completed: what was added before that is planning, not growth.
  std::vector<WorkSpan> days;
  std::vector<WorkSpan> hours;         // those of these days in which anything was done, oldest first
  std::int64_t completed = 0;          // in these days; reopened ones are not taken off
  std::int64_t active_days = 0;        // dates (UTC) on which a task was completed
  std::optional<base::Instant> since;  // when the first of these tasks was started or completed
};

/// Steps later than `now` count as now.
WorkPast work_past(const std::vector<WorkStep>& steps, base::Instant now);

}  // namespace plankeep::core
