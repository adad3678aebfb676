#include "checkpoints/job.hpp"
#include "cli/commands/all.hpp"
#include "cli/commands/program/fleet_options.hpp"
#include "cli/commands/working/lease_options.hpp"
#include "cli/locate.hpp"
#include "editing/missing_plans.hpp"
#include "render/claim.hpp"

namespace plankeep::cli {

ExitCode run_release(Program& program, const Words& words) {
  std::string id;
  std::optional<std::string> named;
  LeaseWords lease;
  bool force = false;
  bool json = false;
  bool fleet = false;
  Arguments arguments(
      program, "release",
      "Releases the claim of a task. A ticked task needs no release. Exit status 1: someone else holds it.");
  arguments.positional("ID", id, "A task: its id, PHASE/ID, the beginning of its id or title, or FILE:LINE",
                       Arguments::Need::required);
  arguments.flag("--force", force, "Release it even if someone else holds it");
  arguments.option("--session", lease.session, "ID", "The client session that holds it");
  arguments.option("--fence", lease.fence, "N",
                   "Release the claim with this fence number, even if someone else holds it");
  arguments.flag("--fleet", fleet,
                 "Release a claim for all machines of the fleet; N is the fleet's fence then");
  arguments.actor(lease.actor);
  arguments.plan(named);
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;
  if (fleet && force) {
    return program.fail({base::ErrorKind::invalid_input,
                         "--force and --fleet cannot be used together",
                         {},
                         "a claim of another machine ends by itself when its time is over"},
                        About::request);
  }
  if (fleet) return claim_in_fleet(program, {"release", id}, named, lease, json);
  const auto request = lease_request(program, lease);
  if (!request) return ExitCode::usage;

  ExitCode code = ExitCode::fine;
  named = named_plan(program, named, {id});
  const auto plan = locate_tracked(program, named, code);
  if (!plan) return code;
  if (const auto guess = app::refuse_guess(program.context, *plan, named, {id}); !guess)
    return program.fail(guess.error(), About::plan);
  const auto released = app::release_task(program.context, *plan, id, by_own_actor(program, *plan, *request),
                                          force ? core::Force::yes : core::Force::no);
  if (!released) return program.fail(released.error(), About::request);
  app::spawn_job(program.context, released->outcome, "release");
  const bool refused = released->result == app::ClaimResult::refused;
  code = refused ? ExitCode::no : ExitCode::fine;
  if (json) return program.print(render::release_json(*released), code);
  if (!refused) return program.report_change(render::release_text(*released, program.list_style()), code);
  return program.fail(render::release_refusal(*released), code);
}

}  // namespace plankeep::cli
