#include "cli/commands/reading/plans.hpp"

#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "render/progress/plans.hpp"
#include "tracking/workspace.hpp"

namespace plankeep::cli {

ExitCode show_plans(Program& program, const std::string& folder, std::size_t stale_days, bool json) {
  auto found = app::survey(program.context, folder, static_cast<std::int64_t>(stale_days));
  if (!found) return program.fail(found.error(), About::file);
  app::add_lost_plans(program.context, *found);
  found->untracked = app::untracked_plans(program.context, found->folder);
  if (json) return program.print(render::plans_json(*found));
  for (const std::string& warning : found->warnings) program.warn(warning);
  return program.print(render::plans_text(*found, program.context.clock.now(), program.list_style()));
}

ExitCode run_plans(Program& program, const Words& words) {
  std::string folder = ".";
  std::size_t stale_days = static_cast<std::size_t>(app::kStaleDays);
  bool again = false;
  bool json = false;
  Arguments arguments(
      program, "plans",
      "Lists every tracked plan below a folder with its progress, active plans first. Linked git\n"
      "worktrees are searched too; files that git ignores, hidden folders and node_modules are not, except\n"
      "for known plans in hidden folders. Read-only, but for --rescan.");
  arguments.positional("FOLDER", folder, "Where to look (default: the current folder)",
                       Arguments::Need::optional);
  arguments.number("--stale", stale_days, "DAYS",
                   "Call a plan stale after so many days without a change (default: 14)");
  arguments.flag("--rescan", again,
                 "First search the whole project again for plans, and forget those whose folder was deleted");
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;
  if (stale_days < 1 || stale_days > 36500) {
    return program.fail({base::ErrorKind::invalid_input, "--stale must be 1 to 36500 days", {}, {}},
                        About::request);
  }
  if (again) {
    const auto scanned = app::rescan(program.context, folder, app::LostPlans::forget);
    if (!scanned) return program.fail(scanned.error(), About::request);
    for (const std::string& warning : *scanned) program.warn(warning);
  }
  return show_plans(program, folder, stale_days, json);
}

}  // namespace plankeep::cli
