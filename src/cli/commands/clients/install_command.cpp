#include "cli/commands/clients/install_command.hpp"

#include "settings_files/settings_format.hpp"

namespace plankeep::cli {

void add_install_flags(Arguments& arguments, InstallFlags& flags) {
  std::vector<std::string> names;
  for (const clients::SettingsFormat& format : clients::settings_formats()) names.emplace_back(format.client);
  arguments.choice("CLIENT", flags.client, names, "The client");
  arguments.flag("--mcp", flags.mcp, "The MCP server (plankeep mcp) instead of the hooks");
  arguments.flag("--project", flags.project, "In this project's settings (default)");
  arguments.flag("--user", flags.user, "In your user settings, for every project");
  arguments.flag("--dry-run", flags.dry_run, "Print what would change; write nothing");
  arguments.json(flags.json);
}

std::optional<ExitCode> check_scope(Program& program, const InstallFlags& flags) {
  if (!flags.user || !flags.project) return std::nullopt;
  return program.fail(
      {base::ErrorKind::invalid_input, "--user and --project cannot be used together", {}, {}},
      About::request);
}

ExitCode show_report(Program& program, const app::InstallReport& report, const InstallFlags& flags,
                     render::InstallAction action, ExitCode code) {
  if (flags.json) return program.print(render::install_json(report, action, flags.dry_run), code);
  const std::string text = render::install_text(report, action, flags.dry_run, program.style);
  const bool asked = action == render::InstallAction::check || flags.dry_run;
  return asked ? program.print(text, code) : program.report_change(text, code);
}

}  // namespace plankeep::cli
