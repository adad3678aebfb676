// plankeep session resume ID

#include "cli/commands/sessions/session_options.hpp"
#include "render/sessions/resumed.hpp"
#include "sessions/resume_session.hpp"

namespace plankeep::cli {

ExitCode resume_session(Program& program, const SessionOptions& options) {
  if (options.which().empty()) return wrong_session(program, "which session checkpoint?");
  auto sessions = app::Sessions::open(program.context);
  if (!sessions) return program.fail(sessions.error(), About::file);
  app::ResumeRequest request;
  request.which = options.which();
  request.session = options.session;
  request.client = options.client;
  request.print = options.print;
  const auto done = app::resume_session(program.context, *sessions, request);
  if (!done) return fail_session(program, done.error());
  // The client would go on with another conversation than the one that is stored.
  const bool other = done->found == app::ResumedSession::Found::different;
  const ExitCode code = other ? ExitCode::no : ExitCode::fine;
  if (options.json) return program.print(render::resumed_json(*done), code);
  for (const std::string& warning : done->warnings) program.warn(warning);
  return program.print(render::resumed_text(*done, options.print, program.list_style()), code);
}

}  // namespace plankeep::cli
