#include "editing/archive.hpp"

#include <algorithm>

#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/locate.hpp"
#include "cli/own_actor.hpp"
#include "cli/report.hpp"
#include "project/plan_location.hpp"
#include "render/style.hpp"

namespace plankeep::cli {
namespace {

std::optional<app::PlanLocation> choose(Program& program, const std::optional<std::string>& named, bool undo,
                                        ExitCode& code) {
  if (undo && !named) {
    auto archived = app::only_archived(program.context);
    if (!archived) {
      code = program.fail(archived.error(), About::plan);
      return std::nullopt;
    }
    if (*archived) return std::move(*archived);
  }
  return locate_tracked(program, named, code);
}

// Other plans may be archived, too: the way back names this one.
std::string way_back(const Program& program, const app::Outcome& outcome) {
  const std::string plan = render::shell_word(app::shown_path(program.context, outcome.plan.path()));
  const bool now = std::any_of(outcome.events.begin(), outcome.events.end(), [](const core::Event& event) {
    return event.kind == core::EventKind::plan_archived;
  });
  return now && !plan.empty() ? "To make it active again: plankeep archive --undo " + plan : "";
}

}  // namespace

ExitCode run_archive(Program& program, const Words& words) {
  std::string plan_name;
  std::string folder;
  std::optional<std::string> named;
  std::string actor;
  bool undo = false;
  bool json = false;
  Arguments arguments(
      program, "archive",
      "Archives a plan. It is no longer shown to new sessions or counted as active, and by\n"
      "default chosen only where there is no other plan. The plan file is not changed and can\n"
      "still be read. --undo makes the plan active again; without PLAN, the only archived one.");
  arguments.positional("PLAN", plan_name, "A file, a folder or an id (default: the plan of this folder)",
                       Arguments::Need::optional);
  arguments.flag("--undo", undo, "Make the plan active again");
  arguments.option("--move", folder, "DIR", "Also move the file and its records into this folder");
  arguments.plan(named);
  arguments.actor(actor);
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;
  const bool twice = !plan_name.empty() && named;
  if (twice || (undo && !folder.empty())) {
    return program.fail(
        {base::ErrorKind::invalid_input,
         twice ? "PLAN and --plan cannot be combined" : "--undo cannot be combined with --move",
         {},
         "plankeep help archive"},
        About::request);
  }

  ExitCode code = ExitCode::fine;
  const auto plan = choose(program, plan_name.empty() ? named : std::optional(plan_name), undo, code);
  if (!plan) return code;
  actor = own_actor(program, *plan, actor);
  // What cannot be moved is not archived either.
  app::PlanLocation place = *plan;
  std::vector<core::Event> events;
  if (!folder.empty()) {
    const auto moved = app::move_plan(program.context, *plan, folder, actor);
    if (!moved) return program.fail(moved.error(), About::file);
    place = moved->plan;
    events = moved->events;
  }
  auto outcome = app::archive_plan(program.context, place, undo, actor);
  if (!outcome) return program.fail(outcome.error(), About::request);
  // What is over need not be there any more.
  const auto file = program.context.files.info(place.path());
  if (file && file->kind == system::FileKind::missing) outcome->readable = true;
  outcome->events.insert(outcome->events.begin(), events.begin(), events.end());
  code = report(program, *outcome, json);
  if (json || undo || code != ExitCode::fine) return code;
  const std::string back = way_back(program, *outcome);
  return back.empty() ? code
                      : program.report_change(render::paint(program.style, render::Paint::dim, back) + "\n");
}

}  // namespace plankeep::cli
