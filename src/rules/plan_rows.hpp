#pragma once
// What a plan alone says of its phases, tasks and criteria, as rows: the same in the whole view and in the
// extract that `next` is answered from. Times, claims and proofs are the view's to add. Private to
// rules/view and tracking/cache/next_extract.

#include <optional>
#include <vector>

#include "model/dependencies.hpp"
#include "model/plan.hpp"
#include "rules/view.hpp"

namespace plankeep::core {

/// Which of a plan's tasks wait. Without any `after` nothing has to be looked up. The plan must outlive it.
class Waiting {
 public:
  explicit Waiting(const Plan& plan);
  /// For which ids a task and the tasks around it wait, its own first, each once. `parents`:
  /// parents_of(phase).
  std::vector<TaskId> of(const Phase& phase, const std::vector<std::size_t>& parents, std::size_t task) const;
  /// What can be done of the tasks of a phase.
  std::vector<TaskWork> work(const Phase& phase) const { return work_of(phase, done_ ? &*done_ : nullptr); }

 private:
  std::optional<DoneIds> done_;
};

/// Without tasks and criteria; `acceptance_total` says how many of these there are.
PhaseRow phase_row(const Phase& phase);
/// All of its tasks, or those of the places given.
std::vector<TaskRow> task_rows(const Phase& phase, const Waiting& waiting);
std::vector<TaskRow> task_rows(const Phase& phase, const Waiting& waiting,
                               const std::vector<std::size_t>& places);
CriterionRow criterion_row(const Criterion& criterion);

}  // namespace plankeep::core
