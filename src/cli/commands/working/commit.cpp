#include "commits/commit.hpp"

#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/commands/working/verify_run.hpp"
#include "cli/locate.hpp"
#include "cli/own_actor.hpp"
#include "commits/bind_existing.hpp"
#include "render/recorded/commit.hpp"

namespace plankeep::cli {
namespace {

struct CommitOptions : VerifyRun {
  std::optional<std::string> plan;
  app::CommitRequest request;
  bool verify = false;
  bool dry_run = false;
  bool existing = false;
  std::string revision;
};

// A refusal is an answer: nothing is broken.
ExitCode refuse(Program& program, const base::Error& error) {
  if (error.kind == base::ErrorKind::conflict) return program.fail(error, ExitCode::no);
  return program.fail(error, About::request);
}

// Runs the phase's commands; `fine` when all of them are proven.
ExitCode verify(Program& program, CommitOptions& options, const app::PlanLocation& plan,
                const app::Commit& commit) {
  const std::vector<std::string> criteria = commit.criteria();
  if (criteria.empty()) {
    program.warn("phase " + commit.phase().id.text + " has no criterion with a command: nothing to verify");
    return ExitCode::fine;
  }
  auto verification =
      app::Verification::begin(program.context, plan, criteria, app::Verification::Which::all);
  if (!verification) return program.fail(verification.error(), About::request);
  if (const base::Status shown = verification->check_shown(); !shown)
    return program.fail(shown.error(), About::request);
  render::VerifyView view = view_of(*verification);
  if (!agreed(program, options, view))
    return program.console.interrupted() ? ExitCode::interrupted : ExitCode::no;
  const ExitCode code = run_verification(program, options, *verification, view);
  if (code != ExitCode::no) return code;
  return refuse(program,
                {base::ErrorKind::conflict,
                 "nothing committed: the criteria of phase " + commit.phase().id.text + " are not proven",
                 {},
                 "fix what failed, or commit without --verify"});
}

ExitCode show(Program& program, const CommitOptions& options, const app::PlanLocation& plan,
              const app::CommitReport& report) {
  if (options.json) return program.print(render::commit_json(plan, report, options.dry_run));
  for (const std::string& warning : report.warnings) program.warn(warning);
  const std::string text = render::commit_text(report, options.dry_run, program.style);
  return options.dry_run ? program.print(text) : program.report_change(text);
}

ExitCode bind(Program& program, const CommitOptions& options, const app::PlanLocation& plan) {
  app::ExistingRequest request;
  if (!options.revision.empty()) request.revision = options.revision;
  request.run = options.request.run;
  request.phase = options.request.phase;
  request.look_only = options.dry_run;
  if (const base::Status fine = app::check_run_and_text(request.run, {}); !fine)
    return program.fail(fine.error(), About::request);
  const auto report = app::bind_existing(program.context, plan, request);
  if (!report) return refuse(program, report.error());
  return show(program, options, plan, *report);
}

// --existing takes a commit as it is; what makes one has no place beside it.
std::optional<ExitCode> check_existing(Program& program, const CommitOptions& options) {
  std::string wrong;
  if (!options.existing && !options.revision.empty()) wrong = "REV can only be used with --existing";
  const bool makes_one =
      options.request.all || options.verify || options.yes || options.trust || !options.request.text.empty();
  if (options.existing && makes_one) {
    wrong =
        "--existing cannot be used with --all, --message or --verify: it links a commit that already exists";
  }
  if (wrong.empty()) return std::nullopt;
  return program.fail({base::ErrorKind::invalid_input, std::move(wrong), {}, {}}, About::request);
}

}  // namespace

ExitCode run_commit(Program& program, const Words& words) {
  CommitOptions options;
  Arguments arguments(
      program, "commit",
      "Commits the work on a phase: the last completed phase that has no commit yet, else the current\n"
      "one. Like git commit, it commits what is staged and runs the repository's hooks; the message names\n"
      "the phase and what was done, and a sidecar file in .checkpoint/commits links the commit to the\n"
      "plan. Exit status 1 if nothing was committed: nothing staged, a criterion not proven, a hook\n"
      "refused, a merge or rebase in progress, or an unresolved conflict. In that case the index is "
      "unchanged.");
  arguments.plan(options.plan);
  arguments.flag("-a,--all", options.request.all, "Commit all changes, including new files");
  arguments.option("-m,--message", options.request.text, "TEXT",
                   "What was done, instead of the list of tasks");
  arguments.option("--phase", options.request.phase, "PHASE",
                   "The phase that the work belongs to: its id, title or number");
  arguments.option("--run", options.request.run, "ID", "The run it belongs to (default: the plan's id)");
  arguments.positional("REV", options.revision, "With --existing: the commit (default: HEAD)",
                       Arguments::Need::optional);
  arguments.flag("--existing", options.existing,
                 "Link an existing commit to --phase, or to the phase it completes");
  arguments.flag("--dry-run", options.dry_run, "Show what would be committed; change nothing");
  arguments.flag("--verify", options.verify, "Run the phase's verify: commands first; all have to pass");
  arguments.flag("--yes", options.yes, "With --verify: run them without asking");
  arguments.flag("--trust", options.trust,
                 "With --verify: trust the commands in this repository from now on");
  verify_timeout(arguments, options);
  arguments.actor(options.actor);
  arguments.json(options.json);
  if (const auto stop = arguments.parse(words)) return *stop;
  if (const auto stop = check_timeout(program, options)) return *stop;
  if (const auto stop = check_existing(program, options)) return *stop;

  ExitCode code = ExitCode::fine;
  const auto plan =
      options.dry_run ? locate(program, options.plan, code) : locate_tracked(program, options.plan, code);
  if (!plan) return code;
  if (options.existing) return bind(program, options, *plan);
  options.request.look_only = options.dry_run;
  options.command = "plankeep commit" + std::string(options.request.all ? " --all" : "") + " --verify";
  if (options.verify) options.actor = own_actor(program, *plan, options.actor);
  auto commit = app::Commit::begin(program.context, *plan, options.request);
  if (!commit) return refuse(program, commit.error());
  const auto preview = commit->preview();
  if (!preview) return refuse(program, preview.error());
  if (options.dry_run) return show(program, options, *plan, *preview);
  if (options.verify) {
    // What is to be committed is to be verified: evidence is of files that git knows.
    if (const base::Status told = commit->announce(); !told) return refuse(program, told.error());
    code = verify(program, options, *plan, *commit);
    if (code != ExitCode::fine) return code;
  }
  const auto report = commit->make();
  if (!report) return refuse(program, report.error());
  return show(program, options, *plan, *report);
}

}  // namespace plankeep::cli
