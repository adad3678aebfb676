#include "hooks/watch.hpp"

#include <chrono>

#include "base/utf8.hpp"
#include "checkpoints/job.hpp"
#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/locate.hpp"
#include "cli/report.hpp"
#include "project/discover.hpp"
#include "tracking/plan_work.hpp"

namespace plankeep::cli {
namespace {

using std::chrono::milliseconds;

// A change is told at once. This is for what nobody tells of: plans that are new, other machines' writes.
constexpr milliseconds kLookAtLeast{2000};
// Editors and agents write in several steps; half a plan is not worth a look, and would be taken for a loss.
constexpr milliseconds kRest{100};
// Somebody who never stops writing is looked at all the same.
constexpr milliseconds kLongestUnrest{1000};

void let_it_rest(system::FileWatch* files) {
  if (files == nullptr) return;
  const auto until = std::chrono::steady_clock::now() + kLongestUnrest;
  while (files->wait(kRest) && std::chrono::steady_clock::now() < until) {
  }
}

// nullopt: nothing to watch, which has been said.
std::optional<app::PlanWatch> plans_to_watch(Program& program, const std::optional<std::string>& named,
                                             ExitCode& code) {
  const auto variable = program.context.environment.variable("PLANKEEP_PLAN");
  const bool one = named || (variable && !variable->empty());
  app::PlanWatch plans(program.context, program.watch,
                       one ? app::PlanWatch::Which::named : app::PlanWatch::Which::all_of_project);
  if (one) {
    const auto plan = locate_tracked(program, named, code);
    if (!plan) return std::nullopt;
    plans.add(*plan);
    return plans;
  }
  // The one chosen with `plankeep use` may stand anywhere.
  const auto found = app::discover(program.context, std::nullopt);
  if (found && app::require_trackable(program.context, *found)) plans.add(found->plan);
  return plans;
}

// What a look found, as `sync` says it. Standard error is for what went wrong, also when all else is quiet.
void report_news(Program& program, const app::WatchNews& news, bool quiet) {
  if (!quiet) {
    for (const app::PlanLocation& plan : news.found)
      program.print("watching " + base::printable(app::shown_path(program.context, plan.path())) + "\n");
  }
  for (const app::PlanLocation& plan : news.gone)
    program.warn(plan.folder + " was removed: no longer watched");
  for (const app::Outcome& outcome : news.changes) {
    app::spawn_job(program.context, outcome, "watch");
    if (!quiet) {
      (void)report_changes(program, outcome, false);
    } else if (!outcome.readable) {
      program.warn(outcome.warnings.empty() ? outcome.plan.path() + " cannot be read"
                                            : outcome.warnings.back());
    }
  }
  for (const base::Error& problem : news.problems) (void)program.fail(problem, About::plan);
}

}  // namespace

ExitCode run_watch(Program& program, const Words& words) {
  std::optional<std::string> named;
  bool quiet = false;
  Arguments arguments(
      program, "watch",
      "Watches plans and records changes, like plankeep sync, until interrupted: for work without a\n"
      "client's hooks. Changes are recorded as made outside of plankeep (external). Without --plan it\n"
      "watches every tracked plan of this project, including later ones. It exits with status 3 when all\n"
      "of their folders have been removed.");
  arguments.plan(named);
  arguments.flag("--quiet", quiet, "Print only errors");
  if (const auto stop = arguments.parse(words)) return *stop;

  quiet = quiet || program.globals.quiet;

  ExitCode code = ExitCode::fine;
  auto plans = plans_to_watch(program, named, code);
  if (!plans) return code;
  app::WatchNews news = plans->poll();
  if (plans->empty()) {
    // Nothing here that could be watched: discovery knows the reason and the remedy.
    (void)locate_tracked(program, named, code);
    return code == ExitCode::fine ? ExitCode::no_plan : code;
  }
  report_news(program, news, quiet);
  while (program.console.wait(kLookAtLeast, program.watch)) {
    if (program.context.processes != nullptr) program.context.processes->collect_ended();
    let_it_rest(program.watch);
    news = plans->poll();
    report_news(program, news, quiet);
    if (plans->empty()) {
      return program.fail({base::ErrorKind::not_found, "no plan left to watch", {}, {}}, About::plan);
    }
  }
  return ExitCode::fine;
}

}  // namespace plankeep::cli
