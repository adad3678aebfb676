#include "editing/edit_loop.hpp"

#include "tracking/predecessor.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;

// Each round needs another writer's save between our read and our rename, a few milliseconds apart.
constexpr int kRounds = 20;

}  // namespace

std::string unreadable_hint(const Context& context, const PlanLocation& plan) {
  const std::string renamed = renamed_words(context, plan);
  return renamed.empty() ? "fix the plan first; for details: plankeep doctor" : renamed;
}

base::Status edit_plan(PlanWork& work, const std::string& actor,
                       const std::function<base::Result<std::string>()>& make, const std::int64_t* new_box,
                       const core::State* then) {
  TRY(work.open(PlanWork::Create::if_plan));
  TRY(work.lock(kTimeout));
  for (int round = 0; round < kRounds; ++round) {
    TRY(work.sync(Edit{}));
    if (!work.readable()) {
      const Outcome outcome = work.take_outcome();
      return base::fail(ErrorKind::conflict, "the plan cannot be changed: " + outcome.warnings.back(),
                        unreadable_hint(work.context(), outcome.plan));
    }
    TRY_ASSIGN(std::string bytes, make());
    if (bytes == work.bytes()) return {};
    base::Status replaced = work.replace(std::move(bytes));
    if (replaced) {
      Edit edit{.actor = actor, .announced = true};
      if (new_box != nullptr) edit.new_box = *new_box;
      edit.then = then;
      return work.sync_replaced(edit);
    }
    if (replaced.error().kind != ErrorKind::conflict) return replaced;
  }
  return base::fail(ErrorKind::conflict, "another program changed the plan at every attempt to edit it",
                    "try again when the other program has finished");
}

base::Status begin_record(PlanWork& work, const std::string& what) {
  TRY(work.open(PlanWork::Create::if_plan));
  TRY(work.lock(kTimeout));
  TRY(work.sync(Edit{}, false));
  if (work.readable() || !work.state().checksum.empty()) return {};
  const Outcome outcome = work.take_outcome();
  return base::fail(ErrorKind::conflict, "cannot " + what + ": " + outcome.warnings.back(),
                    unreadable_hint(work.context(), outcome.plan));
}

}  // namespace plankeep::app
