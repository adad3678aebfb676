#include "checkpoints/checkpoint.hpp"

#include <algorithm>
#include <array>

#include "checkpoints/checkpoint_diff.hpp"
#include "checkpoints/checkpoint_files.hpp"
#include "checkpoints/find_checkpoint.hpp"
#include "checkpoints/fleet_checkpoints.hpp"
#include "checkpoints/import_shadow.hpp"
#include "checkpoints/job.hpp"
#include "checkpoints/retention.hpp"
#include "checkpoints/snapshots.hpp"
#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/commands/recorded/checkpoint_export.hpp"
#include "cli/locate.hpp"
#include "project/project.hpp"
#include "render/recorded/checkpoint.hpp"
#include "render/recorded/checkpoint_diff.hpp"
#include "render/recorded/imported.hpp"
#include "rules/listing/phase_name.hpp"
#include "tracking/loaded_state.hpp"

namespace plankeep::cli {
namespace {

struct Options {
  std::string action;
  std::vector<std::string> named;  // ID, and what comes behind it
  std::vector<std::string> paths;  // behind "--"
  bool stat = false;
  std::string note;
  std::string session;
  std::string type;
  std::string phase;
  std::string since;
  std::string older_than;
  std::string from;
  std::size_t count = 20;
  bool dry = false;
  bool all = false;
  bool fleet = false;
  std::string to;
  std::vector<std::string> commits;
  std::string layout;
  bool no_transcript = false;
  bool pending = false;
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
      Belongs{options.stat, "--stat", {"diff", "diff"}},
      Belongs{!options.paths.empty(), "PATH", {"diff", "diff"}},
      Belongs{!options.note.empty(), "--note", {"create", "create"}},
      Belongs{!options.session.empty(), "--session", {"create", "list"}},
      Belongs{!options.type.empty(), "--type", {"list", "list"}},
      Belongs{!options.phase.empty(), "--phase", {"list", "list"}},
      Belongs{!options.since.empty(), "--since", {"list", "export"}},
      Belongs{!options.older_than.empty(), "--older-than", {"cleanup", "cleanup"}},
      Belongs{options.dry, "--dry-run", {"cleanup", "export"}},
      Belongs{options.all, "--all", {"cleanup", "export"}},
      Belongs{options.fleet, "--fleet", {"list", "list"}},
      Belongs{!options.to.empty(), "--to", {"export", "export"}},
      Belongs{!options.commits.empty(), "--commit", {"export", "export"}},
      Belongs{!options.layout.empty(), "--layout", {"export", "export"}},
      Belongs{options.no_transcript, "--no-transcript", {"export", "export"}},
      Belongs{options.pending, "--pending", {"export", "export"}},
      Belongs{!options.from.empty(), "--from", {"import", "import"}},
  };
  const std::size_t most = options.action == "show"                                   ? 1
                           : options.action == "diff" || options.action == "checkout" ? 2
                           : !options.to.empty()                                      ? options.named.size()
                                                                                      : 0;
  const bool chooses = !options.since.empty() || options.dry || options.all || !options.commits.empty() ||
                       !options.layout.empty() || options.no_transcript || options.pending ||
                       !options.named.empty();
  if (options.action == "export" && options.to.empty() && chooses)
    return "checkpoint export prints all checkpoints; to choose some and write them into git, add --to "
           "entire";
  if (options.named.size() > most && options.action != "import")
    return "checkpoint " + options.action + " takes " +
           (most == 0                  ? "no ID"
            : most == 1                ? "one ID"
            : options.action == "diff" ? "two IDs at most"
                                       : "ID and DIR");
  for (const Belongs& one : belongs) {
    const bool fits = one.actions[0] == options.action || one.actions[1] == options.action;
    if (one.given && !fits) {
      return std::string(one.option) + " can only be used with checkpoint " + std::string(one.actions[0]) +
             (one.actions[1] != one.actions[0] ? " and " + std::string(one.actions[1]) : "");
    }
  }
  return std::nullopt;
}

ExitCode show(Program& program, const app::PlanLocation& plan, const app::CheckpointAnswer& answer,
              bool json) {
  if (json) return program.print(render::checkpoint_json(plan, answer));
  for (const std::string& warning : answer.warnings) program.warn(warning);
  return program.print(render::checkpoint_text(answer, program.context.clock.now(), program.style));
}

ExitCode create(Program& program, const Options& options) {
  ExitCode code = ExitCode::fine;
  const auto plan = locate_tracked(program, options.plan, code);
  if (!plan) return code;
  app::CheckpointRequest request;
  request.note = options.note;
  request.manual = true;
  if (!options.session.empty()) request.instance = options.session;
  request.take_snapshot =
      app::snapshot_taker(program.context, *plan, app::Project(program.context, plan->folder).settings());
  const auto made = app::create_checkpoint(program.context, *plan, request);
  if (!made) return program.fail(made.error(), About::file);
  app::spawn_job(program.context, *plan, made->events, "checkpoint");
  if (options.json || !program.globals.quiet) return show(program, *plan, *made, options.json);
  return ExitCode::fine;
}

// The id of the phase that is asked for. A phase that is gone from the plan may still have checkpoints, so a
// name that the plan does not know is taken for an id. `unknown` then says what to report if there are none.
core::PhaseId phase_asked_for(const app::Context& context, const app::PlanLocation& plan,
                              const std::string& asked, std::optional<base::Error>& unknown) {
  const auto state = app::recorded_state(context, plan);
  const std::vector<core::PhaseState> none;
  const std::vector<core::PhaseState>& phases = state ? state->phases : none;
  const auto found = core::find_phase(core::names_of_phases(phases), asked);
  if (found) return phases[*found].id;
  unknown = found.error();
  return core::PhaseId(asked);
}

// Without the network: what was pulled.
ExitCode list_fleet(Program& program, const Options& options, const app::PlanLocation& plan,
                    const records::CheckpointQuery& query, const std::optional<base::Error>& unknown) {
  const auto pulled = app::read_fleet_checkpoints(program.context, plan);
  if (!pulled) return program.fail(pulled.error(), About::file);
  std::vector<render::FleetListed> listed;
  for (const app::FleetCheckpoint& one : *pulled) {
    const core::CheckpointHead& head = one.checkpoint.head;
    const bool fits = (!query.type || head.type == *query.type) &&
                      (!query.phase || head.phase == *query.phase) &&
                      (!query.instance || head.instance_id == *query.instance) &&
                      (!query.since || head.timestamp >= *query.since);
    if (fits && listed.size() < query.limit)
      listed.push_back({one.replica, one.login, one.machine, core::listed(one.checkpoint)});
  }
  if (listed.empty() && unknown) return program.fail(*unknown, About::request);
  return program.print(
      options.json ? render::fleet_list_json(plan, listed)
                   : render::fleet_list_text(listed, program.context.clock.now(), program.list_style()));
}

ExitCode list(Program& program, const Options& options) {
  records::CheckpointQuery query;
  query.limit = options.count;
  if (!options.type.empty()) query.type = core::checkpoint_type(options.type);
  if (!options.session.empty()) query.instance = options.session;
  if (!options.since.empty()) {
    const auto moment = base::read_since("--since", options.since, program.context.clock.now());
    if (!moment) return program.fail(moment.error(), About::request);
    query.since = *moment;
  }
  ExitCode code = ExitCode::fine;
  const auto plan = locate_recorded(program, options.plan, code);
  if (!plan) return code;
  std::optional<base::Error> unknown;
  if (!options.phase.empty()) query.phase = phase_asked_for(program.context, *plan, options.phase, unknown);
  if (options.fleet) return list_fleet(program, options, *plan, query, unknown);
  const auto found = app::list_checkpoints(program.context, *plan, query);
  if (!found) return program.fail(found.error(), About::file);
  for (const std::string& warning : found->warnings) program.warn(warning);
  if (found->listed.empty() && unknown) return program.fail(*unknown, About::request);
  return program.print(options.json ? render::checkpoint_list_json(*plan, found->listed)
                                    : render::checkpoint_list_text(found->listed, program.context.clock.now(),
                                                                   program.list_style()));
}

ExitCode which_one(Program& program) {
  return wrong(program, "which checkpoint?",
               "plankeep checkpoint list shows them, plankeep checkpoint show last the newest");
}

ExitCode diff(Program& program, const Options& options) {
  if (options.named.empty()) return which_one(program);
  ExitCode code = ExitCode::fine;
  const auto plan = locate_recorded(program, options.plan, code);
  if (!plan) return code;
  app::CheckpointDiffRequest request;
  request.from = options.named.front();
  if (options.named.size() > 1) request.to = options.named.back();
  request.paths = options.paths;
  request.with_patch = !options.stat;
  const auto found = app::diff_checkpoints(program.context, *plan, request);
  if (!found) return program.fail(found.error(), About::request);
  if (options.json) return program.print(render::checkpoint_diff_json(*plan, *found));
  for (const std::string& warning : found->warnings) program.warn(warning);
  return program.print(render::checkpoint_diff_text(*found, program.list_style()));
}

ExitCode check_out(Program& program, const Options& options) {
  if (options.named.empty()) return which_one(program);
  if (options.named.size() < 2)
    return wrong(program, "a folder is required",
                 "plankeep checkpoint checkout ID DIR; DIR must be new or empty");
  ExitCode code = ExitCode::fine;
  const auto plan = locate_recorded(program, options.plan, code);
  if (!plan) return code;
  const auto done = app::check_out(program.context, *plan, options.named.front(), options.named.back());
  if (!done) return program.fail(done.error(), About::request);
  if (options.json) return program.print(render::checked_out_json(*plan, *done));
  for (const std::string& warning : done->warnings) program.warn(warning);
  return program.report_change(render::checked_out_text(*done, program.style));
}

ExitCode show_one(Program& program, const Options& options) {
  if (options.named.empty()) return which_one(program);
  ExitCode code = ExitCode::fine;
  const auto plan = locate_recorded(program, options.plan, code);
  if (!plan) return code;
  const auto found = app::get_checkpoint(program.context, *plan, options.named.front());
  if (!found) return program.fail(found.error(), About::request);
  return show(program, *plan, *found, options.json);
}

ExitCode clean_up(Program& program, const Options& options) {
  app::CleanUpRequest request;
  request.all = options.all;
  request.dry = options.dry;
  if (!options.older_than.empty()) {
    const auto length = base::read_age("--older-than", options.older_than);
    if (!length) return program.fail(length.error(), About::request);
    request.older_than_ms = *length;
  }
  ExitCode code = ExitCode::fine;
  const auto plan = locate_recorded(program, options.plan, code);
  if (!plan) return code;
  const auto cleaned = app::clean_up_checkpoints(program.context, *plan, request,
                                                 app::snapshot_dropper(program.context, *plan));
  if (!cleaned) return program.fail(cleaned.error(), About::file);
  app::spawn_job(program.context, *plan, cleaned->events, "checkpoint");
  if (options.json) return program.print(render::clean_up_json(*cleaned));
  for (const std::string& warning : cleaned->warnings) program.warn(warning);
  const std::string text = render::clean_up_text(*cleaned, program.style);
  return options.dry ? program.print(text) : program.report_change(text);
}

ExitCode import_snapshots(Program& program, const Options& options) {
  constexpr std::string_view kHint =
      "plankeep checkpoint import --from entire ID...; plankeep session list --pending shows them";
  if (options.from.empty()) return wrong(program, "from which tool?", std::string(kHint));
  if (options.named.empty()) return wrong(program, "which snapshot?", std::string(kHint));
  ExitCode code = ExitCode::fine;
  const auto plan = locate_tracked(program, options.plan, code);
  if (!plan) return code;
  std::vector<app::ImportedSnapshot> imported;
  std::optional<base::Error> failed;
  for (const std::string& named : options.named) {
    auto done = app::import_shadow(program.context, *plan, named);
    if (!done) {
      failed = std::move(done.error());
      break;
    }
    app::spawn_job(program.context, *plan, done->answer.events, "checkpoint");
    imported.push_back(std::move(*done));
  }
  // What was imported before the mistake stays, so it is told.
  if (!imported.empty() && options.json && !failed)
    return program.print(render::imported_json(*plan, imported));
  if (!options.json) {
    for (const app::ImportedSnapshot& one : imported) {
      for (const std::string& warning : one.answer.warnings) program.warn(warning);
    }
    if (!imported.empty())
      program.report_change(
          render::imported_text(imported, program.context.clock.now(), program.list_style()));
  }
  return failed ? program.fail(*failed, About::request) : ExitCode::fine;
}

ExitCode export_all(Program& program, const Options& options) {
  if (!options.to.empty()) {
    return export_to_entire(
        program, {options.named, options.commits, options.since, options.all, options.layout,
                  options.no_transcript, options.dry, options.pending, options.plan, options.json});
  }
  ExitCode code = ExitCode::fine;
  const auto plan = locate_recorded(program, options.plan, code);
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
      "Manages checkpoints, permanent records of the work: the phase, uncommitted changes, the\n"
      "last tools used, the tasks and the text of the plan, and how to continue from there.\n"
      "\n"
      "create makes one now; list shows the newest; show prints one with what to do next. diff\n"
      "compares two of them, or one with the current state: tasks first, then files. checkout\n"
      "writes the files of one to a separate folder, which git does not know; delete it like any\n"
      "other. import turns snapshots that Entire's tools took of running sessions into checkpoints,\n"
      "so that rewind can go back to them; ID is a shadow branch (its newest snapshot), a commit on\n"
      "one, or a session's id. cleanup deletes those older than 30 days, except those of completed\n"
      "phases and the newest of each session; export prints all of them, one JSON object per line.\n"
      "\n"
      "export --to entire writes session checkpoints into git, in the format of Entire's tools:\n"
      "metadata, prompts and transcripts of the AI sessions that worked on a commit. plankeep\n"
      "session shows them. Secrets are replaced by REDACTED first; nothing is pushed. A\n"
      "checkpoint's ID selects the commit that was HEAD when it was made, and the commits of the\n"
      "phase that it completed. A client's session ID selects every commit since the session\n"
      "began that it worked on. A second export changes nothing. Exit status 1: something is\n"
      "missing, such as a transcript, but the rest was written.\n"
      "\n"
      "With --pending it writes a snapshot of each running session (or of the session ID) to the\n"
      "branch where Entire's tools look for uncommitted work, entire/<commit>-<work tree>: the\n"
      "files of the session's newest checkpoint and its transcript. git push --all would push\n"
      "that branch.");
  std::vector<std::string> types;
  for (const std::string_view name : core::checkpoint_type_names()) types.emplace_back(name);
  arguments.choice("ACTION", options.action,
                   {"create", "list", "show", "diff", "checkout", "import", "cleanup", "export"},
                   "What to do");
  arguments.positionals("ID", options.named,
                        "show: the checkpoint; diff: one or two, and \"-- PATH...\" to limit it to "
                        "these files and folders; checkout: the checkpoint and the folder; "
                        "import: snapshots; export --to entire: checkpoints or sessions. A checkpoint is "
                        "named by its id, a prefix or suffix of it (_007), \"last\" (newest not made by a "
                        "rewind), a time as log prints it, in UTC, or a row of rewind --list (7)",
                        Arguments::Need::optional);
  arguments.choice("--from", options.from, {"entire"}, "import: the tool that took the snapshots");
  arguments.flag("--stat", options.stat, "diff: only list the files that differ, with line counts");
  arguments.option("--note", options.note, "TEXT", "create: attach a note");
  arguments.option("--session", options.session, "ID", "create, list: the client's session");
  arguments.choice("--type", options.type, types, "list: only of this type");
  arguments.option("--phase", options.phase, "PHASE", "list: only of this phase: its id, title or number");
  arguments.option("--since", options.since, "TIME",
                   "list: only newer than 2h, 3d or 2026-11-20T15:00:00Z; export: commits since then");
  arguments.number("-n,--lines", options.count, "N", "list: maximum number (default: 20)");
  arguments.option("--older-than", options.older_than, "TIME", "cleanup: minimum age (default: 30d)");
  arguments.flag("--all", options.all,
                 "cleanup: also delete those of the last hour and the newest of each session; "
                 "export: all commits in the history of HEAD");
  arguments.flag("--dry-run", options.dry, "cleanup, export: only print what would be done");
  arguments.flag("--fleet", options.fleet,
                 "list: those of other machines, as plankeep fleet pull brought them");
  arguments.choice("--to", options.to, {"entire"}, "export: write session checkpoints into git");
  arguments.options("--commit", options.commits, "COMMIT",
                    "export: this commit; can be given "
                    "several times");
  arguments.choice("--layout", options.layout, {"auto", "refs", "branch"},
                   "export: one ref per session checkpoint, or one branch for all (default: the "
                   "layout Entire is set up for here, else the one already in use, else refs)");
  arguments.flag("--no-transcript", options.no_transcript, "export: only metadata and prompts");
  arguments.flag("--pending", options.pending,
                 "export: put the uncommitted work of running sessions onto shadow branches");
  arguments.plan(options.plan);
  arguments.json(options.json);
  if (const auto stop = arguments.parse(words)) return *stop;
  if (const auto dashes = std::find(words.begin(), words.end(), "--"); dashes != words.end()) {
    const auto behind = std::min(std::distance(dashes, words.end()) - 1, std::ssize(options.named));
    options.paths.assign(options.named.end() - behind, options.named.end());
    options.named.erase(options.named.end() - behind, options.named.end());
  }
  if (const auto mistake = misplaced(options)) return wrong(program, *mistake, "plankeep help checkpoint");
  if (options.action == "create") return create(program, options);
  if (options.action == "list") return list(program, options);
  if (options.action == "show") return show_one(program, options);
  if (options.action == "diff") return diff(program, options);
  if (options.action == "checkout") return check_out(program, options);
  if (options.action == "import") return import_snapshots(program, options);
  if (options.action == "cleanup") return clean_up(program, options);
  return export_all(program, options);
}

}  // namespace plankeep::cli
