#include "checkpoints/plan_moment.hpp"

#include <utility>

#include "markdown/parse_plan.hpp"
#include "rules/match.hpp"
#include "rules/reconcile.hpp"
#include "store/journal.hpp"
#include "tracking/restored_times.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;

// As it was when the checkpoint was asked for; nullopt where the history does not go back to then.
Result<std::optional<PlanMoment>> moment_then(PlanWork& work, const PlanLocation& location,
                                              const PlanThen& then, base::Instant now) {
  TRY_ASSIGN(const std::uint64_t end, store::history_end(work.tracking()));
  auto plan = markdown::parse_plan(then.text);
  if (then.history_offset > end || !plan) return std::optional<PlanMoment>();
  PlanMoment moment;
  if (work.state().checksum == then.checksum && work.state().history_offset == then.history_offset) {
    // Nothing was recorded since: no history has to be replayed.
    moment.state = work.state();
    core::keep_ids(moment.state, *plan);
  } else {
    TRY_ASSIGN(core::State effective_state,
               state_then(work.tracking(), location, then.text, then.history_offset));
    core::keep_ids(effective_state, *plan);
    moment.state = core::reconcile(effective_state, *plan, "external", now).state;
  }
  moment.state.revision = then.revision;
  moment.plan = std::move(*plan);
  moment.text = then.text;
  moment.history_end = then.history_offset;
  moment.of_then = true;
  return std::optional(std::move(moment));
}

// What stands under the plan's name, as far as the request wants it.
void take_text(const PlanWork& work, bool any_text, PlanMoment& moment) {
  if (work.readable()) {
    moment.plan = work.plan();
    moment.text = work.bytes();
  } else if (any_text && !work.text_problem()) {
    moment.text = work.bytes();
    moment.reading = core::PlanReading::not_a_plan;
  } else if (any_text && work.text_problem()->kind == ErrorKind::not_found) {
    moment.reading = core::PlanReading::missing;
  }
}

}  // namespace

Result<std::optional<PlanMoment>> moment_without_lock(const Context& context, PlanWork& work,
                                                      const PlanLocation& location,
                                                      const std::optional<PlanThen>& then) {
  if (!then) return std::optional<PlanMoment>();
  const auto unchanged = work.unchanged();
  if (unchanged && *unchanged && work.state().history_offset == then->history_offset)
    return std::optional<PlanMoment>();
  return moment_then(work, location, *then, context.clock.now());
}

Result<PlanMoment> moment_of(PlanWork& work, const PlanLocation& location, bool read,
                             const CheckpointRequest& request, std::optional<PlanMoment> read_before) {
  const std::optional<PlanThen>& then = request.then;
  const bool same = then && read && work.readable() && work.outcome().events.empty() &&
                    work.state().history_offset == then->history_offset && work.bytes() == then->text;
  if (then && !same) {
    if (read_before) return std::move(*read_before);
    TRY_ASSIGN(auto moment, moment_then(work, location, *then, work.now()));
    if (moment) return std::move(*moment);
  }
  PlanMoment moment;
  moment.state = work.state();
  if (read) take_text(work, request.any_text, moment);
  TRY_ASSIGN(moment.history_end, store::history_end(work.tracking()));
  moment.of_then = same;
  return moment;
}

}  // namespace plankeep::app
