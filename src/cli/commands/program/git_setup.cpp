#include "render/git_setup.hpp"

#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "commits/git_setup.hpp"
#include "project/plan_location.hpp"

namespace plankeep::cli {

ExitCode run_git_setup(Program& program, const Words& words) {
  bool check = false;
  bool dry_run = false;
  bool undo = false;
  bool local = false;
  bool hooks = false;
  bool sessions = false;
  bool json = false;
  Arguments arguments(
      program, "git-setup",
      "Makes git merge plans with plankeep merge-driver, so that ticks on two branches never conflict: adds\n"
      "the driver to this repository's configuration and, to its .gitattributes, a line such as\n"
      "\"plan.md merge=plankeep\" for every layout that plankeep knows and for every other tracked plan.\n"
      "Running it twice changes nothing; clones without it merge as usual. Only plans are merged: state and\n"
      "history (.checkpoint/) belong to one machine and are never in git.");
  arguments.flag("--check", check, "Only check; exit status 1 if anything is missing");
  arguments.flag("--dry-run", dry_run, "Print what would change; write nothing");
  arguments.flag("--undo", undo, "Remove it again");
  arguments.flag("--local", local, "Use .git/info/attributes (not committed) instead of .gitattributes");
  arguments.flag(
      "--hooks", hooks,
      "Also link ordinary commits to the phase they complete (post-commit and post-rewrite hooks)");
  arguments.flag("--sessions", sessions,
                 "Also link commits to the AI sessions that worked on them, and record these "
                 "sessions in git");
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;
  if (check && undo) {
    return program.fail(
        {base::ErrorKind::invalid_input, "--check and --undo cannot be used together", {}, {}},
        About::request);
  }

  app::GitSetupRequest request;
  request.action = undo    ? app::GitSetupRequest::Action::undo
                   : check ? app::GitSetupRequest::Action::check
                           : app::GitSetupRequest::Action::install;
  request.write = !check && !dry_run;
  request.local = local;
  request.hooks = hooks;
  request.sessions = sessions;
  const auto report = app::git_setup(program.context, request);
  if (!report) return program.fail(report.error(), About::file);
  const ExitCode code = check && !render::complete(*report) ? ExitCode::no : ExitCode::fine;
  if (json) return program.print(render::git_setup_json(*report), code);
  const std::string text = render::git_setup_text(*report, dry_run, program.style);
  return request.write ? program.report_change(text, code) : program.print(text, code);
}

}  // namespace plankeep::cli
