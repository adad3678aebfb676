// plankeep session clean [ID...]

#include <algorithm>

#include "cli/commands/sessions/session_options.hpp"
#include "render/sessions/cleaned.hpp"
#include "sessions/clean_sessions.hpp"

namespace plankeep::cli {

ExitCode clean_sessions(Program& program, const SessionOptions& options) {
  app::CleanRequest request;
  request.ids = options.named;
  request.pending = options.pending;
  request.act = options.yes;
  if (!options.older_than.empty()) {
    const auto length = base::read_age("--older-than", options.older_than);
    if (!length) return program.fail(length.error(), About::request);
    request.older_than = *length;
  }
  auto sessions = app::Sessions::open(program.context);
  if (!sessions) return program.fail(sessions.error(), About::file);
  const auto cleaned = app::clean_sessions(program.context, *sessions, request);
  if (!cleaned) return fail_session(program, cleaned.error());
  // By id everything is meant to go.
  const bool stayed = !request.ids.empty() && request.act &&
                      std::any_of(cleaned->items.begin(), cleaned->items.end(),
                                  [](const app::CleanedItem& item) { return !item.removed; });
  const ExitCode code = stayed ? ExitCode::no : ExitCode::fine;
  if (options.json) return program.print(render::cleaned_json(*cleaned), code);
  for (const std::string& warning : cleaned->warnings) program.warn(warning);
  const std::string text = render::cleaned_text(*cleaned, program.context.clock.now(), program.list_style());
  return request.act ? program.report_change(text, code) : program.print(text, code);
}

}  // namespace plankeep::cli
