#include "rewind/rewind_target.hpp"

#include <utility>
#include <vector>

#include "checkpoints/find_checkpoint.hpp"
#include "checkpoints/message_target.hpp"
#include "checkpoints/rewind_paths.hpp"
#include "rewind/rewind_recovery.hpp"
#include "rules/rewind_steps.hpp"
#include "store/journal.hpp"
#include "store/tracking_folder.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using core::Event;
using core::EventKind;

constexpr std::size_t kMostSteps = 1000;  // back and forth; older ones are forgotten

bool to_a_checkpoint(const Event& event) {
  return core::is_checkpoint_id(event.from);
}

Result<std::vector<store::TailLine>> last_rewinds(const Context& context, const PlanLocation& plan,
                                                  std::size_t count) {
  TRY_ASSIGN(const auto folder, context.files.open_folder(plan.folder));
  TRY_ASSIGN(const auto tracking, store::open_tracking(*folder, plan.name));
  return store::last_events(*tracking, count, {.kinds = {EventKind::rewound}, .matches = to_a_checkpoint});
}

Result<core::RewindSteps> steps_of(const Context& context, const PlanLocation& plan) {
  TRY_ASSIGN(std::vector<store::TailLine> lines, last_rewinds(context, plan, kMostSteps));
  std::vector<Event> events;
  events.reserve(lines.size());
  for (store::TailLine& line : lines) events.push_back(std::move(line.event));
  return core::rewind_steps(events);
}

}  // namespace

Result<RewindTarget> find_target(const Context& context, const PlanLocation& plan,
                                 const RewindRequest& request) {
  RewindTarget target;
  TRY_ASSIGN(const OpenedCheckpoints opened, open_checkpoints(context, plan, records::Access::read));
  switch (request.by) {
    case RewindRequest::By::turn: {
      TRY_ASSIGN(target.checkpoint, opened.store->turn(request.turn));
      break;
    }
    case RewindRequest::By::message: {
      TRY_ASSIGN(target.checkpoint, checkpoint_at_message(context, plan, opened, request.which));
      break;
    }
    case RewindRequest::By::undo:
    case RewindRequest::By::redo: {
      const bool undo = request.by == RewindRequest::By::undo;
      // Of what was broken off the history says nothing yet: an earlier rewind would be taken back.
      const auto broken = broken_rewind(context, plan);
      const bool damaged = !broken && broken.error().kind == ErrorKind::corrupt;
      if (damaged || (broken && *broken)) {
        return base::fail(ErrorKind::conflict,
                          (damaged ? "a rewind" : "the rewind to " + (*broken)->to) +
                              " was interrupted: files may be a mix of before and after",
                          "to finish or undo it: plankeep doctor --repair");
      }
      TRY_ASSIGN(const core::RewindSteps steps, steps_of(context, plan));
      const std::vector<core::RewindStep>& all = undo ? steps.undos : steps.redos;
      if (all.empty())
        return base::fail(ErrorKind::not_found,
                          std::string("there is no rewind to ") + (undo ? "undo" : "redo"),
                          "to list the rewinds: plankeep log --event rewound");
      const core::RewindStep& step = all.back();
      TRY_ASSIGN(target.checkpoint, opened.store->get(core::CheckpointId{step.checkpoint}));
      target.what = rewind_what(step.what).value_or(RewindWhat::all);
      if (all.size() > 1) target.behind = all[all.size() - 2].checkpoint;
      target.undoes = undo;
      break;
    }
    case RewindRequest::By::checkpoint: {
      TRY_ASSIGN(target.checkpoint, find_checkpoint(*opened.store, request.which));
      break;
    }
  }
  if (request.what) target.what = *request.what;
  if (request.by == RewindRequest::By::checkpoint &&
      target.checkpoint.head.type == core::CheckpointType::pre_rewind) {
    TRY_ASSIGN(const core::RewindSteps steps, steps_of(context, plan));
    target.undoes = core::is_undo(steps, target.checkpoint.head.id.text, name_of(target.what));
  }
  if (!target.checkpoint.moment.plan_digest.empty()) {
    TRY_ASSIGN(target.text, opened.store->plan_text(target.checkpoint.moment.plan_digest));
  }
  return target;
}

Result<std::optional<Event>> last_rewound(const Context& context, const PlanLocation& plan) {
  TRY_ASSIGN(std::vector<store::TailLine> last, last_rewinds(context, plan, 1));
  if (last.empty()) return std::optional<Event>();
  return std::optional(std::move(last.back().event));
}

std::optional<std::uint32_t> plan_permissions(git::Snapshots& snapshots, const core::Moment& then,
                                              const std::string& plan) {
  const std::string path = path_below(plan, snapshots.place().top);
  if (!then.snapshot || path.empty()) return std::nullopt;
  const auto snapshot = snapshots.find(then.snapshot->commit);
  if (!snapshot) return std::nullopt;
  const auto mode = mode_in_tree(snapshots, snapshot->tree, path);
  return mode ? snapshot->permissions.of(path, *mode) : std::nullopt;
}

}  // namespace plankeep::app
