#include "base/json_writer.hpp"
#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/own_actor.hpp"
#include "project/current_plan.hpp"
#include "project/discover.hpp"
#include "render/style.hpp"
#include "tracking/loaded_state.hpp"

namespace plankeep::cli {
namespace {

enum class Said { answer, change };

ExitCode say(Program& program, const std::optional<app::CurrentPlan>& current, bool json, Said said) {
  const auto info = current ? program.context.files.info(current->path) : base::fail(base::Error{});
  const bool missing = current && (info ? info->kind == system::FileKind::missing
                                        : info.error().kind == base::ErrorKind::not_found);
  if (missing)
    program.warn("the file is missing, so commands take another active plan, if there is one; " +
                 std::string(app::other_choice_words()));
  if (json) {
    base::JsonWriter out(base::JsonWriter::Layout::indented);
    out.begin_object();
    if (current) {
      out.key("project").value(current->project).key("plan").value(current->path);
      if (missing) out.key("missing").value(true);
    } else {
      out.key("project").null().key("plan").null();
    }
    out.end_object();
    return program.print(out.finish());
  }
  const std::string line =
      current ? render::safe_line(current->path) + "\n" : "no plan chosen for this project\n";
  return said == Said::change ? program.report_change(line) : program.print(line);
}

}  // namespace

ExitCode run_use(Program& program, const Words& words) {
  std::string path;
  bool clear = false;
  bool json = false;
  Arguments arguments(
      program, "use",
      "Chooses the plan of this project when there are several. The choice is stored outside the project,\n"
      "for this user only. Without an argument it shows the current choice.");
  arguments.positional("PLAN", path,
                       "A plan, the folder that contains it, or an id that plankeep plans shows",
                       Arguments::Need::optional);
  arguments.flag("--clear", clear, "Forget the choice");
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;
  if (clear && !path.empty()) {
    return program.fail(
        {base::ErrorKind::invalid_input, "--clear cannot be combined with a plan", {}, "plankeep help use"},
        About::request);
  }

  if (clear) {
    const auto forgotten = app::forget_plan(program.context);
    if (!forgotten) return program.fail(forgotten.error(), About::file);
    return say(program, std::nullopt, json, Said::change);
  }
  if (path.empty()) {
    const auto current = app::current_plan(program.context);
    if (!current) return program.fail(current.error(), About::file);
    return say(program, *current, json, Said::answer);
  }
  const auto plan = app::plan_named(program.context, path);
  if (!plan) return program.fail(plan.error(), About::plan);
  const auto chosen = app::choose_plan(program.context, plan->plan);
  if (!chosen) return program.fail(chosen.error(), About::file);
  // Inside a session its last plan would stand before the choice.
  if (const auto state = app::recorded_state(program.context, plan->plan))
    note_own_work(program, plan->plan, *state);
  return say(program, *chosen, json, Said::change);
}

}  // namespace plankeep::cli
