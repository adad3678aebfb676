#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/locate.hpp"
#include "render/progress/tasks.hpp"
#include "reports/task_report.hpp"

namespace plankeep::cli {

ExitCode run_show(Program& program, const Words& words) {
  std::string wanted;
  std::optional<std::string> named;
  bool json = false;
  Arguments arguments(
      program, "show",
      "Shows everything about one task or criterion: the text below its box, where it stands, its steps,\n"
      "what it waits for and what waits for it, claim, evidence, history and earlier titles, and the\n"
      "checkpoints and commits of its phase. Read-only.");
  arguments.positional("ID", wanted, "A task or criterion: id, PHASE/ID, title or FILE:LINE",
                       Arguments::Need::required);
  arguments.plan(named);
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;
  ExitCode code = ExitCode::fine;
  named = named_plan(program, named, {wanted});
  const auto plan = locate(program, named, code);
  if (!plan) return code;
  const auto report = app::report_task(program.context, *plan, wanted);
  if (!report) return program.fail(report.error(), About::request);
  return program.end(
      program.print(json ? render::task_json(*report) : render::task_text(*report, program.list_style())));
}

}  // namespace plankeep::cli
