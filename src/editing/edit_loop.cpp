#include "editing/edit_loop.hpp"

#include <utility>

#include "tracking/predecessor.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;

// Each round needs another writer's save between our read and our rename, a few milliseconds apart.
constexpr int kRounds = 20;

}  // namespace

base::Error unreadable_error(const Context& context, const std::string& what, const Outcome& outcome) {
  std::string remedy = remedy_of(context, outcome);
  if (remedy.empty()) remedy = "fix the plan first; for details: plankeep doctor";
  return {ErrorKind::conflict, what + ": " + outcome.why_unreadable, {}, std::move(remedy)};
}

base::Status edit_plan(PlanWork& work, const core::Author& author,
                       const std::function<base::Result<std::string>()>& make, const std::int64_t* new_box,
                       const core::State* then) {
  TRY(work.open(PlanWork::Create::if_plan));
  TRY(work.lock(kTimeout));
  for (int round = 0; round < kRounds; ++round) {
    TRY(work.sync(Edit{}));
    if (!work.readable()) {
      return base::fail(unreadable_error(work.context(), "the plan cannot be changed", work.take_outcome()));
    }
    TRY_ASSIGN(std::string bytes, make());
    if (bytes == work.bytes()) return {};
    base::Status replaced = work.replace(std::move(bytes));
    if (replaced) {
      Edit edit{.actor = author.actor, .announced = true, .agent = author.agent};
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
  return base::fail(unreadable_error(work.context(), "cannot " + what, work.take_outcome()));
}

}  // namespace plankeep::app
