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
  bool json = false;
  Arguments arguments(
      program, "git-setup",
      "Makes git merge files named plan.md with plankeep merge-driver, so that ticks of two branches never\n"
      "conflict: the driver into this repository's configuration, \"plan.md merge=plankeep\" into its\n"
      ".gitattributes. Doing it twice changes nothing; a clone where it was not done merges as ever.\n"
      "Only plans are merged: state and history (.checkpoint/) belong to one machine and are never in git.");
  arguments.flag("--check", check, "Only say what is missing: then exit status 1");
  arguments.flag("--dry-run", dry_run, "Say what would change, write nothing");
  arguments.flag("--undo", undo, "Take it out again");
  arguments.flag("--local", local, "Use .git/info/attributes, which is not committed");
  arguments.flag("--hooks", hooks,
                 "Also bind ordinary commits that complete a phase to it (hooks post-commit, post-rewrite)");
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;
  if (check && undo) {
    return program.fail(
        {base::ErrorKind::invalid_input, "--check and --undo say two different things", {}, {}},
        About::request);
  }

  app::GitSetupRequest request;
  request.action = undo ? app::GitSetupRequest::Action::undo : app::GitSetupRequest::Action::install;
  request.write = !check && !dry_run;
  request.local = local;
  request.hooks = hooks;
  const auto report = app::git_setup(program.context, request);
  if (!report) return program.fail(report.error(), About::file);
  render::GitSetupView view;
  view.action = check  ? render::GitSetupView::Action::check
                : undo ? render::GitSetupView::Action::undo
                       : render::GitSetupView::Action::install;
  view.dry_run = dry_run;
  view.written = report->written;
  view.top = report->top;
  view.effective = report->effective;
  for (const app::GitSetupReport::Step& step : report->steps) {
    view.steps.push_back({step.what, step.where, app::shown_path(program.context, step.where), step.state});
  }
  const ExitCode code = check && !render::complete(view) ? ExitCode::no : ExitCode::fine;
  return program.print(json ? render::git_setup_json(view) : render::git_setup_text(view, program.style),
                       code);
}

}  // namespace plankeep::cli
