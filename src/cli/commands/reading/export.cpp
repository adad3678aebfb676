#include "render/export.hpp"

#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/locate.hpp"
#include "tracking/show.hpp"

namespace plankeep::cli {

ExitCode run_export(Program& program, const Words& words) {
  std::optional<std::string> named;
  std::string format;
  bool raw = false;
  bool json = false;
  Arguments arguments(
      program, "export",
      "Prints the plan for other tools: JSON with a fixed schema, CSV (RFC 4180), or a task list for a\n"
      "GitHub issue. Read-only. A tracked plan also gets who completed what, and when.");
  arguments.plan(named);
  arguments.choice("--to", format, {"json", "csv", "github-tasklist"}, "The format (default: json)");
  arguments.flag("--raw", raw, "CSV: do not put an apostrophe in front of cells that look like formulas");
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;
  if (const auto stop = arguments.settle_format("--to", format, json, "json")) return *stop;

  ExitCode code = ExitCode::fine;
  const auto plan = locate(program, named, code);
  if (!plan) return code;
  auto shown = app::load_shown(program.context, *plan, 0);
  if (!shown) return program.fail(shown.error(), About::plan);
  if (!shown->plan) return program.fail(app::without_plan(*shown, "nothing was exported"), About::file);
  for (const std::string& warning : shown->warnings) program.warn(warning);
  const render::ExportedPlan exported{plan->plan_id(), plan->name, std::move(*shown->plan),
                                      std::move(shown->state)};
  if (format == "csv") return program.end(program.print_data(render::export_csv(exported, raw)));
  if (format == "github-tasklist") return program.end(program.print_data(render::export_tasklist(exported)));
  return program.end(program.print_data(render::export_json(exported)));
}

}  // namespace plankeep::cli
