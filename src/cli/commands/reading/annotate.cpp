#include "checkpoints/job.hpp"
#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/locate.hpp"
#include "cli/own_actor.hpp"
#include "editing/annotate_file.hpp"
#include "render/annotated.hpp"

namespace plankeep::cli {

ExitCode run_annotate(Program& program, const Words& words) {
  std::string file;
  std::optional<std::string> named;
  std::string actor;
  bool check = false;
  bool json = false;
  Arguments arguments(
      program, "annotate",
      "Adds the missing markers of phases and boxes to a plan, with the ids that plankeep uses for them;\n"
      "no other byte changes. Running it twice changes nothing.");
  arguments.positional("FILE", file, "A Markdown file (default: the plan, found as for other commands)",
                       Arguments::Need::optional);
  arguments.plan(named);
  arguments.flag("--check", check, "Only check; exit status 1 if anything is missing");
  arguments.actor(actor);
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;

  ExitCode code = ExitCode::fine;
  std::optional<app::PlanLocation> plan;
  if (!file.empty()) {
    auto found = app::plan_at(program.context, file);
    if (!found) return program.fail(found.error(), About::plan);
    plan = std::move(found->plan);
  } else {
    plan = locate(program, named, code);
    if (!plan) return code;
  }
  const auto annotated = app::annotate_file(program.context, *plan, check, own_actor(program, *plan, actor));
  if (!annotated) return program.fail(annotated.error(), About::file);
  if (annotated->outcome) {
    app::spawn_job(program.context, *annotated->outcome, "annotate");
    for (const std::string& warning : annotated->outcome->warnings) program.warn(warning);
  }
  render::Annotation annotation;
  annotation.path = file.empty() ? app::shown_path(program.context, plan->path()) : file;
  annotation.written = !check && !annotated->added.empty();
  for (const markdown::AddedMarker& marker : annotated->added) {
    annotation.added.push_back({marker.line, marker.kind, marker.id});
  }
  if (check && !annotation.added.empty()) code = ExitCode::no;
  if (json) return program.print(render::annotated_json(annotation), code);
  const std::string text = render::annotated_text(annotation, program.style);
  return check ? program.print(text, code) : program.report_change(text, code);
}

}  // namespace plankeep::cli
