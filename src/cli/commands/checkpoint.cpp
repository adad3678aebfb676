#include "app/checkpoint.hpp"

#include <algorithm>
#include <array>

#include "app/answers.hpp"
#include "app/discover.hpp"
#include "app/later.hpp"
#include "app/settings.hpp"
#include "app/snapshots.hpp"
#include "app/time_argument.hpp"
#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/locate.hpp"
#include "render/checkpoint.hpp"

namespace plankeep::cli {
namespace {

struct Options {
  std::string action;
  std::string which;
  std::string note;
  std::string session;
  std::string type;
  std::string phase;
  std::string since;
  std::string older_than;
  std::size_t count = 20;
  bool dry = false;
  std::optional<std::string> plan;
  bool json = false;
};

ExitCode wrong(Program& program, std::string message, std::string hint) {
  return program.fail({base::ErrorKind::invalid_input, std::move(message), {}, std::move(hint)},
                      About::request);
}

// An option that says nothing to this action is a mistake, not noise.
std::optional<std::string> misplaced(const Options& options) {
  struct Belongs {
    bool given;
    std::string_view option;
    std::array<std::string_view, 2> actions;
  };
  const std::array belongs{
      Belongs{!options.which.empty(), "ID", {"show", "show"}},
      Belongs{!options.note.empty(), "--note", {"create", "create"}},
      Belongs{!options.session.empty(), "--session", {"create", "list"}},
      Belongs{!options.type.empty(), "--type", {"list", "list"}},
      Belongs{!options.phase.empty(), "--phase", {"list", "list"}},
      Belongs{!options.since.empty(), "--since", {"list", "list"}},
      Belongs{!options.older_than.empty(), "--older-than", {"cleanup", "cleanup"}},
      Belongs{options.dry, "--dry-run", {"cleanup", "cleanup"}},
  };
  for (const Belongs& one : belongs) {
    const bool fits = one.actions[0] == options.action || one.actions[1] == options.action;
    if (one.given && !fits) {
      return std::string(one.option) + " goes with checkpoint " + std::string(one.actions[0]) +
             (one.actions[1] != one.actions[0] ? " and " + std::string(one.actions[1]) : "");
    }
  }
  return std::nullopt;
}

ExitCode show(Program& program, const app::PlanLocation& plan, app::CheckpointAnswer answer, bool json) {
  const render::CheckpointView view{plan.plan_id(), plan.path(), std::move(answer.checkpoint),
                                    std::move(answer.instructions), std::move(answer.warnings)};
  if (json) return program.print(render::checkpoint_json(view));
  for (const std::string& warning : view.warnings) program.warn(warning);
  return program.print(render::checkpoint_text(view, program.context.clock.now(), program.style));
}

ExitCode create(Program& program, const Options& options) {
  ExitCode code = ExitCode::fine;
  const auto plan = locate_tracked(program, options.plan, code);
  if (!plan) return code;
  app::CheckpointRequest request;
  request.note = options.note;
  request.manual = true;
  if (!options.session.empty()) request.instance = options.session;
  const app::Settings settings =
      app::read_settings(program.context, app::project_root(program.context, plan->folder));
  request.take_snapshot = app::snapshot_taker(program.context, *plan, settings);
  auto made = app::create_checkpoint(program.context, *plan, request);
  if (!made) return program.fail(made.error(), About::file);
  app::start_later(program.context, *plan, made->events, "checkpoint");
  return show(program, *plan, std::move(*made), options.json);
}

ExitCode list(Program& program, const Options& options) {
  records::CheckpointQuery query;
  query.limit = options.count;
  if (!options.type.empty()) query.type = core::checkpoint_type(options.type);
  if (!options.phase.empty()) query.phase = core::PhaseId(options.phase);
  if (!options.session.empty()) query.instance = options.session;
  if (!options.since.empty()) {
    const auto moment = app::read_since("--since", options.since, program.context.clock.now());
    if (!moment) return program.fail(moment.error(), About::request);
    query.since = *moment;
  }
  ExitCode code = ExitCode::fine;
  const auto plan = locate(program, options.plan, code);
  if (!plan) return code;
  auto found = app::list_checkpoints(program.context, *plan, query);
  if (!found) return program.fail(found.error(), About::file);
  for (const std::string& warning : found->warnings) program.warn(warning);
  const render::CheckpointListView view{plan->plan_id(), plan->path(), std::move(found->listed)};
  return program.print(
      options.json ? render::checkpoint_list_json(view)
                   : render::checkpoint_list_text(view, program.context.clock.now(), program.list_style()));
}

ExitCode show_one(Program& program, const Options& options) {
  if (options.which.empty()) {
    return wrong(program, "which checkpoint?",
                 "plankeep checkpoint list shows them, plankeep checkpoint show last the newest");
  }
  ExitCode code = ExitCode::fine;
  const auto plan = locate(program, options.plan, code);
  if (!plan) return code;
  auto found = app::get_checkpoint(program.context, *plan, options.which);
  if (!found) return program.fail(found.error(), About::request);
  return show(program, *plan, std::move(*found), options.json);
}

ExitCode clean_up(Program& program, const Options& options) {
  constexpr std::int64_t kDay = std::int64_t{24} * 60 * 60 * 1000;
  std::int64_t older_than = app::kCheckpointDays * kDay;
  if (!options.older_than.empty()) {
    const auto length = app::read_age("--older-than", options.older_than);
    if (!length) return program.fail(length.error(), About::request);
    older_than = *length;
  }
  ExitCode code = ExitCode::fine;
  const auto plan = locate(program, options.plan, code);
  if (!plan) return code;
  const auto cleaned = app::clean_up_checkpoints(program.context, *plan, older_than, options.dry,
                                                 app::snapshot_dropper(program.context, *plan));
  if (!cleaned) return program.fail(cleaned.error(), About::file);
  const render::CleanUpView view = app::view_of(*plan, *cleaned, options.dry);
  if (options.json) return program.print(render::clean_up_json(view));
  for (const std::string& warning : view.warnings) program.warn(warning);
  return program.print(render::clean_up_text(view, program.style));
}

ExitCode export_all(Program& program, const Options& options) {
  ExitCode code = ExitCode::fine;
  const auto plan = locate(program, options.plan, code);
  if (!plan) return code;
  const auto done =
      app::export_checkpoints(program.context, *plan, [&program](const core::Checkpoint& checkpoint) {
        return program.console.write(render::export_line(checkpoint));
      });
  if (!done) return program.fail(done.error(), About::file);
  for (const std::string& warning : *done) program.warn(warning);
  return ExitCode::fine;
}

}  // namespace

ExitCode run_checkpoint(Program& program, const Words& words) {
  Options options;
  Arguments arguments(
      program, "checkpoint",
      "Keeps records of the work that never change: the phase, what is not committed, the last tools\n"
      "used, the tasks and the plan's text; and says how to go on from one.\n"
      "\n"
      "create makes one now; list shows the newest, show one of them with what to do next (ID, the\n"
      "beginning of one, or last); cleanup deletes those older than 30 days, but never those of a\n"
      "completed phase; export prints all of them, one JSON object a line.");
  std::vector<std::string> types;
  for (const std::string_view name : core::checkpoint_type_names()) types.emplace_back(name);
  arguments.choice("ACTION", options.action, {"create", "list", "show", "cleanup", "export"}, "What to do");
  arguments.positional("ID", options.which, "show: the checkpoint", Arguments::Need::optional);
  arguments.option("--note", options.note, "TEXT", "create: a note to keep with it");
  arguments.option("--session", options.session, "ID", "create, list: the client's session");
  arguments.choice("--type", options.type, types, "list: only these");
  arguments.option("--phase", options.phase, "ID", "list: only those of this phase");
  arguments.option("--since", options.since, "TIME",
                   "list: only those since 2h, 3d ago, or 2026-11-20T15:00:00Z");
  arguments.number("-n,--lines", options.count, "N", "list: at most so many (20 if not given)");
  arguments.option("--older-than", options.older_than, "TIME", "cleanup: 30d if not given");
  arguments.flag("--dry-run", options.dry, "cleanup: only say what would be deleted");
  arguments.plan(options.plan);
  arguments.json(options.json);
  if (const auto stop = arguments.parse(words)) return *stop;
  if (const auto mistake = misplaced(options)) return wrong(program, *mistake, "plankeep help checkpoint");
  if (options.action == "create") return create(program, options);
  if (options.action == "list") return list(program, options);
  if (options.action == "show") return show_one(program, options);
  if (options.action == "cleanup") return clean_up(program, options);
  return export_all(program, options);
}

}  // namespace plankeep::cli
