#include "editing/archive.hpp"

#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/locate.hpp"
#include "cli/own_actor.hpp"
#include "cli/report.hpp"

namespace plankeep::cli {

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
      "still be read. --undo makes the plan active again.");
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
  const auto plan = locate_tracked(program, plan_name.empty() ? named : std::optional(plan_name), code);
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
  return report(program, *outcome, json);
}

}  // namespace plankeep::cli
