#include "cli/commands/program/fleet_options.hpp"

#include <array>

#include "project/own_program.hpp"

namespace plankeep::cli {
namespace {

std::optional<std::string> mistake_in(const FleetOptions& options) {
  struct Belongs {
    bool given;
    std::string_view option;
    std::array<std::string_view, 3> actions;
  };
  const LeaseWords& lease = options.lease;
  const bool holder = !lease.session.empty() || !lease.actor.empty();
  const std::array belongs{Belongs{options.print, "--print", {"init", "upgrade", ""}},
                           Belongs{options.all, "--all", {"push", "status", "checkpoints"}},
                           Belongs{options.watch, "--watch", {"push", "", ""}},
                           Belongs{options.background, "--background", {"push", "", ""}},
                           Belongs{options.new_replica, "--new-replica", {"push", "", ""}},
                           Belongs{options.follow, "--follow", {"log", "", ""}},
                           Belongs{options.plan_text, "--plan-text", {"resume", "", ""}},
                           Belongs{!options.out.empty(), "--out", {"report", "", ""}},
                           Belongs{!lease.ttl.empty(), "--ttl", {"claim", "next", ""}},
                           Belongs{lease.holder_pid.has_value(), "--holder-pid", {"claim", "next", ""}},
                           Belongs{lease.fence.has_value(), "--fence", {"claim", "release", ""}},
                           Belongs{holder, "--by and --session", {"claim", "next", "release"}}};
  for (const Belongs& one : belongs) {
    if (!one.given) continue;
    bool fits = false;
    std::string actions;
    for (const std::string_view action : one.actions) {
      fits = fits || action == options.action;
      if (!action.empty()) base::append_listed(actions, "fleet " + std::string(action));
    }
    if (!fits) return std::string(one.option) + " can only be used with " + actions;
  }
  const bool needs_name = base::one_of(options.action, {"claim", "release", "show"});
  if (needs_name && options.names.size() != 1) return "fleet " + options.action + " takes one ID";
  if (options.action == "resume" && options.names.size() > 1) return "fleet resume takes one PLAN";
  if (!needs_name && options.action != "resume" && !options.names.empty())
    return "fleet " + options.action + " takes no ID";
  if (options.watch && options.background) return "give only one of --watch and --background";
  if (options.new_replica && (options.all || options.watch || options.background))
    return "--new-replica is for one plan";
  return std::nullopt;
}

}  // namespace

std::optional<ExitCode> read_fleet_options(Program& program, const Words& words, FleetOptions& options) {
  Arguments arguments(
      program, "fleet",
      "Shares plans between machines. Each machine pushes its history to one PostgreSQL\n"
      "database, where all machines see what the others did and claim tasks. Files on each machine\n"
      "stay authoritative. Needs the program plankeep-fleet.\n"
      "\n"
      "The server is named by --fleet, else by $PLANKEEP_FLEET, else by the setting fleet:\n"
      "service=NAME, a connection string or a URI. Keep passwords in ~/.pgpass. Over TCP\n"
      "the connection is encrypted unless the address sets sslmode.\n"
      "\n"
      "init creates the schema, upgrade updates it. push sends what the server does not have yet,\n"
      "with secrets redacted. status, log, resume, checkpoints, show and report cover all machines.\n"
      "pull downloads their checkpoints for checkpoint list --fleet. claim, next and release work\n"
      "across machines. doctor checks the connection, the versions and what is not pushed yet.\n"
      "Exit status 1: a line differs from the server's, the task is not\n"
      "available, or doctor found a problem; 4: plankeep-fleet is missing, or the server refuses the\n"
      "login, the database or what is sent; 5: the server cannot be reached.");
  arguments.choice("ACTION", options.action,
                   {"init", "upgrade", "push", "status", "log", "resume", "checkpoints", "show", "pull",
                    "claim", "next", "release", "report", "doctor"},
                   "What to do");
  arguments.positionals("ID", options.names,
                        "claim, release: a task; show: a checkpoint; resume: a plan's path in the project",
                        Arguments::Need::optional);
  arguments.option("--fleet", options.address, "ADDRESS",
                   "The server: service=NAME, a connection string or a URI");
  arguments.option("--project", options.project, "NAME",
                   "What this project is called on every machine (default: from origin's URL)");
  arguments.flag("--print", options.print,
                 "init, upgrade: print the SQL for an administrator instead of connecting");
  arguments.flag("--all", options.all,
                 "push: every tracked plan of this project; status: every project; checkpoints: all of them");
  arguments.flag("--watch", options.watch, "push: keep running and send new lines within a second");
  arguments.flag("--background", options.background,
                 "push: for hooks; one at a time on this machine, problems go to errors.log");
  arguments.flag("--new-replica", options.new_replica,
                 "push: under a new id, if the history here differs from what was sent before");
  arguments.number("-n,--lines", options.count, "N", "log, checkpoints: maximum number (default: 20)");
  arguments.flag("--follow", options.follow, "log: keep running and print what others push");
  arguments.flag("--plan-text", options.plan_text,
                 "resume: also write the newest plan text if there is no plan here");
  arguments.option("--out", options.out, "FILE",
                   "report: where to write it; - prints it (default: a temporary file)");
  add_lease_options(arguments, options.lease);
  arguments.option("--fence", options.lease.fence, "N",
                   "claim: renew the claim with this fence of the fleet; release: only that one");
  arguments.plan(options.plan);
  arguments.json(options.json);
  if (const auto stop = arguments.parse(words)) return stop;
  const auto mistake = mistake_in(options);
  if (!mistake) return std::nullopt;
  return program.fail({base::ErrorKind::invalid_input, *mistake, {}, "for help: plankeep help fleet"},
                      About::request);
}

ExitCode become_fleet(Program& program, std::vector<std::string> words,
                      const std::optional<std::string>& address) {
  const auto path = app::fleet_program(program.context);
  if (!path || !program.become) {
    return program.fail(
        {base::ErrorKind::not_found,
         "plankeep-fleet is not installed",
         {},
         "install the package plankeep-fleet, or build plankeep where libpq-dev is installed"},
        About::file);
  }
  std::vector<std::string> all{*path};
  for (std::string& word : words) all.push_back(std::move(word));
  const Globals& globals = program.globals;
  // -C has been followed already.
  if (globals.plan) all.insert(all.end(), {"--plan", *globals.plan});
  if (globals.json) all.emplace_back("--json");
  if (globals.quiet) all.emplace_back("--quiet");
  if (globals.verbose) all.emplace_back("--verbose");
  if (!globals.pager) all.emplace_back("--no-pager");
  if (globals.colour != Colour::automatic)
    all.insert(all.end(), {"--color", globals.colour == Colour::always ? "always" : "never"});
  std::vector<std::string> variables;
  if (address) variables.push_back("PLANKEEP_FLEET=" + *address);
  const base::Status failed = program.become(all, variables);
  return program.fail(failed.error(), About::file);
}

ExitCode claim_in_fleet(Program& program, std::vector<std::string> words,
                        const std::optional<std::string>& plan, const LeaseWords& lease, bool json) {
  const auto add = [&words](std::string_view option, const std::string& value) {
    if (value.empty()) return;
    words.emplace_back(option);
    words.push_back(value);
  };
  add("--by", lease.actor);
  add("--ttl", lease.ttl);
  add("--session", lease.session);
  add("--holder-pid", lease.holder_pid.value_or(""));
  add("--fence", lease.fence.value_or(""));
  program.globals.plan = plan;
  program.globals.json = program.globals.json || json;
  return become_fleet(program, std::move(words));
}

}  // namespace plankeep::cli
