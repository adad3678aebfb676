#include "install/install.hpp"

#include "cli/commands/all.hpp"
#include "cli/commands/clients/install_command.hpp"
#include "install/install_server.hpp"

namespace plankeep::cli {

ExitCode run_install(Program& program, const Words& words) {
  InstallFlags flags;
  bool check = false;
  bool status_line = false;
  bool absolute = false;
  bool on_path = false;
  Arguments arguments(
      program, "install",
      "Adds plankeep's hooks to an AI coding client's settings. Everything else in the file stays byte for\n"
      "byte, and a copy of it is kept beside it (NAME.plankeep-backup). Installing twice changes nothing.\n"
      "Claude Code also gets a status line, unless another one is set. With --mcp the client is told to "
      "start\n"
      "plankeep mcp, as its server \"plankeep\", in the file where it keeps those.");
  add_install_flags(arguments, flags);
  arguments.flag("--check", check, "Only say what is missing or old: then exit status 1");
  arguments.flag("--status-line", status_line, "Show the plan in front of a status line that is set");
  arguments.flag("--absolute", absolute, "Call this program by its path");
  arguments.flag("--on-path", on_path, "Call it by its name, as PATH finds it");
  if (const auto stop = arguments.parse(words)) return *stop;
  if (const auto stop = check_scope(program, flags)) return *stop;
  if (absolute && on_path) {
    return program.fail(
        {base::ErrorKind::invalid_input, "--absolute and --on-path say two different things", {}, {}},
        About::request);
  }

  app::InstallRequest request;
  request.client = flags.client;
  request.scope = flags.user ? app::Scope::user : app::Scope::project;
  request.write = !check && !flags.dry_run;
  request.wrap_status_line = status_line;
  request.program = absolute  ? app::ProgramName::absolute
                    : on_path ? app::ProgramName::on_path
                              : app::ProgramName::automatic;
  if (flags.mcp && status_line) {
    return program.fail(
        {base::ErrorKind::invalid_input, "--status-line goes with the hooks, not with --mcp", {}, {}},
        About::request);
  }
  const auto report =
      flags.mcp ? app::install_server(program.context, request) : app::install(program.context, request);
  if (!report) return program.fail(report.error(), About::file);
  const auto action = check ? render::InstallView::Action::check : render::InstallView::Action::install;
  const render::InstallView view = view_of(program, *report, flags, action);
  const ExitCode code = check && !render::complete(view) ? ExitCode::no : ExitCode::fine;
  return program.print(flags.json ? render::install_json(view) : render::install_text(view, program.style),
                       code);
}

}  // namespace plankeep::cli
