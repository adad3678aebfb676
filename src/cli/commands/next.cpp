#include "render/next.hpp"

#include "app/resume.hpp"
#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/locate.hpp"
#include "cli/tell.hpp"

namespace plankeep::cli {
namespace {

// For shell completions: the ids that a command can be given, one a line.
std::string ids_of(const render::StatusView& view) {
  std::string text;
  for (const render::PhaseRow& phase : view.phases) {
    for (const render::TaskRow& task : phase.tasks) text += render::safe_line(task.id.text) + "\n";
    for (const render::CriterionRow& criterion : phase.acceptance)
      text += render::safe_line(criterion.id.text) + "\n";
  }
  return text;
}

}  // namespace

ExitCode run_next(Program& program, const Words& words) {
  std::optional<std::string> named;
  bool json = false;
  bool ids = false;
  Arguments arguments(program, "next",
                      "Shows what to do now: the task to work on, and why that one. Only reads.");
  arguments.plan(named);
  arguments.flag("--ids", ids, "Print the ids of all tasks and criteria instead, one a line");
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;

  ExitCode code = ExitCode::fine;
  const auto plan = locate(program, named, code);
  if (!plan) return code;
  const auto shown = app::look(program.context, *plan, 0);
  if (!shown) return program.fail(shown.error(), About::file);
  const render::StatusView view = app::view_of(*shown);
  if (ids) return program.print(ids_of(view));
  for (const std::string& warning : view.warnings) program.warn(warning);
  return program.print(json ? render::next_json(view) : render::next_text(view, program.style));
}

}  // namespace plankeep::cli
