#include "reports/search.hpp"

#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/locate.hpp"
#include "project/project.hpp"
#include "render/progress/tasks.hpp"
#include "tracking/workspace.hpp"

namespace plankeep::cli {

ExitCode run_search(Program& program, const Words& words) {
  std::vector<std::string> wanted;
  std::optional<std::string> named;
  bool all = false;
  bool json = false;
  Arguments arguments(
      program, "search",
      "Looks for words in titles, decisions, blockers, the note and the history. A line is shown when it\n"
      "has all of them, in upper or lower case. Read-only. Exit status 1: nothing was found.");
  arguments.positionals("WORD", wanted, "What to look for", Arguments::Need::required);
  arguments.flag("--all", all, "In every plan of the project");
  arguments.plan(named);
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;
  if (all && named)
    return program.fail({base::ErrorKind::invalid_input, "--all and --plan cannot be used together", {}, {}},
                        About::request);
  std::vector<app::PlanLocation> plans;
  if (all) {
    const auto found =
        app::survey(program.context, app::Project::here(program.context).root(), app::kStaleDays);
    if (!found) return program.fail(found.error(), About::request);
    for (const app::PlanOverview& one : found->plans) plans.push_back(one.plan);
  } else {
    ExitCode code = ExitCode::fine;
    const auto plan = locate(program, named, code);
    if (!plan) return code;
    plans.push_back(*plan);
  }
  const auto result = app::search(program.context, plans, wanted);
  if (!result) return program.fail(result.error(), About::request);
  const ExitCode code = result->hits.empty() ? ExitCode::no : ExitCode::fine;
  if (json) return program.end(program.print(render::search_json(*result), code));
  for (const std::string& warning : result->warnings) program.warn(warning);
  return program.end(program.print(render::search_text(*result, program.list_style()), code));
}

}  // namespace plankeep::cli
