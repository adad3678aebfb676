#include "cli/commands/recorded/checkpoint_export.hpp"

#include <algorithm>

#include "checkpoints/find_checkpoint.hpp"
#include "cli/locate.hpp"
#include "cli/version.hpp"
#include "render/sessions/pending_export.hpp"
#include "render/sessions/session_export.hpp"
#include "sessions/export_pending.hpp"
#include "sessions/export_sessions.hpp"

namespace plankeep::cli {
namespace {

constexpr std::size_t kShortestSession = 4;

base::Result<std::optional<core::Checkpoint>> checkpoint_named(const Program& program,
                                                               const app::PlanLocation& plan,
                                                               const std::string& id) {
  using Found = std::optional<core::Checkpoint>;
  auto opened = app::open_checkpoints(program.context, plan, records::Access::read);
  if (!opened && opened.error().kind == base::ErrorKind::not_found) return Found();
  if (!opened) return base::fail(std::move(opened.error()));
  auto found = app::find_checkpoint(*opened->store, id);
  if (!found && found.error().kind == base::ErrorKind::not_found) return Found();
  if (!found) return base::fail(std::move(found.error()));
  return Found(std::move(*found));
}

// The commit that HEAD was at, and those that completed the phase.
void add_commits(const core::Checkpoint& checkpoint, app::SessionExportRequest& request) {
  for (const core::CommitMade& commit : checkpoint.work_state.commits) request.commits.push_back(commit.sha);
  if (!checkpoint.moment.commit_sha.empty()) request.commits.push_back(checkpoint.moment.commit_sha);
}

// By its id, or a beginning of it that only one has.
base::Result<const app::RecordedSession*> session_named(const app::ExportSources& sources,
                                                        const std::string& id) {
  std::vector<const app::RecordedSession*> meant;
  for (const app::RecordedSession& session : sources.sessions) {
    if (session.id == id) return &session;
    if (id.size() >= kShortestSession && session.id.starts_with(id)) meant.push_back(&session);
  }
  if (meant.size() == 1) return meant.front();
  if (meant.empty())
    return base::fail(base::ErrorKind::not_found, "neither a checkpoint nor a session of this plan: " + id,
                      "to list checkpoints: plankeep checkpoint list");
  return base::fail(base::ErrorKind::ambiguous, "\"" + id + "\" means several sessions",
                    "give more of the id");
}

base::Status add_ids(const Program& program, const app::PlanLocation& plan,
                     const SessionExportOptions& options, const app::ExportSources& sources,
                     app::SessionExportRequest& request) {
  std::optional<base::Instant> began;
  for (const std::string& id : options.ids) {
    TRY_ASSIGN(const auto checkpoint, checkpoint_named(program, plan, id));
    if (checkpoint) {
      const std::size_t before = request.commits.size();
      add_commits(*checkpoint, request);
      if (request.commits.size() == before)
        return base::fail(base::ErrorKind::not_found,
                          "checkpoint " + id + " was made before the first commit");
      continue;
    }
    TRY_ASSIGN(const app::RecordedSession* session, session_named(sources, id));
    request.sessions.push_back(session->id);
    began = began ? std::min(*began, session->started_at) : session->started_at;
  }
  // A session by itself: in all commits since it began.
  if (began && request.commits.empty() && !request.since) request.since = began;
  return {};
}

// An ambiguous id is answered as an ambiguous plan is: exit status 3.
ExitCode fail_id(Program& program, const base::Error& error) {
  return program.fail(error, error.kind == base::ErrorKind::ambiguous ? About::plan : About::request);
}

ExitCode export_running(Program& program, const SessionExportOptions& options) {
  if (!options.commits.empty() || !options.since.empty() || options.all || !options.layout.empty()) {
    return program.fail({base::ErrorKind::invalid_input,
                         "--pending cannot be used with --commit, --since, --all or --layout",
                         {},
                         "it writes what is not committed yet"},
                        About::request);
  }
  ExitCode code = ExitCode::fine;
  const auto plan = locate_tracked(program, options.plan, code);
  if (!plan) return code;
  const auto sources = app::export_sources(program.context, *plan);
  if (!sources) return program.fail(sources.error(), About::file);
  app::PendingExportRequest request;
  request.with_transcript = !options.no_transcript;
  request.dry_run = options.dry_run;
  for (const std::string& id : options.ids) {
    const auto session = session_named(*sources, id);
    if (!session) return fail_id(program, session.error());
    request.sessions.push_back((*session)->id);
  }
  const auto done = app::export_pending(program.context, *plan, *sources, request);
  if (!done) return program.fail(done.error(), About::file);
  const ExitCode status = done->warnings.empty() ? ExitCode::fine : ExitCode::no;
  if (options.json) return program.print(render::pending_export_json(*plan, *done), status);
  for (const std::string& warning : done->warnings) program.warn(warning);
  const std::string text = render::pending_export_text(*done, program.list_style());
  return options.dry_run ? program.print(text, status) : program.report_change(text, status);
}

}  // namespace

ExitCode export_to_entire(Program& program, const SessionExportOptions& options) {
  if (options.pending) return export_running(program, options);
  app::SessionExportRequest request;
  request.commits = options.commits;
  request.version = kVersion;
  request.with_transcript = !options.no_transcript;
  request.dry_run = options.dry_run;
  if (options.layout == "refs") request.layout = core::SessionLayout::refs;
  if (options.layout == "branch") request.layout = core::SessionLayout::branch;
  if (options.all) request.since = base::Instant{0};
  if (!options.since.empty()) {
    const auto moment = base::read_since("--since", options.since, program.context.clock.now());
    if (!moment) return program.fail(moment.error(), About::request);
    request.since = *moment;
  }
  if (options.ids.empty() && options.commits.empty() && !request.since) {
    return program.fail({base::ErrorKind::invalid_input,
                         "which commits?",
                         {},
                         "give checkpoints, sessions, --commit, --since or --all"},
                        About::request);
  }
  ExitCode code = ExitCode::fine;
  const auto plan = locate_tracked(program, options.plan, code);
  if (!plan) return code;
  const auto sources = app::export_sources(program.context, *plan);
  if (!sources) return program.fail(sources.error(), About::file);
  if (const auto added = add_ids(program, *plan, options, *sources, request); !added)
    return fail_id(program, added.error());
  const auto done = app::export_sessions(program.context, *plan, *sources, request);
  if (!done) {
    const bool unknown = done.error().kind == base::ErrorKind::not_found && !options.commits.empty();
    return program.fail(done.error(), unknown ? About::request : About::file);
  }
  const ExitCode status = done->warnings.empty() ? ExitCode::fine : ExitCode::no;
  if (options.json) return program.print(render::session_export_json(*plan, *done), status);
  for (const std::string& warning : done->warnings) program.warn(warning);
  const std::string text = render::session_export_text(*done, program.list_style());
  return options.dry_run ? program.print(text, status) : program.report_change(text, status);
}

}  // namespace plankeep::cli
