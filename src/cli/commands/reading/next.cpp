#include "render/progress/next.hpp"

#include "checkpoints/job.hpp"
#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/commands/program/fleet_options.hpp"
#include "cli/commands/working/lease_options.hpp"
#include "cli/locate.hpp"
#include "cli/own_actor.hpp"
#include "cli/report.hpp"
#include "editing/missing_plans.hpp"
#include "editing/other_trees.hpp"
#include "reports/resume.hpp"
#include "tracking/cache/next_cache.hpp"

namespace plankeep::cli {
namespace {

// For shell completions: the ids that a command can be given, one a line.
std::string ids_of(const core::StatusView& view) {
  std::string text;
  for (const core::PhaseRow& phase : view.phases) {
    for (const core::TaskRow& task : phase.tasks) text += render::safe_line(task.id.text) + "\n";
    for (const core::CriterionRow& criterion : phase.acceptance)
      text += render::safe_line(criterion.id.text) + "\n";
  }
  return text;
}

// Picks and claims at once. Nothing left to be taken is the answer "no".
ExitCode claim_next(Program& program, const app::PlanLocation& plan, const LeaseWords& lease, bool json) {
  const auto request = lease_request(program, lease);
  if (!request) return ExitCode::usage;
  auto claimed = app::claim_next(program.context, plan, by_own_actor(program, plan, *request));
  if (!claimed) return program.fail(claimed.error(), About::request);
  app::spawn_job(program.context, claimed->outcome, "next");
  if (claimed->lease) note_own_work(program, plan, claimed->outcome.state);
  for (const std::string& warning : claimed->outcome.warnings) program.warn(warning);
  const auto shown = app::shown_after(program.context, std::move(claimed->outcome));
  if (!shown) return program.fail(shown.error(), About::file);
  const core::StatusView view = app::view_of(*shown);
  const core::Next next =
      claimed->lease ? core::claimed_next(view, claimed->lease->phase, claimed->lease->task, claimed->why)
                     : core::next_of(view);
  return program.print(json ? render::next_json(view, next) : render::next_text(view, next, program.style),
                       claimed->lease ? ExitCode::fine : ExitCode::no);
}

// For scripts that loop until the plan is done (--exit-code).
ExitCode code_of(core::NextKind kind) {
  switch (kind) {
    case core::NextKind::task:
    case core::NextKind::criteria:
      return ExitCode::fine;
    case core::NextKind::claimed:
    case core::NextKind::blocked:
    case core::NextKind::vanished:
    case core::NextKind::archived:
    case core::NextKind::empty:
      return ExitCode::no;
    case core::NextKind::done:
      return ExitCode::all_done;
    case core::NextKind::unreadable:
      return ExitCode::cannot_access;
  }
  return ExitCode::no;
}

}  // namespace

ExitCode run_next(Program& program, const Words& words) {
  std::optional<std::string> named;
  bool json = false;
  bool ids = false;
  bool claim = false;
  bool exit_code = false;
  bool fleet = false;
  LeaseWords lease;
  Arguments arguments(
      program, "next",
      "Shows what to do now: the task to work on, and why it was chosen. Tasks that wait for others or\n"
      "are claimed by someone else are not offered. Read-only, unless --claim claims the task in the same\n"
      "step: concurrent callers each get a different task. Exit status 1 with --claim: no task is\n"
      "available.");
  arguments.plan(named);
  arguments.flag("--claim", claim, "Also claim the task, as plankeep claim does");
  arguments.flag("--fleet", fleet, "With --claim: claim it for all machines of the fleet (plankeep fleet)");
  add_lease_options(arguments, lease);
  arguments.flag(
      "--exit-code", exit_code,
      "Exit status: 0 a task or an unproven criterion is left, 1 every open task waits or is claimed, or "
      "open boxes vanished from the plan and no sync has recorded it, or the plan is archived, "
      "4 the plan cannot be read and nothing was left, 10 everything is done");
  arguments.flag("--ids", ids, "Print the ids of all tasks and criteria instead, one per line");
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;

  if (!claim && (!lease.ttl.empty() || !lease.session.empty() || lease.holder_pid)) {
    return program.fail(
        {base::ErrorKind::invalid_input, "--ttl, --session and --holder-pid require --claim", {}, {}},
        About::request);
  }
  if (ids && (claim || json)) {
    return program.fail({base::ErrorKind::invalid_input,
                         std::string("--ids cannot be combined with ") + (claim ? "--claim" : "--json"),
                         {},
                         {}},
                        About::request);
  }
  if (fleet && !claim) {
    return program.fail({base::ErrorKind::invalid_input, "--fleet requires --claim", {}, {}}, About::request);
  }
  if (fleet) return claim_in_fleet(program, {"next"}, named, lease, json);
  ExitCode code = ExitCode::fine;
  const auto plan = claim ? locate_tracked(program, named, code) : locate(program, named, code);
  if (!plan) return code;
  if (claim) {
    if (const auto guess = app::refuse_choice(program.context, *plan, named); !guess)
      return program.fail(guess.error(), About::plan);
    return claim_next(program, *plan, lease, json);
  }
  // The cache knows nothing of other work trees.
  const app::OtherTrees others = ids ? app::OtherTrees() : app::OtherTrees::look(program.context, *plan);
  std::optional<core::StatusView> kept =
      ids || others.any() ? std::nullopt : app::read_next_cache(program.context, *plan);
  if (!kept) {
    auto shown = app::load_shown(program.context, *plan, 0);
    if (!shown) return program.fail(shown.error(), About::file);
    if (shown->state && !shown->state->leases.empty()) {
      app::ClaimRequest asking;
      asking.actor = lease.actor;
      const auto self =
          app::holder_of(program.context, *shown->state, by_own_actor(program, *plan, std::move(asking)));
      if (self) shown->self = *self;
    }
    kept = app::view_of(*shown);
    if (const auto left_out = app::leave_out(program.context, *shown, others, *kept); !left_out)
      return program.fail(left_out.error(), About::file);
  }
  const core::StatusView& view = *kept;
  if (ids) return program.print(ids_of(view));
  std::vector<std::string> warnings = view.warnings;
  app::warn_of_missing(program.context, *plan, warnings);
  for (const std::string& warning : warnings) program.warn(warning);
  const ExitCode result = exit_code ? code_of(core::next_of(view).kind) : ExitCode::fine;
  return program.print(json ? render::next_json(view) : render::next_text(view, program.style), result);
}

}  // namespace plankeep::cli
