#include "cli/commands/all.hpp"
#include "cli/commands/clients/install_command.hpp"
#include "install/install.hpp"
#include "install/install_server.hpp"

namespace plankeep::cli {

ExitCode run_uninstall(Program& program, const Words& words) {
  InstallFlags flags;
  bool check = false;
  Arguments arguments(
      program, "uninstall",
      "Removes plankeep's hooks from an AI coding client's settings. If nothing else changed since they\n"
      "were added, the file becomes byte for byte what it was before; a file that was created for them is\n"
      "deleted. With --mcp: removes plankeep's MCP server instead.");
  add_install_flags(arguments, flags);
  arguments.flag("--check", check, "Only check; exit status 1 if anything is left");
  if (const auto stop = arguments.parse(words)) return *stop;
  if (const auto stop = check_scope(program, flags)) return *stop;

  app::InstallRequest request;
  request.client = flags.client;
  request.scope = flags.user ? app::Scope::user : app::Scope::project;
  request.write = !check && !flags.dry_run;
  const auto report =
      flags.mcp ? app::uninstall_server(program.context, request) : app::uninstall(program.context, request);
  if (!report) return program.fail(report.error(), About::file);
  return show_report(program, *report, flags, render::InstallAction::uninstall,
                     check && report->change != app::FileChange::none ? ExitCode::no : ExitCode::fine);
}

}  // namespace plankeep::cli
