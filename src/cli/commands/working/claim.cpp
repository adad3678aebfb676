#include "render/claim.hpp"

#include "checkpoints/job.hpp"
#include "cli/commands/all.hpp"
#include "cli/commands/program/fleet_options.hpp"
#include "cli/commands/working/lease_options.hpp"
#include "cli/locate.hpp"
#include "cli/own_actor.hpp"
#include "editing/missing_plans.hpp"

namespace plankeep::cli {

ExitCode run_claim(Program& program, const Words& words) {
  std::string id;
  std::optional<std::string> named;
  LeaseWords lease;
  bool json = false;
  bool fleet = false;
  Arguments arguments(
      program, "claim",
      "Claims a task for a limited time: next offers it to no one else. The holder keeps it with --fence\n"
      "or, in a client with plankeep's hooks, by working on. A claim that expired, or whose\n"
      "session or process on this host has ended, may be taken over. The fence is a number that grows\n"
      "with every new claim of the plan: of two holders, the one with the greater fence came later. Exit\n"
      "status 1: the task is not available.");
  arguments.positional("ID", id, "A task: its id, PHASE/ID, the beginning of its id or title, or FILE:LINE",
                       Arguments::Need::required);
  add_lease_options(arguments, lease);
  arguments.option("--fence", lease.fence, "N",
                   "Renew the claim with this fence; fails if it no longer exists");
  arguments.flag("--fleet", fleet, "Claim it for all machines of the fleet; N is the fleet's fence then");
  arguments.plan(named);
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;
  if (fleet) return claim_in_fleet(program, {"claim", id}, named, lease, json);
  const auto request = lease_request(program, lease);
  if (!request) return ExitCode::usage;

  ExitCode code = ExitCode::fine;
  named = named_plan(program, named, {id});
  const auto plan = locate_tracked(program, named, code);
  if (!plan) return code;
  if (const auto guess = app::refuse_guess(program.context, *plan, named, {id}); !guess)
    return program.fail(guess.error(), About::plan);
  const auto claimed = app::claim_task(program.context, *plan, id, by_own_actor(program, *plan, *request));
  if (!claimed) return program.fail(claimed.error(), About::request);
  app::spawn_job(program.context, claimed->outcome, "claim");
  const bool granted = app::is_granted(claimed->result);
  if (granted) note_own_work(program, *plan, claimed->outcome.state);
  code = granted ? ExitCode::fine : ExitCode::no;
  if (json) return program.print(render::claim_json(*claimed), code);
  if (granted) return program.report_change(render::claim_text(*claimed, program.list_style()), code);
  return program.fail(render::claim_refusal(*claimed), code);
}

}  // namespace plankeep::cli
