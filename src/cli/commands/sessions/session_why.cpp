// plankeep session why FILE[:LINE]|TASK

#include "reports/session_why.hpp"

#include "cli/commands/sessions/session_options.hpp"
#include "project/discover.hpp"
#include "render/sessions/why.hpp"
#include "tracking/history.hpp"

namespace plankeep::cli {

ExitCode explain_session(Program& program, const SessionOptions& options) {
  if (options.which().empty()) return wrong_session(program, "session why needs FILE, FILE:LINE or a task");
  auto file = app::file_and_line(program.context, options.which());
  std::optional<app::PlanLocation> plan;
  // A line of the plan itself is a task where it has a box.
  const bool may_be_task = file && file->line && app::is_markdown_name(app::last_part(file->path));
  if (!file || may_be_task) {
    if (file) {
      auto named = app::plan_at(program.context, file->path);
      if (named && app::HistoryReader::open(program.context, named->plan)) plan = std::move(named->plan);
    } else {
      auto found = app::discover(program.context, options.plan);
      if (!found && !options.plan && found.error().kind == base::ErrorKind::not_found)
        return program.fail({base::ErrorKind::not_found,
                             options.which() + ": no such file, and no plan here that has such a task",
                             {},
                             {}},
                            About::request);
      if (!found) return program.fail(found.error(), About::plan);
      plan = std::move(found->plan);
    }
  }
  auto report =
      plan ? app::why_task(program.context, *plan, file ? ":" + std::to_string(*file->line) : options.which())
           : app::why_line(program.context, *file);
  if (!report && plan && file) report = app::why_line(program.context, *file);
  if (!report) return program.fail(report.error(), About::request);
  if (options.json) return program.print(render::why_json(*report));
  for (const std::string& warning : report->warnings) program.warn(warning);
  return program.print(render::why_text(*report, program.context.clock.now(), program.style));
}

}  // namespace plankeep::cli
