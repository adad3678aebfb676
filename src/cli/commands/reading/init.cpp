#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/own_actor.hpp"
#include "cli/report.hpp"
#include "editing/annotate_file.hpp"
#include "project/discover.hpp"
#include "project/known_folders.hpp"
#include "render/progress/status.hpp"
#include "reports/resume.hpp"
#include "tracking/search_plans.hpp"
#include "tracking/start_tracking.hpp"

namespace plankeep::cli {
namespace {

// A file of the folder, or below it, that looks like a plan, where no plan.md does.
base::Result<std::optional<app::FoundPlan>> only_candidate(const app::Context& context,
                                                           const std::string& folder,
                                                           bool only_untracked = false) {
  const auto real = context.files.real_path(folder);
  std::vector<app::PlanChoice> choices;
  if (real) choices = app::plan_choices(context);
  std::erase_if(
      choices, [&real](const app::PlanChoice& choice) { return !app::stands_in(choice.plan.folder, *real); });
  std::vector<app::PlanChoice> fresh = choices;
  std::erase_if(fresh, [](const app::PlanChoice& choice) { return choice.standing.recorded; });
  if (fresh.size() == 1) return std::optional(app::FoundPlan{std::move(fresh.front().plan)});
  if (fresh.empty() && only_untracked) return std::optional<app::FoundPlan>();
  if (fresh.empty() && choices.size() == 1)
    return std::optional(app::FoundPlan{std::move(choices.front().plan)});
  if (choices.empty()) return std::optional<app::FoundPlan>();
  const std::vector<app::PlanChoice>& several = fresh.empty() ? choices : fresh;
  return base::fail(base::ErrorKind::ambiguous,
                    "several files look like a plan:\n" + app::choice_lines(context, several),
                    "name one: plankeep init FILE");
}

// Of a folder with several tracked plans: all that it has, since another one may be meant.
base::Error several_there(const app::Context& context, const std::string& folder, base::Error error) {
  const auto real = context.files.real_path(folder);
  if (!real) return error;
  std::vector<app::PlanChoice> fresh = app::untracked_choices(context);
  std::erase_if(
      fresh, [&real](const app::PlanChoice& choice) { return !app::stands_in(choice.plan.folder, *real); });
  error.hint = "give one: plankeep init FILE";
  if (!fresh.empty()) error.message += "\nnot tracked yet:\n" + app::choice_lines(context, fresh);
  return error;
}

base::Result<app::FoundPlan> plan_to_track(Program& program, const std::string& file) {
  const app::Context& context = program.context;
  const std::string place = file.empty() ? context.environment.working_directory() : file;
  auto found = app::plan_at(context, place);
  if (!found && found.error().kind == base::ErrorKind::ambiguous)
    return base::fail(several_there(context, app::absolute_path(context, place), std::move(found.error())));
  // A folder's tracked file may have been renamed: then what it is called now is meant.
  const auto there = found ? context.files.info(found->plan.path()) : base::fail(found.error());
  const bool gone = there && there->kind == system::FileKind::missing && file.empty();
  if (gone) {
    auto renamed = only_candidate(context, context.environment.working_directory(), true);
    if (renamed && *renamed) return std::move(**renamed);
    return found;
  }
  if (found || found.error().kind != base::ErrorKind::not_found) return found;
  const std::string folder = app::absolute_path(context, file);
  for (const std::string& warning : app::note_untracked_plans(context, folder)) program.warn(warning);
  TRY_ASSIGN(auto only, only_candidate(context, folder));
  if (only) return std::move(*only);
  if (!file.empty()) return found;
  return base::fail(base::ErrorKind::not_found, "no plan in this folder",
                    "name the file to track: plankeep init FILE");
}

}  // namespace

ExitCode run_init(Program& program, const Words& words) {
  std::string file;
  std::optional<std::string> named;
  std::string actor;
  bool annotate = false;
  bool adopt = false;
  bool json = false;
  Arguments arguments(
      program, "init",
      "Starts tracking a plan: creates a .checkpoint folder next to it, records its current contents and\n"
      "shows what it found. The plan itself is not changed. Running it twice changes nothing.");
  arguments.positional("FILE", file,
                       "A Markdown file, or the folder that contains the plan (default: the only one found)",
                       Arguments::Need::optional);
  arguments.plan(named);
  arguments.flag("--annotate", annotate, "Also add missing markers to phases and boxes");
  arguments.flag("--adopt", adopt,
                 "Use the .checkpoint folder that was set aside because it came from elsewhere");
  arguments.actor(actor);
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;
  if (file.empty() && named) file = *named;

  auto found = plan_to_track(program, file);
  // The first look at a clone sets aside what this command is to adopt.
  if (!found && adopt && found.error().kind == base::ErrorKind::conflict)
    found = plan_to_track(program, file);
  if (!found) return program.fail(found.error(), About::plan);
  const app::PlanLocation plan = std::move(found->plan);
  if (!app::is_markdown_name(plan.name))
    program.warn(app::shown_path(program.context, plan.path()) +
                 " is not named as Markdown (.md, .markdown); it is read as Markdown all the same");
  if (adopt) {
    const auto adopted = app::adopt_tracking(program.context, plan.folder);
    if (!adopted) return program.fail(adopted.error(), About::file);
    program.warn(
        adopted->name + " is used from now on" +
        (adopted->before.empty() ? "" : "; the folder that was in use is kept as " + adopted->before));
  }
  auto started = app::start_tracking(program.context, plan);
  if (!started) return program.fail(started.error(), About::file);
  for (const std::string& warning : started->outcome.warnings) program.warn(warning);
  if (annotate) {
    const auto annotated = app::annotate_file(program.context, plan, false, own_actor(program, plan, actor));
    if (!annotated) return program.fail(annotated.error(), About::file);
  }
  const ExitCode code = started->outcome.readable ? ExitCode::fine : ExitCode::cannot_access;
  // What was just recorded need not be read again.
  const bool at_hand = !annotate && started->outcome.readable && started->outcome.read.has_value();
  const auto shown = at_hand ? app::shown_after(program.context, std::move(started->outcome))
                             : app::load_shown(program.context, plan, 0);
  if (!shown) return program.fail(shown.error(), About::file);
  if (shown->state) note_begun(program, plan, *shown->state);
  const core::StatusView view = json ? app::view_of(*shown) : app::counts_of(*shown);
  if (json)
    return program.end(program.print(render::init_json(view, started->created, started->continued), code));
  return program.end(program.report_change(
      render::init_text(view, started->created, started->continued, program.style), code));
}

}  // namespace plankeep::cli
