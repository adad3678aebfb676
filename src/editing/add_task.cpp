#include "editing/add_task.hpp"

#include <algorithm>
#include <utility>

#include "base/slug.hpp"
#include "base/utf8.hpp"
#include "editing/edit_loop.hpp"
#include "editing/find_boxes.hpp"
#include "markdown/edits/add_item.hpp"
#include "markdown/places.hpp"
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

// A heading that is no phase yet, since it has no boxes. Where markers make the phases, no heading becomes
// one.
Result<std::optional<std::size_t>> empty_heading(const PlanWork& work, const std::string& wanted) {
  TRY_ASSIGN(const markdown::Places places, markdown::read_places(work.bytes()));
  const bool by_marker = std::any_of(
      places.markers.begin(), places.markers.end(),
      [](const markdown::MarkerPlace& marker) { return marker.kind == markdown::MarkerKind::checkpoint; });
  if (by_marker) return std::nullopt;
  std::vector<std::string> ids;
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < places.headings.size(); ++i) {
    const markdown::HeadingPlace& heading = places.headings[i];
    if (heading.in_container || heading.level == 1 || heading.title.empty()) continue;
    ids.push_back(base::slug(heading.title, "phase"));
    indices.push_back(i);
  }
  std::vector<core::PhaseName> names;
  for (std::size_t i = 0; i < ids.size(); ++i) names.push_back({ids[i], places.headings[indices[i]].title});
  const auto found = core::find_phase(names, wanted);
  // Their numbers are not those of phases.
  const bool number = wanted.find_first_not_of("0123456789") == std::string::npos;
  return found && !number ? std::optional(indices[*found]) : std::nullopt;
}

Result<markdown::NewItem> item_of(const PlanWork& work, const AddRequest& request) {
  for (const std::string* text : {&request.title, &request.verify}) {
    if (base::find_invalid_utf8(*text) != std::string_view::npos)
      return base::fail(ErrorKind::invalid_input, "the text of a task is not UTF-8");
  }
  markdown::NewItem item;
  item.title = request.title;
  item.criterion = request.criterion;
  item.id = request.id;
  item.verify = request.verify;
  item.first = request.first;
  if (!request.phase.empty()) {
    const auto phase = core::find_phase(core::names_of_phases(work.plan().phases), request.phase);
    if (!phase && phase.error().kind == ErrorKind::not_found && request.parent.empty()) {
      TRY_ASSIGN(item.heading, empty_heading(work, request.phase));
    }
    if (!phase && !item.heading) return base::fail(phase.error());
    if (phase) item.phase = *phase;
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
      work, {actor},
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
