#include "render/parse.hpp"

#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/locate.hpp"
#include "tracking/show.hpp"

namespace plankeep::cli {

ExitCode run_parse(Program& program, const Words& words) {
  std::string file;
  std::optional<std::string> named;
  bool json = false;
  Arguments arguments(
      program, "parse",
      "Shows how plankeep reads a plan file, ignoring recorded state: phases, tasks, criteria, decisions,\n"
      "blockers and mistakes. Read-only; the file need not be tracked.");
  arguments.positional("FILE", file, "A Markdown file (default: the plan, found as for other commands)",
                       Arguments::Need::optional);
  arguments.plan(named);
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;

  std::optional<app::PlanLocation> plan;
  if (!file.empty()) {
    auto found = app::plan_at(program.context, file);
    if (!found) return program.fail(found.error(), About::plan);
    plan = std::move(found->plan);
  } else {
    ExitCode code = ExitCode::fine;
    plan = locate(program, named, code);
    if (!plan) return code;
  }
  const auto read = app::read_plan(program.context, *plan);
  if (!read) return program.fail(read.error(), About::file);
  const render::ParsedPlan parsed{read->plan, plan->plan_id(), plan->path(),
                                  file.empty() ? app::shown_path(program.context, plan->path()) : file,
                                  read->checksum};
  if (!json) return program.end(program.print(render::parse_text(parsed, program.list_style())));
  render::parse_json(parsed, [&program](std::string_view piece) { program.console.write(piece); });
  return program.end(ExitCode::fine);
}

}  // namespace plankeep::cli
