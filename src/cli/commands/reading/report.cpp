#include "render/report/report.hpp"

#include <chrono>
#include <utility>

#include "base/utf8.hpp"
#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/commands/program/fleet_options.hpp"
#include "cli/locate.hpp"
#include "cli/version.hpp"
#include "project/project.hpp"
#include "reports/report_file.hpp"
#include "tracking/workspace.hpp"

namespace plankeep::cli {
namespace {

constexpr std::chrono::milliseconds kOpenTimeout{10'000};

// Those of the project that are tracked; what cannot be read of them is said and left out.
base::Result<std::vector<app::PlanReport>> all_reports(Program& program, std::optional<base::Instant> since) {
  const app::Context& context = program.context;
  const auto found = app::survey(context, app::Project::here(context).root());
  if (!found) return base::fail(found.error());
  for (const std::string& warning : found->warnings) program.warn(warning);
  std::vector<app::PlanReport> reports;
  for (const app::PlanOverview& known : found->plans) {
    const app::PlanLocation& plan = known.plan;
    auto report = app::plan_report(context, plan, since);
    if (report) {
      reports.push_back(std::move(*report));
    } else if (report.error().kind != base::ErrorKind::not_found) {
      program.warn(plan.path() + " is left out: " + report.error().message);
    }
  }
  render::sort_worst_first(reports);
  return reports;
}

// With what the desktop opens pages with. The page is written: that it does not open is no failure.
void open_page(Program& program, const std::string& path) {
  system::Run run;
  run.words = {"xdg-open", path};
  run.timeout = kOpenTimeout;
  run.own_group = false;
  if (program.context.processes == nullptr) return;
  const auto opened = program.context.processes->run(run);
  // A browser that was not running yet may keep xdg-open until it ends: the page is open by then.
  if (!opened || (opened->status != 0 && !opened->timed_out))
    program.warn("xdg-open could not open the report: open it in a browser");
}

}  // namespace

ExitCode run_report(Program& program, const Words& words) {
  std::optional<std::string> named;
  std::string out;
  std::string since_text;
  bool open = false;
  bool all = false;
  bool json = false;
  bool fleet = false;
  Arguments arguments(
      program, "report",
      "Writes a report of the plan to share with others: progress, burn-up chart, forecast,\n"
      "phases, who did what, every task, decisions, blockers, checkpoints and commits. The report\n"
      "is one self-contained HTML file. Nothing else is written.");
  arguments.option("--out", out, "FILE",
                   "Where to write the report; - prints it (default: a "
                   "temporary file)");
  arguments.flag("--open", open, "Open the report with xdg-open");
  arguments.option("--since", since_text, "TIME", "Where charts and lists begin: 7d, 2026-11-20");
  arguments.flag("--all", all, "One report for all plans of this project, those in trouble first");
  arguments.flag("--fleet", fleet, "Report what all machines of the fleet did (plankeep fleet)");
  arguments.plan(named);
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;
  if (all && named) {
    return program.fail({base::ErrorKind::invalid_input, "--all and --plan cannot be used together", {}, {}},
                        About::request);
  }
  if (open && (json || out == "-")) {
    return program.fail({base::ErrorKind::invalid_input, "--open needs a report in a file", {}, {}},
                        About::request);
  }
  if (json && !out.empty()) {
    return program.fail({base::ErrorKind::invalid_input,
                         "--json writes to standard output and cannot be used with --out",
                         {},
                         {}},
                        About::request);
  }
  if (fleet) {
    if (all || open || !since_text.empty()) {
      return program.fail(
          {base::ErrorKind::invalid_input, "--fleet cannot be used with --all, --open or --since", {}, {}},
          About::request);
    }
    std::vector<std::string> passed{"report"};
    if (!out.empty()) passed.insert(passed.end(), {"--out", out});
    program.globals.plan = named;
    program.globals.json = json;
    return become_fleet(program, std::move(passed));
  }
  std::optional<base::Instant> since;
  if (!since_text.empty()) {
    const auto moment = base::read_since("--since", since_text, program.context.clock.now());
    if (!moment) return program.fail(moment.error(), About::request);
    since = *moment;
  }

  std::vector<app::PlanReport> reports;
  if (all) {
    auto made = all_reports(program, since);
    if (!made) return program.fail(made.error(), About::request);
    reports = std::move(*made);
    if (reports.empty()) {
      return program.fail(
          {base::ErrorKind::not_found, "no plan of this project is tracked", {}, "plankeep init"},
          About::request);
    }
  } else {
    ExitCode code = ExitCode::fine;
    const auto plan = locate(program, named, code);
    if (!plan) return code;
    auto report = app::plan_report(program.context, *plan, since);
    if (!report) return program.fail(report.error(), About::plan);
    reports.push_back(std::move(*report));
  }
  if (json) return program.print(render::report_json(reports, all));

  const std::string page = render::report_html(reports, std::string(kVersion));
  if (out == "-") return program.end(program.print_data(page));
  const auto path = app::write_report(program.context, out, page);
  if (!path) return program.fail(path.error(), About::file);
  // The path of a temporary file is an answer, not a report.
  const std::string line = base::printable(*path) + "\n";
  const ExitCode printed = out.empty() ? program.print(line) : program.report_change(line);
  if (open) open_page(program, *path);
  return printed;
}

}  // namespace plankeep::cli
