#include "editing/add_task.hpp"

#include <utility>

#include "editing/edit_loop.hpp"
#include "editing/find_boxes.hpp"
#include "markdown/edits/add_item.hpp"
#include "rules/listing/phase_name.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;

Result<Found> named_task(const PlanWork& work, const std::string& wanted) {
  TRY_ASSIGN(Found found,
             find_boxes(work.plan(), work.plan_as_written(), wanted, work.outcome().plan.path()));
  if (found.criterion)
    return base::fail(ErrorKind::invalid_input, wanted + " is a criterion, not a task", "name a task");
  return found;
}

Result<markdown::NewItem> item_of(const PlanWork& work, const AddRequest& request) {
  markdown::NewItem item;
  item.title = request.title;
  item.criterion = request.criterion;
  item.id = request.id;
  item.verify = request.verify;
  item.first = request.first;
  if (!request.phase.empty()) {
    TRY_ASSIGN(item.phase, core::find_phase(core::names_of_phases(work.plan().phases), request.phase));
  }
  if (!request.parent.empty()) {
    TRY_ASSIGN(const Found parent, named_task(work, request.parent));
    if (item.phase && *item.phase != parent.phase_index)
      return base::fail(ErrorKind::invalid_input,
                        parent.id + " is in phase " + parent.phase + ", not in " + request.phase,
                        "omit --phase");
    item.phase = parent.phase_index;
    item.parent = core::TaskId(parent.id);
  }
  for (const std::string& wanted : request.after) {
    TRY_ASSIGN(const Found found, named_task(work, wanted));
    item.after.emplace_back(found.id);
  }
  return item;
}

void find_added(Added& added, const core::Plan& plan) {
  for (const core::Phase& phase : plan.phases) {
    for (const core::Task& task : phase.tasks) {
      if (task.line == added.line) added.id = task.id.text, added.phase = phase.id;
    }
    for (const core::Criterion& criterion : phase.acceptance) {
      if (criterion.line == added.line) added.id = criterion.id.text, added.phase = phase.id;
    }
  }
}

}  // namespace

Result<Added> add_task(const Context& context, const PlanLocation& plan, const AddRequest& request,
                       const std::string& actor) {
  PlanWork work(context, plan);
  Added added;
  TRY(edit_plan(
      work, actor,
      [&]() -> Result<std::string> {
        TRY_ASSIGN(const markdown::NewItem item, item_of(work, request));
        TRY_ASSIGN(markdown::AddedItem made, markdown::add_item(work.bytes(), work.plan(), item));
        added.line = made.line;
        return std::move(made.text);
      },
      &added.line));
  find_added(added, work.plan());
  added.outcome = work.take_outcome();
  return added;
}

}  // namespace plankeep::app
