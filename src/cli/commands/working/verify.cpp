#include "verify/verify.hpp"

#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/commands/working/verify_run.hpp"
#include "cli/locate.hpp"
#include "cli/own_actor.hpp"
#include "editing/missing_plans.hpp"
#include "render/recorded/verify.hpp"

namespace plankeep::cli {
namespace {

using Which = app::Verification::Which;

struct VerifyOptions : VerifyRun {
  std::vector<std::string> ids;
  std::optional<std::string> plan;
  bool stale = false;
  bool check = false;
};

ExitCode show(Program& program, const VerifyOptions& options, const render::VerifyView& view, ExitCode code) {
  if (options.json) return program.print(render::verify_json(view), code);
  for (const std::string& warning : view.warnings) program.warn(warning);
  if (view.rows.empty()) {
    return program.print(options.stale ? "every criterion with a command is proven\n"
                                       : "no criterion of the plan has a command\n",
                         code);
  }
  return program.print(
      view.check ? render::check_text(view, program.style) : render::summary_text(view, program.style), code);
}

}  // namespace

ExitCode run_verify(Program& program, const Words& words) {
  VerifyOptions options;
  Arguments arguments(
      program, "verify",
      "Runs the verify: commands of criteria in the project's root, records their results as evidence,\n"
      "and ticks the criteria whose commands passed (unticks those whose commands failed). Shows the\n"
      "commands first: a terminal asks before running them; elsewhere only trusted commands run, or all\n"
      "with --yes. Exit status 1 if a criterion is not proven; 4 if git cannot tell what the files\n"
      "contain, so that the answer is unknown.");
  arguments.positionals("ID", options.ids, "A criterion with a command, or PHASE/ID if its id is not unique",
                        Arguments::Need::optional);
  arguments.plan(options.plan);
  arguments.actor(options.actor);
  arguments.flag("--yes", options.yes, "Run without asking");
  arguments.flag("--trust", options.trust, "Trust the commands in this repository from now on");
  arguments.flag("--stale", options.stale,
                 "Only criteria that are not proven: never verified, stale or failed");
  arguments.flag("--check", options.check,
                 "Run nothing; exit status 0 only if every criterion with a command is proven");
  verify_timeout(arguments, options);
  arguments.json(options.json);
  if (const auto stop = arguments.parse(words)) return *stop;
  if (const auto stop = check_timeout(program, options)) return *stop;

  ExitCode code = ExitCode::fine;
  const auto plan =
      options.check ? locate(program, options.plan, code) : locate_tracked(program, options.plan, code);
  if (!plan) return code;
  if (const auto guess = app::refuse_guess(program.context, *plan, options.plan, options.ids); !guess)
    return program.fail(guess.error(), About::plan);
  if (!options.check) options.actor = own_actor(program, *plan, options.actor);
  auto verification = app::Verification::begin(program.context, *plan, options.ids,
                                               options.stale ? Which::not_fresh : Which::all);
  if (!verification) return program.fail(verification.error(), About::request);

  render::VerifyView view = view_of(*verification);
  view.check = options.check;
  view.warnings = verification->warnings();
  if (options.ids.empty()) app::warn_of_missing(program.context, *plan, view.warnings);
  if (options.check || view.rows.empty()) {
    const auto& reading = verification->reading_warnings();
    view.warnings.insert(view.warnings.begin(), reading.begin(), reading.end());
    const bool all = view.proven() == static_cast<std::int64_t>(view.rows.size());
    const ExitCode result = view.unknown() ? ExitCode::cannot_access : all ? ExitCode::fine : ExitCode::no;
    return show(program, options, view, result);
  }
  if (const base::Status shown = verification->check_shown(); !shown)
    return program.fail(shown.error(), About::request);
  if (!agreed(program, options, view))
    return program.console.interrupted() ? ExitCode::interrupted : ExitCode::no;
  code = run_verification(program, options, *verification, view);
  return show(program, options, view, code);
}

}  // namespace plankeep::cli
