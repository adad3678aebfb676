#pragma once
// What a plan alone says of its phases, tasks and criteria, as rows: the same in the whole view and in the
// extract that `next` is answered from. Times, claims and proofs are the view's to add. Private to
// render/progress/view and render/progress/next_extract.

#include <optional>
#include <vector>

#include "model/dependencies.hpp"
#include "model/plan.hpp"
#include "render/progress/view.hpp"

namespace plankeep::render {

/// Which of a plan's tasks wait. Without any `after` nothing has to be looked up. The plan must outlive it.
class Waiting {
 public:
  explicit Waiting(const core::Plan& plan);
  bool is(const core::Task& task) const;
  /// For which ids, in the order of `after`.
  std::vector<core::TaskId> of(const core::Task& task) const;

 private:
  bool for_id(const core::TaskId& id) const { return !done_ || !done_->contains(id); }

  std::optional<core::DoneIds> done_;
};

/// Without tasks and criteria; `acceptance_total` says how many of these there are.
PhaseRow phase_row(const core::Phase& phase);
TaskRow task_row(const core::Task& task, const Waiting& waiting);
CriterionRow criterion_row(const core::Criterion& criterion);

}  // namespace plankeep::render
