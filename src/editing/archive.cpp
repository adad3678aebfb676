#include "editing/archive.hpp"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "editing/edit_loop.hpp"
#include "project/current_plan.hpp"
#include "project/discover.hpp"
#include "project/known_folders.hpp"
#include "project/plan_standing.hpp"
#include "project/project.hpp"
#include "project/project_plans.hpp"
#include "store/paths.hpp"
#include "store/plan_folders.hpp"
#include "store/tracking_folder.hpp"
#include "tracking/plan_work.hpp"
#include "tracking/workspace.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using system::FileKind;
using system::Folder;

Status refuse_taken(Folder& folder, const std::string& name) {
  TRY_ASSIGN(const system::FileInfo info, folder.info(name));
  if (info.kind == FileKind::missing) return {};
  return base::fail(ErrorKind::conflict, folder.path_of(name) + " already exists",
                    "choose another folder, or move that away");
}

// The records of a plan that are moved from one folder to another.
struct Records {
  std::unique_ptr<Folder> from;  // null: the plan's own folder
  std::unique_ptr<Folder> to;
  std::vector<std::string> names;
};

Result<Records> records_to_move(Folder& from, Folder& to, const PlanLocation& plan) {
  Records records;
  TRY_ASSIGN(const auto tracking, store::open_tracking(from, plan.name));
  TRY_ASSIGN(auto top, store::open_top_tracking(from));
  if (tracking->path() != top->path()) {
    records.names.push_back(plan.name);
  } else {
    TRY_ASSIGN(const std::vector<std::string> others, store::files_below(*top));
    TRY_ASSIGN(const system::FileInfo there, to.info(store::kTrackingFolder));
    if (others.empty() && there.kind == FileKind::missing) {
      records.names.emplace_back(store::kTrackingFolder);
      return records;
    }
    TRY_ASSIGN(records.names, store::own_entries(*top));
  }
  TRY_ASSIGN(records.to, to.make_folder(store::kTrackingFolder));
  TRY(store::finish_tracking(to, *records.to));
  for (const std::string& name : records.names) TRY(refuse_taken(*records.to, name));
  records.from = std::move(top);
  return records;
}

}  // namespace

Result<std::optional<PlanLocation>> only_archived(const Context& context) {
  if (auto found = discover(context, std::nullopt); found && plan_standing(context, found->plan).archived)
    return std::optional(std::move(found->plan));
  const std::string root = Project::here(context).root();
  TRY_ASSIGN(const Workspace all, survey(context, root));
  std::vector<const PlanOverview*> archived;
  for (const PlanOverview& one : all.plans) {
    if (one.archived && stands_in(one.plan.folder, root)) archived.push_back(&one);
  }
  if (archived.empty()) return std::optional<PlanLocation>();
  if (archived.size() == 1) return std::optional(archived.front()->plan);
  std::string message = "several plans are archived:";
  for (const PlanOverview* const one : archived) message += "\n" + one->id + "  " + one->shown;
  return base::fail(ErrorKind::ambiguous, std::move(message), "give one: plankeep archive --undo PLAN");
}

Result<Outcome> archive_plan(const Context& context, const PlanLocation& plan, bool undo,
                             const std::string& actor) {
  PlanWork work(context, plan);
  TRY(begin_record(work, "archive the plan"));
  core::State state = work.state();
  if (state.archived_at.has_value() != undo) return work.take_outcome();
  state.archived_at = undo ? std::nullopt : std::optional(work.now());
  core::Event event;
  event.time = work.now();
  event.kind = core::EventKind::plan_archived;
  event.undo = undo;
  event.by = actor;
  TRY(work.save(std::move(state), {event}));
  return work.take_outcome();
}

Result<Outcome> move_plan(const Context& context, const PlanLocation& plan, const std::string& folder,
                          const std::string& actor) {
  {
    TRY_ASSIGN(const auto to, store::made_folder(context.files, absolute_path(context, folder)));
    TRY_ASSIGN(const auto from, context.files.open_folder(plan.folder));
    TRY(refuse_taken(*to, plan.name));
    TRY_ASSIGN(const Records records, records_to_move(*from, *to, plan));
    TRY_ASSIGN(const auto tracking, store::open_tracking(*from, plan.name));
    TRY_ASSIGN(const auto lock, store::lock_tracking(*tracking, kTimeout));
    TRY(from->move(plan.name, *to, plan.name));
    Folder& old_place = records.from ? *records.from : *from;
    Folder& new_place = records.to ? *records.to : *to;
    for (const std::string& name : records.names) TRY(old_place.move(name, new_place, name));
    for (Folder* changed : {&new_place, to.get(), &old_place, from.get()}) TRY(changed->sync());
  }
  TRY_ASSIGN(const std::string real, context.files.real_path(absolute_path(context, folder)));
  const PlanLocation moved{real, plan.name};
  if (const auto opened = context.files.open_folder(real)) remember_tracking(context, real, **opened);
  PlanWork work(context, moved);
  TRY(work.open(PlanWork::Create::always));
  TRY(work.lock(kTimeout));
  TRY(work.sync(Edit{actor, true, false}, false));
  // Without anything else to say the new place is written down all the same.
  TRY(work.save(work.state(), {}));
  ProjectPlans::note(context, moved, standing_from(work.state()));
  ProjectPlans::note_move(context, plan, moved);
  // A choice of a plan that is over would lead to nothing.
  const auto chosen = current_plan(context);
  if (chosen && *chosen && (*chosen)->path == plan.path()) (void)forget_plan(context);
  return work.take_outcome();
}

}  // namespace plankeep::app
