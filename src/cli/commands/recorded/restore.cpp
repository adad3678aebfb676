#include "render/recorded/restore.hpp"

#include "checkpoints/job.hpp"
#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/locate.hpp"
#include "cli/own_actor.hpp"
#include "cli/report.hpp"
#include "rewind/restore.hpp"
#include "tracking/kept_copies.hpp"
#include "tracking/memory_copy.hpp"

namespace plankeep::cli {
namespace {

ExitCode list(Program& program, const app::PlanLocation& plan, bool json) {
  const auto texts = app::earlier_texts(program.context, plan);
  if (!texts) return program.fail(texts.error(), About::plan);
  if (json) return program.print(render::earlier_texts_json(*texts));
  for (const std::string& warning : texts->warnings) program.warn(warning);
  return program.print(render::earlier_texts_text(*texts, program.context.clock.now(), program.list_style()));
}

// The newest version with tasks that the plan does not have now. Says so when there is none.
std::optional<std::string> newest_with_lost(Program& program, const app::PlanLocation& plan, ExitCode& code) {
  const auto texts = app::earlier_texts(program.context, plan);
  if (!texts) {
    code = program.fail(texts.error(), About::plan);
    return std::nullopt;
  }
  if (const app::EarlierText* const newest = app::newest_with_lost(*texts)) return newest->digits;
  code = program.fail(app::nothing_lost(), ExitCode::no);
  return std::nullopt;
}

void tell_way_back(Program& program, std::string command, const std::optional<std::string>& named) {
  if (named) {
    const std::string plan = render::shell_word(*named);
    if (plan.empty()) return;
    command += " --plan " + plan;
  }
  (void)program.report_change(render::paint(program.style, render::Paint::dim, command) + "\n");
}

// What the git directory kept of a .checkpoint folder that is gone.
ExitCode put_memory_back(Program& program, const app::PlanLocation& plan, const std::string& actor,
                         bool json) {
  const auto restored = app::restore_memory(program.context, plan, actor);
  if (!restored) return program.fail(restored.error(), About::request);
  const std::string from = "the history of " + base::to_iso8601(restored->from.kept);
  std::vector<std::string> remarks{from + " was restored"};
  if (!restored->quarantined.empty())
    remarks.push_back("the previous one is kept as " + restored->quarantined);
  if (!restored->text_remedy.empty()) {
    program.warn(from + " was restored, but the plan's file is not in that copy; to get it from git: " +
                 restored->text_remedy);
  }
  if (restored->text) remarks.push_back(app::shown_path(program.context, plan.path()) + " was restored, too");
  return report_changes(program, restored->outcome, json, remarks);
}

}  // namespace

ExitCode run_restore(Program& program, const Words& words) {
  std::string which;
  std::optional<std::string> named;
  std::string actor;
  bool lost = false;
  bool memory = false;
  bool dry = false;
  bool json = false;
  Arguments arguments(
      program, "restore",
      "Lists earlier versions of the plan's text, newest first, or restores one, with the boxes that were\n"
      "ticked then. A version is kept when more than its ticks differ from the one before: the newest\n"
      "200, at most 20 MB. What is replaced is kept too, so a restore can be undone.\n"
      "--memory restores the .checkpoint folder (history, state, checkpoints) instead, from the copy in\n"
      "the git directory, which git clean -xfd does not touch, and the plan's file if it is gone.");
  arguments.positional("WHICH", which,
                       "List number, hash prefix, or beginning of a time as log prints it, in UTC",
                       Arguments::Need::optional);
  arguments.flag("--lost", lost,
                 "Restore only the tasks that the plan has lost since that version (default: "
                 "since the newest version that has any of them)");
  arguments.flag("--memory", memory, "Restore the .checkpoint folder; an existing one is kept next to it");
  arguments.flag("--dry-run", dry, "Show what would change; write nothing");
  arguments.actor(actor);
  arguments.plan(named);
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;
  if (memory && (lost || dry || !which.empty())) {
    const std::string other = lost ? "--lost" : dry ? "--dry-run" : which;
    return program.fail({base::ErrorKind::invalid_input, "--memory cannot be combined with " + other, {}, {}},
                        About::request);
  }
  if (which.empty() && !memory && dry && !lost) {
    return program.fail({base::ErrorKind::invalid_input,
                         "which earlier version?",
                         {},
                         "plankeep restore lists them, plankeep restore 1 --dry-run shows the newest"},
                        About::request);
  }

  ExitCode code = ExitCode::fine;
  if (memory) {
    const auto forgotten = locate_or_lost(program, named, code);
    return forgotten ? put_memory_back(program, *forgotten, own_actor(program, *forgotten, actor), json)
                     : code;
  }
  const auto plan = locate_tracked(program, named, code, app::Gone::as_others);
  if (!plan) return code;
  if (which.empty() && !lost) return list(program, *plan, json);
  if (which.empty()) {
    const auto newest = newest_with_lost(program, *plan, code);
    if (!newest) return code;
    which = *newest;
  }

  const app::Restore what = lost ? app::Restore::lost_tasks : app::Restore::whole;
  const auto restored =
      app::restore_text(program.context, *plan, which, what, own_actor(program, *plan, actor), dry);
  if (!restored) return program.fail(restored.error(), About::request);
  if (!dry) {
    const ExitCode told = report_changes(program, restored->outcome, json);
    if (!json && told == ExitCode::fine && restored->back > 0)
      tell_way_back(program, "Undo: plankeep restore " + std::to_string(restored->back), named);
    app::spawn_job_after_return(program.context, restored->outcome, "restore");
    return told;
  }
  return program.print(json ? render::restore_preview_json(*restored, *plan, what)
                            : render::restore_preview_text(*restored, program.style));
}

}  // namespace plankeep::cli
