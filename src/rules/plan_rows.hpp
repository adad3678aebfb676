#pragma once
// What a plan alone says of its phases, tasks and criteria, as rows: the same in the whole view and in the
// extract that `next` is answered from. Times, claims and proofs are the view's to add. Private to
// rules/view and tracking/next_extract.

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
  bool is(const Task& task) const;
  /// For which ids, in the order of `after`.
  std::vector<TaskId> of(const Task& task) const;

 private:
  bool for_id(const TaskId& id) const { return !done_ || !done_->contains(id); }

  std::optional<DoneIds> done_;
};

/// Without tasks and criteria; `acceptance_total` says how many of these there are.
PhaseRow phase_row(const Phase& phase);
TaskRow task_row(const Task& task, const Waiting& waiting);
CriterionRow criterion_row(const Criterion& criterion);

}  // namespace plankeep::core
