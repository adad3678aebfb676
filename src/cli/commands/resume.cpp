#include "render/resume.hpp"

#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/locate.hpp"
#include "cli/tell.hpp"

namespace plankeep::cli {
namespace {

constexpr std::size_t kRecent = 12;

render::ResumeInput input_of(const app::Context& context, const app::Shown& shown,
                             const render::StatusView& view) {
  render::ResumeInput input;
  input.since = shown.recent;
  for (const core::Event& event : shown.recent) {
    if (event.kind == core::EventKind::checksum_mismatch) input.outside_edit = true;
  }
  if (view.current_phase)
    input.phase_note = app::phase_note(context, shown.location, *view.current_phase + 1);
  for (const app::OtherActive& other : app::other_active_plans(context, shown.location)) {
    input.others.push_back(
        {other.location.plan_id(), app::shown_path(context, other.location.path()), other.progress});
  }
  return input;
}

}  // namespace

ExitCode run_resume(Program& program, const Words& words) {
  std::optional<std::string> named;
  std::size_t budget = render::kDefaultBudget;
  bool json = false;
  Arguments arguments(
      program, "resume",
      "Prints where things stand, for whoever goes on with the work: the plan, the current task, what is\n"
      "in the way, what was decided, how to tick. The same state always gives the same text. Only reads.");
  arguments.plan(named);
  arguments.number("--budget", budget, "CHARS",
                   "At most so many characters: " + std::to_string(render::kSmallestBudget) + " to " +
                       std::to_string(render::kLargestBudget) + ", " +
                       std::to_string(render::kDefaultBudget) + " if not given");
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;

  ExitCode code = ExitCode::fine;
  const auto plan = locate(program, named, code);
  if (!plan) return code;
  const auto shown = app::look(program.context, *plan, kRecent);
  if (!shown) return program.fail(shown.error(), About::file);
  const render::StatusView view = view_of(*shown);
  const render::ResumeInput input = input_of(program.context, *shown, view);
  return program.print(json ? render::resume_json(view, input, budget)
                            : render::resume_text(view, input, budget));
}

}  // namespace plankeep::cli
