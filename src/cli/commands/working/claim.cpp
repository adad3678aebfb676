#include "render/claim.hpp"

#include "checkpoints/later.hpp"
#include "cli/commands/all.hpp"
#include "cli/commands/working/lease_options.hpp"
#include "cli/locate.hpp"
#include "reports/answers.hpp"

namespace plankeep::cli {

ExitCode run_claim(Program& program, const Words& words) {
  std::string id;
  std::optional<std::string> named;
  LeaseWords lease;
  bool json = false;
  Arguments arguments(
      program, "claim",
      "Takes a task for a while: next offers it to nobody else. Who holds it keeps it by claiming it again,\n"
      "or, in a client with our hooks, by working on. A claim that ran out, or whose session or process on\n"
      "this host has ended, may be taken over. The fence counts up with every new claim of the plan: of two\n"
      "holders the one with the greater fence is the later. Exit status 1: it is not to be had.");
  arguments.positional("ID", id, "A task; PHASE/ID where several have the same id",
                       Arguments::Need::required);
  add_lease_options(arguments, lease);
  arguments.option("--fence", lease.fence, "N",
                   "Renew the claim that has this fence; fails when it is no more");
  arguments.plan(named);
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;
  const auto request = lease_request(program, lease);
  if (!request) return ExitCode::usage;

  ExitCode code = ExitCode::fine;
  const auto plan = locate_tracked(program, named, code);
  if (!plan) return code;
  const auto claimed = app::claim_task(program.context, *plan, id, *request);
  if (!claimed) return program.fail(claimed.error(), About::request);
  app::start_later(program.context, claimed->outcome, "claim");
  const render::ClaimAnswer answer = app::answer_of(program.context, *claimed);
  code = answer.granted ? ExitCode::fine : ExitCode::no;
  if (json) return program.print(render::claim_json(answer), code);
  if (answer.granted) return program.print(render::claim_text(answer, program.list_style()), code);
  (void)program.fail(render::claim_refusal(answer), About::request);
  return code;
}

}  // namespace plankeep::cli
