#include "cli/commands/sessions/session_network.hpp"

#include "render/sessions/session_fetch.hpp"
#include "render/sessions/session_push.hpp"

namespace plankeep::cli {
namespace {

// Which remote is meant is asked like which plan (exit status 3); what the remote itself does is no fault of
// the command line.
ExitCode fail_remote(Program& program, const base::Error& error) {
  switch (error.kind) {
    case base::ErrorKind::ambiguous:
      return program.fail(error, About::plan);
    case base::ErrorKind::not_found:
    case base::ErrorKind::invalid_input:
      return program.fail(error, About::request);
    case base::ErrorKind::conflict:
      return program.fail(error, ExitCode::no);
    default:
      return program.fail(error, About::file);
  }
}

bool agreed(Program& program, const SessionPushOptions& options, const app::SessionPushView& view) {
  if (options.yes || !view.needs_consent) return true;
  program.console.write_error(render::push_question_text(view));
  if (!program.console.can_ask()) {
    (void)program.fail(
        {base::ErrorKind::invalid_input,
         "not pushed: the first push to remote " + view.remote.remote.name + " needs your consent",
         {},
         "plankeep session push " + view.remote.remote.name + " --yes"},
        ExitCode::no);
    return false;
  }
  const std::string answer = program.console.ask("Push them? [y]es, [N]o: ");
  if (answer == "y" || answer == "Y" || answer == "yes") return true;
  program.console.write_error("Nothing was pushed.\n");
  return false;
}

}  // namespace

ExitCode push_sessions(Program& program, const SessionPushOptions& options) {
  auto push = app::SessionPush::open(program.context, {options.remote});
  if (!push) return fail_remote(program, push.error());
  if (!agreed(program, options, push->view())) return ExitCode::no;
  const auto pushed = push->run();
  if (!pushed) return fail_remote(program, pushed.error());
  const ExitCode code = pushed->refused.empty() ? ExitCode::fine : ExitCode::no;
  if (options.json) return program.print(render::session_pushed_json(*pushed), code);
  for (const std::string& warning : pushed->warnings) program.warn(warning);
  return program.report_change(render::session_pushed_text(*pushed, program.style), code);
}

ExitCode fetch_sessions(Program& program, const std::vector<std::string>& words, bool json) {
  const auto fetched = app::fetch_sessions(program.context, {words});
  if (!fetched) return fail_remote(program, fetched.error());
  if (json) return program.print(render::session_fetched_json(*fetched));
  for (const std::string& warning : fetched->warnings) program.warn(warning);
  return program.report_change(render::session_fetched_text(*fetched));
}

ExitCode list_remote_sessions(Program& program, const RemoteListOptions& options) {
  auto there = app::remote_sessions(program.context, options.remote);
  if (!there) return fail_remote(program, there.error());
  if (there->checkpoints.size() > options.count) there->checkpoints.resize(options.count);
  return program.print(
      options.json ? render::remote_sessions_json(*there)
                   : render::remote_sessions_text(*there, program.context.clock.now(), program.list_style()));
}

}  // namespace plankeep::cli
