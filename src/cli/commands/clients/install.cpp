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
      "Adds plankeep's hooks to an AI coding client's settings. The rest of the file stays byte for byte\n"
      "the same, and a backup is kept next to it (NAME.plankeep-backup). Installing twice changes\n"
      "nothing. Claude Code also gets a status line, unless one is already set. With --mcp, registers\n"
      "plankeep mcp with the client as the MCP server \"plankeep\" instead.");
  add_install_flags(arguments, flags);
  arguments.flag("--check", check, "Only check; exit status 1 if anything is missing or outdated");
  arguments.flag("--status-line", status_line, "Show the plan in front of an existing status line");
  arguments.flag("--absolute", absolute, "Have clients call this program by its absolute path");
  arguments.flag("--on-path", on_path, "Have clients call it by name, as found in PATH");
  if (const auto stop = arguments.parse(words)) return *stop;
  if (const auto stop = check_scope(program, flags)) return *stop;
  if (absolute && on_path) {
    return program.fail(
        {base::ErrorKind::invalid_input, "--absolute and --on-path cannot be used together", {}, {}},
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
    return program.fail({base::ErrorKind::invalid_input, "--status-line cannot be used with --mcp", {}, {}},
                        About::request);
  }
  const auto report =
      flags.mcp ? app::install_server(program.context, request) : app::install(program.context, request);
  if (!report) return program.fail(report.error(), About::file);
  return show_report(program, *report, flags,
                     check ? render::InstallAction::check : render::InstallAction::install,
                     check && !report->complete() ? ExitCode::no : ExitCode::fine);
}

}  // namespace plankeep::cli
